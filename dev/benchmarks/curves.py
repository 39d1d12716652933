"""How a cost grows with a size: points, the exponent fitted to them, a plot with both axes logarithmic."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field

from benchmarks.result import Result


@dataclass(frozen=True)
class Curve:
    """What was measured at each size, all above zero; `name` ends in the unit: `refresh_seconds`."""

    name: str
    points: tuple[tuple[float, float], ...]

    @property
    def exponent(self) -> float:
        """Of the power of the size that fits best by least squares of the logarithms: 1 is linear."""
        logs = [(math.log(size), math.log(value)) for size, value in self.points]
        middle_x, middle_y = (sum(axis) / len(logs) for axis in zip(*logs, strict=True))
        spread = sum((x - middle_x) ** 2 for x, _ in logs)
        slope: float = sum((x - middle_x) * (y - middle_y) for x, y in logs) / spread
        return slope


@dataclass(frozen=True)
class GrowthResult(Result):
    """With the curves, for the plot."""

    curves: tuple[Curve, ...] = field(default=())

    def document(self) -> dict[str, object]:
        """Ratios, figures and machine; the curves are only plotted."""
        return {key: value for key, value in asdict(self).items() if key not in ("name", "curves")}

    def plot(self) -> str:
        import altair as alt
        import vl_convert

        rows = [
            {"what": f"{curve.name} (exponent {curve.exponent:.2f})", "size": size, "value": value}
            for curve in self.curves
            for size, value in curve.points
        ]
        log = alt.Scale(type="log")
        chart = (
            alt.Chart(alt.Data(values=rows))  # type: ignore[no-untyped-call]
            .mark_line(point=True)
            .encode(
                x=alt.X("size:Q", scale=log, title=None),
                y=alt.Y("value:Q", scale=log, title=None),
                facet=alt.Facet("what:N", columns=3, title=None),
            )
            .properties(width=220, height=160)
            .resolve_scale(x="independent", y="independent")
        )
        return str(vl_convert.vegalite_to_svg(chart.to_json()))


def exponents(curves: Sequence[Curve]) -> dict[str, float]:
    return {f"{curve.name}_exponent": curve.exponent for curve in curves}
