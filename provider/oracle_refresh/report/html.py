"""The report as one self-contained HTML page and as JSON."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from oracle_refresh.oracle.identifiers import TableName
from oracle_refresh.report import page_frame
from oracle_refresh.report.charts import MOST_BARS, charts
from oracle_refresh.report.conclusions import conclusions
from oracle_refresh.report.listing import Listing, listing
from oracle_refresh.report.model import Details, Report
from oracle_refresh.report.plan import PlanView, compare

if TYPE_CHECKING:
    from oracle_refresh.validation.model import TableCheck


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
        most_bars=MOST_BARS,
        copies={TableName(check.owner, check.name).key: check for check in details.copies},
        lists=_lists(report, details, view),
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
        "copies": details.copies,
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


def _lists(report: Report, details: Details, view: PlanView | None) -> dict[str, Listing]:
    """The lists of the page by name."""
    coverage, inventory = details.coverage, details.inventory
    return {
        "failures": listing(details.failures),
        "tries": listing(reversed(report.failed_tries), wrong=lambda one: not one.mended),
        "planned": listing(view.jobs if view else (), size=lambda job: job.actual),
        "reasons": listing(
            sorted(view.plan.tables, key=lambda table: -table.total_bytes) if view else (),
            size=lambda table: table.total_bytes,
        ),
        "findings": listing(view.plan.findings if view else ()),
        "jobs": listing(
            report.shards, size=lambda job: job.export_seconds + job.stage_seconds + job.load_seconds
        ),
        "tables": listing(
            report.tables, wrong=lambda table: table.verdict != "equal", size=lambda table: table.rows_source
        ),
        "shards": listing(
            ((check, shard) for check in details.copies if _several_rows(check) for shard in check.shards),
            wrong=lambda each: not each[1].equal,
            size=lambda each: each[1].at_scn,
        ),
        "uncompared": listing(check for check in details.copies if check.uncompared),
        "lobs": listing(
            ((table, lob) for table in report.tables for lob in table.lobs),
            wrong=lambda each: each[1].checksum_source != each[1].checksum_target,
            size=lambda each: each[1].bytes,
        ),
        "columns": listing(
            coverage.listed if coverage else (), wrong=lambda column: column.status == "uncovered"
        ),
        "unread": listing(coverage.unread if coverage else ()),
        "masks": listing(
            report.masking, wrong=lambda mask: mask.verdict != "masked", size=lambda mask: mask.seconds
        ),
        "strategies": listing(
            (mask for mask in report.masking if mask.strategy), size=lambda mask: mask.seconds
        ),
        "masked": listing(
            ((check, column) for check in details.masked for column in check.masked),
            wrong=lambda each: each[0].verdict != "masked",
            size=lambda each: each[1].count,
        ),
        "found": listing(check for check in details.masked if check.found_by in ("masked key", "content")),
        "verdicts": listing(details.verdicts, wrong=lambda verdict: not verdict.holds),
        "expectations": listing(
            details.expectations,
            wrong=lambda table: table.successful < table.evaluated,
            size=lambda table: table.evaluated,
        ),
        "differences": listing(
            inventory.differences if inventory else (), wrong=lambda difference: not difference.accepted
        ),
        "not_copied": listing(inventory.not_copied if inventory else ()),
        "invalid": listing(inventory.invalid_outside if inventory else ()),
    }


def _several_rows(check: TableCheck) -> bool:
    """Whether the page lists its rows by shard: those of one job that went well are listed already."""
    return len(check.shards) > 1 or (bool(check.shards) and check.verdict == "different")


def _view(report: Report, details: Details) -> PlanView | None:
    return compare(details.plan, report, details.spans) if details.plan else None
