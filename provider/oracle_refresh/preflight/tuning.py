"""Whether the profile that the definition names can be applied to the target."""

from __future__ import annotations

from typing import TYPE_CHECKING

from oracle_refresh.definition import TargetDefinition
from oracle_refresh.oracle.errors import PreflightError, TuningError
from oracle_refresh.oracle.findings import Finding, error, warning
from oracle_refresh.tuning.instance import read_instance
from oracle_refresh.tuning.plan import plan_changes
from oracle_refresh.tuning.profile import PhaseName, load_profile

if TYPE_CHECKING:
    import oracledb

#: Those that the DAG tunes for at the same time, because they overlap.
PHASES: tuple[PhaseName, ...] = ("load", "mask")


def check_tuning(target: oracledb.Connection, definition: TargetDefinition) -> list[Finding]:
    """A finding if the profile is wrong or does not fit the instance, and one per step left to a DBA."""
    if definition.tuning is None:
        return []
    try:
        phase = load_profile(definition.tuning.profile).combined(PHASES)
        changes = plan_changes(phase, read_instance(target), definition.deny_list.databases)
    except (TuningError, PreflightError) as problem:
        return [error("TUNING", problem.message, problem.remedy or "correct the tuning profile")]
    return [
        warning(
            "TUNING_BY_HAND",
            f"{step.what}: {step.why}; the refresh runs without it",
            "let a DBA do it before, or take it out of the profile",
            *step.commands,
        )
        for step in changes.runbook
    ]
