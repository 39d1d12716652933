"""Every task may be killed at any moment and run again: nothing is lost, doubled or masked twice."""

from __future__ import annotations

import random
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import yaml

from oracle_refresh.operators.base import RefreshOperator
from oracle_refresh.operators.masking import MaskTable
from oracle_refresh.operators.planning import CheckPreflight, ExplainPlan, FreezeSource, ListUnits, PlanShards
from oracle_refresh.operators.profiling import ProfileSource
from oracle_refresh.operators.publishing import PublishReport
from oracle_refresh.operators.quarantine import LockTarget, ReleaseTarget
from oracle_refresh.operators.store import DropDumps, PrepareStage
from oracle_refresh.operators.tables import BuildIndexes, BuildTables, EnableConstraints, GatherStatistics
from oracle_refresh.operators.transfer import ExportShard, LoadShard, StageDump
from oracle_refresh.operators.tuning import ReadCounters, RestoreTarget, TuneTarget
from oracle_refresh.operators.validation import (
    CompareInventory,
    ProveMasking,
    ValidateExpectations,
    VerifyCopy,
    VerifyMasked,
)
from oracle_refresh.plan.model import JOB, UNIT
from oracle_refresh.run.documents import Documents
from support.both_ends import Ends
from support.demo import DemoDatabase
from support.home import write_suites
from support.killing import until_killed
from support.transfer import ROOT, demo
from support.tuning import whole
from support.what_must_hold import MustHold

#: Tables that are like others.
LEFT_OUT = tuple(
    f"APP.{name}"
    for name in (
        *("ADDRESSES", "CARDS", "DEPENDANTS", "IDENTITY_DOCUMENTS"),
        *("LOGINS", "PAYMENTS", "TICKETS", "TRANSFERS"),
    )
)
#: Every task of their units is killed: one is index-organized, one referred to, one partitioned, one has a
#: trigger, one a masked key that is referred to, one LOBs.
KILLED = {"APP.COUNTRIES", "APP.CUSTOMERS", "APP.ORDERS", "APP.EMPLOYEES", "APP.SUPPLIERS", "DOCS.DOCUMENTS"}


class Run:
    """One run whose tasks are executed in child processes, as Airflow's are."""

    def __init__(self, definition: Path, run_id: str, seed: int) -> None:
        self.definition = str(definition)
        self.context: Any = {
            "run_id": run_id,
            "dag_run": SimpleNamespace(start_date=None),
            "ti": SimpleNamespace(map_index=-1),
        }
        self.random = random.Random(seed)
        self.kills = 0

    def task(self, operator: type[RefreshOperator], **arguments: Any) -> RefreshOperator:
        return operator(task_id=operator.__name__.lower(), definition=self.definition, **arguments)

    def execute(self, operator: type[RefreshOperator], **arguments: Any) -> Any:
        return self.task(operator, **arguments).execute(self.context)

    def killed_and_run_again(self, operator: type[RefreshOperator], **arguments: Any) -> None:
        """Run the task, kill it at moments spread over its whole duration, and run it to its end."""
        task = self.task(operator, **arguments)
        pause = 0.1
        while until_killed(lambda: task.execute(self.context), self.random.uniform(0, pause)):
            self.kills += 1
            pause *= 2
            assert pause < 600, "it never ends"
        assert not until_killed(lambda: task.execute(self.context))


@pytest.mark.usefixtures("connections")
def test_a_refresh_whose_tasks_are_all_killed(
    demo_source: DemoDatabase, demo_target: DemoDatabase, tmp_path: Path
) -> None:
    run = Run(_definition(tmp_path), "killed", seed=3)
    must = MustHold.before(Ends.of(demo_source, demo_target), Path(run.definition), "0123456789abcdef" * 4)
    run.execute(CheckPreflight)
    with demo_target.connect() as target:
        before = whole(target)
    for operator in (ProfileSource, FreezeSource, PlanShards, ExplainPlan, LockTarget, TuneTarget):
        run.killed_and_run_again(operator)
    with demo_target.connect() as target:
        assert whole(target) != before
    for operator in (PrepareStage, BuildTables):
        run.killed_and_run_again(operator)
    with demo_target.connect() as target:
        jobs = [job.id for job in Documents(target, "killed").all(JOB)]
    assert len(jobs) > 4, "too few shards to show anything"
    for job in jobs:
        for operator in (ExportShard, StageDump, LoadShard):
            run.killed_and_run_again(operator, job=job)
    with demo_target.connect() as target:
        units = Documents(target, "killed").all(UNIT)
    assert run.execute(ListUnits) == [unit.label for unit in units]
    assert {key for unit in units for key in unit.table_keys} > KILLED
    assert any(len(unit.tables) > 1 for unit in units), "kills between the tables of a unit show the most"
    for unit in units:
        killed = not KILLED.isdisjoint(unit.table_keys)
        for operator in (VerifyCopy, MaskTable, BuildIndexes, VerifyMasked):
            (run.killed_and_run_again if killed else run.execute)(operator, unit=unit.label)
    for operator in (ReadCounters, EnableConstraints, GatherStatistics, RestoreTarget):
        run.killed_and_run_again(operator)
    with demo_target.connect() as target:
        assert whole(target) == before
    for operator in (ProveMasking, CompareInventory):
        run.killed_and_run_again(operator)
    run.execute(ValidateExpectations)

    must.stay_locked()
    for operator in (DropDumps, ReleaseTarget):
        run.killed_and_run_again(operator)
    must.be_published("killed")
    run.execute(PublishReport)
    assert run.kills > len(jobs) * 3, "the kills came too late to show anything"
    _same_objects(demo_source, demo_target)


def _definition(folder: Path) -> Path:
    """The demo definition, cut into shards although the test's data is small."""
    path = folder / "definition.yaml"
    document = demo(lob_shard_min_bytes=200_000, max_shards=4, degree=4, exclude_tables=LEFT_OUT).to_json()
    document["tuning"] = {"profile": str(ROOT / "include" / "tuning" / "bulk.yaml")}
    document["expectations"]["path"] = str(write_suites(folder, LEFT_OUT))
    path.write_text(yaml.safe_dump(document))
    return path


def _same_objects(demo_source: DemoDatabase, demo_target: DemoDatabase) -> None:
    ours = f"OWNER IN ('APP', 'DOCS', 'TEST') AND OWNER || '.' || TABLE_NAME NOT IN {LEFT_OUT}"
    queries = (
        f"SELECT OWNER, TABLE_NAME FROM DBA_TABLES WHERE {ours} ORDER BY 1, 2",
        f"SELECT OWNER, INDEX_NAME, TABLE_NAME FROM DBA_INDEXES WHERE {ours}"
        " AND INDEX_NAME NOT LIKE 'SYS\\_%' ESCAPE '\\' ORDER BY 1, 2",
        f"SELECT OWNER, TRIGGER_NAME, TABLE_NAME FROM DBA_TRIGGERS WHERE {ours} ORDER BY 1, 2",
        "SELECT OWNER, OBJECT_NAME, OBJECT_TYPE FROM DBA_OBJECTS WHERE OWNER IN ('APP', 'DOCS', 'TEST')"
        " AND OBJECT_TYPE IN ('VIEW', 'SEQUENCE') ORDER BY 1, 2",
    )
    with demo_source.system() as source, demo_target.system() as target:
        for query in queries:
            expected, found = (end.cursor().execute(query).fetchall() for end in (source, target))
            assert expected, query
            assert found == expected, query
