"""What is measured, out of what somebody wishes and what the instance permits. Pure."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass

from oracle_refresh.labs.harness.trial import whole_numbers
from oracle_refresh.oracle.errors import PlanError

log = logging.getLogger(__name__)
STEP = "calibration"
MOST_JOBS = 256


@dataclass(frozen=True, order=True)
class Trial:
    """One unload of the sample by `degree` jobs at the same time."""

    degree: int
    repeat: int

    @property
    def id(self) -> str:
        return f"{self.degree}/{self.repeat}"

    @classmethod
    def parse(cls, text: str) -> Trial:
        """The trial of an `id`."""
        return cls(*map(int, text.split("/")))


def possible_degrees(chosen: Sequence[int] | str, jobs_at_once: int) -> tuple[int, ...]:
    """The degrees that can be measured, each once, in order.

    :param jobs_at_once: that the instance permits.
    :raises PlanError: if they are no numbers, or fewer than two are possible.
    """
    most = min(jobs_at_once, MOST_JOBS)
    asked = sorted(set(whole_numbers(chosen, "degrees", step=STEP, kind=PlanError, required=True)))
    degrees = tuple(degree for degree in asked if 1 <= degree <= most)
    if len(degrees) < len(asked):
        log.warning("left out: the instance permits 1 to %s jobs at the same time", most)
    if len(degrees) < 2:
        raise PlanError(
            f"of the degrees {chosen} only {len(degrees)} can be measured; a curve takes two at least",
            step=STEP,
            remedy="give more degrees, or raise max_datapump_jobs_per_pdb",
        )
    return degrees


def trials(degrees: Sequence[int], repeats: int) -> tuple[Trial, ...]:
    """Each repeat after all degrees: what disturbs for a while disturbs them alike."""
    return tuple(Trial(degree, repeat) for repeat in range(1, repeats + 1) for degree in degrees)
