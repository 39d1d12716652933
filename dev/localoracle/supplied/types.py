"""PL/SQL's types and the values of composite ones (PL/SQL Language Reference, chapters 4 and 6).

Scalar values are the Python values of `localoracle.values`. A record or an object is a `Record`, a
collection of any kind a `Collection`. Oracle copies composites on assignment; `copy_value` does.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from localoracle.errors import OracleError
from localoracle.values import DataType, OracleType


@dataclass(frozen=True)
class ScalarType:
    """A scalar type as written: `name` is the base name (VARCHAR2, NUMBER, PLS_INTEGER, DATE ...).

    `size` limits characters, with `in_bytes` and of RAW bytes, `precision`/`scale` numbers; None means not
    constrained.
    """

    name: str
    size: int | None = None
    precision: int | None = None
    scale: int | None = None
    not_null: bool = False
    low: int | None = None
    high: int | None = None
    in_bytes: bool = False

    @property
    def family(self) -> str:
        """The group of types among which PL/SQL converts without loss: NUMBER, VARCHAR2, DATE ..."""
        return FAMILIES.get(self.name, self.name)


@dataclass(frozen=True)
class RecordType:
    """A record, or an object type (`is_object`: it can be atomically null and has a constructor).

    `owner` is the schema of a type that CREATE TYPE made.
    """

    name: str
    fields: tuple[tuple[str, PlsqlType], ...]
    is_object: bool = False
    owner: str = ""

    @property
    def family(self) -> str:
        return self.name

    def field_type(self, name: str) -> PlsqlType | None:
        return next((kind for field_name, kind in self.fields if field_name == name), None)


_BOUND = "ARRAY "


@dataclass(frozen=True)
class CollectionType:
    """`kind` is ASSOCIATIVE, NESTED or VARRAY; `index` the family of an associative array's key.

    `owner` is the schema of a type that CREATE TYPE made.
    """

    name: str
    element: PlsqlType
    kind: str
    index: str = "NUMBER"
    limit: int | None = None
    owner: str = ""

    @classmethod
    def bound(cls, element: ScalarType) -> CollectionType:
        """Of an array that a client binds: it goes into any associative array of scalars by number."""
        return cls(f"{_BOUND}{element.name}", element, "ASSOCIATIVE")

    @property
    def is_bound(self) -> bool:
        return self.name.startswith(_BOUND)

    @property
    def family(self) -> str:
        return self.name


@dataclass(frozen=True)
class CursorType:
    """SYS_REFCURSOR or a REF CURSOR type."""

    name: str = "SYS_REFCURSOR"

    @property
    def family(self) -> str:
        return "REF CURSOR"


PlsqlType = ScalarType | RecordType | CollectionType | CursorType

# "Predefined PL/SQL Data Types": subtypes and synonyms.
PLS_INTEGERS = (
    "PLS_INTEGER", "BINARY_INTEGER", "SIMPLE_INTEGER", "NATURAL", "NATURALN", "POSITIVE", "POSITIVEN",
    "SIGNTYPE",
)  # fmt: skip
WHOLE_NUMBERS = ("INTEGER", "INT", "SMALLINT")
NUMBERS = ("NUMBER", *WHOLE_NUMBERS, "DECIMAL", "DEC", "NUMERIC", "FLOAT", "REAL", "DOUBLE PRECISION")
STRINGS = (
    "VARCHAR2", "VARCHAR", "CHAR", "CHARACTER", "STRING", "NVARCHAR2", "NCHAR", "LONG", "ROWID", "UROWID",
)  # fmt: skip
DATES = ("DATE", "TIMESTAMP", "TIMESTAMP WITH TIME ZONE", "INTERVAL DAY TO SECOND", "INTERVAL YEAR TO MONTH")
"""Families of dates and intervals."""

FAMILIES = {
    **dict.fromkeys((*NUMBERS, *PLS_INTEGERS), "NUMBER"),
    **dict.fromkeys(("BINARY_FLOAT", "BINARY_DOUBLE"), "BINARY_DOUBLE"),
    **dict.fromkeys(STRINGS, "VARCHAR2"),
    "NCLOB": "CLOB",
    "LONG RAW": "RAW",
    **dict.fromkeys(
        ("TIMESTAMP WITH TIME ZONE", "TIMESTAMP WITH LOCAL TIME ZONE"), "TIMESTAMP WITH TIME ZONE"
    ),
}
SCALARS = frozenset(FAMILIES) | {"BOOLEAN", "RAW", "CLOB", "NCLOB", "BLOB", "BFILE", *DATES}
"""Every scalar type that PL/SQL declares variables of."""

WIRE_FAMILIES = {
    OracleType.VARCHAR2: "VARCHAR2",
    OracleType.CHAR: "VARCHAR2",
    OracleType.LONG: "VARCHAR2",
    OracleType.ROWID: "VARCHAR2",
    OracleType.UROWID: "VARCHAR2",
    OracleType.NUMBER: "NUMBER",
    OracleType.BINARY_INTEGER: "NUMBER",
    OracleType.BINARY_FLOAT: "BINARY_DOUBLE",
    OracleType.BINARY_DOUBLE: "BINARY_DOUBLE",
    OracleType.DATE: "DATE",
    OracleType.TIMESTAMP: "TIMESTAMP",
    OracleType.TIMESTAMP_TZ: "TIMESTAMP WITH TIME ZONE",
    OracleType.TIMESTAMP_LTZ: "TIMESTAMP WITH TIME ZONE",
    OracleType.INTERVAL_DS: "INTERVAL DAY TO SECOND",
    OracleType.INTERVAL_YM: "INTERVAL YEAR TO MONTH",
    OracleType.RAW: "RAW",
    OracleType.LONG_RAW: "RAW",
    OracleType.CLOB: "CLOB",
    OracleType.BLOB: "BLOB",
    OracleType.BFILE: "BFILE",
    OracleType.BOOLEAN: "BOOLEAN",
    OracleType.CURSOR: "REF CURSOR",
}

DATA_TYPES = {
    "VARCHAR2": DataType(OracleType.VARCHAR2, 32767),
    "NUMBER": DataType(OracleType.NUMBER),
    "BINARY_DOUBLE": DataType(OracleType.BINARY_DOUBLE),
    "DATE": DataType(OracleType.DATE),
    "TIMESTAMP": DataType(OracleType.TIMESTAMP),
    "TIMESTAMP WITH TIME ZONE": DataType(OracleType.TIMESTAMP_TZ),
    "INTERVAL DAY TO SECOND": DataType(OracleType.INTERVAL_DS),
    "INTERVAL YEAR TO MONTH": DataType(OracleType.INTERVAL_YM),
    "RAW": DataType(OracleType.RAW, 32767),
    "CLOB": DataType(OracleType.CLOB),
    "BLOB": DataType(OracleType.BLOB),
    "BFILE": DataType(OracleType.BFILE),
    "BOOLEAN": DataType(OracleType.BOOLEAN),
    "REF CURSOR": DataType(OracleType.CURSOR),
}


class Record:
    """The value of a record or object type: fields by lower-case name, in the type's order."""

    __slots__ = ("type", "values")

    def __init__(self, kind: RecordType, values: dict[str, Any] | None = None) -> None:
        self.type = kind
        self.values: dict[str, Any] = {name: default_value(field_type) for name, field_type in kind.fields}
        for name, value in (values or {}).items():
            self[name] = value

    def __getitem__(self, name: str) -> Any:
        return self.values[name.lower()]

    def __setitem__(self, name: str, value: Any) -> None:
        if name.lower() not in self.values:
            raise KeyError(f"{self.type.name} has no attribute {name}")
        self.values[name.lower()] = value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Record) and self.type == other.type and self.values == other.values

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"{self.type.name}({self.values})"


