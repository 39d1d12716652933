"""What validation finds out about a table, and what it concludes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from oracle_refresh.jsonable import Jsonable


@dataclass(frozen=True)
class Sum(Jsonable):
    """Values that are not NULL, their length (LOB columns only) and their order-free checksum."""

    column: str
    count: int
    length: int
    checksum: str


@dataclass(frozen=True)
class Facts(Jsonable):
    """One side's summary of a table. Checksums are hex texts of two sums."""

    rows: int
    checksum: str
    lobs: tuple[Sum, ...] = ()
    masked: tuple[Sum, ...] = ()


@dataclass(frozen=True)
class LobCheck(Jsonable):
    """One LOB column on both sides. `bytes` is DBMS_LOB.GETLENGTH summed up: characters for a CLOB."""

    column: str
    count: int
    bytes: int
    checksum_source: str
    checksum_target: str


@dataclass(frozen=True)
class MaskedCheck(Jsonable):
    """One masked column: values on the target, values compared row by row, and those found unchanged."""

    column: str
    count: int
    compared: int
    unchanged: int


@dataclass(frozen=True)
class TableCheck(Jsonable):
    """The comparison of a table. Verdicts: `equal` (a true copy), `masked` (masked columns differ in every
    compared row, all else is equal), `different`; `differences` says in sentences what is wrong."""

    owner: str
    name: str
    rows_source: int
    rows_target: int
    checksum_source: str
    checksum_target: str
    lobs: tuple[LobCheck, ...]
    masked: tuple[MaskedCheck, ...]
    uncompared: tuple[str, ...]
    """Columns of types without a canonical text, such as LONG; only their rows are counted."""
    differences: tuple[str, ...]
    verdict: Literal["equal", "masked", "different"]
    seconds: float
