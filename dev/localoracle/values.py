"""Oracle's data types and the Python values that carry them between the wire, sessions and packages.

| type | Python value |
|---|---|
| VARCHAR2, CHAR, LONG, ROWID | str, never empty (an empty string is NULL) |
| NUMBER, BINARY_INTEGER | int or Decimal |
| BINARY_FLOAT, BINARY_DOUBLE | float |
| DATE, TIMESTAMP | datetime without zone |
| TIMESTAMP_TZ, TIMESTAMP_LTZ | datetime with zone |
| INTERVAL_DS | timedelta |
| INTERVAL_YM | int, months |
| RAW, LONG_RAW | bytes |
| BOOLEAN | bool |
| CLOB, BLOB, BFILE | localoracle.lobs.lob.Lob |
| CURSOR | localoracle.session.session.Result |
| a PL/SQL collection bound by index | list |
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, Protocol


class OracleType(IntEnum):
    """The type numbers of the wire protocol, which DUMP() and the dictionary use as well."""

    VARCHAR2 = 1
    NUMBER = 2
    BINARY_INTEGER = 3
    LONG = 8
    ROWID = 11
    UROWID = 208
    DATE = 12
    RAW = 23
    LONG_RAW = 24
    CHAR = 96
    BINARY_FLOAT = 100
    BINARY_DOUBLE = 101
    CURSOR = 102
    OBJECT = 109
    CLOB = 112
    BLOB = 113
    BFILE = 114
    TIMESTAMP = 180
    TIMESTAMP_TZ = 181
    INTERVAL_YM = 182
    INTERVAL_DS = 183
    TIMESTAMP_LTZ = 231
    BOOLEAN = 252


BYTES_OF_CHARACTER = 4
"""In the size of a VARCHAR2 or CHAR whose length is in characters: a character may have as many."""


@dataclass(frozen=True, slots=True)
class DataType:
    """A type with its attributes. `size` in bytes (0: not stated); `national` for NCHAR, NVARCHAR2, NCLOB."""

    type: OracleType
    size: int = 0
    precision: int = 0
    scale: int = 0
    national: bool = False
    is_array: bool = False
    max_elements: int = 0
    in_bytes: bool = False
    """Of VARCHAR2 and CHAR: whether so many bytes were declared; else there are four for each character."""
    prefetch: int | None = None
    """Of a LOB that a client receives: how much of it comes with the locator. None: not even the size."""


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a result."""

    name: str
    datatype: DataType
    nullable: bool = True
    is_json: bool = False
    """Whether a constraint says so."""


@dataclass(slots=True)
class Value:
    """One bind: what the client declared and what it sent. An OUT bind arrives as None and is replaced."""

    datatype: DataType
    value: Any = None


class BindColumn(Protocol):
    """The values of one bind over many executions, from one row up to before another.

    Of a `plain` type they can be had without a Python value for each; NULL is empty then, or None.
    """

    @property
    def datatype(self) -> DataType: ...
    @property
    def plain(self) -> bool: ...
    def values(self, start: int, end: int) -> list[Any]: ...
    def data(self, start: int, end: int) -> Sequence[bytes]:
        """What the client sent: the value itself of bytes, for others only good to be measured."""

    def utf8(self, start: int, end: int) -> Sequence[bytes]:
        """Of text that is not national."""

    def number_texts(self, start: int, end: int) -> list[str]:
        """Of numbers: decimal, maybe with an exponent."""

    def microseconds(self, start: int, end: int) -> list[int | None]:
        """Of dates and timestamps without a zone: since the beginning of 2000."""


class BindRows(Protocol):
    """The binds of a statement that is executed many times."""

    @property
    def columns(self) -> Sequence[BindColumn]: ...
    def __len__(self) -> int: ...
    def row(self, number: int) -> list[Any]: ...
