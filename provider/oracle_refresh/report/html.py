"""The report as one self-contained HTML page and as JSON."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from oracle_refresh.oracle.identifiers import TableName
from oracle_refresh.report import page_frame
from oracle_refresh.report.charts import MOST_BARS, charts
from oracle_refresh.report.conclusions import conclusions
from oracle_refresh.report.model import Details, Report
from oracle_refresh.report.plan import MOST_ROWS, PlanView, compare

if TYPE_CHECKING:
    from oracle_refresh.validation.model import TableCheck

#: Failed tries that the page lists.
MOST_TRIES = 100


def render(report: Report, details: Details | None = None) -> str:
    """The page: tables, inline charts, light or dark as the reader prefers; no scripts, nothing loaded. On
    paper it is light, folded parts are open, and there are lines to sign."""
    details = details or Details()
    view = _view(report, details)
    return page_frame.render(
        page_frame.PACKAGE,
        "report.html.j2",
        report=report,
        details=details,
        charts=charts(report, details, view),
        view=view,
        most=MOST_ROWS,
        most_tries=MOST_TRIES,
        most_bars=MOST_BARS,
        copies={TableName(check.owner, check.name).key: check for check in details.copies},
        sharded=[check for check in details.copies if _several_rows(check)],
        conclusions=conclusions(report, details, view),
        digest=hashlib.sha256(document(report).encode()).hexdigest(),
    )


def document(report: Report) -> str:
    """The text of report.json; its SHA-256 stands on the page."""
    return page_frame.json_text(report.to_json())


def files(report: Report, details: Details | None = None) -> dict[str, str]:
    """report.json, details.json and report.html of a run, by name."""
    details = details or Details()
    listed = {
        "conclusions": conclusions(report, details, _view(report, details)),
        "rules": details.rules,
        "masked": details.masked,
        "expectations": details.expectations,
        "verdicts": details.verdicts,
    }
    beside = {
        "coverage": details.coverage and details.coverage.to_json(),
        "failures": list(details.failures),
        **{name: [value.to_json() for value in values] for name, values in listed.items()},
        "inventory": details.inventory and details.inventory.to_json(),
    }
    return {
        "report.json": document(report),
        "details.json": page_frame.json_text(beside),
        "report.html": render(report, details),
    }


def _several_rows(check: TableCheck) -> bool:
    """Whether the page lists its rows by shard: those of one job that went well are listed already."""
    return len(check.shards) > 1 or (bool(check.shards) and check.verdict == "different")


def _view(report: Report, details: Details) -> PlanView | None:
    return compare(details.plan, report, details.spans) if details.plan else None
