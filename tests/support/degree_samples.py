"""Samples that the degree of Data Pump is measured with."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from uuid import uuid4

import oracledb
import pytest

from oracle_refresh.catalog import read_catalogue
from oracle_refresh.datapump import files, job
from oracle_refresh.definition import DataPump
from oracle_refresh.experience.degree_advice import Sample
from oracle_refresh.labs.datapump_degree.measure import Place, specs, unload
from oracle_refresh.labs.datapump_degree.plan import Trial
from oracle_refresh.labs.datapump_degree.sample import choose_sample, choose_table, parts
from oracle_refresh.operators.calibration import ChooseSample, MeasureDegree
from oracle_refresh.oracle.identifiers import TableName
from oracle_refresh.run.documents import AllRuns
from oracle_refresh.run.freeze import freeze
from support.demo import DemoDatabase
from support.transfer import ROOT, Killed

DEFINITION = str(ROOT / "include" / "refreshes" / "demo.yaml")
DIRECTORY = "REFRESH_DUMPS"


def place() -> Place:
    return Place("demo", f"calibration__{uuid4().hex[:8]}", DIRECTORY, DataPump())


@pytest.fixture(params=["APP.PAYMENTS", "TEST.TESTTABLE", None])
def sample(request: pytest.FixtureRequest, source: oracledb.Connection) -> Sample:
    named = TableName.parse(request.param) if request.param else None
    table, reason = choose_table(read_catalogue(source, ["APP", "DOCS", "TEST"]), named)
    return choose_sample(source, table, reason, freeze(source).scn, 200_000)


def left(source: oracledb.Connection, wanted: Any) -> list[str]:
    patterns = [pattern for spec in wanted for pattern in (*spec.dump_files, spec.log_file)]
    found = [name for pattern in patterns for name in files.existing(source, DIRECTORY, pattern)]
    return [*found, *(set(job.own_jobs(source)) & {spec.job_name for spec in wanted})]


def rows_of(source: oracledb.Connection, sample: Sample, degree: int) -> list[int]:
    with source.cursor() as cursor:
        counts = []
        for part in parts(sample, degree):
            cursor.execute(
                f'SELECT COUNT(*) FROM "{sample.owner}"."{sample.name}" AS OF SCN {sample.scn}'
                f" WHERE {part.predicate}"
            )
            (count,) = cursor.fetchone() or (0,)
            counts.append(int(count))
    return counts


@pytest.fixture
def run(
    connections: pytest.MonkeyPatch, demo_target: DemoDatabase, tmp_path: Path
) -> Iterator[dict[str, Any]]:
    connections.setenv("AIRFLOW__ORACLE_REFRESH__REPORT_DIRECTORY", str(tmp_path))
    context = {"run_id": f"calibration__{uuid4().hex[:8]}", "ti": SimpleNamespace(map_index=0)}
    yield context
    with demo_target.connect() as target, target.cursor() as cursor:
        AllRuns(target).ensure()
        cursor.execute('DELETE FROM "REFRESH$RUN" WHERE RUN_ID = :1', [context["run_id"]])
        target.commit()


@pytest.fixture
def killed(run: Any, source: oracledb.Connection) -> list[str]:
    return killed_measurement(run, source)


def killed_measurement(run: Any, source: oracledb.Connection, definition: str = DEFINITION) -> list[str]:
    """What a measurement leaves that is killed when its jobs have ended: two dump files and their logs."""
    places: list[Any] = []

    def killed(connect: Any, connection: Any, sample: Sample, trial: Trial, place: Place, *how: Any) -> None:
        places.append(specs(sample, trial, place))
        unload(connect, connection, places[-1], *how)
        raise Killed

    choose = ChooseSample(task_id="choose", definition=definition, degrees="1, 2", sample_mb="1", repeats="1")
    choose.execute(run)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("oracle_refresh.operators.calibration.unloaded", killed)
        with pytest.raises(Killed):
            MeasureDegree(task_id="measure", definition=definition, measurement="jobs/2/1").execute(run)
    names = [name for spec in places[-1] for name in spec.dump_files]
    assert dump_files(source, names) == names
    return names


def dump_files(source: oracledb.Connection, names: list[str]) -> list[str]:
    return [name for name in names if files.exists(source, DIRECTORY, name)]
