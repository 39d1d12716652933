"""Conclusions in words, former runs, and the record that an auditor signs."""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import replace

import pytest

from oracle_refresh.jsonable import digest
from oracle_refresh.masking.run import MaskResult
from oracle_refresh.plan.model import Plan
from oracle_refresh.profiler.coverage import ColumnCoverage, Coverage, Status
from oracle_refresh.report import Details, Report, files, render
from oracle_refresh.report.audit import AppliedRuleset, Audit
from oracle_refresh.report.charts import charts
from oracle_refresh.report.conclusions import conclusions
from oracle_refresh.report.former import MOST, FormerRun, RunSummary, former_runs, trend
from oracle_refresh.report.model import (
    ExpectationsReport,
    MaskReport,
    QuarantineReport,
    RuleUse,
    ShardReport,
    TableReport,
    rules_used,
)  # fmt: skip
from oracle_refresh.report.plan import PlanView
from oracle_refresh.report.run_record import applied_rulesets
from oracle_refresh.report.tuning import TunedItem, TuningReport
from oracle_refresh.run.approval import Approval
from oracle_refresh.validation.model import LobCheck, MaskedCheck, TableCheck

GOOD = Report(
    *("demo", "manual__1", "published", 4711, 100.0),
    (ShardReport("S001", "A.B", "rowid_range", 9, 50_000_000, 1.0, 1.0, 10.0),
     ShardReport("S002", "A.B", "rowid_range", 9, 50_000_000, 1.0, 1.0, 10.0)),
    (TableReport("A", "B", 9, 9, (LobCheck("X", 1, 1, "a", "a"),), "equal"),),
    (MaskReport("A", "B", ("C", "D"), 9, 1.0, "masked", "", 1, 9.0),),
    ExpectationsReport(5, 5),
    QuarantineReport((), ()),
    worked_seconds=100.0,
)  # fmt: skip


def former(**fields: object) -> FormerRun:
    known = {
        "run_id": "r",
        "at": "t",
        "status": "published",
        "seconds": 50.0,
        "bytes": 100_000_000,
        "rows": 9,
    }
    return FormerRun.from_json(known | fields)


def texts(report: Report, severity: str, view: PlanView | None = None) -> str:
    found = [one for one in conclusions(report, Details(), view) if one.severity == severity]
    assert all(one.next_step for one in found if severity != "good"), "who reads it wants to know what to do"
    return "\n".join(one.text for one in found)


def test_a_run_without_anything_to_tell() -> None:
    assert texts(GOOD, "bad") == texts(GOOD, "look") == ""
    assert "all tables (1, with 9 rows) are equal to the source at SCN 4711" in texts(GOOD, "good")
    assert "2 masked columns of 1 table proven to be masked" in texts(GOOD, "good")


def test_tables_without_masked_columns_are_named_so_that_nobody_takes_them_for_leaks() -> None:
    plain = replace(GOOD, tables=(*GOOD.tables, replace(GOOD.tables[0], name="PLAIN")))
    assert "proven to be masked; no rule masks a column of A.PLAIN" in texts(plain, "good")
    assert "A.PLAIN" not in texts(replace(plain, status="failed"), "good")  # not known there


def test_unclassified_texts_stand_on_the_first_page() -> None:
    listed = (ColumnCoverage("A.B.X", Status.UNCLASSIFIED, None, 0.0),)
    seen = Details(coverage=Coverage(0.5, 1, 9, 9, 0.1, listed))
    (found,) = [one for one in conclusions(GOOD, seen, None) if one.severity == "look"]
    assert found.text == "nothing classifies 1 text column in tables of personal data: A.B.X"
    assert found.next_step


def test_signed_exemptions_stand_on_the_first_page() -> None:
    listed = (
        ColumnCoverage("A.B.X", Status.EXEMPT, None, 0.9, note="signed by joe"),
        ColumnCoverage("A.B.Y", Status.RULE, None, 0.9),
    )
    seen = Details(coverage=Coverage(0.5, 1, 9, 9, 0.1, listed))
    (found,) = [one for one in conclusions(GOOD, seen, None) if one.severity == "look"]
    assert found.text == "values are kept by signed exemption in A.B.X"
    assert found.next_step


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"tables": (replace(GOOD.tables[0], verdict="unverified"),)}, "1 of 1 table not proven equal"),
        ({"masking": (replace(GOOD.masking[0], verdict="different"),)}, "the masking is not proven of A.B"),
        ({"expectations": ExpectationsReport(5, 3)}, "2 of 5 expectations not met"),
        ({"tuning": TuningReport("p", (TunedItem("redo", "x", "open"),))}, "still tuned: redo"),
    ],
)
def test_what_stands_against_a_release(change: dict[str, object], words: str) -> None:
    found = conclusions(replace(GOOD, **change), Details(), None)  # type: ignore[arg-type]
    assert found[0].severity == "bad", "the worst comes first"
    assert words in texts(replace(GOOD, **change), "bad")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("report", "words"),
    [
        (replace(GOOD, former=(former(), former(seconds=40.0))), "2.22 times the median of the last 2"),
        (replace(GOOD, former=(former(bytes=50_000_000),)), ""),  # twice the bytes in twice the time
        (replace(GOOD, former=(former(status="failed", seconds=1.0),)), ""),
        (replace(GOOD, shards=(replace(GOOD.shards[0], load_seconds=60.0), GOOD.shards[1])),
         "S001 (A.B) took 60 of 70 seconds of all loads"),
    ],
)  # fmt: skip
def test_what_is_worth_a_look(report: Report, words: str) -> None:
    found = texts(report, "look")
    assert words in found if words else found == ""


