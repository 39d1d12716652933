"""Databases with an XStream outbound server, an integrated Extract, or Streams: what their views would say.

The stand-in makes neither outbound servers nor Extracts. Rows have the columns that `statements` asks for.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Self

import oracledb

from oracle_refresh.tuning.cdc import statements
from oracle_refresh.tuning.cdc.statements import FAMILIES

STREAMS, XSTREAM, GOLDENGATE = FAMILIES
BEGUN = datetime(2024, 5, 1, 8)
CHANGED, READ, PUT = (datetime(2024, 5, 1, 9, 0, second) for second in (0, 5, 7))
QUEUE = ("STRMADMIN", "Q$_1")

Row = tuple[Any, ...]
#: Rows of a statement; by the value of its bind, where it has one.
Answers = Mapping[str, list[Row] | Mapping[str, list[Row]]]


@dataclass(eq=False)
class Replicating:
    """A connection to such a database. What is not among `answers` has no rows.

    :ivar missing: views that are not there.
    """

    answers: Answers
    missing: frozenset[str] = frozenset()
    asked: list[str] = field(default_factory=list)

    def cursor(self) -> _Cursor:
        return _Cursor(self)


@dataclass
class RowsCursor:
    """What cursors of such connections have in common; `execute` is their own."""

    database: Any
    rows: list[Row] = field(default_factory=list)
    arraysize: int = 0
    prefetchrows: int = 0
    rowcount: int = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        return None

    def __iter__(self) -> Iterator[Row]:
        return iter(self.rows)

    def fetchone(self) -> Row | None:
        return self.rows[0] if self.rows else None


class _Cursor(RowsCursor):
    def execute(self, sql: str, binds: Mapping[str, Any] | None = None, **named: Any) -> None:
        self.database.asked.append(sql)
        for view in self.database.missing:
            if f"FROM {view}" in sql:
                raise oracledb.DatabaseError(f"ORA-00942: table or view does not exist: {view}")
        found = self.database.answers.get(sql, [])
        if isinstance(found, Mapping):
            named.pop("fetch_lobs", None)
            (value, *_) = {**(binds or {}), **named}.values()
            found = found.get(value, [])
        self.rows = list(found)


def capture_row(purpose: str, client: str | None, **changes: Any) -> Row:
    """A row of DBA_CAPTURE."""
    shown = {
        "status": "ENABLED",
        "error": None,
        "message": None,
        "kind": "LOCAL",
        "client_status": "ATTACHED",
    } | changes
    return (
        *(*QUEUE, shown["status"], shown["error"], shown["message"], purpose, shown["kind"]),
        *(client, shown["client_status"]),
    )


def apply_row(purpose: str, status: str = "ENABLED", error: tuple[int, str] | None = None) -> Row:
    """A row of DBA_APPLY."""
    return (*QUEUE, status, *(error or (None, None)), purpose)


LIVE_CAPTURE = ("CAPTURING CHANGES", BEGUN, 900, 800, 1200, 300, 50, CHANGED, PUT, CHANGED, READ, 20, 30, 40)
LIVE_READER = ("DEQUEUE MESSAGES", 700, 0, 500, 0, 1 << 20, CHANGED, PUT)
LIVE_COORDINATOR = ("APPLYING", BEGUN, 10, 9, 0, 0, 0, 1, CHANGED, PUT)

XOUT: Answers = {
    statements.CAPTURE: {"CAP$_XOUT_1": [capture_row("XStream Out", "XOUT")]},
    statements.APPLY: {"XOUT": [apply_row("XStream Out")]},
    statements.CAPTURE_OF_OUTBOUND: {"XOUT": [("CAP$_XOUT_1",)]},
    statements.OUTBOUND_OF_CAPTURE: {"CAP$_XOUT_1": [("XOUT",)]},
    statements.capture(XSTREAM): {"CAP$_XOUT_1": [(*LIVE_CAPTURE, "1048576")]},
    statements.reader(XSTREAM): {"XOUT": [LIVE_READER]},
    statements.coordinator(XSTREAM): {"XOUT": [LIVE_COORDINATOR]},
    statements.servers(XSTREAM): {"XOUT": [(1, "WAIT FOR CLIENT", 9, 650, 4000)]},
    statements.OUTBOUND_SERVER: {"XOUT": [("XOUT", "WAIT FOR CLIENT", BEGUN, 650, 9000, 4500, CHANGED, PUT)]},
    statements.QUEUE: {QUEUE[0]: [(BEGUN, 100, 7, 800, 70)]},
    statements.APPLY_PARAMETERS: {"XOUT": [("TXN_LCR_SPILL_THRESHOLD", "10000")]},
    statements.CAPTURE_PARAMETERS: {"CAP$_XOUT_1": [("CAPTURE_IDKEY_OBJECTS", "N")]},
    statements.transactions("V$XSTREAM_TRANSACTION"): {
        "CAP$_XOUT_1": [(number, 2, 3, 1_000 - number, CHANGED) for number in range(1, 13)]
    },
    statements.SYSTEM_PARAMETERS: [("cpu_count", "8", "FALSE", "FALSE")],
}
#: An Extract whose apply is none of this database's.
EXTRACT: Answers = {
    statements.CAPTURE: {"OGG$CAP_EXT1": [capture_row("GoldenGate Capture", "EXT1")]},
    statements.capture(GOLDENGATE): {"OGG$CAP_EXT1": [(*LIVE_CAPTURE, "1048576")]},
    statements.EXTRACT: {"OGG$CAP_EXT1": [("EXT1", "CAPTURING CHANGES", BEGUN, 640, 8000, 90, CHANGED, PUT)]},
    statements.QUEUE: {QUEUE[0]: [(BEGUN, 100, 0, 800, 0)]},
}
