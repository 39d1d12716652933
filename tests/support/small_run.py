"""A small refresh whose tasks are run one by one, as somebody's own DAG would."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast
from uuid import uuid4

import pytest
import yaml

from oracle_refresh.operators.base import RefreshOperator
from oracle_refresh.operators.masking import MaskTable
from oracle_refresh.operators.planning import CheckPreflight, ExplainPlan, FreezeSource, ListUnits, PlanShards
from oracle_refresh.operators.profiling import ProfileSource
from oracle_refresh.operators.quarantine import LockTarget, ReleaseTarget
from oracle_refresh.operators.store import PrepareStage
from oracle_refresh.operators.tables import BuildIndexes, BuildTables, EnableConstraints, GatherStatistics
from oracle_refresh.operators.transfer import ExportShard, LoadShard, StageDump
from oracle_refresh.operators.validation import CompareInventory, ProveMasking, VerifyCopy, VerifyMasked
from oracle_refresh.plan.model import JOB
from oracle_refresh.run.documents import Documents
from oracle_refresh.run.ledger import ensure_ledger
from oracle_refresh.run.refresh_run import RefreshRun
from support.demo import MOST_OF_APP, DemoDatabase, set_connections
from support.transfer import demo

TABLES = ("APP.COUNTRIES", "APP.EMPLOYEES")
RULES: dict[str, Any] = {
    "name": "small",
    "tables": {"APP.EMPLOYEES": {"EMAIL": {"algorithm": "email", "domain": "email"}}},
}


@dataclass
class SmallRun:
    """One run; `execute` runs one task of it."""

    definition: Path
    database: DemoDatabase
    run_id: str = field(default_factory=lambda: f"operators__{uuid4().hex[:10]}")

    @property
    def context(self) -> Any:
        started = SimpleNamespace(start_date=datetime.now(UTC))
        instance = SimpleNamespace(map_index=3)
        return {"run_id": self.run_id, "dag_run": started, "ti": instance}

    def task(self, operator: type[RefreshOperator], **arguments: Any) -> Any:
        return operator(task_id=operator.__name__.lower(), definition=str(self.definition), **arguments)

    def execute(self, operator: type[RefreshOperator], **arguments: Any) -> Any:
        return self.task(operator, **arguments).execute(self.context)

    def documents(self, use: Callable[[Documents], Any]) -> Any:
        with self.database.connect() as connection:
            return use(Documents(connection, self.run_id))

    def refresh_run(self) -> RefreshRun:
        return cast("RefreshRun", self.task(RefreshOperator).refresh_run(self.context))

    @property
    def jobs(self) -> list[str]:
        return [job.id for job in self.documents(lambda documents: documents.all(JOB))]

    def all(self, *operators: type[RefreshOperator]) -> SmallRun:
        """Run one task of each operator."""
        for operator in operators:
            self.execute(operator)
        return self

    def until_planned(self) -> SmallRun:
        """Do what exports need."""
        return self.all(FreezeSource, PlanShards, ExplainPlan)

    def until_built(self) -> SmallRun:
        return self.until_planned().all(LockTarget, PrepareStage, BuildTables)

    def until_loaded(self) -> SmallRun:
        self.until_built()
        for job in self.jobs:
            for operator in (ExportShard, StageDump, LoadShard):
                self.execute(operator, job=job)
        return self

    def until_masked(self) -> SmallRun:
        return self.until_loaded().verified_and_masked()

    def verified_and_masked(self) -> SmallRun:
        """Run the tasks of all units."""
        for unit in self.execute(ListUnits):
            for operator in (VerifyCopy, MaskTable, BuildIndexes, VerifyMasked):
                self.execute(operator, unit=unit)
        return self

    def until_proven(self) -> SmallRun:
        return self.until_masked().until_checked()

    def until_checked(self) -> SmallRun:
        """The tasks behind those of the single tables."""
        return self.all(EnableConstraints, GatherStatistics, ProveMasking, CompareInventory)

    def until_published(self) -> list[dict[str, Any]]:
        """All of a refresh, of whatever tables it has; the findings of the inventories."""
        self.all(CheckPreflight, ProfileSource).until_masked()
        self.all(EnableConstraints, GatherStatistics, ProveMasking)
        findings = self.execute(CompareInventory)
        self.execute(ReleaseTarget)
        return list(findings or [])


def write_definition(folder: Path, rules: dict[str, Any], **fields: Any) -> Path:
    ruleset = folder / "rules.yaml"
    ruleset.write_text(yaml.safe_dump(rules))
    document = demo().to_json() | {
        "schemas": ["APP"],
        "exclude_tables": [f"APP.{name}" for name in MOST_OF_APP],
        "application_accounts": ["APP_READER", *fields.get("schemas", ["APP"])],
        "masking": {"ruleset": str(ruleset), "key_conn_id": "refresh_masking_key"},
        "expectations": None,
        **fields,
    }
    path = folder / "small.yaml"
    path.write_text(yaml.safe_dump(document))
    return path


@contextmanager
def runs_in(target: DemoDatabase, folder: Path) -> Iterator[Callable[..., SmallRun]]:
    """Make runs. Give up their quarantine at the end."""
    made: list[SmallRun] = []

    def new(rules: dict[str, Any] = RULES, **fields: Any) -> SmallRun:
        place = folder / f"run{len(made)}"
        place.mkdir()
        made.append(SmallRun(write_definition(place, rules, **fields), target))
        return made[-1]

    yield new
    with target.connect() as connection, connection.cursor() as cursor:
        ensure_ledger(connection)  # most runs have made it, but not those that were refused at once
        for run in made:
            cursor.execute('DELETE FROM "REFRESH$LEDGER" WHERE RUN_ID = :1', [run.run_id])
        connection.commit()
        for name in ("APP_READER", "APP", "DOCS", "TEST"):
            cursor.execute(f'ALTER USER "{name}" ACCOUNT UNLOCK')


@pytest.fixture
def new_run(
    tmp_path: Path, demo_target: DemoDatabase, connections: pytest.MonkeyPatch
) -> Iterator[Callable[..., SmallRun]]:
    """Make runs whose quarantine ends with the test."""
    connections.setenv("AIRFLOW__ORACLE_REFRESH__REPORT_DIRECTORY", str(tmp_path / "reports"))
    with runs_in(demo_target, tmp_path) as new:
        yield new


@pytest.fixture(scope="module")
def new_shared_run(
    tmp_path_factory: pytest.TempPathFactory, demo_source: DemoDatabase, demo_target: DemoDatabase
) -> Iterator[Callable[..., SmallRun]]:
    """Make runs that the tests of a module share."""
    folder = tmp_path_factory.mktemp("shared")
    with pytest.MonkeyPatch.context() as environment:
        set_connections(environment, demo_source, demo_target)
        environment.setenv("AIRFLOW__ORACLE_REFRESH__REPORT_DIRECTORY", str(folder / "reports"))
        with runs_in(demo_target, folder) as new:
            yield new


def rows_of(target: DemoDatabase, tables: Iterable[str]) -> dict[str, list[Any]]:
    """All rows of these tables of APP, in the order of their first column."""
    found = {}
    with target.connect() as connection, connection.cursor() as cursor:
        for name in tables:
            cursor.execute(f"SELECT * FROM APP.{name} ORDER BY 1", fetch_lobs=False)
            found[name] = cursor.fetchall()
    return found
