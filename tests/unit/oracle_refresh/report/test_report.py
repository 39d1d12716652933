from __future__ import annotations

import functools
import json
import re
import sys
import xml.dom.minidom
from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from oracle_refresh.catalog.rates import Rates
from oracle_refresh.datapump.dumpset import DumpFile, DumpSet, LoadResult, StagedSet, TableRows
from oracle_refresh.datapump.progress import JobProgress
from oracle_refresh.masking import MaskResult
from oracle_refresh.oracle.findings import warning
from oracle_refresh.oracle.identifiers import TableName
from oracle_refresh.plan.model import ExportJob, Plan, TablePlan
from oracle_refresh.report import Details, Report, build, files, render
from oracle_refresh.report.charts import charts
from oracle_refresh.report.listing import MOST_FOLDED
from oracle_refresh.report.model import Span
from oracle_refresh.report.plan import compare
from oracle_refresh.target.former.settle import Settled
from oracle_refresh.target.quarantine import Quarantine
from oracle_refresh.validation.expectations import ExpectationsResult, TableResult
from oracle_refresh.validation.model import LobCheck, MaskedCheck, ShardCheck, TableCheck

RUN = "manual__2026-01-02T03:04:05+00:00"
NOW = datetime(2026, 1, 2, 3, 4, 5)
JOBS = (
    ExportJob(
        *(
            "S001",
            "RF_S001",
            "shard",
            (TableName("DOCS", "DOCUMENTS"),),
            "rowid_block_modulo",
            2,
            0,
            "1 = 1",
            1,
        ),
        *("s001.dmp", 1_000_000, 2),
    ),
    ExportJob(
        *(
            "B001",
            "RF_B001",
            "bulk",
            (TableName("APP", "A"), TableName("APP", "B")),
            "bulk",
            None,
            None,
            None,
            2,
        ),
        *("b001%L.dmp", 1_000, 1),
    ),
)
TABLES = tuple(
    TablePlan(owner, name, "bulk", ("B001",), 1, 1, 0, "small")
    for owner, name in (("APP", "A"), ("APP", "B"), ("DOCS", "DOCUMENTS"))
)
PLAN = Plan("demo", RUN, 4711, 2, JOBS, TABLES, 1, 1, 1, None)
DUMP = DumpSet(
    *("S001", "RF_S001", 4711, "D", "l.log", (DumpFile("s001.dmp", 2_000_000, "ab"),)),
    *((TableRows("DOCS", "DOCUMENTS", 7, 9),), 2.0),
)
COPY = TableCheck(
    *("DOCS", "DOCUMENTS", 7, 7, "1-2", "1-2", (LobCheck("BODY", 7, 99, "a-b", "a-b"),), ()),
    *(("OLD",), (), "equal", 1.0),
)
MASKED = TableCheck(
    "APP", "A", 3, 3, "1-2", "1-2", (), (MaskedCheck("EMAIL", 3, 3, 0),), (), (), "masked", 1.0
)
MASKS = (
    MaskResult("APP", "A", ("EMAIL",), 3, 0.5, "masked", "k", "r", (), "rewrite: most columns change", 4),
    MaskResult("APP", "B", (), 0, 0.0, "nothing_to_mask", "k", "r"),
)


def report() -> Report:
    return build(
        PLAN,
        "published",
        12.5,
        jobs=[
            JobProgress(
                JOBS[0], DUMP, StagedSet(DUMP, "T", DUMP.files, 1.0), LoadResult("S001", DUMP.tables, 4.0)
            )
        ],
        copies=[COPY],
        masks=MASKS,
        masked=[MASKED],
        expectations=ExpectationsResult("demo", 5, 5, ()),
        held=Quarantine(("APP_READER",), ("APP_READER",)),
    )


def details() -> Details:
    times = tuple(
        Span(step, "S001", NOW + timedelta(seconds=at), NOW + timedelta(seconds=at + 2))
        for at, step in enumerate(("stage", "load"))
    )
    return Details(times, (MASKED,), (COPY,), ("<script>alert(1)</script>",), ())


@functools.cache
def usual_page() -> str:
    return render(report(), details())