@dataclass(eq=False)
class Collection:
    """The value of a collection: elements by subscript, subscripts in order.

    Nested tables and varrays count from 1. Reading a missing element is ORA-01403 in an associative
    array or a deleted place, ORA-06533 beyond the end (Language Reference, "Collections").
    """

    type: CollectionType
    items: dict[Any, Any] = field(default_factory=dict)
    keys: list[Any] = field(default_factory=list)

    @classmethod
    def of(cls, kind: CollectionType, elements: Iterable[Any]) -> Collection:
        made = cls(kind)
        for number, element in enumerate(elements, 1):
            made.items[number] = element
            made.keys.append(number)
        made.size = len(made.keys)
        return made

    def __post_init__(self) -> None:
        self.size = len(self.keys)

    def __iter__(self) -> Iterator[Any]:
        return (self.items[key] for key in self.keys)

    def __len__(self) -> int:
        return len(self.keys)

    def get(self, key: Any) -> Any:
        key = self._key(key)
        if key in self.items:
            return self.items[key]
        self._check_range(key)
        raise OracleError(1403, "no data found")

    def set(self, key: Any, value: Any) -> None:
        key = self._key(key)
        if key not in self.items:
            self._check_range(key)
            insort(self.keys, key)
        self.items[key] = value

    def _key(self, key: Any) -> Any:
        if key is None:
            raise OracleError(6502, "PL/SQL: numeric or value error: NULL index table key value")
        if self.type.index == "NUMBER":
            try:
                return round(key) if not isinstance(key, str) else round(float(key))
            except ValueError:
                raise OracleError(
                    6502, "PL/SQL: numeric or value error: character to number conversion error"
                ) from None
        return str(key)

    def _check_range(self, key: Any) -> None:
        if self.type.kind == "ASSOCIATIVE":
            return
        if key < 1 or (self.type.limit is not None and key > self.type.limit):
            raise OracleError(6532, "Subscript outside of limit")
        if key > self.size:
            raise OracleError(6533, "Subscript beyond count")

    def extend(self, count: int = 1, value: Any = None) -> None:
        if self.type.kind == "VARRAY" and self.type.limit is not None and self.size + count > self.type.limit:
            raise OracleError(6532, "Subscript outside of limit")
        for number in range(self.size + 1, self.size + count + 1):
            self.items[number] = copy_value(value) if value is not None else default_value(self.type.element)
            self.keys.append(number)
        self.size += count

    def trim(self, count: int = 1) -> None:
        if count > self.size:
            raise OracleError(6533, "Subscript beyond count")
        for number in range(self.size - count + 1, self.size + 1):
            if number in self.items:
                del self.items[number]
        self.size -= count
        self.keys = [key for key in self.keys if key <= self.size]

    def delete(self, first: Any = None, last: Any = None) -> None:
        if first is None and last is None:
            self.items.clear()
            self.keys.clear()
            self.size = 0
            return
        low = self._key(first)
        high = low if last is None else self._key(last)
        for key in self.keys[bisect_left(self.keys, low) : bisect_right(self.keys, high)]:
            del self.items[key]
        self.keys = [key for key in self.keys if key in self.items]

    def exists(self, key: Any) -> bool:
        return key is not None and self._key(key) in self.items

    def next(self, key: Any) -> Any:
        place = bisect_right(self.keys, self._key(key))
        return self.keys[place] if place < len(self.keys) else None

    def prior(self, key: Any) -> Any:
        place = bisect_left(self.keys, self._key(key))
        return self.keys[place - 1] if place > 0 else None


def default_value(kind: PlsqlType) -> Any:
    """What a variable of that type holds before anything is assigned: records and associative arrays
    exist.
    """
    if isinstance(kind, RecordType) and not kind.is_object:
        return Record(kind)
    if isinstance(kind, CollectionType) and kind.kind == "ASSOCIATIVE":
        return Collection(kind)
    return None


def copy_value(value: Any) -> Any:
    """A deep copy of records and collections; scalars, LOB locators and cursors are shared, as in Oracle."""
    if isinstance(value, Record):
        made = Record.__new__(Record)
        made.type = value.type
        made.values = {name: copy_value(item) for name, item in value.values.items()}
        return made
    if isinstance(value, Collection):
        copied = Collection(
            value.type, {key: copy_value(item) for key, item in value.items.items()}, list(value.keys)
        )
        copied.size = value.size
        return copied
    return value
