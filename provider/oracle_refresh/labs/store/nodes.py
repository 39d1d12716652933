"""The matrix on several nodes at the same time: a task on each, one measurement after the other together.

In the study each of four nodes had a mount and users of its own, in the same store.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from socket import gethostname
from uuid import uuid4

from oracle_refresh.dbfs.host_reading import seen_at
from oracle_refresh.jsonable import Jsonable
from oracle_refresh.labs.store import matrix
from oracle_refresh.labs.store.model import Cell, Point
from oracle_refresh.labs.store.rendezvous import RunStoreBoard, meet
from oracle_refresh.labs.store.run import StoreRun
from oracle_refresh.run.kind import Kind


@dataclass(frozen=True)
class NodeBlocks(Jsonable):
    """What one node measured of a cell while the others did the same."""

    node: str
    host: str
    seen: str
    """What its path is there, in a few words; empty of LOB calls."""
    cell: Cell
    points: tuple[Point, ...]


#: By node and cell.
NODE_BLOCKS: Kind[NodeBlocks] = Kind("store node blocks", NodeBlocks)


@dataclass(frozen=True)
class NodesFigure:
    """All nodes together, in bytes per second; `users` are those of each node."""

    way: str
    users: int
    block: int
    write_rate: float
    read_rate: float


def measure_node(run: StoreRun, node: str) -> tuple[NodeBlocks, ...]:
    """Every cell with every number of users, each when all planned nodes have come to it. May be repeated.

    :param node: one of the plan's.
    :raises StagingError: if another node does not come.
    """
    plan, refresh, token = run.plan, run.refresh, uuid4().hex
    place = f"node_{plan.nodes.index(node)}_"
    measured = []
    for number, cell in enumerate(plan.cells, 1):
        points = []
        with matrix.workplace(refresh.target, run.opener(plan.conn_id), plan, cell, place) as way:
            for users in plan.users:
                board = RunStoreBoard(run.documents, f"{cell.id} {users}", plan.nodes)
                meet(board, node, token, plan.nodes)
                points.append(matrix.measure(way, cell, users, plan.seconds, plan.file_bytes))
        path = plan.paths.get(cell.way)
        blocks = NodeBlocks(node, gethostname(), seen_at(path) if path else "", cell, tuple(points))
        run.documents.put(NODE_BLOCKS, f"{node} {cell.id}", blocks)
        refresh.progress.report(number, len(plan.cells), "cells", node)
        measured.append(blocks)
    return tuple(measured)


def together_figures(blocks: Sequence[NodeBlocks], nodes: Sequence[str]) -> tuple[NodesFigure, ...]:
    """The sums over all nodes; without what one of them has not measured. Pure.

    :param nodes: that were planned.
    """
    found: dict[tuple[str, int, int], dict[str, Point]] = {}
    for each in blocks:
        for point in each.points:
            found.setdefault((point.way, point.users, point.block), {})[each.node] = point
    return tuple(
        NodesFigure(
            *key,
            sum(by_node[node].write_rate for node in nodes),
            sum(by_node[node].read_rate for node in nodes),
        )
        for key, by_node in found.items()
        if nodes and by_node.keys() >= set(nodes)
    )