def test_the_keys_are_the_contract() -> None:
    document = report().to_json()
    assert list(document) == [
        *("refresh", "run_id", "status", "scn", "seconds", "shards", "tables", "masking"),
        *("expectations", "quarantine", "tuning", "capture", "audit", "former"),
        *("worked_seconds", "passes", "failed_tries", "course", "held_seconds"),
        *("held_undo_bytes", "exporting", "former_tables"),
    ]
    assert list(document["shards"][0]) == [
        *("job", "table", "scheme", "rows", "bytes", "export_seconds", "stage_seconds", "load_seconds")
    ]
    assert list(document["tables"][2]) == ["owner", "name", "rows_source", "rows_target", "lobs", "verdict"]
    assert list(document["tables"][2]["lobs"][0]) == [
        *("column", "count", "bytes", "checksum_source", "checksum_target")
    ]
    assert list(document["masking"][0]) == [
        *("owner", "name", "columns", "rows", "seconds", "verdict"),
        *("strategy", "chunks", "rows_per_second"),
    ]
    assert list(document["expectations"]) == ["evaluated", "successful"]
    assert list(document["quarantine"]) == ["locked", "released"]
    assert list(document["tuning"]) == ["profile", "items", "runbook", "windows"]
    assert list(document["audit"]) == [
        *("definition", "rulesets", "version", "triggered_by", "reason", "changes", "approvals"),
        *("source", "target", "frozen_at", "reported_at"),
    ]


def test_values() -> None:
    made = report()
    assert [(shard.job, shard.scheme, shard.rows) for shard in made.shards] == [
        ("S001", "rowid_block_modulo", 7),
        ("B001", "bulk", 0),
    ]
    assert made.shards[0].bytes == 2_000_000
    assert [table.verdict for table in made.tables] == ["unverified", "unverified", "equal"]
    (mask,) = made.masking
    assert (mask.name, mask.verdict, mask.chunks, mask.rows_per_second) == ("A", "masked", 4, 6.0)
    assert Report.from_json(made.to_json()) == made


def test_a_failed_run_has_a_report_too() -> None:
    made = build(PLAN, "failed", 1.0)
    assert {table.verdict for table in made.tables} == {"unverified"}
    assert "failed" in render(made)


