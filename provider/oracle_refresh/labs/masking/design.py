"""Which trials there are, and in what order. Pure.

A first trial of the baseline fills caches and is not counted. Then the baseline is measured first, last, and
between repetitions, so that a machine that grows slower or faster meanwhile is noticed and taken out (see
`ratios`). Every second repetition runs the switches backwards: a drift that is steady then weighs on all of
them alike. Switches stand in the order of the definition, which puts those with the same log mode side by
side: each change of it restarts the instance.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from oracle_refresh.labs.harness.trial import Trial
from oracle_refresh.labs.masking.definition import Step
from oracle_refresh.labs.masking.model import ALL, BASELINE, WARM_UP, Setting


def step_name(series: str, step: str) -> str:
    """The name of the setting of a step."""
    return f"{series} {step}"


def settings(
    baseline: Mapping[str, Any],
    switches: Mapping[str, Mapping[str, Any]],
    titles: Mapping[str, str],
    series: Mapping[str, Mapping[str, Step]] | None = None,
) -> tuple[Setting, ...]:
    """The baseline, the baseline with each switch on, and with all of them on where there are several; then
    the baseline with each step of each series, which is part of no other setting."""
    phases = {BASELINE: dict(baseline)}
    phases |= {name: merged(baseline, switch) for name, switch in switches.items()}
    if len(switches) > 1:
        together: Mapping[str, Any] = baseline
        for switch in switches.values():
            together = merged(together, switch)
        phases[ALL] = dict(together)
    switched = (Setting(name, titles.get(name, name), phase) for name, phase in phases.items())
    stepped = (
        Setting(
            name=step_name(name, label),
            title=f"{titles.get(name, name)}: {label}",
            phase=merged(baseline, step.phase),
            commit_rows=step.commit_rows,
            series=name,
            step=label,
        )
        for name, steps in (series or {}).items()
        for label, step in steps.items()
    )
    return (*switched, *stepped)


def merged(base: Mapping[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    """Two phases as one: mappings key by key, of everything else the second's."""
    result = dict(base)
    for name, value in over.items():
        former = result.get(name)
        both = isinstance(former, Mapping) and isinstance(value, Mapping)
        result[name] = merged(former, value) if both else value  # type: ignore[arg-type]
    return result


def trials(names: Sequence[str], repetitions: int) -> tuple[Trial, ...]:
    """The trials of these settings besides the baseline, so many times each.

    :raises ValueError: if there is nothing to compare, or no repetition.
    """
    if not names or repetitions < 1:
        raise ValueError("a comparison takes one switch or step and one repetition at least")
    order = [(WARM_UP, BASELINE), (1, BASELINE)]
    for repetition in range(1, repetitions + 1):
        forward = list(names) if repetition % 2 else list(reversed(names))
        order += [(repetition, name) for name in forward]
        order.append((repetition, BASELINE))
    return tuple(Trial(number, repetition, name) for number, (repetition, name) in enumerate(order))
