"""From measurements to a recommendation. Pure."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from oracle_refresh.experience.degree_advice import DegreeCurve, Direction, Recommendation, Sample, Shape
from oracle_refresh.labs.datapump_degree.measure import check_same_rows
from oracle_refresh.labs.datapump_degree.model import Measurement
from oracle_refresh.labs.datapump_degree.plan import Trial
from oracle_refresh.labs.harness.curve import Curve, recommend

#: A whole sample that is moved faster than this says more about starting jobs than about carrying rows.
SHORTEST_SECONDS = 5.0
Series = tuple[Shape, Direction]
DIRECTIONS: tuple[Direction, ...] = ("export", "import")


def advise(
    run_id: str,
    source_conn_id: str,
    target_conn_id: str,
    sample: Sample,
    measurements: Sequence[Measurement],
    wanted: Collection[Trial] = (),
) -> Recommendation:
    """The degree at the knee of what jobs of one worker took, and the workers of a job where PARALLEL helps.

    A refresh exports and imports at the same time, so that the slower of both counts at each degree.

    :param wanted: what was to be measured; what is missing is named.
    :raises PlanError: for fewer than two degrees, or if they did not move the same rows.
    """
    times = _times(measurements)
    exported = times.get(("jobs", "export"), {})
    recommend(exported)  # without exports there is nothing to recommend
    check_same_rows(measurements, sample)
    curves = tuple(_curve(series, seconds) for series, seconds in times.items() if len(seconds) > 1)
    slower = _slower(times, "jobs")
    chosen = recommend(slower)
    workers = _workers(times)
    return Recommendation(
        run_id=run_id,
        source_conn_id=source_conn_id,
        target_conn_id=target_conn_id,
        degree=chosen.knee,
        reason=_reason(chosen, curves),
        points=chosen.points,
        coefficients=chosen.coefficients,
        bytes_per_second=sample.bytes / exported[chosen.knee] / chosen.knee,
        sample=sample,
        trusted=slower[chosen.knee] >= SHORTEST_SECONDS,
        notes=(*_notes(chosen.knee, slower, sample, measurements, wanted), *_compared(times, workers)),
        workers=workers,
        curves=curves,
    )


def best(measurements: Sequence[Measurement]) -> dict[int, float]:
    """The fastest run of each degree: other work on the machines can only have prolonged the others."""
    fastest: dict[int, float] = {}
    for measured in measurements:
        fastest[measured.degree] = min(measured.seconds, fastest.get(measured.degree, measured.seconds))
    return fastest


def _times(measurements: Sequence[Measurement]) -> dict[Series, dict[int, float]]:
    """The best times of each series that was measured, jobs before workers, exports before imports."""
    series: list[Series] = [
        ("jobs", "export"),
        ("jobs", "import"),
        ("workers", "export"),
        ("workers", "import"),
    ]
    found = {
        each: best([measured for measured in measurements if (measured.shape, measured.direction) == each])
        for each in series
    }
    return {each: seconds for each, seconds in found.items() if seconds}


def _slower(times: Mapping[Series, Mapping[int, float]], shape: Shape) -> dict[int, float]:
    """By degree, the time of the slower direction; exports alone where fewer than two were imported too."""
    exported, imported = times.get((shape, "export"), {}), times.get((shape, "import"), {})
    both = {degree: max(exported[degree], imported[degree]) for degree in exported if degree in imported}
    return both if len(both) > 1 else dict(exported)


def _curve(series: Series, seconds: Mapping[int, float]) -> DegreeCurve:
    found = recommend(seconds)
    return DegreeCurve(*series, found.knee, found.reason, found.points, found.coefficients)


def _reason(chosen: Curve, curves: Sequence[DegreeCurve]) -> str:
    knees = {curve.direction: curve.degree for curve in curves if curve.shape == "jobs"}
    if len(knees) < 2:
        return chosen.reason
    return (
        f"{chosen.reason}, of the slower of export and import at each degree;"
        f" by itself the export is best at {knees['export']}, the import at {knees['import']}"
    )


def _workers(times: Mapping[Series, Mapping[int, float]]) -> int | None:
    """The knee of PARALLEL, where more workers were faster at all and it took long enough to tell."""
    seconds = _slower(times, "workers")
    if len(seconds) < 2:
        return None
    knee = recommend(seconds).knee
    return knee if knee > min(seconds) and seconds[knee] >= SHORTEST_SECONDS else None


def _notes(
    knee: int,
    seconds: Mapping[int, float],
    sample: Sample,
    measurements: Sequence[Measurement],
    wanted: Collection[Trial],
) -> list[str]:
    notes = []
    for direction in DIRECTIONS:
        done = [each for each in measurements if each.direction == direction]
        found = {(each.degree, each.shape) for each in done}
        missing = {replace(trial, repeat=1) for trial in wanted if (trial.degree, trial.shape) not in found}
        if missing and done:
            labels = ", ".join(trial.label for trial in sorted(missing))
            notes.append(f"not measured: {labels}" + (" (import)" if direction == "import" else ""))
    few = {each.degree for each in measurements if each.shape == "jobs" and each.jobs < each.degree}
    if few:
        listed = ", ".join(map(str, sorted(few)))
        notes.append(f"the sample has too few blocks for {listed} jobs: take a larger one")
    if seconds[knee] < SHORTEST_SECONDS:
        notes.append(
            f"the sample ({sample.bytes / 1e6:,.1f} MB) is moved in {seconds[knee]:,.1f} s: starting the"
            " jobs weighs much in that, so that no plan takes this degree; take a larger sample"
        )
    if knee == max(seconds):
        notes.append("the largest degree that was measured is the best: more may be better still")
    if knee == min(seconds):
        notes.append("the smallest degree that was measured is enough: fewer may be as good")
    return notes


def _compared(times: Mapping[Series, Mapping[int, float]], workers: int | None) -> list[str]:
    """One job against many, in words."""
    notes = []
    for direction in DIRECTIONS:
        jobs, parallel = times.get(("jobs", direction), {}), times.get(("workers", direction), {})
        if jobs and parallel:
            notes.append(
                f"{direction}: {min(parallel.values()):,.1f} s at best by one job with PARALLEL,"
                f" {min(jobs.values()):,.1f} s by jobs of one worker"
            )
    seconds = _slower(times, "workers")
    if len(seconds) > 1 and workers is None:
        notes.append(
            "no plan bounds the workers of a job by this: more of them were not faster, or all were too fast"
            " to tell. Data Pump gives a table with BASICFILE LOBs, and one partition that is not large, a"
            " single worker whatever PARALLEL says"
        )
    return notes
