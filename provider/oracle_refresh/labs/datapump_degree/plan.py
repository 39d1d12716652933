"""What is measured, out of what somebody wishes and what the instances permit. Pure."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

from oracle_refresh.catalog.limits import Limits
from oracle_refresh.experience.degree_advice import Shape
from oracle_refresh.labs.harness.trial import whole_numbers
from oracle_refresh.oracle.errors import PlanError

log = logging.getLogger(__name__)
STEP = "calibration"
MOST_JOBS = 256
#: A worker writes a file of its own, and `%U` counts to 99 (Utilities 19c, expdp, DUMPFILE and PARALLEL).
MOST_WORKERS = 99


@dataclass(frozen=True, order=True)
class Trial:
    """The sample, moved once by `degree` workers: by so many jobs of one, or by one job with PARALLEL."""

    degree: int
    repeat: int
    shape: Shape = "jobs"

    @property
    def id(self) -> str:
        return f"{self.shape}/{self.degree}/{self.repeat}"

    @property
    def label(self) -> str:
        """As it is called in sentences."""
        return f"{self.degree} jobs" if self.shape == "jobs" else f"PARALLEL={self.degree}"

    @classmethod
    def parse(cls, text: str) -> Trial:
        """The trial of an `id`."""
        shape, degree, repeat = text.split("/")
        return cls(int(degree), int(repeat), cast(Shape, shape))


def possible_degrees(chosen: Sequence[int] | str, jobs_at_once: int) -> tuple[int, ...]:
    """The degrees that can be measured with jobs of one worker, each once, in order.

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


def parallel_degrees(degrees: Sequence[int], limits: Limits) -> tuple[int, ...]:
    """Those of the degrees that one job can have as PARALLEL; fewer than two make no curve, so none.

    Standard Edition has one worker for a job (Utilities 19c, PARALLEL); MAX_DATAPUMP_PARALLEL_PER_JOB bounds
    the others, which Data Pump would lower without a word.
    """
    most = min(limits.workers_per_job, MOST_WORKERS)
    possible = tuple(degree for degree in degrees if degree <= most)
    if len(possible) < len(degrees):
        log.warning("left out: one job may have 1 to %s workers", most)
    return possible if len(possible) > 1 else ()


def trials(degrees: Sequence[int], repeats: int, parallel: Sequence[int] = ()) -> tuple[Trial, ...]:
    """Each repeat after all degrees: what disturbs for a while disturbs them alike. Both shapes of a degree
    follow each other.

    :param parallel: degrees that are measured by one job as well.
    """
    shapes: tuple[tuple[Shape, Sequence[int]], ...] = (("jobs", degrees), ("workers", parallel))
    return tuple(
        Trial(degree, repeat, shape)
        for repeat in range(1, repeats + 1)
        for degree in sorted({*degrees, *parallel})
        for shape, measured in shapes
        if degree in measured
    )
