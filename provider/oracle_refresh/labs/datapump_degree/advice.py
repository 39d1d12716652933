"""From measurements to a recommendation. Pure."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from oracle_refresh.experience.degree_advice import Recommendation, Sample
from oracle_refresh.labs.datapump_degree.measure import check_same_rows
from oracle_refresh.labs.datapump_degree.model import Measurement
from oracle_refresh.labs.harness.curve import recommend

#: A whole sample that is unloaded faster than this says more about starting jobs than about carrying rows.
SHORTEST_SECONDS = 5.0


def advise(
    run_id: str,
    source_conn_id: str,
    target_conn_id: str,
    sample: Sample,
    measurements: Sequence[Measurement],
    wanted: Collection[int] = (),
) -> Recommendation:
    """The knee of the measured curve.

    :param wanted: degrees that were to be measured; what is missing is named.
    :raises PlanError: for fewer than two degrees, or if they did not unload the same rows.
    """
    seconds = best(measurements)
    curve = recommend(seconds)
    check_same_rows(measurements, sample)
    return Recommendation(
        run_id=run_id,
        source_conn_id=source_conn_id,
        target_conn_id=target_conn_id,
        degree=curve.knee,
        reason=curve.reason,
        points=curve.points,
        coefficients=curve.coefficients,
        bytes_per_second=sample.bytes / seconds[curve.knee] / curve.knee,
        sample=sample,
        trusted=seconds[curve.knee] >= SHORTEST_SECONDS,
        notes=tuple(_notes(curve.knee, seconds, sample, measurements, wanted)),
    )


def best(measurements: Sequence[Measurement]) -> dict[int, float]:
    """The fastest run of each degree: other work on the machines can only have prolonged the others."""
    fastest: dict[int, float] = {}
    for measured in measurements:
        fastest[measured.degree] = min(measured.seconds, fastest.get(measured.degree, measured.seconds))
    return fastest


def _notes(
    knee: int,
    seconds: dict[int, float],
    sample: Sample,
    measurements: Sequence[Measurement],
    wanted: Collection[int],
) -> list[str]:
    notes = []
    if missing := sorted(set(wanted) - set(seconds)):
        notes.append(f"not measured: {', '.join(map(str, missing))}")
    if few := sorted({each.degree for each in measurements if each.jobs < each.degree}):
        notes.append(f"the sample has too few blocks for {', '.join(map(str, few))} jobs: take a larger one")
    if seconds[knee] < SHORTEST_SECONDS:
        notes.append(
            f"the sample ({sample.bytes / 1e6:,.1f} MB) is unloaded in {seconds[knee]:,.1f} s: starting the"
            " jobs weighs much in that, so that no plan takes this degree; take a larger sample"
        )
    if knee == max(seconds):
        notes.append("the largest degree that was measured is the best: more may be better still")
    if knee == min(seconds):
        notes.append("the smallest degree that was measured is enough: fewer may be as good")
    return notes
