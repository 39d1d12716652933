"""What a random run has proven: refreshes that no fault has struck prove nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from support.chaos.trial import Outcome

#: Of the faults that were planned, so many have to strike: a run whose faults come too late is no trial.
LEAST_STRUCK = 0.5


def shortcoming(outcomes: Sequence[Outcome]) -> str:
    """Why a run counts as failed; empty where it does not."""
    if broken := [outcome for outcome in outcomes if outcome.violation]:
        return f"a rule was broken in refresh {', '.join(str(outcome.number) for outcome in broken)}"
    planned, struck = _planned(outcomes), struck_by(outcomes).total()
    if struck < LEAST_STRUCK * planned:
        return f"only {struck} of {planned} planned faults have struck"
    return ""


def struck_by(outcomes: Sequence[Outcome]) -> Counter[str]:
    """How many faults of each kind have struck."""
    return Counter(
        str(fault.kind)
        for outcome in outcomes
        for fault, came in zip(outcome.faults, outcome.struck, strict=True)
        if came
    )


def summary(seed: int, outcomes: Sequence[Outcome]) -> str:
    good = [outcome for outcome in outcomes if not outcome.violation]
    tried = [outcome for outcome in good if any(outcome.struck)]
    struck = struck_by(outcomes)
    clears = sum(outcome.clears for outcome in outcomes)
    lines = [
        f"seed {seed}: {len(outcomes)} refreshes; {len(tried)} were struck and ended as they must,"
        f" {len(good) - len(tried)} were not struck, {len(outcomes) - len(good)} broke a rule",
        f"{struck.total()} of {_planned(outcomes)} planned faults have struck; {clears} clears by hand",
        *(f"  {count:4} {kind}" for kind, count in struck.most_common()),
    ]
    if why := shortcoming(outcomes):
        lines.append(f"failed: {why}")
    return "\n".join(lines)


def _planned(outcomes: Sequence[Outcome]) -> int:
    return sum(len(outcome.faults) for outcome in outcomes)
