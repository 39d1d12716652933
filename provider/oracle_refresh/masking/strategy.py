"""How a table is masked: chosen by cost from facts, and told in words. Pure: no database is asked here.

Three ways to write the rows, whatever mixture of maps and inline hashes the values are computed by:

* `in_place`: one UPDATE or MERGE in one transaction with its ledger row, where its undo is affordable;
* `chunks`: the same statement over chunks of a fixed list of rows, each committed with its own ledger row;
* `rewrite`: the masked rows are inserted, chunk by chunk, into a table of the same shape, which then takes
  the table's name. An INSERT keeps no former image of the rows, so it pays when most of a row changes. It is
  never chosen where something depends on the table that a renamed copy would lose.

CREATE TABLE ... AS SELECT takes no binds (ORA-01027), and keys must not become literals: hence the empty copy
by the table's own DDL, and INSERTs. Sources: Oracle Database Concepts 19c, Undo Data; VLDB and Partitioning
Guide 19c, parallel DML. The weights are bytes moved per row and were measured, see docs/benchmarks.md.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    import oracledb

StrategyKind = Literal["in_place", "chunks", "rewrite"]

#: Below so many rows the DDL of a copy costs more than it saves.
SMALL_ROWS = 20_000
#: Bytes of a table that one transaction changes at most: its undo is up to twice as much.
CHUNK_BYTES = 256 * 1024 * 1024
#: Writing a changed byte: its new place, its old image in undo, redo for both.
UPDATED = 4.0
#: Writing a byte of a copy: its place and its redo.
INSERTED = 2.0
#: What an update costs a row besides its bytes: locating and locking it, headers in undo and redo.
UPDATED_ROW = 120.0
INSERTED_ROW = 20.0


#: Opens a further session of the target.
Connect = Callable[[], "oracledb.Connection"]


@dataclass(frozen=True)
class Options:
    """How a table may be masked."""

    degree: int = 1
    """Sessions that may work on the table at the same time; more than one need `connect`."""
    connect: Connect | None = None
    chunk_bytes: int = CHUNK_BYTES
    """Of the table, that one transaction changes at most."""
    strategy: StrategyKind | None = None
    """A way of masking instead of the one chosen by cost."""
    rewritable: bool = True
    """Whether a copy may take the table's place. What only a clone has (redaction, auditing, preferences of
    statistics) nobody would bring back."""


@dataclass(frozen=True)
class Facts:
    """What decides. Sizes are bytes."""

    rows: int
    row_bytes: float
    masked_bytes: float
    """Of a row, in its masked columns."""
    masked_columns: int
    columns: int
    maps: int = 0
    """Columns whose values come from a map of distinct values."""
    hashed: int = 0
    """Columns whose values are computed in the pass."""
    obstacles: tuple[str, ...] = ()
    """Why a renamed copy would not be the same table; empty where it would."""
    indivisible: str = ""
    """Why the table has to be masked in one statement; empty where it may be cut into chunks."""
    degree: int = 1
    """Sessions that may work on the table."""
    chunk_bytes: int = CHUNK_BYTES


@dataclass(frozen=True)
class Strategy:
    """The choice, and the reasons in words for plan, log and report."""

    kind: StrategyKind
    chunks: int
    sessions: int
    reason: str

    def __str__(self) -> str:
        told = {"in_place": "in place", "chunks": "in place by chunks", "rewrite": "rewrite"}[self.kind]
        shape = f", {self.chunks} chunks in {self.sessions} sessions" if self.kind != "in_place" else ""
        return f"{told}{shape}: {self.reason}"


def choose(facts: Facts, kind: StrategyKind | None = None) -> Strategy:
    """The cheapest safe way, or the one that somebody has asked for.

    :raises ValueError: when that is a rewrite that would lose something, or the table cannot be cut.
    """
    return _cheapest(facts) if kind is None else _forced(facts, kind)


def _cheapest(facts: Facts) -> Strategy:
    values = f"{facts.maps} columns by maps of distinct values, {facts.hashed} computed in the pass"
    if facts.rows < SMALL_ROWS:
        return Strategy("in_place", 1, 1, f"{facts.rows} rows, {values}")
    if facts.indivisible:
        return Strategy("in_place", 1, 1, f"{facts.rows} rows, {values}; {facts.indivisible}")
    update = facts.rows * (UPDATED * facts.masked_bytes + UPDATED_ROW)
    rewrite = facts.rows * (INSERTED * facts.row_bytes + INSERTED_ROW)
    chunks = _chunks(facts)
    share = f"{facts.masked_columns} of {facts.columns} columns change, {values}"
    if not facts.obstacles and rewrite < update:
        gain = f"inserting {rewrite / 1e6:,.0f} MB costs less than updating {update / 1e6:,.0f} MB"
        return Strategy("rewrite", chunks, facts.degree, f"{share}; {gain}")
    why = f"no rewrite: {', '.join(facts.obstacles)}" if facts.obstacles else "updating costs less"
    if chunks == 1:
        return Strategy("in_place", 1, 1, f"{share}; {why}")
    return Strategy("chunks", chunks, facts.degree, f"{share}; {why}")


def usual_degree(cpus: int, table_bytes: int, chunk_bytes: int) -> int:
    """Sessions that mask a table where the definition does not say: as many as it has chunks, at most a
    quarter of the target's CPUs, as several tables are masked at once."""
    return max(1, min(math.ceil(table_bytes / chunk_bytes), cpus // 4))


def estimated_share(values: int, different: int, once: int, twice: int, rows: int) -> float:
    """The share of different values among all rows, from a sample: its values, the different ones, those that
    come once in it, and twice. Chao's estimator of the number of classes, 1984."""
    if rows <= values:
        return different / values
    missed = once * once / (2 * twice) if twice else once * (once - 1) / 2
    return min(1.0, (different + missed) / rows)


def _forced(facts: Facts, kind: StrategyKind) -> Strategy:
    if kind == "rewrite" and facts.obstacles:
        raise ValueError(f"the table cannot be rewritten: {', '.join(facts.obstacles)}")
    if kind == "chunks" and facts.indivisible:
        raise ValueError(f"the table cannot be masked by chunks: {facts.indivisible}")
    if kind == "in_place":
        return Strategy(kind, 1, 1, "as the definition says")
    return Strategy(kind, _chunks(facts), facts.degree, "as the definition says")


def _chunks(facts: Facts) -> int:
    """So many that none is larger than allowed, and all sessions have as many."""
    least = math.ceil(facts.rows * facts.row_bytes / facts.chunk_bytes)
    return max(1, math.ceil(least / facts.degree)) * facts.degree
