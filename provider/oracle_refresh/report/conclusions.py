"""What the figures of a run mean, in plain words, with the next step. Pure.

The bounds are those from which a difference is worth a look: a quarter more than expected is beyond what the
same work varies by on a shared machine. What costs less than half a minute is no difference: most of a small
refresh is the start of its jobs, and every share of it is uneven.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from oracle_refresh.jsonable import Jsonable
from oracle_refresh.oracle.counting import counted, some
from oracle_refresh.report.former import trend

if TYPE_CHECKING:
    from oracle_refresh.report.model import Details, Report
    from oracle_refresh.report.plan import PlanView

SLOWER = 1.25
UNEVEN = 1.2
LONGEST = 0.6
LEAST_SECONDS = 30.0


@dataclass(frozen=True)
class Conclusion(Jsonable):
    """`bad` stands against the release, `look` is worth a look, `good` is what was proven."""

    severity: Literal["bad", "look", "good"]
    text: str
    next_step: str = ""


def conclusions(report: Report, details: Details, view: PlanView | None) -> tuple[Conclusion, ...]:
    """The worst first."""
    order = ("bad", "look", "good")
    drawn = [*_rows(report, view), *_proofs(report, details), *_speed(report, view)]
    return tuple(sorted(drawn, key=lambda conclusion: order.index(conclusion.severity)))


def _rows(report: Report, view: PlanView | None) -> Iterator[Conclusion]:
    rows = sum(table.rows_target for table in report.tables)
    in_place = bool(view and view.plan.in_place)
    wrong = [table.key for table in report.tables if table.verdict != "equal"]
    if wrong:
        yield Conclusion(
            "bad",
            f"{len(wrong)} of {counted(len(report.tables), 'table')} not proven equal to"
            f" {'what it was at the SCN' if in_place else 'the source'}: {some(wrong)}",
            "see the log of record: somebody wrote to these tables; take the clone anew, and start a new run"
            if in_place
            else "see the log of verify_copy of these tables, then clear their shards' load tasks",
        )
    elif in_place and report.tables:
        yield Conclusion(
            "good",
            f"all rows of {counted(len(report.tables), 'table')} ({rows:,}) were recorded as they were at"
            f" SCN {report.scn}, before anything was masked",
        )
    elif report.tables:
        yield Conclusion(
            "good",
            f"all tables ({len(report.tables)}, with {rows:,} rows) are equal to the source"
            f" at SCN {report.scn}",
        )


def _proofs(report: Report, details: Details) -> Iterator[Conclusion]:
    unmasked = [mask.key for mask in report.masking if mask.verdict != "masked"]
    if unmasked:
        yield Conclusion(
            "bad",
            f"the masking is not proven of {some(unmasked)}",
            "see the log of verify_masked: it names column and number of values",
        )
    elif report.masking:
        columns = sum(len(mask.columns) for mask in report.masking)
        yield Conclusion(
            "good",
            f"{counted(columns, 'masked column')} of {counted(len(report.masking), 'table')}"
            f" proven to be masked{_unruled(report)}",
        )
    uncovered = details.coverage.uncovered if details.coverage else ()
    if uncovered:
        yield Conclusion(
            "bad",
            f"{counted(len(uncovered), 'sensitive column')} without a rule:"
            f" {some([each.column for each in uncovered])}",
            "add rules to the ruleset, or sign exemptions",
        )
    unclassified = details.coverage.unclassified if details.coverage else ()
    if unclassified:
        yield Conclusion(
            "look",
            f"nothing classifies {counted(len(unclassified), 'text column')} in tables of personal data:"
            f" {some([each.column for each in unclassified])}",
            "add rules or sign exemptions; `masking.unclassified: refuse` stops a run that lacks both",
        )
    exempt = [each for each in details.coverage.listed if each.status == "exempt"] if details.coverage else ()
    if exempt:
        yield Conclusion(
            "look",
            f"values are kept by signed exemption in {some([each.column for each in exempt])}",
            "look whether the exemptions still hold: under Sensitive columns stands who signed them",
        )
    unmet = report.expectations.evaluated - report.expectations.successful
    if unmet:
        yield Conclusion(
            "bad",
            f"{unmet} of {counted(report.expectations.evaluated, 'expectation')} not met",
            "see the log of the task expectations, and docs/index.html of this run",
        )
    if report.tuning.open:
        yield Conclusion(
            "bad",
            f"the instance is still tuned: {some([item.item for item in report.tuning.open])}",
            "clear restore_target, or run: airflow oracle-refresh restore",
        )


def _unruled(report: Report) -> str:
    """The tables without a masked column, so that nobody takes them for unproven ones."""
    masked = {mask.key for mask in report.masking}
    others = [table.key for table in report.tables if table.key not in masked]
    if not others or report.status != "published":
        return ""
    return f"; no rule masks a column of {some(others)}"


def _speed(report: Report, view: PlanView | None) -> Iterator[Conclusion]:
    size = sum(shard.bytes for shard in report.shards)
    compared = trend(report.worked_seconds, size, report.former)
    if (
        compared
        and compared.seconds > SLOWER * max(compared.bytes, 1)
        and _lost(report.worked_seconds, compared.seconds / max(compared.bytes, 1))
    ):
        yield Conclusion(
            "look",
            f"the run took {compared.seconds:.2f} times the median of the last {compared.runs} published"
            f" runs, for {compared.bytes:.2f} times their bytes",
            "compare the timelines and waits of both reports",
        )
    came = report.course
    if came and came.ratio and came.ratio > SLOWER and _lost(came.seconds, came.ratio):
        yield Conclusion(
            "look",
            f"the run took {came.ratio:.2f} times the seconds that were expected",
            "look under Course for the stages that are far above their expectation",
        )
    if view and view.ratio and view.ratio > SLOWER and _lost(view.export_seconds, view.ratio):
        yield Conclusion(
            "look",
            f"the exports took {view.ratio:.2f} times the seconds that were expected",
            "look for other work on the source, and at the jobs below that are far above their expectation",
        )
    if view and view.over_bound > UNEVEN and _lost(view.export_seconds, view.over_bound):
        yield Conclusion(
            "look",
            f"the busiest worker had {view.over_bound:.2f} times the least possible share",
            "more shards of the largest table: max_shards, or a smaller lob_shard_min_bytes",
        )
    if len(report.shards) > 1:
        longest = max(report.shards, key=lambda shard: shard.load_seconds)
        loads = sum(shard.load_seconds for shard in report.shards)
        if longest.load_seconds > max(LEAST_SECONDS, LONGEST * loads):
            yield Conclusion(
                "look",
                f"{longest.job} ({longest.table}) took {longest.load_seconds:,.0f} of {loads:,.0f} seconds of"
                " all loads",
                "cut that table into more shards (max_shards)",
            )


def _lost(seconds: float | None, times: float) -> bool:
    """Whether what took so many times as long as it could has cost time worth telling."""
    return (seconds or 0) * (1 - 1 / times) >= LEAST_SECONDS