def test_charts_without_charts_extra_are_svg_in_the_colour_of_the_text(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ("altair", "vl_convert", "faker"):
        monkeypatch.setitem(sys.modules, name, None)
    drawn = charts(report(), details())
    assert set(drawn) == {"timeline", "throughput", "coverage"}
    for svg in drawn.values():
        assert xml.dom.minidom.parseString(svg).documentElement.tagName == "svg"
        assert "currentColor" in svg
    assert render(report(), details()).count("<svg") == 3
    assert charts(build(PLAN, "failed", 1.0), Details()) == {}


@pytest.mark.slow
def test_a_chart_of_a_thousand_shards_can_be_printed() -> None:
    """The page names how many of them it draws, and how many it lists."""
    jobs = [f"S{number:04}" for number in range(1000)]
    made = report().shards[0]
    shards = tuple(replace(made, job=job, bytes=place + 1) for place, job in enumerate(jobs))
    times = tuple(
        Span("export", job, NOW, NOW + timedelta(seconds=place + 1)) for place, job in enumerate(jobs)
    )
    columns = tuple(MaskedCheck(f"C{number:03}", number, number, int(number == 0)) for number in range(200))
    many = replace(report(), shards=shards)
    seen = Details(spans=times, masked=(replace(MASKED, masked=columns),))
    drawn = charts(many, seen)
    for name, kept, left in (
        ("timeline", "S0999", "S0001"),
        ("throughput", "S0999", "S0001"),
        ("coverage", "C000", "C001"),
    ):
        height = float(re.search(r'viewBox="0 0 [\d.]+ ([\d.]+)"', drawn[name])[1])  # type: ignore[index]
        assert height < 1500, name
        assert kept in drawn[name]
        assert left not in drawn[name]
    page = render(many, seen)
    for text in ("The 40 shards and tables that", "The 40 largest of 1,000 jobs", "The 40 columns"):
        assert text in page
    assert page.count("<td>S0") == MOST_FOLDED
    assert "25 of 1,000. All of them: <code>report.json</code>" in page
    assert "The 40" not in usual_page()


def test_the_content_of_each_table_can_be_compared_by_eye() -> None:
    changed = replace(COPY, checksum_target="1-3", verdict="different")
    page = render(report(), replace(details(), copies=(changed,)))
    assert "<code>1-2</code></td><td><code>1-3</code>" in page


def test_the_page_stands_alone_and_escapes_what_it_shows() -> None:
    page = usual_page()
    assert "<script" not in page
    assert "&lt;script&gt;" in page
    assert "http:" not in page.replace("http://www.w3.org", "")
    assert "https:" not in page
    assert "prefers-color-scheme" in page or "light-dark(" in page
    for text in ("DOCS.DOCUMENTS", "APP_READER", "4711", "not compared by content: OLD"):
        assert text in page


def test_the_page_shows_the_rows_of_each_shard() -> None:
    shards = (ShardCheck("S001", 7, 7, 7), ShardCheck("S002", 4321, None, 4320))
    seen = replace(details(), copies=(replace(COPY, shards=shards), replace(COPY, shards=shards[:1])))
    page = render(report(), seen)
    assert page.count("Rows of each shard") == 1
    assert page.count('S001</td><td class="n">7<') == 1  # not of the table that one job carries
    assert 'S002</td><td class="n">4,321</td><td class="n">–</td><td class="n">4,320</td>' in page
    assert "Rows of each shard" not in usual_page()
    assert "Rows of each shard" not in render(
        report(), replace(details(), copies=(replace(COPY, shards=shards[:1]),))
    )


def test_the_page_shows_how_tables_were_masked_and_what_was_expected_of_them() -> None:
    hard = replace(MASKED, found_by="masked key")
    met = (TableResult("APP.A", 3, 4, 4), TableResult("APP.B", 0, 2, 1))
    page = render(report(), replace(details(), masked=(hard,), expectations=met))
    for text in (
        "rewrite: most columns change",
        "rows were found again by what the masking key makes of their key",
        "<h2>Expectations</h2>",
        '<td>APP.A</td><td class="n">4</td><td class="n">3</td><td class="n">4</td>',
        "not met",
    ):
        assert text in page
    assert "<h2>Expectations</h2>" not in usual_page()


def test_a_part_with_nothing_to_tell_is_left_out() -> None:
    page = render(build(PLAN, "failed", 1.0))
    for heading in ("<h2>LOBs", "<h2>Expectations", "Rows of each shard", "masked column</th>"):
        assert heading not in page
    assert "No column was masked." in page
    assert "none evaluated" in page


def test_what_was_not_taken_back_is_told() -> None:
    back = Settled("put back", 3, ("view APP.V is gone",), ("masking.before: accounts.sql",))
    page = render(replace(report(), former_tables=back))
    for text in (
        "3 put back under their names; not as it was before: 1 things: view APP.V is gone",
        "accounts and other tables was not taken back: masking.before: accounts.sql",
    ):
        assert text in page
    assert "taken back" not in render(replace(report(), former_tables=replace(back, scripts=())))


def test_the_files_of_a_report() -> None:
    made = files(report(), details())
    assert json.loads(made["report.json"]) == report().to_json()
    assert made["report.html"].startswith("<!doctype html>")


def test_names_from_the_database_stay_text() -> None:
    """A quoted identifier may hold anything but a quotation mark; it must not become markup."""
    evil = "<img src=x onerror=alert(1)></text><script>alert(2)</script>&"
    check = TableCheck(
        *(evil, evil, 3, 4, "1-2", "1-3", (LobCheck(evil, 7, 99, "a-b", "a-c"),)),
        *((MaskedCheck(evil, 3, 3, 1),), (evil,), (evil,), "different", 1.0),
    )
    made = report()
    table = replace(made.tables[0], owner=evil, name=evil, lobs=(LobCheck(evil, 1, 1, "a", "b"),))
    shard = replace(made.shards[0], table=evil)
    mask = replace(made.masking[0], owner=evil, name=evil, columns=(evil,))
    details = Details(
        spans=(Span("load", evil, NOW, NOW + timedelta(seconds=1)),),
        masked=(check,),
        copies=(check,),
        failures=(evil,),
        kept_locked=(evil,),
    )
    page = render(replace(made, run_id=evil, tables=(table,), shards=(shard,), masking=(mask,)), details)
    assert "onerror=alert(1)>" not in page
    assert "<script" not in page
    assert "<img" not in page
    assert page.count("&lt;script&gt;") > 8


def test_the_page_shows_the_plan_beside_what_came() -> None:
    jobs = tuple(
        replace(job, expected_seconds=seconds) for job, seconds in zip(JOBS, (4.0, 1.0), strict=True)
    )
    rates = Rates(("run <1>",), 5e5, {"bulk": 1e6})
    found = warning("UNDO_RETENTION", "ORA-01555 is to be expected", "raise UNDO_RETENTION")
    plan = replace(
        PLAN, jobs=jobs, rates=rates, expected_seconds=4.0, degree_reason="by calibration", findings=(found,)
    )
    times = (Span("export", "S001", NOW, NOW + timedelta(seconds=2)),)
    view = compare(plan, report(), times)
    assert (view.export_seconds, view.ratio) == (2.0, 0.5)
    assert [(row.planned.id, row.planned.expected_seconds, row.actual) for row in view.jobs] == [
        ("S001", 4.0, 2.0),
        ("B001", 1.0, 0.0),
    ]
    assert [row.ratio for row in view.jobs] == [0.5, None]
    page = render(report(), Details(plan=plan, spans=times))
    for text in (
        "by calibration",
        "run &lt;1&gt;",
        "ORA-01555 is to be expected",
        "0.50 times as long",
        "small",
    ):
        assert text in page
    assert "planned" in charts(report(), Details(), view)
    unmeasured = render(report(), Details(plan=PLAN))
    assert "no former run by this transport had carried enough (1 MB) to tell a rate" in unmeasured
    assert "planned" not in charts(report(), Details(), compare(PLAN, report(), ()))
