"""Row changes on their way from capture to apply: logical change records (LCRs) and their transactions."""

from __future__ import annotations

import marshal
from dataclasses import dataclass, field
from sys import getsizeof

from localoracle.capture.pgoutput import Row

INSERT, UPDATE, DELETE = "INSERT", "UPDATE", "DELETE"

_POSTGRES_EPOCH = 946_684_800
_SCN_EPOCH = 1_577_836_800
_POINTER = 8


def message_number(microseconds: int) -> int:
    """The SCN of a commit at that time (microseconds since 2000): milliseconds since 2020, as SCNs count
    here.

    It is not below any SCN that was handed out before (instance/snapshots.py).
    """
    return microseconds // 1000 + (_POSTGRES_EPOCH - _SCN_EPOCH) * 1000


@dataclass(frozen=True, slots=True)
class SourceTable:
    """A captured table as it was when its change was made. `key`: places of the primary key's columns, those
    of all columns when it has none."""

    number: int
    owner: str
    name: str
    columns: tuple[str, ...]
    key: tuple[int, ...]


@dataclass(eq=False, slots=True)
class Transaction:
    """A transaction of the source. `position` is where PostgreSQL's log has its commit: it tells transactions
    apart and orders them."""

    number: int
    position: int
    scn: int
    time: int
    end: int = 0
    """The log position behind its commit."""
    messages: list[Change] = field(default_factory=list)
    """What the apply reader has had of it and still lies in the queue."""
    keys: list[int] = field(default_factory=list)
    """The rows that it touches; not kept of a transaction that the reader spills."""
    spilled: int = 0
    """How many messages lie in the reader's spill table."""
    seen: float = 0.0
    """When the reader had its first message (monotonic)."""
    held: list[int] = field(default_factory=list)
    """Bytes of it in the pool, for each size that the advice is about."""

    @property
    def identifier(self) -> tuple[int, int, int]:
        """XIDUSN, XIDSLT, XIDSQN as V$TRANSACTION numbers them."""
        return self.number % 10 + 1, self.number % 32, self.number


@dataclass(eq=False, slots=True)
class Change:
    """One row LCR. While it is spilled from the buffered queue `old` and `new` are not in memory."""

    number: int
    transaction: Transaction
    table: SourceTable
    kind: str
    old: Row | None
    new: Row | None
    size: int = 0
    """Bytes it takes from the Streams pool."""
    in_memory: bool = True

    def pack(self) -> bytes:
        """The values for a spill table. It is read back by the process that wrote it, never by another."""
        return marshal.dumps((self.table.number, self.kind, self.old, self.new))

    def keys(self) -> list[int]:
        """What identifies the rows that it touches; equal for changes of the same row."""
        rows = [row for row in (self.old, self.new) if row is not None]
        return [hash((self.table.number, *(row[place] for place in self.table.key))) for row in rows]


def unpack(data: bytes) -> tuple[int, str, Row | None, Row | None]:
    """Table number, kind, old and new row of a packed change."""
    number, kind, old, new = marshal.loads(data)
    return number, kind, old, new


def footprint(old: Row | None, new: Row | None) -> int:
    """The memory that a change with these values takes: its own record and every value."""
    size = _RECORD_SIZE
    for row in (old, new):
        if row is not None:
            size += getsizeof(row) + sum(map(getsizeof, row))
    return size


_RECORD_SIZE = (
    getsizeof(Change(1, Transaction(1, 1, 1, 1), SourceTable(1, "", "", (), ()), "", None, None))
    + 2 * getsizeof(1 << 40)
    + 2 * _POINTER
)
