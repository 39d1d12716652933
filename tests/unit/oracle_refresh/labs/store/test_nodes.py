"""Several nodes together: sums, ratios to one node and to the study, and what is missing."""

from __future__ import annotations

from dataclasses import replace

import pytest

from oracle_refresh.experience.store_advice import MOUNTED, STREAM
from oracle_refresh.labs.store.model import KILOBYTE, Cell, Point
from oracle_refresh.labs.store.nodes import NodeBlocks, together_figures
from oracle_refresh.labs.store.nodes_page import node_sections, scaled
from oracle_refresh.labs.store.plan import MOST_NODES, most_bytes, nodes
from oracle_refresh.oracle.errors import PlanError
from support.store_plans import calibration

CELLS = (Cell(MOUNTED, 32 * KILOBYTE), Cell(STREAM, 64 * KILOBYTE))
PLAN = calibration(cells=CELLS, users=(4,), file_bytes=100, nodes=("east", "west"))


def point(cell: Cell, rate: float, seconds: float = 1.0) -> Point:
    size = round(rate * 1e6 * seconds)
    return Point(cell.way, 4, cell.block, size, seconds, 2 * size, seconds)


def blocks(node: str, cell: Cell, rate: float, seconds: float = 1.0) -> NodeBlocks:
    seen = "dbfs_client, direct_io" if cell.way == MOUNTED else ""
    return NodeBlocks(node, f"{node}.example", seen, cell, (point(cell, rate, seconds),))


ALL = [
    blocks("east", CELLS[0], 100.0),
    blocks("west", CELLS[0], 50.0, seconds=2.0),
    blocks("east", CELLS[1], 10.0),
    blocks("west", CELLS[1], 20.0),
]


def test_rates_of_all_nodes_add_up_each_over_its_own_time() -> None:
    first, second = together_figures(ALL, PLAN.nodes)
    assert (first.way, first.users, first.block) == (MOUNTED, 4, 32 * KILOBYTE)
    assert (first.write_rate, first.read_rate) == (150e6, 300e6)
    assert second.write_rate == 30e6
    assert NodeBlocks.from_json(ALL[0].to_json()) == ALL[0]


def test_what_one_node_has_not_measured_has_no_sum() -> None:
    assert [figure.way for figure in together_figures(ALL[:3], PLAN.nodes)] == [MOUNTED]
    assert together_figures(ALL, ()) == ()
    assert len(together_figures([*ALL, blocks("gone", CELLS[0], 900.0)], PLAN.nodes)) == 2


def test_beside_one_node_and_beside_the_study() -> None:
    written, read, streamed, _ = scaled(PLAN, [point(CELLS[0], 60.0)], ALL)
    assert written.times == pytest.approx(2.5)
    assert written.study == pytest.approx(2640 / 900)
    assert (read.direction, read.study) == ("read", pytest.approx(2760 / 935))
    assert (streamed.times, streamed.study) == (None, None), "neither one node nor the study has 64k"


def test_the_page() -> None:
    (section,) = node_sections(PLAN, [point(CELLS[0], 60.0)], ALL)
    assert section.table is not None
    assert section.table.lines[0].cells == ("mounted", "4", "32k", "write", "60.0", "150.0", "2.50", "2.93")
    assert "queue east on east.example: dbfs_client, direct_io" in section.items
    assert section.note == ""
    (lacking,) = node_sections(PLAN, [], ALL[:3])
    assert "Not all was measured on west" in lacking.note
    assert list(node_sections(PLAN, [], [])) == []


@pytest.mark.parametrize(
    ("chosen", "found"),
    [("", ()), ([], ()), ("a, b,a", ("a", "b")), (["node 1", "node 2"], ("node 1", "node 2"))],
)
def test_nodes_of_the_form(chosen: str | list[str], found: tuple[str, ...]) -> None:
    assert nodes(chosen) == found


@pytest.mark.parametrize("chosen", ["one", "one,one", [str(number) for number in range(MOST_NODES + 1)]])
def test_a_number_of_nodes_that_cannot_be(chosen: str | list[str]) -> None:
    with pytest.raises(PlanError, match="2 to 16 nodes"):
        nodes(chosen)


def test_every_node_needs_its_room() -> None:
    assert most_bytes(PLAN) == 2 * most_bytes(replace(PLAN, nodes=()))
