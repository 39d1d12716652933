"""The parameters of a phase: known, in range, changeable here, and what has to be changed. Pure."""

from __future__ import annotations

import difflib

from oracle_refresh.oracle.errors import TuningError
from oracle_refresh.tuning import formula, runbook
from oracle_refresh.tuning.changes import Change, Draft, ParameterChange, same
from oracle_refresh.tuning.documented import RANGES, WORDS
from oracle_refresh.tuning.instance import (
    ALL_INSTANCES,
    BIG_INTEGER,
    BOOLEAN,
    INTEGER,
    Instance,
    Parameter,
)
from oracle_refresh.tuning.profile import Phase

#: Their change is more than the change of a value, and has a field of its own.
ELSEWHERE = {"undo_tablespace": "undo"}
#: Set last and restored first: from then on a commit does not wait for the disk.
LAST = ("commit_logging", "commit_wait")


def plan_parameters(phase: Phase, instance: Instance, draft: Draft) -> None:
    steps, problems = draft.steps, draft.problems
    if phase.scope == "both" and phase.parameters and not instance.with_spfile:
        problems.append("scope: both needs a server parameter file, and there is none (ORA-32001)")
    wanted: dict[str, str] = {}
    for name in sorted(phase.parameters, key=lambda name: (name in LAST, name)):
        parameter = instance.parameters.get(name)
        if parameter is None:
            near = difflib.get_close_matches(name, instance.parameters, n=1)
            problems.append(f"there is no parameter {name}" + (f", did you mean {near[0]}?" if near else ""))
            continue
        if name in ELSEWHERE:
            problems.append(f"parameter {name} is not set by itself: use the field {ELSEWHERE[name]}")
            continue
        try:
            value = value_of(parameter, phase.parameters[name], instance)
        except (TuningError, ValueError) as error:
            problems.append(f"parameter {name}: {getattr(error, 'message', error)}")
            continue
        wanted[name] = value
        if parameter.modifiable == "FALSE":
            if not same(value, parameter.value):
                steps.append(runbook.static_parameter(parameter, value, instance))
        elif instance.in_pdb and not parameter.in_pdb:
            _in_root(phase, parameter, value, draft)
        else:
            draft.changes += _changes(phase, parameter, value, instance)
    problems += _memory(wanted, instance)


def value_of(parameter: Parameter, text: str, instance: Instance) -> str:
    """The value as V$SYSTEM_PARAMETER will show it.

    :raises ValueError: if it is not a value of the parameter's type, or out of its documented range.
    :raises TuningError: if a formula has no value on this instance.
    """
    if parameter.kind in (INTEGER, BIG_INTEGER):
        return _number(parameter, text, instance)
    if formula.is_formula(text):
        raise ValueError("a formula gives a number, and this is not one")
    if parameter.kind == BOOLEAN:
        if text.upper() not in ("TRUE", "FALSE"):
            raise ValueError(f"{text!r} is neither 'TRUE' nor 'FALSE'")
        return text.upper()
    words = tuple(dict.fromkeys((*parameter.valid, *WORDS.get(parameter.name, ()))))
    if words and not any(same(text, word) for word in words):
        raise ValueError(f"{text!r} is none of {', '.join(words)}")
    return text.upper() if words else text


def _number(parameter: Parameter, text: str, instance: Instance) -> str:
    if formula.is_formula(text):
        current = parameter.value or ""
        number: int | None = formula.evaluate(
            text, instance.facts(int(current) if current.isdigit() else None)
        )
    else:
        number = formula.parse_size(text)
    if number is None:
        raise ValueError(f"{text!r} is no number")
    least, most = RANGES.get(parameter.name, (0, 1 << 62))
    if not least <= number <= most:
        raise ValueError(f"{number} is out of range: {least} to {most} are possible")
    return str(number)


def _memory(wanted: dict[str, str], instance: Instance) -> list[str]:
    """A target above its limit, which Oracle refuses (ORA-00093); a limit of 0 is none."""
    target, limit = (
        int(wanted.get(name) or instance.value(name) or 0)
        for name in ("pga_aggregate_target", "pga_aggregate_limit")
    )
    if "pga_aggregate_target" in wanted and 0 < limit < target:
        return [f"pga_aggregate_target {target} is above pga_aggregate_limit {limit}: raise that as well"]
    return []


def _in_root(phase: Phase, parameter: Parameter, value: str, draft: Draft) -> None:
    if same(value, parameter.value):
        return
    if phase.root_parameters == "runbook":
        draft.steps.append(runbook.root_parameter(parameter, value))
    else:
        draft.problems.append(
            f"parameter {parameter.name} cannot be changed in a pluggable database (ORA-65040): take it out,"
            " or have it listed for a DBA with root_parameters: runbook"
        )


def _changes(phase: Phase, parameter: Parameter, value: str, instance: Instance) -> list[Change]:
    """One change per instance where there are several, or where one has an entry of its own."""
    changes: list[Change] = []
    for opened in instance.instances:
        alone = len(instance.instances) == 1 and opened.name not in parameter.spfile
        sid = ALL_INSTANCES if alone else opened.name
        former = parameter.memory.get(opened.name, parameter.value)
        if same(value, former):
            continue
        changes.append(
            ParameterChange(
                name=parameter.name,
                sid=sid,
                value=value,
                scope=phase.scope,
                deferred=parameter.modifiable == "DEFERRED",
                numeric=parameter.kind in (INTEGER, BIG_INTEGER),
                granule=instance.granule if parameter.kind == BIG_INTEGER else 0,
                former=former,
                former_spfile=parameter.spfile.get(sid),
                in_spfile=sid in parameter.spfile,
            )
        )
    return changes
