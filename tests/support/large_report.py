"""The report of a run with very many tables, some of which went wrong."""

from __future__ import annotations

from datetime import datetime, timedelta

from oracle_refresh.oracle.identifiers import TableName
from oracle_refresh.plan.model import ExportJob, Plan, TablePlan
from oracle_refresh.profiler.coverage import ColumnCoverage, Coverage
from oracle_refresh.report import Details
from oracle_refresh.report.model import (
    ExpectationsReport,
    MaskReport,
    QuarantineReport,
    Report,
    RuleUse,
    ShardReport,
    Span,
    TableReport,
)
from oracle_refresh.report.tries import FailedTry
from oracle_refresh.target.objects.inventory import Difference, InventoryCheck
from oracle_refresh.validation.expectations import TableResult
from oracle_refresh.validation.model import LobCheck, MaskedCheck, ShardCheck, TableCheck, Verdict

SUM = "12345678901234567890-98765432109876543210"
BEGAN = datetime(2026, 1, 2, 3, 4, 5)
COLUMNS = ("CUSTOMER_LAST_NAME", "ELECTRONIC_MAIL_ADDRESS", "INTERNATIONAL_BANK_ACCOUNT")
#: Places of what is wrong, late in each list.
WRONG = 7


def large_report(tables: int = 10_000, masked: int = 2_000, shards: int = 300) -> tuple[Report, Details]:
    """:param masked: how many of the tables have masked columns, three each."""
    names = [TableName("APP", f"BUSINESS_OBJECT_{number:05}") for number in range(tables)]
    wrong = frozenset(names[-WRONG:]) | {names[masked - 1]}
    jobs = [f"S{number:03}" for number in range(1, shards + 1)]
    copies = tuple(_copy(name, number, jobs, name in wrong) for number, name in enumerate(names))
    checks = tuple(_masked(name, number, name in wrong) for number, name in enumerate(names[:masked]))
    report = Report(
        *("large", "manual__2026-01-02T03:04:05.123456+00:00", "failed", 4711, 7200.0),
        tuple(
            ShardReport(job, names[place].key, "rowid_range", 1000 * place, 1_000_000 * place, 9.0, 3.0, 30.0)
            for place, job in enumerate(jobs)
        ),
        tuple(
            TableReport(each.owner, each.name, each.rows_source, each.rows_target, each.lobs, each.verdict)
            for each in copies
        ),
        tuple(
            MaskReport(
                *(check.owner, check.name, COLUMNS, check.rows_target, 2.0, check.verdict),
                *("in place: few of the columns change", 1, check.rows_target / 2),
            )
            for check in checks
        ),
        ExpectationsReport(7 * masked, 7 * masked - 1),
        QuarantineReport(("APP",), ()),
        failed_tries=tuple(
            FailedTry("verify_copy", place, names[place].key, 1, f"{BEGAN}", (), "1 row differs", None)
            for place in range(150)
        ),
    )
    return report, _details(names, masked, jobs, copies, checks, wrong)


def _copy(name: TableName, number: int, jobs: list[str], wrong: bool) -> TableCheck:
    rows = 10 * number
    lobs = (LobCheck("DOCUMENT_CONTENT", rows, 900 * rows, SUM, SUM),) if number % 10 == 0 else ()
    cut = tuple(ShardCheck(job, 4, 4, 4) for job in jobs[number % 200 : number % 200 + 3])
    return TableCheck(
        *(name.owner, name.name, rows, rows - wrong, SUM, "0-0" if wrong else SUM, lobs, (), ()),
        *(("1 row is missing",) if wrong else (), "different" if wrong else "equal", 1.0),
        shards=cut if number % 100 == 0 else cut[:1],
    )


def _masked(name: TableName, number: int, wrong: bool) -> TableCheck:
    rows = 10 * number + 10
    columns = tuple(
        MaskedCheck(
            *(column, rows, rows, 3 if wrong else 0), leaked=0, misfits=0, distinct=rows, distinct_source=rows
        )
        for column in COLUMNS
    )
    return TableCheck(
        *(name.owner, name.name, rows, rows, SUM, SUM, (), columns, ()),
        *(("3 values are unchanged",) if wrong else (), "different" if wrong else "masked", 1.0),
        found_by="masked key" if number % 2 else "key",
    )


def _details(
    names: list[TableName],
    masked: int,
    jobs: list[str],
    copies: tuple[TableCheck, ...],
    checks: tuple[TableCheck, ...],
    wrong: frozenset[TableName],
) -> Details:
    plans = tuple(
        TablePlan(name.owner, name.name, "bulk", ("B001",), 10, 8192 * place, 0, "small: travels with others")
        for place, name in enumerate(names)
    )
    exports = tuple(
        ExportJob(
            job,
            f"RF_{job}",
            "shard",
            (names[place],),
            "rowid_range",
            3,
            0,
            "1 = 1",
            1,
            "f.dmp",
            9**place % 10**9,
            1,
        )
        for place, job in enumerate(jobs)
    )
    covered = tuple(
        ColumnCoverage(f"{name.key}.{column}", "rule", "email", 0.9, ("looks like e-mail addresses",))
        for name in names[:masked]
        for column in COLUMNS
    )
    missing = ColumnCoverage(f"{names[-1].key}.NOTE", "uncovered", "email", 0.9)
    spans = tuple(
        Span(
            step,
            job,
            BEGAN + timedelta(seconds=9 * place + at),
            BEGAN + timedelta(seconds=9 * place + at + 8),
        )
        for place, job in enumerate(jobs)
        for at, step in ((0, "export"), (10, "stage"), (20, "load"))
    )
    differences = tuple(
        Difference("INDEX", f"APP.I{number}", "", "missing", "-", "-", number < 700) for number in range(703)
    )
    return Details(
        spans,
        checks,
        copies,
        tuple(f"{name.key} differs from the source" for name in sorted(wrong, key=lambda name: name.key)),
        plan=Plan("large", "r", 4711, 8, exports, plans, 10**12, 10**11, 10**11, 900.0),
        coverage=Coverage(0.5, len(names), 90_000, 10**6, 60.0, (*covered, missing)),
        inventory=InventoryCheck(400_000, differences, (), (), "different"),
        expectations=tuple(
            TableResult(name.key, 7, 7, 6 if place == masked - 1 else 7)
            for place, name in enumerate(names[:masked])
        ),
        rules=(RuleUse("email", masked, 10**6, 3), RuleUse("iban", masked, 10**6, 0)),
        verdicts=tuple(
            Verdict(
                "references", f"{name}", "children have the parents they had", place != masked - 1, "0 rows"
            )
            for place, name in enumerate(names[:masked])
        ),
    )
