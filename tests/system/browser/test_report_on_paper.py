"""The report as it is printed and as a phone shows it: nothing is cut off at the edge."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from oracle_refresh.report import Details, render
from oracle_refresh.report.audit import AppliedRuleset, Audit
from oracle_refresh.report.model import (
    ExpectationsReport,
    MaskReport,
    QuarantineReport,
    Report,
    ShardReport,
    TableReport,
)
from oracle_refresh.validation.model import LobCheck, MaskedCheck, TableCheck
from support.browsing import BEYOND, PATIENCE
from support.large_report import large_report

LONG = "A_TABLE_WITH_THE_LONGEST_NAME_THAT_19C_ALLOWS" * 2
SUM = "0123456789abcdef" * 4
COLUMNS = tuple(f"COLUMN_{number:02}" for number in range(12))
REPORT = Report(
    *("demo", "manual__2026-01-02T03:04:05.123456+00:00", "published", 4711, 100.0),
    (ShardReport("S001", f"APP.{LONG}", "rowid_range", 9, 50_000_000, 1.0, 1.0, 10.0),),
    (TableReport("APP", LONG, 9, 9, (LobCheck("X", 1, 1, SUM, SUM),), "equal"),),
    (MaskReport("APP", LONG, COLUMNS, 9, 1.0, "masked", "in place", 1, 9.0),),
    ExpectationsReport(5, 5),
    QuarantineReport((), ()),
    audit=Audit(
        definition=SUM, rulesets=(AppliedRuleset(SUM, "KEY", (LONG,)),), source="PROD " * 20, target="TEST"
    ),
)
CHECK = TableCheck("APP", LONG, 9, 9, SUM, SUM, (), (), (), (), "equal", 1.0)
MASKED = tuple(MaskedCheck(name, 9, 9, 0, leaked=0, distinct=9, distinct_source=9) for name in COLUMNS)
DETAILS = Details(
    copies=(CHECK,),
    masked=(TableCheck("APP", LONG, 9, 9, SUM, SUM, (), MASKED, (), (), "masked", 1.0),),
    mounting=("nohup dbfs_client /@(DESCRIPTION=(ADDRESS=(PROTOCOL=TCP)(HOST=a.very.long.name)))" * 3,),
)
FITS = "[...document.querySelectorAll('.wide, pre')].every(one => one.scrollWidth <= one.clientWidth + 1)"


@pytest.mark.parametrize(("media", "width"), [("print", 680), ("screen", 390)])
def test_nothing_is_cut_off(browser: Browser, tmp_path: Path, media: str, width: int) -> None:
    (tmp_path / "report.html").write_text(render(REPORT, DETAILS))
    page = browser.new_page(viewport={"width": width, "height": 900})
    page.set_default_timeout(PATIENCE)
    page.emulate_media(media=media)  # type: ignore[arg-type]
    page.goto((tmp_path / "report.html").as_uri())
    assert page.evaluate(BEYOND) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    # A table that goes on on the next sheet begins with its header there.
    assert page.locator("table").count() > 5
    assert page.locator("table:not(:has(> thead th[scope]))").count() == 0
    if media == "print":
        # On paper nothing scrolls and nothing is folded.
        assert page.get_by_text("dbfs_client").is_visible()
        assert page.evaluate(FITS)
    page.close()


#: A row that is much taller than the text in it; a row here has three lines at most.
TALLEST = """() => Math.max(...[...document.querySelectorAll('.wide tr')].map(row =>
    row.getBoundingClientRect().height / Math.max(...[...row.cells].map(cell => {
        const text = document.createRange()
        text.selectNodeContents(cell)
        return text.getBoundingClientRect().height
    }))))"""


def test_ten_thousand_tables(browser: Browser, tmp_path: Path) -> None:
    """Twenty sheets at most; on the screen no table is wider than the page, and no row is high and empty."""
    (tmp_path / "report.html").write_text(render(*large_report()))
    page = browser.new_page(viewport={"width": 1200, "height": 900})
    page.set_default_timeout(PATIENCE)
    page.goto((tmp_path / "report.html").as_uri())
    assert page.evaluate(FITS)
    assert page.evaluate("document.documentElement.scrollWidth") <= 1200
    assert page.evaluate(TALLEST) < 2
    sheets = len(re.findall(rb"/Type\s*/Page\b", page.pdf(format="A4")))
    assert 5 < sheets <= 20
    page.close()