def test_exports_that_took_longer_than_planned() -> None:
    plan = Plan("demo", "r", 1, 2, (), (), 100, 100, 150, 100.0)
    view = PlanView(plan, (), 200.0)
    assert "2.00 times the seconds that were expected" in texts(GOOD, "look", view)
    uneven = PlanView(replace(plan, makespan_bytes=300), (), 90.0)
    assert "the busiest worker had 2.00 times the least possible share" in texts(GOOD, "look", uneven)


def test_small_data_raise_no_findings() -> None:
    """Of a refresh of seconds every share is uneven, and nobody wins anything by more shards."""
    small = replace(
        GOOD,
        worked_seconds=20.0,
        former=(former(seconds=9.0),),
        shards=(replace(GOOD.shards[0], load_seconds=6.0), replace(GOOD.shards[1], load_seconds=1.0)),
    )
    plan = Plan("demo", "r", 1, 2, (), (), 100, 300, 100, 5.0)
    assert texts(small, "look", PlanView(plan, (), 10.0)) == ""


def test_former_runs_leave_the_run_itself_out() -> None:
    kept = [
        RunSummary(**former(run_id=f"r{number}").to_json(), refresh="demo", tables=3)
        for number in range(MOST + 2)
    ]
    found = former_runs(kept, "r1")
    assert [run.run_id for run in found[:2]] == ["r0", "r2"]
    assert len(found) == MOST
    assert trend(1.0, 1, ()) is trend(1.0, 1, (former(status="failed"),)) is None
    compared = trend(100.0, 50_000_000, found)
    assert compared is not None
    assert (compared.runs, compared.seconds, compared.bytes) == (MOST, 2.0, 0.5)


def test_values_by_rule() -> None:
    columns = (MaskedCheck("E", 3, 3, 1), MaskedCheck("F", 2, 2, 0))
    checks = [TableCheck("A", name, 3, 3, "", "", (), columns, (), (), "masked", 1.0) for name in ("T", "U")]
    kinds = {("A", "T", "E"): "email", ("A", "U", "E"): "email", ("A", "T", "F"): "phone"}
    used = rules_used(checks, kinds)
    assert used == (RuleUse("email", 2, 6, 2), RuleUse("phone", 1, 2, 0), RuleUse("unknown", 1, 2, 0))
    assert "email (2)" in charts(GOOD, Details(rules=used))["rules"]


def test_the_record_holds_what_an_auditor_asks_for() -> None:
    audit = Audit(
        digest({"b": 1, "a": 2}), (AppliedRuleset("f00d", "key-1", ("A.T",)),),
        "program 1.0", "jane", "<quarterly>", {"degree": 4},
        (Approval("publish", "approved", "joe", "2026-01-01", "fine"),),
        "PROD (DBID 7)", "TEST (DBID 8)", "2026-01-01T02:00:00+01:00", "2026-01-01T01:30:00+00:00",
    )  # fmt: skip
    made = files(
        replace(GOOD, audit=audit, former=(former(run_id="earlier"),)), Details(mounting=("mount me",))
    )
    page = made["report.html"]
    for text in ("jane", "&lt;quarterly&gt;", "degree", "approved by joe", "f00d", "key-1", "program 1.0",
                 "PROD (DBID 7), as of 2026-01-01T02:00:00+01:00, SCN 4711", "TEST (DBID 8)", "01:30:00+00",
                 "earlier", "mount me", "Released by, date", "@media print", audit.definition):  # fmt: skip
        assert text in page
    assert hashlib.sha256(made["report.json"].encode()).hexdigest() in page
    assert Report.from_json(json.loads(made["report.json"])) == replace(
        GOOD, audit=audit, former=(former(run_id="earlier"),)
    )
    assert digest({"a": 2, "b": 1}) == audit.definition != digest({"a": 2, "b": 2})


def test_record_lists_the_tables_of_each_ruleset_that_masked_them() -> None:
    masks = [
        MaskResult("A", name, ("C",), 1, 1.0, "masked", "key-1", ruleset)
        for name, ruleset in (("U", "f00d"), ("V", "beef"), ("T", "f00d"))
    ]
    applied = applied_rulesets(masks)
    assert applied == (
        AppliedRuleset("f00d", "key-1", ("A.T", "A.U")),
        AppliedRuleset("beef", "key-1", ("A.V",)),
    )
    page = files(replace(GOOD, audit=Audit(rulesets=applied)), Details())["report.html"]
    assert "f00d</code>, key <code>key-1</code>, 2 tables: A.T, A.U" in page
    assert "beef</code>, key <code>key-1</code>, 1 table: A.V" in page


def test_the_page_loads_nothing_and_runs_nothing() -> None:
    page = render(replace(GOOD, former=(former(),)), Details(rules=(RuleUse("email", 1, 2, 0),)))
    assert "<script" not in page
    assert not re.search(r"(src|href)\s*=\s*[\"']?(https?:)?//", page.replace("xmlns", ""))
    assert "@import" not in page
