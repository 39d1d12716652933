"""Which switches, and steps of series, can be tried on an instance, and why not the others. Pure.

A phase is taken apart into its aspects: each parameter, the redo logs, undo, the log mode and so on. What the
baseline wants but cannot have is left out of it, and with it every switch of the same aspect: on and off
would not differ by what the switch's name says.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from oracle_refresh.labs.masking import design
from oracle_refresh.labs.masking.definition import BenchmarkDefinition, Step
from oracle_refresh.labs.masking.model import ALL, BASELINE, STEP, NotMeasured, Setting
from oracle_refresh.oracle.errors import PlanError, TuningError
from oracle_refresh.tuning.instance import Instance
from oracle_refresh.tuning.plan import plan_changes
from oracle_refresh.tuning.profile import Phase
from oracle_refresh.tuning.refusals import refusals

#: How a phase is applied rather than what it sets. Where FORCE LOGGING is on, every phase has to name it.
MANNER = ("scope", "root_parameters", "force_logging")
LOG_MODE = "log_mode"

Raw = Mapping[str, Any]


def choose(
    definition: BenchmarkDefinition, instance: Instance, wanted: Sequence[str], unable: str = ""
) -> tuple[tuple[Setting, ...], tuple[NotMeasured, ...]]:
    """The settings to measure, baseline first, and the switches and steps that cannot be measured.

    :param wanted: names of switches and series; none means all switches of the definition.
    :param unable: why the definition's log_mode_command does not work here; empty where it does.
    :raises PlanError: for a name that the definition has not, or if nothing can be measured.
    :raises TuningError: if this database may not be tuned at all.
    """
    known = [*definition.switches, *definition.series]
    if unknown := sorted(set(wanted).difference(known)):
        raise PlanError(
            f"the definition has no switch and no series {', '.join(unknown)}",
            object_name=definition.name,
            step=STEP,
            remedy=f"choose among {', '.join(known)}",
        )
    names = [name for name in definition.switches if not wanted or name in wanted]
    if refused_by := refusals(
        Phase.model_validate(definition.baseline), instance, definition.deny_list.databases
    ):
        raise TuningError(
            f"the instance may not be tuned: {'; '.join(refused_by)}",
            object_name=instance.identity.db_unique_name,
            step=STEP,
            remedy="name another target, or correct the definition",
        )
    if not definition.log_mode_command:
        unable = "the definition has no log_mode_command"
    baseline: Raw = {name: definition.baseline[name] for name in MANNER if name in definition.baseline}
    manner = baseline
    refused: dict[str, NotMeasured] = {}
    for aspect, part in aspects(definition.baseline):
        if obstacle := _obstacle(BASELINE, part, instance, unable):
            refused[aspect] = obstacle
        else:
            baseline = design.merged(baseline, part)
    possible: dict[str, Raw] = {}
    impossible: list[NotMeasured] = []
    for name in names:
        phase = design.merged(manner, definition.switches[name].phase)
        obstacle = next(_obstacles(name, phase, refused, instance, unable), None)
        if obstacle is None:
            possible[name] = definition.switches[name].phase
        else:
            impossible.append(obstacle)
    stepped: dict[str, dict[str, Step]] = {}
    for name in (name for name in definition.series if name in wanted):
        for label, step in definition.series[name].steps.items():
            phase = design.merged(manner, step.phase)
            setting = design.step_name(name, label)
            obstacle = next(_obstacles(setting, phase, refused, instance, unable), None)
            if obstacle is None:
                stepped.setdefault(name, {})[label] = step
            else:
                impossible.append(obstacle)
    if not possible and not stepped:
        reasons = "; ".join(f"{missing.setting}: {missing.reason}" for missing in impossible)
        raise PlanError(f"no switch can be measured on this instance: {reasons}", step=STEP)
    titles = {name: switch.title for name, switch in definition.switches.items()}
    titles |= {name: series.title for name, series in definition.series.items()}
    titles |= {BASELINE: "all switches off", ALL: f"{', '.join(possible)} together"}
    return design.settings(baseline, possible, titles, stepped), tuple(impossible)


def without_log_mode(phase: Raw) -> Phase:
    """What of a phase the tuning applies; the log mode is changed by the DBA's command."""
    return Phase.model_validate({name: value for name, value in phase.items() if name != LOG_MODE})


def aspects(phase: Raw) -> Iterator[tuple[str, Raw]]:
    """A phase in pieces of one aspect each, with the aspect's name."""
    manner = {name: phase[name] for name in MANNER if name in phase}
    for name, value in phase.items():
        if name == "parameters":
            for parameter, wanted in value.items():
                yield str(parameter).lower(), {**manner, name: {parameter: wanted}}
        elif name not in MANNER:
            yield name, {**manner, name: value}


def _obstacles(
    name: str, phase: Raw, refused: Mapping[str, NotMeasured], instance: Instance, unable: str
) -> Iterator[NotMeasured]:
    for aspect, part in aspects(phase):
        if aspect in refused:
            first = refused[aspect]
            yield NotMeasured(name, f"the baseline cannot be set: {first.reason}", first.runbook)
        elif obstacle := _obstacle(name, part, instance, unable):
            yield obstacle


def _obstacle(name: str, part: Raw, instance: Instance, unable: str) -> NotMeasured | None:
    if LOG_MODE in part and not unable and instance.log_mode in ("ARCHIVELOG", "NOARCHIVELOG"):
        return None
    try:
        planned = plan_changes(Phase.model_validate(part), instance)
    except TuningError as error:
        return NotMeasured(name, error.message)
    if not planned.runbook:
        return None
    reason = "; ".join(step.why for step in planned.runbook)
    if LOG_MODE in part:
        reason += f"; {unable}"
    return NotMeasured(name, reason, tuple(step.text for step in planned.runbook))
