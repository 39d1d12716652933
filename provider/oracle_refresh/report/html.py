"""The report as one self-contained HTML page and as JSON."""

from __future__ import annotations

import json

from oracle_refresh.report.charts import charts
from oracle_refresh.report.model import Details, Report
from oracle_refresh.report.plan import MOST_ROWS, compare


def render(report: Report, details: Details | None = None) -> str:
    """The page: tables, inline charts, light or dark as the reader prefers; no scripts, nothing loaded."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("oracle_refresh.report", "."),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"megabytes": _megabytes, "thousands": _thousands, "seconds": _seconds}
    details = details or Details()
    view = compare(details.plan, report, details.spans) if details.plan else None
    return environment.get_template("report.html.j2").render(
        report=report, details=details, charts=charts(report, details, view), view=view, most=MOST_ROWS
    )


def files(report: Report, details: Details | None = None) -> dict[str, str]:
    """report.json and report.html of a run, by name."""
    return {
        "report.json": json.dumps(report.to_json(), indent=2, ensure_ascii=False) + "\n",
        "report.html": render(report, details),
    }


def _megabytes(size: float) -> str:
    return f"{size / 1e6:,.1f}"


def _thousands(number: float) -> str:
    return f"{number:,.0f}"


def _seconds(seconds: float) -> str:
    return f"{seconds:,.1f}"
