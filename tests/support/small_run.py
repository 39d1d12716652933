"""A small refresh whose tasks are run one by one, as somebody's own DAG would."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
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
from support.demo import MOST_OF_APP, DemoDatabase
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
        instance = SimpleNamespace(map_index=3, xcom_push=lambda *_: None)
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

    def until_built(self) -> SmallRun:
        for operator in (FreezeSource, PlanShards, ExplainPlan, LockTarget, PrepareStage, BuildTables):
            self.execute(operator)
        return self

    def until_loaded(self) -> SmallRun:
        self.until_built()
        for job in self.jobs:
            for operator in (ExportShard, StageDump, LoadShard):
                self.execute(operator, job=job)
        return self

    def until_proven(self) -> SmallRun:
        self.until_loaded()
        for table in TABLES:
            for operator in (VerifyCopy, MaskTable, BuildIndexes, VerifyMasked):
                self.execute(operator, unit=table)
        return self.until_checked()

    def until_published(self) -> list[dict[str, Any]]:
        """All of a refresh, of whatever tables it has; the findings of the inventories."""
        self.execute(CheckPreflight)
        self.execute(ProfileSource)
        self.until_loaded()
        for unit in self.execute(ListUnits):
            for operator in (VerifyCopy, MaskTable, BuildIndexes, VerifyMasked):
                self.execute(operator, unit=unit)
        for operator in (EnableConstraints, GatherStatistics, ProveMasking):
            self.execute(operator)
        findings = self.execute(CompareInventory)
        self.execute(ReleaseTarget)
        return list(findings or [])

    def until_checked(self) -> SmallRun:
        """The tasks behind those of the single tables."""
        for operator in (EnableConstraints, GatherStatistics, ProveMasking, CompareInventory):
            self.execute(operator)
        return self


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


@pytest.fixture
def new_run(
    tmp_path: Path,
    demo_target: DemoDatabase,
    connections: pytest.MonkeyPatch,
) -> Iterator[Callable[..., SmallRun]]:
    """Makes runs; their quarantine is given up at the end."""
    connections.setenv("AIRFLOW__ORACLE_REFRESH__REPORT_DIRECTORY", str(tmp_path / "reports"))
    made = []

    def new(rules: dict[str, Any] = RULES, **fields: Any) -> SmallRun:
        folder = tmp_path / f"run{len(made)}"
        folder.mkdir()
        made.append(SmallRun(write_definition(folder, rules, **fields), demo_target))
        return made[-1]

    yield new
    with demo_target.connect() as connection, connection.cursor() as cursor:
        ensure_ledger(connection)  # most runs have made it, but not those that were refused at once
        for run in made:
            cursor.execute('DELETE FROM "REFRESH$LEDGER" WHERE RUN_ID = :1', [run.run_id])
        connection.commit()
        for name in ("APP_READER", "APP", "DOCS", "TEST"):
            cursor.execute(f'ALTER USER "{name}" ACCOUNT UNLOCK')


def rows_of(target: DemoDatabase, tables: Iterable[str]) -> dict[str, list[Any]]:
    """All rows of these tables of APP, in the order of their first column."""
    found = {}
    with target.connect() as connection, connection.cursor() as cursor:
        for name in tables:
            cursor.execute(f"SELECT * FROM APP.{name} ORDER BY 1", fetch_lobs=False)
            found[name] = cursor.fetchall()
    return found
