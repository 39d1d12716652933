"""A table that is declared once, on the page and in the log; a page of declared sections."""

from __future__ import annotations

from oracle_refresh.labs.harness.page import Page, Section, bars_beside, code
from oracle_refresh.labs.harness.table import Column, tabulated

ROWS = [("few <b>", 2, 1.5), ("many", 1024, None)]
COLUMNS: list[Column[tuple[str, int, float | None]]] = [
    Column("what", lambda row: row[0]),
    Column("items", lambda row: row[1], ",d"),
    Column("s", lambda row: row[2], ".2f"),
]
TABLE = tabulated(
    ROWS, COLUMNS, lambda row: row[1] == 2, lambda row: "a note" if row[1] > 2 else "", ["all", "1,026", ""]
)


def test_the_log_shows_columns_side_by_side() -> None:
    assert TABLE.text().splitlines() == [
        "what     items     s",
        "few <b>      2  1.50  <-",
        "many     1,024",
        "all      1,026",
    ]
    assert tabulated([], COLUMNS).text() == "what  items  s"


def test_the_page_escapes_texts_and_leaves_out_what_is_empty() -> None:
    chart = bars_beside(
        [{"what": "few", "series": "own", "value": 1.0}],
        ["own", "study"],
        "times",
        [{"what": "few", "series": "own", "low": 0.5, "high": 2.0}],
    )
    page = Page(
        "A < B",
        [("Run", code("r<1>")), ("Store", "")],
        [
            Section("First", table=TABLE),
            Section(chart=chart, caption="both"),
            Section("Steps", commands=["a", "b"]),
        ],
        ["odd & even"],
    )
    text = page.html()
    assert "<title>A &lt; B</title>" in text
    assert "<dt>Run</dt><dd><code>r&lt;1&gt;</code></dd>" in text
    assert "Store" not in text
    assert "<li>odd &amp; even</li>" in text
    assert '<tr class="chosen"><td>few &lt;b&gt;</td><td class="n">2</td><td class="n">1.50</td></tr>' in text
    assert '<td colspan="2" class="note">a note</td>' in text
    assert '<th>all</th><th class="n">1,026</th>' in text
    assert text.count("<svg") == text.count("<figcaption") == 1
    assert text.count("<li><pre>") == 2
    files = page.files({"figure": 1})
    assert files == {"report.json": '{\n  "figure": 1\n}\n', "report.html": text}
    assert "<title>W</title>" in Page("T", [], [], window="W").html()
