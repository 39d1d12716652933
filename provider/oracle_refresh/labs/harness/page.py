"""The page of a laboratory: what it is about, then sections of charts and tables. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from oracle_refresh.labs.harness.charts import chart, svg
from oracle_refresh.labs.harness.table import Table
from oracle_refresh.report.page_frame import json_text, render

#: Colours of one's own figures, of a published study's, and of what is pointed at.
OWN, STUDY, POINTED = "#4c8ed9", "#8a8f98", "#d98a2b"


@dataclass(frozen=True)
class Section:
    """A part of a page, in this order; what is empty is left out."""

    title: str = ""
    about: str = ""
    chart: str = ""
    """SVG text."""
    caption: str = ""
    """Of the chart."""
    table: Table | None = None
    items: Sequence[str] = ()
    commands: Sequence[str] = ()
    """Steps that somebody has to take, one after the other."""
    note: str = ""


@dataclass(frozen=True)
class Page:
    """A page. Its texts are escaped, but for those that are `Markup`."""

    title: str
    facts: Sequence[tuple[str, str]]
    """Terms and what they are here; one without a text is left out."""
    sections: Sequence[Section]
    notes: Sequence[str] = ()
    window: str = ""
    """Title of the browser's window, where it is another one."""

    def html(self) -> str:
        """One self-contained page; no scripts, nothing loaded."""
        return render("oracle_refresh.labs.harness", "lab.html.j2", page=self)

    def files(self, document: Mapping[str, Any]) -> dict[str, str]:
        """What goes to the report's folder: the page, and the figures that it shows."""
        return {"report.json": json_text(document), "report.html": self.html()}


def code(text: str) -> Markup:
    """A text as code."""
    return Markup("<code>{}</code>").format(text)


def by_series(names: Sequence[str], field: str = "series", colours: Sequence[str] = (OWN, STUDY)) -> Any:
    """Altair's colours by the name of a series, with a legend above the chart."""
    import altair as alt

    return alt.Color(
        f"{field}:N",
        title=None,
        scale=alt.Scale(domain=list(names), range=list(colours[: len(names)])),
        legend=alt.Legend(orient="top", labelLimit=400),
    )


def bars_beside(
    rows: Sequence[Mapping[str, Any]],
    names: Sequence[str],
    title: str,
    ranges: Sequence[Mapping[str, Any]] = (),
) -> str:
    """Bars of one's own figures above those of a study, a pair for each `what`.

    :param rows: with `what`, `series` and `value`.
    :param names: of the series, one's own first.
    :param ranges: with `what`, `series`, `low` and `high`: drawn as lines over the bars.
    """
    import altair as alt

    order = list(dict.fromkeys(row["what"] for row in rows))
    y, beside = alt.Y("what:N", sort=order, title=None), alt.YOffset("series:N", sort=list(names))
    present = [name for name in names if any(row["series"] == name for row in rows)]
    drawn = (
        chart([dict(row) for row in rows])
        .mark_bar(cornerRadius=2)
        .encode(x=alt.X("value:Q", title=title), y=y, yOffset=beside, color=by_series(present))
    )
    if ranges:
        drawn += (
            chart([dict(row) for row in ranges])
            .mark_rule(color=POINTED, strokeWidth=2)
            .encode(x="low:Q", x2="high:Q", y=y, yOffset=beside)
        )
    return svg(drawn, height=max(40 * len(order), 60))
