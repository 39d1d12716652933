"""Measuring for real: killed, failing and deleted measurements, and imports."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import oracledb
import pytest
import yaml

from localoracle.datapump.container import read_header
from oracle_refresh.catalog import read_catalogue
from oracle_refresh.datapump import files, job
from oracle_refresh.definition import load_definition
from oracle_refresh.experience.degree_advice import RECOMMENDATION, Sample
from oracle_refresh.labs.datapump_degree.loading import Landing, make_table
from oracle_refresh.labs.datapump_degree.measure import measure, specs
from oracle_refresh.labs.datapump_degree.plan import Trial
from oracle_refresh.labs.datapump_degree.sample import choose_sample, choose_table
from oracle_refresh.operators.calibration import ChooseSample, DropSample, MeasureDegree, RecommendDegree
from oracle_refresh.oracle.errors import DataPumpError, PlanError, PreflightError, StagingError
from oracle_refresh.run.documents import Documents
from oracle_refresh.run.freeze import freeze
from oracle_refresh.run.refresh_run import RefreshRun
from oracle_refresh.target.sample_schema import SCHEMA
from oracle_refresh.transport.former_dumps import drop_former_dumps, runs_with_dumps
from support.degree_samples import (
    DEFINITION,
    dump_files,
    killed,
    killed_measurement,
    left,
    place,
    rows_of,
    run,
    sample,
)
from support.demo import DemoDatabase
from support.transfer import Fuse, Killed, Mortal, demo

__all__ = ["killed", "run", "sample"]


def landed(target: oracledb.Connection) -> list[str]:
    """What an import of a calibration may have left at the target."""
    with target.cursor() as cursor:
        cursor.execute("SELECT USERNAME FROM DBA_USERS WHERE USERNAME = :1", [SCHEMA])
        schemas = [str(name) for (name,) in cursor.fetchall()]
    jobs = [name for name in job.own_jobs(target) if name.startswith("RF_")]
    return [*schemas, *jobs]


def test_one_job_with_parallel_unloads_the_same_rows(
    demo_source: DemoDatabase, source: oracledb.Connection
) -> None:
    table, reason = choose_table(read_catalogue(source, ["APP"]))
    sample = choose_sample(source, table, reason, freeze(source).scn, 300_000)
    where, trial = place(), Trial(3, 1, "workers")
    found = measure(demo_source.connect, source, sample, trial, where)
    assert (found.rows, found.jobs, found.shape) == (sum(rows_of(source, sample, 1)), 1, "workers")
    assert found.bytes > 0, "its files are counted by the template"
    assert left(source, specs(sample, trial, where)) == []


@pytest.mark.parametrize("calls", [3, 14])
def test_a_killed_measurement_is_repeated(
    demo_source: DemoDatabase, source: oracledb.Connection, calls: int
) -> None:
    table, reason = choose_table(read_catalogue(source, ["APP"]))
    sample = choose_sample(source, table, reason, freeze(source).scn, 100_000)
    where, fuse = place(), Fuse(calls)
    with pytest.raises(Killed):
        measure(demo_source.connect, Mortal(source, fuse), sample, Trial(2, 1), where)  # type: ignore[arg-type]
    assert fuse.burnt
    again = measure(demo_source.connect, source, sample, Trial(2, 1), where)
    assert again.rows == sum(rows_of(source, sample, 1))
    assert left(source, specs(sample, Trial(2, 1), where)) == []


def test_a_failing_job_fails_the_measurement_and_is_removed(
    demo_source: DemoDatabase, source: oracledb.Connection
) -> None:
    table, reason = choose_table(read_catalogue(source, ["APP"]))
    sample = choose_sample(source, table, reason, 1, 100_000)  # an SCN that nobody remembers
    where = place()
    with pytest.raises(DataPumpError, match="ORA-"):
        measure(demo_source.connect, source, sample, Trial(2, 1), where)
    assert not [name for name in left(source, specs(sample, Trial(2, 1), where)) if not name.endswith(".log")]


def test_both_shapes_are_exported_and_imported(run: Any, demo_target: DemoDatabase, tmp_path: Path) -> None:
    choose = ChooseSample(
        task_id="choose",
        definition=DEFINITION,
        degrees="1, 2",
        table="TEST.TESTTABLE",
        sample_mb="1",
        repeats="1",
        parallel="True",
        imports="True",
    )
    wanted = choose.execute(run)
    assert wanted == ["jobs/1/1", "workers/1/1", "jobs/2/1", "workers/2/1"]
    found = []
    for one in wanted:
        task = MeasureDegree(task_id="measure", definition=DEFINITION, measurement=one, imports="True")
        found += task.execute(run)
    assert [each["direction"] for each in found] == ["export", "import"] * 4
    assert len({each["rows"] for each in found}) == 1
    assert found[0]["rows"] > 0
    with demo_target.connect() as target:
        assert landed(target) == []
    RecommendDegree(task_id="recommend", definition=DEFINITION, measurements=wanted).execute(run)
    with demo_target.connect() as target:
        (kept,) = Documents(target, run["run_id"]).latest(RECOMMENDATION, "oracle_source > oracle_target")
    assert [(curve.shape, curve.direction) for curve in kept.curves] == [
        ("jobs", "export"),
        ("jobs", "import"),
        ("workers", "export"),
        ("workers", "import"),
    ]
    text = (tmp_path / run["run_id"] / "report.html").read_text()
    for told in ("Import by one job with PARALLEL=n", "Export by n jobs of one worker", "over 1.5 h"):
        assert told in text
    assert text.count("<svg") == 2
    assert DropSample(task_id="drop", definition=DEFINITION).execute(run) == 0


def test_a_killed_import_is_repeated_and_dropped(
    run: Any, demo_target: DemoDatabase, source: oracledb.Connection
) -> None:
    choose = ChooseSample(
        task_id="choose", definition=DEFINITION, degrees="1, 2", sample_mb="1", repeats="1", imports="True"
    )
    choose.execute(run)

    def killed(*_: Any) -> None:
        raise Killed

    task = MeasureDegree(task_id="measure", definition=DEFINITION, measurement="jobs/2/1", imports="True")

    def kill() -> None:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(Landing, "clean", lambda *_, **__: None)  # as a killed process does
            patch.setattr("oracle_refresh.labs.datapump_degree.loading.run_together", killed)
            with pytest.raises(Killed):
                task.execute(run)

    kill()
    with demo_target.connect() as target:
        assert landed(target) == [SCHEMA]
    exported, imported = task.execute(run)
    assert exported["rows"] == imported["rows"] > 0
    kill()
    DropSample(task_id="drop", definition=DEFINITION).execute(run)
    with demo_target.connect() as target:
        assert landed(target) == []
        assert run["run_id"] not in runs_with_dumps(target)
        kill()
        former = drop_former_dumps(source, target, load_definition(DEFINITION), [run["run_id"]])
        assert former.left == ()
        assert f"schema {SCHEMA}" in former.removed[0]
        assert landed(target) == []
        assert run["run_id"] not in runs_with_dumps(target)


def test_a_failing_import_leaves_its_log_only(run: Any, demo_target: DemoDatabase) -> None:
    options = {"definition": DEFINITION, "imports": "True"}
    ChooseSample(task_id="choose", degrees="1, 2", sample_mb="1", repeats="1", **options).execute(run)

    def without_table(_: Any, run_of: RefreshRun, sample: Sample) -> None:
        make_table(_, run_of, sample)
        with run_of.target.cursor() as cursor:
            cursor.execute(f'DROP TABLE "{SCHEMA}"."{sample.name}" PURGE')

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("oracle_refresh.labs.datapump_degree.loading.make_table", without_table)
        with pytest.raises(DataPumpError, match="ORA-") as failed:
            MeasureDegree(task_id="measure", measurement="jobs/1/1", **options).execute(run)
    with demo_target.connect() as target:
        assert landed(target) == []
        log = f"{str(failed.value.object_name).lower()}_load_1.log"
        assert files.exists(target, demo().staging.target_directory, log)


def test_a_schema_of_somebody_else_is_left_alone(run: Any, demo_target: DemoDatabase) -> None:
    with demo_target.connect() as target, target.cursor() as cursor:
        cursor.execute(f'CREATE USER "{SCHEMA}" NO AUTHENTICATION')
    try:
        options = {"definition": DEFINITION, "imports": "True"}
        choose = ChooseSample(task_id="choose", degrees="1, 2", sample_mb="1", repeats="1", **options)
        choose.execute(run)
        with pytest.raises(PreflightError, match="not the calibration's own"):
            MeasureDegree(task_id="measure", measurement="jobs/1/1", **options).execute(run)
        DropSample(task_id="drop", definition=DEFINITION).execute(run)
        with demo_target.connect() as target:
            assert landed(target) == [SCHEMA]
    finally:
        with demo_target.connect() as target, target.cursor() as cursor:
            cursor.execute(f'DROP USER "{SCHEMA}" CASCADE')


def test_over_a_database_link_there_is_no_import_to_measure(run: Any, tmp_path: Path) -> None:
    definition = tmp_path / "over_link.yaml"
    datapump = {"transport": "network_link", "database_link": "SOURCE_LINK"}
    definition.write_text(yaml.safe_dump(demo().to_json() | {"datapump": datapump}))
    choose = ChooseSample(task_id="choose", definition=str(definition), degrees="1, 2", imports=True)
    with pytest.raises(PlanError, match="no dump files whose import"):
        choose.execute(run)


def test_the_teardown_removes_what_a_killed_measurement_has_left(
    run: Any, killed: list[str], demo_target: DemoDatabase, source: oracledb.Connection
) -> None:
    """Or fails, naming what it cannot remove; the ledger knows of it until then."""
    drop = DropSample(task_id="drop", definition=DEFINITION)
    with demo_target.connect() as target, pytest.MonkeyPatch.context() as refusing:
        assert run["run_id"] in runs_with_dumps(target)
        refusing.setattr(files, "remove", lambda *_: False)  # as where UTL_FILE is not granted
        with pytest.raises(StagingError, match=killed[0]) as failed:
            drop.execute(run)
        assert "unmasked rows" in str(failed.value.remedy)
        assert run["run_id"] in runs_with_dumps(target)
    assert drop.execute(run) == 2
    assert dump_files(source, killed) == []
    assert drop.execute(run) == 0
    with demo_target.connect() as target:
        assert run["run_id"] not in runs_with_dumps(target)


def test_those_of_a_deleted_run_are_removed_as_those_of_refreshes_are(
    run: Any, killed: list[str], demo_target: DemoDatabase, source: oracledb.Connection
) -> None:
    with demo_target.connect() as target:
        former = drop_former_dumps(source, target, load_definition(DEFINITION), runs_with_dumps(target))
        assert former.left == ()
        assert all(name in " ".join(former.removed) for name in killed)
        assert run["run_id"] not in runs_with_dumps(target)
    assert dump_files(source, killed) == []


def test_samples_are_encrypted_as_refreshes_are(
    run: Any,
    source: oracledb.Connection,
    demo_source: DemoDatabase,
    connections: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    connections.setenv("AIRFLOW_CONN_DUMPS", json.dumps({"conn_type": "generic", "password": "pass phrase"}))
    definition = tmp_path / "encrypted.yaml"
    datapump = {"encryption_conn_id": "dumps", "encryption_algorithm": "AES192"}
    definition.write_text(yaml.safe_dump(demo().to_json() | {"datapump": datapump}))
    names = killed_measurement(run, source, str(definition))
    here = demo_source.server.instance.dump_directory / "refresh"
    assert [read_header(here / name).seal["algorithm"] for name in names] == ["AES192"] * 2
    assert DropSample(task_id="drop", definition=str(definition)).execute(run) == 2
    connections.setenv("AIRFLOW_CONN_DUMPS", json.dumps({"conn_type": "generic"}))
    with pytest.raises(PreflightError, match="has no password"):
        MeasureDegree(task_id="measure", definition=str(definition), measurement="jobs/2/1").execute(run)
