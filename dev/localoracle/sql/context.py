"""What is shared while one statement is translated: its binds, its parameters, what was seen on the way."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from sqlglot import exp

from localoracle.errors import OracleError, not_supported
from localoracle.values import DataType, OracleType

if TYPE_CHECKING:
    from localoracle.sql.query.joins import NaturalJoin

# The family of a value whose type is plain from the statement: S string, N number, D date, T timestamp,
# R raw, L lob, B condition, X rowid; "" when only the database knows (a column).
_BIND_CASTS: dict[OracleType, tuple[str, str]] = {
    OracleType.VARCHAR2: ("text", "S"),
    OracleType.CHAR: ("bpchar", "S"),
    OracleType.LONG: ("text", "S"),
    OracleType.NUMBER: ("numeric", "N"),
    OracleType.BINARY_INTEGER: ("numeric", "N"),
    OracleType.BINARY_FLOAT: ("float4", "F"),
    OracleType.BINARY_DOUBLE: ("float8", "F"),
    OracleType.ROWID: ("ora.rowid", "X"),
    OracleType.DATE: ("ora.oradate", "D"),
    OracleType.TIMESTAMP: ("timestamp", "T"),
    OracleType.TIMESTAMP_TZ: ("ora.timestamp_tz", "Z"),
    OracleType.TIMESTAMP_LTZ: ("ora.timestampltz", "Z"),
    OracleType.INTERVAL_DS: ("ora.interval_ds", "I"),
    OracleType.INTERVAL_YM: ("ora.interval_ym", "I"),
    OracleType.RAW: ("ora.raw", "R"),
    OracleType.LONG_RAW: ("ora.raw", "R"),
    OracleType.CLOB: ("ora.clob", "L"),
    OracleType.BLOB: ("ora.blob", "L"),
    OracleType.BOOLEAN: ("boolean", "B"),
}


_STRINGS = (OracleType.VARCHAR2, OracleType.CHAR)


@dataclass(frozen=True, slots=True)
class HexDigits:
    """Bytes whose digits RAWTOHEX writes, how many there are at most, if that is known, and whether there are
    any."""

    bytes: str
    most: int | None = None
    some: bool = False


@dataclass(frozen=True, slots=True)
class Sql:
    """A translated expression. `bare` is the form without a type, where the other side decides it."""

    text: str
    family: str = ""
    bare: str | None = None
    loose: str | None = None
    """The same, but empty where it should be NULL: cheaper, and enough beside other strings in a ||."""
    digits_of: HexDigits | None = None
    """What the text is made of when it is the hexadecimal digits of some bytes."""
    hex_number: str | None = None
    """What the text is as a hexadecimal number, where that is cheaper than to write and read its digits."""
    precision: tuple[int, int] | None = None
    """Of an interval literal or CAST: the digits of its leading field and of its seconds' fraction."""
    computed: bool = False
    """The result of an arithmetic operation: an interval has nine digits before and behind the point then."""

    @property
    def untyped(self) -> str:
        return self.text if self.bare is None else self.bare


NULL = Sql("NULL", "", None)
_HEX_LITERAL = re.compile(r"'((?:[0-9A-F]{2})+)'")


