"""Long lists: what is wrong first, then what is large, nothing lost."""

from __future__ import annotations

import json
import re

import pytest

from oracle_refresh.report import files
from oracle_refresh.report.listing import MOST_FOLDED, MOST_SHOWN, listing
from support.large_report import WRONG, large_report


@pytest.fixture(scope="module")
def written() -> dict[str, str]:
    return files(*large_report(tables=2_000, masked=400))


def test_a_short_list_stays_in_its_order_but_for_what_is_wrong() -> None:
    short = listing(["c", "a", "b"], wrong=lambda item: item == "b", size=ord)
    assert (short.shown, short.folded, short.whole, short.wrong) == (["b", "c", "a"], [], True, 1)


def test_a_long_list_begins_with_what_is_wrong_then_what_is_large() -> None:
    long = listing(range(1000), wrong=lambda item: item in (3, 5), size=float)
    assert long.shown[:4] == [5, 3, 999, 998]
    assert (len(long.shown), len(long.shown) + len(long.folded)) == (MOST_SHOWN, MOST_FOLDED)
    assert (long.total, long.wrong, long.whole) == (1000, 2, False)


@pytest.mark.slow
def test_a_page_of_two_thousand_tables_is_small_and_the_files_have_all(written: dict[str, str]) -> None:
    assert len(written["report.html"].encode()) < 1_200_000
    report, details = json.loads(written["report.json"]), json.loads(written["details.json"])
    assert (len(report["tables"]), len(report["shards"]), len(report["masking"])) == (2_000, 300, 400)
    assert (len(details["copies"]), len(details["masked"]), len(details["expectations"])) == (2_000, 400, 400)


def test_what_is_wrong_comes_first(written: dict[str, str]) -> None:
    page = written["report.html"]
    assert page.index("What went wrong") < page.index("In short") < page.index("<h2>Jobs")
    tables = page[page.index("<h2>Tables against") :]
    rows = re.findall(r"<tr><td>APP\.BUSINESS_OBJECT_(\d+)</td>.*?</tr>", tables)
    # Eight differ: the last ones, and one of those that are masked; then come the largest of the others.
    assert rows[: WRONG + 1] == ["01999", "01998", "01997", "01996", "01995", "01994", "01993", "00399"]
    assert rows[WRONG + 1] == "01992"
    masked = page[page.index("masked column</th>") :]
    assert re.findall(r"BUSINESS_OBJECT_(\d+)", masked)[:4] == ["00399"] * 3 + ["00398"]
    assert f"{MOST_SHOWN} of 2,000, what is wrong first (8). All of them: <code>report.json</code>" in page
