"""tar, ls and rm by several workers beside one, and beside the study."""

from __future__ import annotations

import pytest

from oracle_refresh.labs.store.client import ClientCpu
from oracle_refresh.labs.store.programs import ARCHIVE, EXTRACT, MATCH, Operation, Operations
from oracle_refresh.labs.store.programs_page import compared, program_sections

CPU = ClientCpu(0.1, 0.4, 0.0, 1.0, 2.0)
DONE = Operations(
    (
        Operation(EXTRACT, 1, 20.0, 1000, 40_000_000, CPU),
        Operation(MATCH, 1, 0.5, 10, 0),
        Operation(ARCHIVE, 1, 10.0, 1000, 40_000_000),
        Operation(EXTRACT, 4, 8.0, 1000, 40_000_000),
        Operation(ARCHIVE, 4, 5.0, 1000, 40_000_000),
    )
)


def test_ratios() -> None:
    found = {(one.operation.name, one.operation.workers): one for one in compared({"mounted": DONE})}
    assert found[EXTRACT, 4].over_one == 2.5
    assert found[EXTRACT, 1].over_extract == found[EXTRACT, 1].study == 1.0
    assert found[ARCHIVE, 4].over_extract == pytest.approx(1.6)
    assert found[ARCHIVE, 4].study == pytest.approx(345 / 210)
    assert found[MATCH, 1].study is None
    alone = compared({"mounted": Operations(DONE.operations[3:])})
    assert [one.over_one for one in alone] == [None, None]


def test_the_page_has_a_table_and_a_plot_for_each_mount() -> None:
    operations = {"mounted": DONE, "mounted-2": Operations(DONE.operations[:3])}
    first, second = program_sections(operations, {"mounted": "the mount", "mounted-2": "another"})
    assert (first.title, second.title) == ("tar, ls and rm: the mount", "tar, ls and rm: another")
    assert "<svg" in first.chart
    assert second.chart == "", "one number of workers is no line"
    assert first.table is not None
    assert [line.cells for line in first.table.lines[:2]] == [
        ("extract", "1", "1,000", "20.00", "50.0", "2.0", "1.00", "1.00", "1.00", "40.0"),
        ("list by a pattern", "1", "10", "0.50", "20.0", "", "1.00", "0.40", "", ""),
    ]
    assert list(program_sections({}, {})) == []
