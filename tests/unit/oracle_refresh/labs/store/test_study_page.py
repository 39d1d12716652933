"""One's own figures in the published tables."""

from __future__ import annotations

from oracle_refresh.labs.store.model import KILOBYTE, Phase, Point
from oracle_refresh.labs.store.reference import (
    EXADATA_READ,
    EXADATA_WRITE,
    FOUR_READ,
    FOUR_WRITE,
)
from oracle_refresh.labs.store.study_page import matrix_rows, other_rows, study_sections


def point(way: str, users: int, block: int, rate: float) -> Point:
    return Point(way, users, block * KILOBYTE, round(rate * 1e6), 1.0, round(rate * 2e6), 1.0)


POINTS = [point("stream", 4, 32, 100.0), point("mounted", 4, 32, 200.0), point("stream", 2, 64, 50.0)]
PHASES = {
    "load external table": Phase("load external table", 2.0, 500_000_000, 7),
    "extract": Phase("extract", 3.0, 1, 300),
}


def test_four_nodes_are_nowhere_slower_than_one_and_everywhere_measured() -> None:
    """A slip in one of 36 copied figures would show here, or as a factor beyond what nodes can bring."""
    for one, four in ((EXADATA_WRITE, FOUR_WRITE), (EXADATA_READ, FOUR_READ)):
        assert one.keys() == four.keys()
        assert len(one) == 18
        assert all(2.5 <= four[key] / one[key] <= 4.45 for key in one)


def test_every_figure_of_the_study_has_its_row_and_one_s_own_beside_it() -> None:
    rows = {(row.users, row.block, row.what): row for row in matrix_rows(POINTS)}
    assert len(rows) == 2 * (18 + 1)
    written = rows[4, 32 * KILOBYTE, "write"]
    assert (written.one, written.four) == (900.0, 2640.0)
    assert written.own == {"stream": 100.0, "mounted": 200.0}
    assert rows[4, 32 * KILOBYTE, "read"].own == {"stream": 200.0, "mounted": 400.0}
    assert rows[1, KILOBYTE, "read"].own == {}
    alone = rows[2, 64 * KILOBYTE, "write"]
    assert (alone.one, alone.four, alone.own) == (None, None, {"stream": 50.0})


def test_what_was_done_once() -> None:
    rows = {row.what: row for row in other_rows(PHASES)}
    assert len(rows) == 8
    assert rows["load external table"].own == {"": 250.0}
    assert (rows["load external table"].one, rows["load external table"].four) == (250.0, 810.0)
    unpacked = rows["extract small files"]
    assert unpacked.own == {"": 100.0}
    assert unpacked.one is not None
    assert unpacked.four is not None
    assert round(unpacked.one) == 270
    assert round(unpacked.four) == 1094, "four nodes unpacked four times as many files"
    assert rows["export dump"].own == {}


def test_tables_and_plot() -> None:
    plot, matrix, others = study_sections(POINTS, PHASES)
    assert "<svg" in plot.chart
    for told in (
        "stream",
        "mounted",
        "study, one node",
        "study, four nodes",
        "4 users, write",
        "import dump",
    ):
        assert told in plot.chart, told
    assert matrix.table is not None
    assert others.table is not None
    lines = {line.cells[:3]: line.cells[3:] for line in matrix.table.lines}
    assert lines["4", "32k", "write"] == ("100.0", "200.0", "900.0", "2,640.0", "2.93")
    assert lines["1", "1k", "read"] == ("", "", "35.0", "140.0", "4.00")
    assert lines["2", "64k", "write"] == ("50.0", "", "", "", "")
    assert others.table.lines[1].cells == ("load external table", "250.0", "250.0", "810.0", "3.24")


def test_nothing_measured_shows_nothing() -> None:
    assert list(study_sections([], {})) == []
    plot, others = study_sections([], PHASES)
    assert "<svg" in plot.chart
    assert others.table is not None