def hex_digits(value: Sql) -> HexDigits | None:
    """The bytes whose digits a value is: what RAWTOHEX gave, or a literal as RAWTOHEX would write it."""
    if value.digits_of is not None:
        return value.digits_of
    literal = _HEX_LITERAL.fullmatch(value.bare or "")
    return HexDigits(f"'\\x{literal[1]}'::bytea", len(literal[1]) // 2, True) if literal else None


def joined_digits(values: Sequence[Sql]) -> HexDigits | None:
    """The same of several values behind each other."""
    written = [digits for value in values if (digits := hex_digits(value)) is not None]
    if len(written) < len(values) or all(value.digits_of is None for value in values):
        return None
    text = " || ".join(each.bytes if each.some else f"coalesce({each.bytes}, ''::bytea)" for each in written)
    some = any(each.some for each in written)
    return HexDigits(f"({text})" if some else f"nullif({text}, ''::bytea)", some=some)


@dataclass(frozen=True, slots=True)
class SetBranches:
    """The two queries of a set operator, and of the columns of each which are plainly national or not."""

    left: str
    right: str
    left_sets: tuple[bool | None, ...] = ()
    right_sets: tuple[bool | None, ...] = ()


@dataclass
class Context:
    """State of one translation."""

    bind_types: tuple[DataType | None, ...]
    bind_indexes: tuple[int, ...]
    """For each occurrence the index of its value: its own number, or that of the distinct name."""
    bind_names: tuple[str, ...] = ()
    """For each occurrence its name."""
    parameters: list[int] = field(default_factory=list)
    scn: int | tuple[str, int] | None = None
    scn_name: str = ""
    tables_with_scn: int = 0
    tables_without_scn: int = 0
    uses_current_scn: bool = False
    reads_capture_counters: bool = False
    reads_statistics: bool = False
    tables: dict[str, int] = field(default_factory=dict)
    """Tables and views that were named, quoted, in the order they were met, and where each was first: that of
    DML comes first.
    """
    temporary: Mapping[str, str] = field(default_factory=dict)
    """Temporary tables as statements write them, quoted, and what holds the session's rows."""
    lengths_in_bytes: bool = True
    """What VARCHAR2(n) and CHAR(n) count in a CAST."""
    in_plsql: bool = False
    """An expression of PL/SQL, whose strings may be longer."""
    set_operations: dict[int, SetBranches] = field(default_factory=dict)
    """By the identity of its node what the branches of a set operator have become."""
    common_tables: set[str] = field(default_factory=set)
    """Names of WITH clauses seen so far."""
    common_queries: dict[str, str] = field(default_factory=dict)
    """The same with what they stand for."""
    natural_joins: list[NaturalJoin] = field(default_factory=list)
    rowids: list[dict[str, tuple[str, ...]]] = field(default_factory=list)
    """Of each block, the outermost first: what may stand before ROWID, with its dot, and the key of the
    index-organized table that it names, () where its rowids are physical."""

    def seen(self) -> dict[str, Any]:
        """What a Statement says of its translation, by the names of its fields."""
        return {
            "parameters": tuple(self.parameters),
            "scn": self.scn,
            "uses_current_scn": self.uses_current_scn,
            "reads_capture_counters": self.reads_capture_counters,
            "reads_statistics": self.reads_statistics,
            "tables": tuple(self.tables),
            "table_positions": tuple(self.tables.values()),
            "natural_joins": tuple(self.natural_joins),
        }

    def _declared(self, index: int) -> DataType | None:
        return self.bind_types[index] if index < len(self.bind_types) else None

    def is_string(self, index: int) -> bool:
        """Whether the client has declared a bind, by the index of its value, as a string."""
        datatype = self._declared(index)
        return datatype is not None and datatype.type in _STRINGS

    def bind(self, occurrence: int) -> Sql:
        """A bind variable as a parameter with its own type; an untyped NULL is a string."""
        index = self.bind_indexes[occurrence]
        self.parameters.append(index)
        place = f"${len(self.parameters)}"
        datatype = self._declared(index)
        if datatype is None:
            return Sql(f"{place}::text", "S", place)
        if datatype.type not in _BIND_CASTS or datatype.is_array:
            raise not_supported(f"a bind variable of type {datatype.type.name} in SQL")
        cast, family = _BIND_CASTS[datatype.type]
        return Sql(f"{place}::{cast}", family, place if family == "S" else None)

    def collection(self, occurrence: int) -> str:
        """A bind variable of a collection type. ORA-22905 for any other."""
        index = self.bind_indexes[occurrence]
        datatype = self._declared(index)
        if datatype is None or datatype.type is not OracleType.OBJECT:
            raise OracleError(22905, "cannot access rows from a non-nested table item")
        self.parameters.append(index)
        return f"${len(self.parameters)}"

    def table_read(self, version: exp.Expr | None, name: str, position: int) -> None:
        """Note a table's quoted name and AS OF SCN, or its absence: all must be read as of the same SCN."""
        self.tables.setdefault(name, position)
        if version is None:
            self.tables_without_scn += 1
        else:
            if str(version.args.get("kind")) != "AS OF" or version.name != "SCN":
                raise not_supported("flashback other than AS OF SCN")
            place = version.expression
            if place.find(exp.Column, exp.Query):
                raise OracleError(8187, "snapshot expression not allowed here")
            if isinstance(place, exp.Paren):
                place = place.this
            if isinstance(place, exp.Placeholder):
                occurrence = int(place.name)
                name = self.bind_names[occurrence]
                scn: int | tuple[str, int] = ("bind", self.bind_indexes[occurrence])
                if self.scn is not None and name == self.scn_name:
                    scn = self.scn  # the driver sends the value of a name once for each occurrence
                self.scn_name = name
            elif isinstance(place, exp.Literal) and not place.is_string and place.name.isdigit():
                scn = int(place.name)
            else:
                raise not_supported("AS OF SCN with an expression: use a number or a bind variable")
            if self.scn is not None and self.scn != scn:
                raise not_supported("tables as of different SCNs in one statement")
            self.scn = self.scn if self.scn is not None else scn
            self.tables_with_scn += 1
        if self.tables_with_scn and self.tables_without_scn:
            raise not_supported("tables with and without AS OF SCN in one statement")
