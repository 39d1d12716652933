"""Fits how long n workers take, and finds the degree from which more workers bring little.

T(n) = a + b/n + c*n, all at least 0: what no worker shortens, what all share, what each one costs the others.
This is the Universal Scalability Law, T(1) * (1 + sigma*(n - 1) + kappa*n*(n - 1)) / n, solved for its powers
of n: a = T(1) * (sigma - kappa), b = T(1) * (1 - sigma), c = T(1) * kappa (N. J. Gunther, "Guerrilla Capacity
Planning", 2007, chapters 4 to 6). c stands for contention that grows with the workers, such as the library
cache locks and DDL enqueues of many Data Pump processes. Errors are taken relative to the measured time, as
disturbances prolong a long run more than a short one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from oracle_refresh.experience.degree_advice import Point
from oracle_refresh.oracle.errors import PlanError

#: A smaller degree is preferred where it is at most this much slower than the best.
TOLERANCE = 0.05
#: Above this largest relative error the model does not describe the system; then measured times decide.
MISFIT = 0.10

Coefficients = tuple[float, float, float]


@dataclass(frozen=True)
class Curve:
    """The fitted model over the degrees that were measured."""

    points: tuple[Point, ...]
    coefficients: Coefficients
    knee: int
    reason: str

    @property
    def misfit(self) -> float:
        """The largest relative error at a measured degree."""
        return max(abs(point.predicted / point.seconds - 1) for point in self.points)


def fit(seconds: Mapping[int, float]) -> Coefficients:
    """a, b, c by least squares of relative errors, none below 0.

    The best solution on each subset of the three terms is tried: with three terms that is exact and short.
    """
    degrees = sorted(seconds)
    rows = [[1 / seconds[n], 1 / (n * seconds[n]), n / seconds[n]] for n in degrees]
    fits: list[tuple[float, int, Coefficients]] = []
    for size in range(1, min(3, len(degrees)) + 1):
        for chosen in combinations(range(3), size):
            solved = _solve([[row[term] for term in chosen] for row in rows])
            if solved is None or min(solved) < 0:
                continue
            terms = [0.0, 0.0, 0.0]
            for term, value in zip(chosen, solved, strict=True):
                terms[term] = value
            error = sum((sum(x * y for x, y in zip(row, terms, strict=True)) - 1) ** 2 for row in rows)
            fits.append((round(error, 12), size, (terms[0], terms[1], terms[2])))
    return min(fits)[2]


def predict(coefficients: Coefficients, degree: float) -> float:
    """Seconds that the model gives for a degree."""
    a, b, c = coefficients
    return a + b / degree + c * degree


def recommend(seconds: Mapping[int, float], tolerance: float = TOLERANCE) -> Curve:
    """The knee: the smallest measured degree within `tolerance` of the best predicted at any measured one.

    Nothing is said about degrees outside those that were measured.

    :param seconds: of the unload, by degree.
    :raises PlanError: for fewer than two degrees, or times or degrees that are not positive.
    """
    if len(seconds) < 2:
        raise PlanError(
            f"{len(seconds)} degrees were measured; a curve takes two at least, four tell a knee",
            step="calibration",
            remedy="measure more degrees, such as 2, 4, 8, 16",
        )
    if any(degree < 1 or time <= 0 for degree, time in seconds.items()):
        raise PlanError("degrees start at 1, and no unload takes no time", step="calibration")
    coefficients = fit(seconds)
    points = tuple(Point(n, seconds[n], predict(coefficients, n)) for n in sorted(seconds))
    misfit = max(abs(point.predicted / point.seconds - 1) for point in points)
    trusted = misfit <= MISFIT
    times = {point.degree: point.predicted if trusted else point.seconds for point in points}
    least = min(times.values())
    knee = min(degree for degree, time in times.items() if time <= least * (1 + tolerance))
    a, b, c = coefficients
    basis = (
        f"by {a:.3g} + {b:.3g}/n + {c:.3g}*n seconds, {100 * misfit:.0f} % off at most"
        if trusted
        else f"by the measured times, as no curve fits them ({100 * misfit:.0f} % off)"
    )
    return Curve(
        points, coefficients, knee, f"the smallest degree within {100 * tolerance:.0f} % of the best, {basis}"
    )


def _solve(rows: Sequence[Sequence[float]]) -> list[float] | None:
    """The least squares of rows * x = 1, by the normal equations; None where they have no one solution."""
    size = len(rows[0])
    matrix = [
        [sum(row[i] * row[j] for row in rows) for j in range(size)] + [sum(row[i] for row in rows)]
        for i in range(size)
    ]
    for column in range(size):
        pivot = max(range(column, size), key=lambda number: abs(matrix[number][column]))
        if abs(matrix[pivot][column]) < 1e-14 * max(1e-300, abs(matrix[0][0])):
            return None
        matrix[column], matrix[pivot] = matrix[pivot], matrix[column]
        for number in range(size):
            if number != column:
                share = matrix[number][column] / matrix[column][column]
                matrix[number] = [x - share * y for x, y in zip(matrix[number], matrix[column], strict=True)]
    return [matrix[number][size] / matrix[number][number] for number in range(size)]
