"""Several nodes together, as the page shows them: beside one node, and beside the study's four. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from oracle_refresh.labs.harness.page import Section
from oracle_refresh.labs.harness.table import Column, tabulated
from oracle_refresh.labs.store.model import Calibration, Point, size_text
from oracle_refresh.labs.store.nodes import NodeBlocks, together_figures
from oracle_refresh.labs.store.ratios import READ, WRITE
from oracle_refresh.labs.store.reference import EXADATA_READ, EXADATA_WRITE, FOUR_READ, FOUR_WRITE

_ABOUT = (
    "MB/s of all nodes together, each of which had so many users, beside the matrix of one node. The study's"
    " four nodes had a rack with more storage cells."
)


@dataclass(frozen=True)
class Scaled:
    """All nodes over one; None where there is nothing to compare. Rates in bytes per second."""

    way: str
    users: int
    block: int
    direction: str
    one: float | None
    together: float
    study: float | None
    """The study's four nodes over its one."""

    @property
    def times(self) -> float | None:
        return self.together / self.one if self.one else None


def scaled(plan: Calibration, points: Sequence[Point], blocks: Sequence[NodeBlocks]) -> tuple[Scaled, ...]:
    """Each figure of all nodes, beside that of one.

    :param points: the matrix that one node measured.
    """
    alone = {(point.way, point.users, point.block): point for point in points}
    found = []
    for figure in together_figures(blocks, plan.nodes):
        one = alone.get((figure.way, figure.users, figure.block))
        key = (figure.users, figure.block)
        for direction, rate, study, own in (
            (WRITE, figure.write_rate, (EXADATA_WRITE, FOUR_WRITE), one.write_rate if one else None),
            (READ, figure.read_rate, (EXADATA_READ, FOUR_READ), one.read_rate if one else None),
        ):
            published = study[1][key] / study[0][key] if key in study[0] else None
            found.append(Scaled(figure.way, *key, direction, own, rate, published))
    return tuple(found)


def node_sections(
    plan: Calibration, points: Sequence[Point], blocks: Sequence[NodeBlocks]
) -> Iterator[Section]:
    """Who the nodes were, and what they did together; nothing where no nodes were measured."""
    if not blocks:
        return
    columns: list[Column[Scaled]] = [
        Column("way", lambda line: line.way),
        Column("users", lambda line: line.users, "d"),
        Column("block", lambda line: size_text(line.block), "s"),
        Column("", lambda line: line.direction),
        Column("one node", lambda line: None if line.one is None else line.one / 1e6, ",.1f"),
        Column(f"{len(plan.nodes)} nodes", lambda line: line.together / 1e6, ",.1f"),
        Column("over one", lambda line: line.times, ".2f"),
        Column("study, four over one", lambda line: line.study, ".2f"),
    ]
    yield Section(
        "Several nodes",
        _ABOUT,
        table=tabulated(scaled(plan, points, blocks), columns),
        items=list(dict.fromkeys(_who(each) for each in blocks)),
        note=_missing(plan, blocks),
    )


def _who(blocks: NodeBlocks) -> str:
    seen = f": {blocks.seen}" if blocks.seen else ", by LOB calls"
    return f"queue {blocks.node} on {blocks.host}{seen}"


def _missing(plan: Calibration, blocks: Sequence[NodeBlocks]) -> str:
    done = {(each.node, each.cell) for each in blocks}
    lacking = [node for node in plan.nodes if any((node, cell) not in done for cell in plan.cells)]
    return f"Not all was measured on {', '.join(lacking)}: what is missing has no line." if lacking else ""
