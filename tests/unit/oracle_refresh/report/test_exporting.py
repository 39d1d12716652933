from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

from oracle_refresh.catalog.lob_profile import LobProfile
from oracle_refresh.plan.model import Plan
from oracle_refresh.report import build, render
from oracle_refresh.report.exporting import ExportingReport, exporting_report
from oracle_refresh.tuning.counters import Counters, Event
from oracle_refresh.tuning.exporting import ExportReadings, LobProfiles
from oracle_refresh.tuning.findings import RedoLogs

NOW = datetime(2026, 1, 2, 3, 4, 5)
BEFORE = Counters(NOW, {"ONE": NOW}, {"lob reads": 5}, {}, {}, RedoLogs(3, 50 << 20), 7, 0, 0, 0)
AFTER = replace(
    BEFORE,
    taken_at=NOW + timedelta(seconds=50),
    statistics={"lob reads": 1005, "physical reads": 7},
    events={"db file sequential read": Event(900, 40.0), "<b>": Event(1, 0.1)},
)
LOB = LobProfile(
    *("DOCS", "D<1>", "BODY", False, True, 8192, 12.5, 100, 80, (60, 0, 20, 0, 0, 0, 0)),
    *(20, 80, 700_000, 40_000, 5_000_000, 11, 3),
)
PLAN = Plan("demo", "run", 4711, 2, (), (), 1, 1, 1, None)


def test_the_page_shows_waits_lengths_and_what_follows() -> None:
    exporting = exporting_report([ExportReadings(BEFORE, AFTER)], LobProfiles((LOB,)), {})
    assert ExportingReport.from_json(exporting.to_json()) == exporting
    assert (exporting.seconds, exporting.jobs) == (50.0, 1)
    assert [(one.name, one.value) for one in exporting.statistics] == [
        ("physical reads", 7),
        ("lob reads", 1000),
    ]
    assert [finding.code for finding in exporting.findings] == ["LOB_SINGLE_BLOCKS"]
    page = render(build(PLAN, "published", 1.0, exporting=exporting))
    for text in ("The exporting side", "db file sequential read", "lob reads", "DOCS.D&lt;1&gt;.BODY"):
        assert text in page
    assert "8.2 times faster with 32" in page
    assert "<b>" not in page.replace("&lt;b&gt;", "")
    row = page.partition("DOCS.D&lt;1&gt;.BODY")[2].partition("</tr>")[0]
    assert "BasicFile, CHUNK 8,192" in row
    assert "75 %" in row
    assert "<td>60 up to 3.87 KB<br>20 up to 32 KB<br></td>" in row
    head = page.partition("LOBs by length</th>")[0].rpartition("<tr>")[2]
    assert row.count("<td") + 1 == head.count("<th") == 10


def test_the_page_tells_what_was_not_measured() -> None:
    lost = [ExportReadings(missing="no <view>"), ExportReadings(BEFORE, None, "no <view>")]
    exporting = exporting_report(lost, LobProfiles(missing=("no table",)), {})
    assert exporting.missing == ("no <view>", "no table")
    assert (exporting.jobs, exporting.findings) == (0, ())
    page = render(build(PLAN, "published", 1.0, exporting=exporting))
    assert "Not measured: no &lt;view&gt;" in page
    assert "Nothing held the exports up" not in page
    quiet = replace(AFTER, events={})
    exporting = exporting_report([ExportReadings(BEFORE, quiet)], None, {})
    page = render(build(PLAN, "failed", 1.0, exporting=exporting))
    assert "Nothing held the exports up" in page


def test_a_run_without_exports_has_no_such_part() -> None:
    assert exporting_report([], None, {}) == ExportingReport()
    assert exporting_report([ExportReadings(BEFORE)], None, {}) == ExportingReport(), "it is under way"
    assert "The exporting side" not in render(build(PLAN, "failed", 1.0))
