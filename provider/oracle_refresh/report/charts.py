"""What the charts of the report show."""

from __future__ import annotations

from oracle_refresh.oracle.identifiers import TableName
from oracle_refresh.report.bars import GREY, Bar, bars
from oracle_refresh.report.model import Details, Report
from oracle_refresh.report.plan import PlanView
from oracle_refresh.report.spans import STEPS

STAGES = tuple(kind.name for kind in STEPS)
_BLUE, _GREEN, _RED = "#4c8ed9", "#4aa564", "#d9534c"
#: By series, in the order of the legend.
_COLOURS = {
    **dict(zip(STAGES, (_BLUE, "#d98a2b", _GREEN, GREY, "#b565c9", "#b07a4a"), strict=True)),
    **{"expected": GREY, "took": _BLUE, "masked": _GREEN, "unchanged": _RED},
    **{"published": _BLUE, "failed": _RED},
}
_MEGABYTE = 1_000_000
#: Rows of a chart. More can be neither read nor printed; the tables below have all of them.
MOST_BARS = 40
#: Seconds of a bar that is as good as empty, so that it can be seen.
_LEAST = 0.05


def charts(report: Report, details: Details, view: PlanView | None = None) -> dict[str, str]:
    """Return SVG elements by the name of the chart. A chart without data is omitted."""
    drawn = (
        ("timeline", _timeline(details), "seconds since the first step", False),
        ("throughput", _throughput(report), "MB per second (dump file bytes)", True),
        ("planned", _planned(view) if view else [], "seconds of the export", True),
        ("coverage", _coverage(details), "values that are not NULL", False),
        ("rules", _rules(details), "values by rule (columns)", False),
        ("former", _former(report), "seconds of the whole run, this one last", False),
    )
    return {
        name: bars(rows, title, _COLOURS, side_by_side=side_by_side)
        for name, rows, title, side_by_side in drawn
        if rows
    }


def _timeline(details: Details) -> list[Bar]:
    first = min((span.start for span in details.spans), default=None)
    if first is None:
        return []
    took: dict[str, float] = {}
    for span in details.spans:
        took[span.item] = took.get(span.item, 0.0) + (span.end - span.start).total_seconds()
    shown = set(sorted(took, key=lambda item: -took[item])[:MOST_BARS])
    rows = [
        Bar(
            span.item,
            span.step,
            max((span.end - span.start).total_seconds(), _LEAST),
            (span.start - first).total_seconds(),
        )
        for span in details.spans
        if span.item in shown
    ]
    return sorted(rows, key=lambda bar: bar.start or 0.0)


def _throughput(report: Report) -> list[Bar]:
    return [
        Bar(f"{shard.job} {shard.table}", stage, shard.bytes / _MEGABYTE / seconds)
        for shard in sorted(report.shards, key=lambda shard: -shard.bytes)[:MOST_BARS]
        for stage, seconds in (
            ("export", shard.export_seconds),
            ("stage", shard.stage_seconds),
            ("load", shard.load_seconds),
        )
        if seconds > 0 and shard.bytes
    ]


def _planned(view: PlanView) -> list[Bar]:
    return [
        Bar(f"{job.planned.id} {job.planned.about}", what, seconds)
        for job in view.jobs[:MOST_BARS]
        if job.planned.expected_seconds is not None
        for what, seconds in (("expected", job.planned.expected_seconds), ("took", job.actual))
    ]


def _coverage(details: Details) -> list[Bar]:
    """Return the columns with the most unchanged values first, then those with the most values."""
    checked = [
        (f"{TableName(check.owner, check.name).key}.{column.column}", column)
        for check in details.masked
        for column in check.masked
    ]
    checked.sort(key=lambda named: (-named[1].unchanged, -named[1].count))
    return [
        Bar(name, what, values)
        for name, column in checked[:MOST_BARS]
        for what, values in (("masked", column.count - column.unchanged), ("unchanged", column.unchanged))
    ]


def _rules(details: Details) -> list[Bar]:
    return [
        Bar(f"{use.kind} ({use.columns})", what, values)
        for use in details.rules
        for what, values in (("masked", use.values - use.unchanged), ("unchanged", use.unchanged))
    ]


def _former(report: Report) -> list[Bar]:
    if not report.former:
        return []
    runs = [(run.run_id, run.status, run.seconds) for run in reversed(report.former)]
    runs.append((report.run_id, report.status, report.worked_seconds))
    return [
        Bar(f"{place}. {run}", status, seconds)
        for place, (run, status, seconds) in enumerate(runs, 1)
        if seconds > 0
    ]
