"""From a phase of a profile and the facts of an instance to changes and runbook steps. Pure.

Everything that can be known to be wrong is found here, before the first change.
"""

from __future__ import annotations

from collections.abc import Collection

from oracle_refresh.oracle.errors import TuningError
from oracle_refresh.tuning import runbook
from oracle_refresh.tuning.changes import Change, Changes, Draft, ModeChange, ParameterChange, RunbookStep
from oracle_refresh.tuning.instance import STEP, Instance
from oracle_refresh.tuning.plan_parameters import plan_parameters
from oracle_refresh.tuning.plan_storage import plan_redo, plan_temp, plan_undo
from oracle_refresh.tuning.profile import Phase
from oracle_refresh.tuning.refusals import refusals

#: Privileges by kind of change. Source: SQL Language Reference 19c, "Prerequisites" of each statement.
NEEDED = {
    "parameter": ("ALTER SYSTEM",),
    "redo": ("ALTER DATABASE", "ALTER SYSTEM"),
    "undo": ("ALTER SYSTEM", "CREATE TABLESPACE", "DROP TABLESPACE"),
    "temp": ("ALTER DATABASE", "ALTER TABLESPACE"),
    "mode": ("ALTER DATABASE",),
}


def plan_changes(phase: Phase, instance: Instance, denied: Collection[str] = ()) -> Changes:
    """What has to be changed so that the instance is as the phase wants it.

    Storage comes first and parameters last, so that COMMIT_WAIT does not concern the changes themselves.

    :param denied: names of databases that are never tuned.
    :raises TuningError: with everything that stands against it: refusals, unknown parameters, values out of
        range, missing privileges, formulas without a value.
    """
    draft = Draft(problems=refusals(phase, instance, denied))
    for planner in (_modes, plan_redo, plan_undo, plan_temp, plan_parameters):
        planner(phase, instance, draft)
    problems = draft.problems + _missing_privileges(draft.changes, instance)
    if problems:
        raise TuningError(
            "the instance cannot be tuned, and nothing was changed: " + "; ".join(problems),
            object_name=instance.identity.db_unique_name,
            step=STEP,
            remedy="correct the profile or the grants; airflow oracle-refresh plan-tuning checks them",
        )
    return Changes(tuple(draft.changes), tuple(draft.steps))


def propose(phase: Phase, instance: Instance) -> tuple[RunbookStep, ...]:
    """What the parameters of a phase would change, all of it for a DBA: for a source, which is only read.

    :raises TuningError: with every parameter that is unknown, and every value that is not possible.
    """
    draft = Draft()
    plan_parameters(phase.model_copy(update={"root_parameters": "runbook"}), instance, draft)
    if draft.problems:
        raise TuningError(
            "the parameters proposed for the source are wrong: " + "; ".join(draft.problems),
            object_name=instance.identity.db_unique_name,
            step=STEP,
            remedy="correct the phase export of the profile",
        )
    by_hand = [
        runbook.source_parameter(instance.parameters[change.name], change.value)
        for change in draft.changes
        if isinstance(change, ParameterChange)
    ]
    return (*draft.steps, *by_hand)


def _modes(phase: Phase, instance: Instance, draft: Draft) -> None:
    forced = instance.force_logging == "YES"
    if phase.force_logging is not None and phase.force_logging != forced:
        change = ModeChange("force logging", phase.force_logging, forced)
        if instance.in_pdb:
            on, off = "ALTER DATABASE FORCE LOGGING;", "ALTER DATABASE NO FORCE LOGGING;"
            draft.steps.append(
                runbook.from_root(
                    change.text, on if phase.force_logging else off, undo=(on if forced else off,)
                )
            )
        else:
            draft.changes.append(change)
    if phase.flashback is not None and phase.flashback != (instance.flashback_on == "YES"):
        _flashback(phase.flashback, instance, draft)
    if phase.log_mode is not None and phase.log_mode.upper() != instance.log_mode:
        draft.steps.append(runbook.log_mode(instance, phase.log_mode == "archivelog"))


def _flashback(on: bool, instance: Instance, draft: Draft) -> None:
    change = ModeChange("flashback", on, not on)
    if on and instance.log_mode != "ARCHIVELOG":
        draft.problems.append("flashback: true needs ARCHIVELOG (ORA-38707)")
    elif instance.flashback_on == "RESTORE POINT ONLY":
        draft.steps.append(
            RunbookStep(
                "flashback logs for guaranteed restore points",
                "they are written as long as there is a guaranteed restore point",
                tuple(f"DROP RESTORE POINT {name};" for name in instance.guaranteed_restore_points),
            )
        )
    elif instance.in_pdb:
        word, back = ("ON", "OFF") if on else ("OFF", "ON")
        draft.steps.append(
            runbook.from_root(
                change.text, f"ALTER DATABASE FLASHBACK {word};", undo=(f"ALTER DATABASE FLASHBACK {back};",)
            )
        )
    else:
        draft.changes.append(change)


def _missing_privileges(changes: Collection[Change], instance: Instance) -> list[str]:
    needed = {privilege for change in changes for privilege in NEEDED[change.kind]}
    return [
        f"{instance.identity.user} lacks {privilege} (GRANT {privilege} TO {instance.identity.user})"
        for privilege in sorted(needed - set(instance.privileges))
    ]
