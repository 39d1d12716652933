"""A run that was published, of which somebody clears one task: it changes nothing that was proven, or it is
refused; and whoever clears all of them gets the same target again."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from oracle_refresh.operators.base import RefreshOperator
from oracle_refresh.operators.masking import MaskTable
from oracle_refresh.operators.planning import ExplainPlan, FreezeSource, ListUnits, PlanShards
from oracle_refresh.operators.publishing import PublishReport
from oracle_refresh.operators.quarantine import LockTarget, ReleaseTarget
from oracle_refresh.operators.store import DropDumps, PrepareStage
from oracle_refresh.operators.tables import BuildIndexes, BuildTables, EnableConstraints, GatherStatistics
from oracle_refresh.operators.transfer import ExportShard, LoadShard, StageDump
from oracle_refresh.operators.validation import CompareInventory, ProveMasking, VerifyCopy, VerifyMasked
from oracle_refresh.oracle.errors import RefreshError
from support.what_must_hold import assert_named

from .conftest import Scenario

OF_RUN = (
    *(FreezeSource, PlanShards, ExplainPlan, PrepareStage, BuildTables, EnableConstraints, GatherStatistics),
    *(ProveMasking, CompareInventory, DropDumps, ReleaseTarget, PublishReport),
)
OF_JOB = (ExportShard, StageDump, LoadShard)
OF_UNIT = (VerifyCopy, MaskTable, BuildIndexes, VerifyMasked)


def tasks(scenario: Scenario) -> Iterator[tuple[type[RefreshOperator], dict[str, Any]]]:
    """Every task, but the one that locks the target."""
    for operator in OF_RUN:
        yield operator, {}
    for operator in OF_JOB:
        for job in scenario.run.jobs:
            yield operator, {"job": job}
    for operator in OF_UNIT:
        for unit in scenario.run.execute(ListUnits):
            yield operator, {"unit": unit}


def cleared(scenario: Scenario, operator: type[RefreshOperator], arguments: dict[str, Any]) -> str | None:
    """Run the task again; what it is refused for."""
    try:
        scenario.run.execute(operator, **arguments)
    except RefreshError as refused:
        return str(refused)
    return None


def test_one_task_of_a_published_run(scenario: Scenario) -> None:
    scenario.finish()
    wrong: list[str] = []
    for operator, arguments in tasks(scenario):
        refused = cleared(scenario, operator, arguments)
        if refused is not None:
            assert_named(refused)
        try:
            scenario.must.be_published(scenario.run.run_id)
        except AssertionError as error:
            wrong.append(f"{operator.__name__} {arguments}, {refused}: {error}")
    assert not wrong, "\n".join(wrong)


def test_all_tasks_of_a_published_run(scenario: Scenario) -> None:
    """From the lock on: what is locked again is open again only when it has been released again."""
    scenario.finish()
    scenario.run.execute(LockTarget)
    scenario.must.stay_locked()
    for operator, arguments in tasks(scenario):
        if operator is not ReleaseTarget:
            refused = cleared(scenario, operator, arguments)
            if refused is not None:
                assert_named(refused)
            scenario.must.stay_locked()
    scenario.finish()
