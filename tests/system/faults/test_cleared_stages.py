"""Stages that somebody clears: as soon as they have run, and when the run was published. It changes nothing
that was proven, or it is refused; and whoever clears all of them gets the same target again."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from copy import deepcopy
from typing import Any

from oracle_refresh.operators import (
    approval,
    masking,
    planning,
    profiling,
    publishing,
    quarantine,
    scripts,
    store,
    tables,
    transfer,
    tuning,
    validation,
)
from oracle_refresh.operators.base import RefreshOperator
from oracle_refresh.operators.planning import ListUnits
from oracle_refresh.oracle.errors import RefreshError
from oracle_refresh.plan.stages import (
    APPROVE_PUBLISH,
    APPROVE_TARGET,
    FREEZE,
    LOCK,
    RELEASE,
    SCRIPTS_AFTER,
    SCRIPTS_BEFORE,
    SHARD,
    STAGES,
    UNIT,
    Stage,
)
from support.home import ROOT
from support.what_must_hold import assert_named

from .conftest import RULES, Scenario

MODULES = (
    *(approval, masking, planning, profiling, publishing, quarantine, scripts, store, tables),
    *(transfer, tuning, validation),
)
ARGUMENTS = {
    APPROVE_TARGET: {"moment": "target"},
    APPROVE_PUBLISH: {"moment": "publish"},
    SCRIPTS_BEFORE: {"when": "before"},
    SCRIPTS_AFTER: {"when": "after"},
}
#: Nothing that the profile asks for has no rule.
COVERED = deepcopy(RULES)
COVERED["tables"]["APP.EMPLOYEES"]["FIRST_NAME"] = {"algorithm": "character_mapping", "domain": "name"}
TUNED = {"tuning": {"profile": str(ROOT / "include" / "tuning" / "bulk.yaml")}}


def operator_of(stage: Stage) -> type[RefreshOperator]:
    found = next(getattr(module, stage.operator) for module in MODULES if hasattr(module, stage.operator))
    assert issubclass(found, RefreshOperator)
    return found


def tasks(scenario: Scenario, stage: Stage) -> Iterator[dict[str, Any]]:
    """What the operator of each task of the stage is given."""
    if stage.group is SHARD:
        yield from ({"job": job} for job in scenario.run.jobs)
    elif stage.group is UNIT:
        yield from ({"unit": unit} for unit in scenario.run.execute(ListUnits))
    else:
        yield ARGUMENTS.get(stage, {})


def cleared(scenario: Scenario, stage: Stage, arguments: dict[str, Any]) -> str | None:
    """Run the task again; what it is refused for."""
    try:
        scenario.run.execute(operator_of(stage), **arguments)
    except RefreshError as refused:
        assert_named(refused)
        return str(refused)
    return None


def test_stages_that_are_cleared_leave_a_published_run_as_it_was(
    new_scenario: Callable[..., Scenario],
) -> None:
    scenario = new_scenario(COVERED, **TUNED)
    _clear_each_as_soon_as_it_has_run(scenario)
    _clear_single_stages(scenario)
    _clear_all(scenario)


def _clear_each_as_soon_as_it_has_run(scenario: Scenario) -> None:
    for stage in STAGES:
        if stage is FREEZE:
            scenario.freeze()
        for arguments in tasks(scenario, stage):
            scenario.run.execute(operator_of(stage), **arguments)
            refused = cleared(scenario, stage, arguments)
            assert refused is None, f"{stage.id} {arguments}: {refused}"
        if STAGES.index(LOCK) <= STAGES.index(stage) < STAGES.index(RELEASE):
            scenario.must.stay_locked()
    scenario.must.be_published(scenario.run.run_id)


def _clear_single_stages(scenario: Scenario) -> None:
    """Every stage of the published run, except the one that locks the target for those that follow."""
    wrong: list[str] = []
    for stage in STAGES:
        if stage is LOCK:
            continue
        refused = [cleared(scenario, stage, arguments) for arguments in tasks(scenario, stage)]
        try:
            scenario.must.be_published(scenario.run.run_id)
        except AssertionError as error:
            wrong.append(f"{stage.id}, {refused}: {error}")
    assert not wrong, "\n".join(wrong)


def _clear_all(scenario: Scenario) -> None:
    """From the lock on: a target that is locked again opens only when it is released again.

    Stages before the lock change no table of the target, and were cleared by themselves.
    """
    scenario.run.execute(operator_of(LOCK))
    scenario.must.stay_locked()
    for stage in STAGES[STAGES.index(LOCK) + 1 :]:
        if stage is not RELEASE:
            for arguments in tasks(scenario, stage):
                cleared(scenario, stage, arguments)
            scenario.must.stay_locked()
    scenario.release()
    scenario.must.be_published(scenario.run.run_id)
