"""PostgreSQL's types seen as Oracle's: result columns and the loaders of their values."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import psycopg
from psycopg.adapt import AdaptersMap
from psycopg.types.datetime import TimestampBinaryLoader
from psycopg.types.numeric import Int8BinaryLoader
from psycopg.types.string import ByteaBinaryLoader, ByteaLoader, TextBinaryLoader, TextLoader

from localoracle.dictionary.column_types import char_length
from localoracle.errors import not_supported
from localoracle.postgres.backend import Field
from localoracle.sql.types.literals import precisions
from localoracle.values import BYTES_OF_CHARACTER, Column, DataType, OracleType

BOOL, BYTEA, INT8, INT2, INT4, TEXT, OID = 16, 17, 20, 21, 23, 25, 26
FLOAT4, FLOAT8, UNKNOWN, BPCHAR, VARCHAR, DATE, TIMESTAMP, TIMESTAMPTZ = (
    700,
    701,
    705,
    1042,
    1043,
    1082,
    1114,
    1184,
)
NUMERIC, NAME, INTERNAL_CHAR = 1700, 19, 18

_BUILT_IN = {
    BOOL: OracleType.NUMBER,
    BYTEA: OracleType.RAW,
    INT8: OracleType.NUMBER,
    INT2: OracleType.NUMBER,
    INT4: OracleType.NUMBER,
    OID: OracleType.NUMBER,
    FLOAT4: OracleType.BINARY_FLOAT,
    FLOAT8: OracleType.BINARY_DOUBLE,
    BPCHAR: OracleType.CHAR,
    DATE: OracleType.DATE,
    TIMESTAMP: OracleType.TIMESTAMP,
    TIMESTAMPTZ: OracleType.TIMESTAMP_TZ,
    NUMERIC: OracleType.NUMBER,
}
_OF_NAME = {
    "nvarchar2": (OracleType.VARCHAR2, True),
    "nchar": (OracleType.CHAR, True),
    "oradate": (OracleType.DATE, False),
    "timestamp_tz": (OracleType.TIMESTAMP_TZ, False),
    "interval_ym": (OracleType.INTERVAL_YM, False),
    "interval_ds": (OracleType.INTERVAL_DS, False),
    "timestampltz": (OracleType.TIMESTAMP_LTZ, False),
    "clob": (OracleType.CLOB, False),
    "nclob": (OracleType.CLOB, True),
    "blob": (OracleType.BLOB, False),
    "long": (OracleType.LONG, False),
    "longraw": (OracleType.LONG_RAW, False),
    "raw": (OracleType.RAW, False),
    "rowid": (OracleType.ROWID, False),
    "urowid": (OracleType.UROWID, False),
    "bfile": (OracleType.BFILE, False),
}
_TEXTS = (
    OracleType.VARCHAR2,
    OracleType.CHAR,
    OracleType.LONG,
    OracleType.CLOB,
    OracleType.ROWID,
    OracleType.UROWID,
    OracleType.BFILE,
)
_BYTES = (OracleType.RAW, OracleType.LONG_RAW, OracleType.BLOB)
_INTERVALS = (OracleType.INTERVAL_YM, OracleType.INTERVAL_DS)
DEFAULT_TEXT_SIZE = BYTES_OF_CHARACTER * 4000
"""Of an expression: as long as text may be, since JDBC cuts what is longer than described."""
FIRST_MADE = 16384
"""PostgreSQL's first OID of what was not there when it was initialized."""
UNSIZED = -127
"""The scale of a NUMBER without precision."""
LOB_TYPES = (OracleType.CLOB, OracleType.BLOB, OracleType.BFILE)


@dataclass
class TypeMap:
    """The types of one database: those of schema `ora` have OIDs of their own."""

    names: dict[str, int] = field(default_factory=dict)
    """OID by name of each type of schema `ora`."""
    oracle: dict[int, tuple[OracleType, bool]] = field(default_factory=dict)
    """(Oracle type, national) by OID."""
    adapters: AdaptersMap = field(default_factory=lambda: AdaptersMap(psycopg.adapters))
    binary_input: frozenset[int] = frozenset()
    """OIDs of byte types that accept binary parameters."""
    binary_arrays: frozenset[int] = frozenset()
    """OIDs of text, byte and date types that accept binary parameters."""
    type_names: dict[int, str] = field(default_factory=dict)
    """PostgreSQL's name of each type that a parameter may have."""

    connection = None  # psycopg's AdaptContext

    @classmethod
    def load(cls, connection: psycopg.Connection[Any]) -> TypeMap:
        """Read schema `ora`; numbers, dates and intervals are loaded as their text."""
        types = cls()
        for oid, kind in _BUILT_IN.items():
            types.oracle[oid] = (kind, False)
        rows = connection.execute(
            "SELECT t.typname, t.oid::int8, t.typreceive <> 0, t.typtype = 'd' FROM pg_type t "
            "JOIN pg_namespace n ON n.oid = t.typnamespace "
            "WHERE n.nspname = 'ora' AND t.typtype IN ('b', 'd')"
        ).fetchall()
        types.type_names = {
            VARCHAR: "varchar",
            TEXT: "text",
            BPCHAR: "bpchar",
            NUMERIC: "numeric",
            INT2: "int2",
            INT4: "int4",
            INT8: "int8",
            FLOAT4: "float4",
            FLOAT8: "float8",
            BYTEA: "bytea",
            TIMESTAMP: "timestamp",
            TIMESTAMPTZ: "timestamptz",
            BOOL: "bool",
        }
        binary = {BYTEA}
        arrays = {BYTEA, TEXT, VARCHAR, BPCHAR}
        for name, oid, receives, is_domain in rows:
            types.names[name] = oid
            types.type_names[oid] = f'ora."{name}"'
            if name in _OF_NAME and not is_domain:
                types.oracle[oid] = _OF_NAME[name]
                kind = _OF_NAME[name][0]
                if (kind in _BYTES or kind is OracleType.TIMESTAMP_TZ) and receives:
                    binary.add(oid)
                if receives and (
                    kind in _BYTES
                    or kind in (*_INTERVALS, OracleType.TIMESTAMP_TZ)
                    or kind in (OracleType.DATE, OracleType.VARCHAR2, OracleType.CLOB)
                ):
                    arrays.add(oid)
        types.binary_input = frozenset(binary)
        types.binary_arrays = frozenset(arrays)
        for oid in (NUMERIC, INT2, INT4, INT8, OID, DATE, TIMESTAMP, TIMESTAMPTZ):
            types.adapters.register_loader(oid, TextLoader)
        for oid, (kind, _) in types.oracle.items():
            if oid in _BUILT_IN:
                continue
            if kind in _BYTES:
                types.adapters.register_loader(oid, ByteaLoader)
                types.adapters.register_loader(oid, ByteaBinaryLoader)
            elif kind in _TEXTS:
                types.adapters.register_loader(oid, TextLoader)
                types.adapters.register_loader(oid, TextBinaryLoader)
            else:
                types.adapters.register_loader(oid, TextLoader)
                if kind is OracleType.TIMESTAMP_TZ:
                    types.adapters.register_loader(oid, ByteaLoader)
                    types.adapters.register_loader(oid, ByteaBinaryLoader)
                elif kind in _INTERVALS:
                    types.adapters.register_loader(oid, Int8BinaryLoader)
                elif kind is OracleType.DATE:
                    types.adapters.register_loader(oid, TimestampBinaryLoader)
                else:
                    types.adapters.register_loader(oid, psycopg.types.datetime.TimestamptzBinaryLoader)
        return types

    def kind(self, oid: int) -> OracleType:
        return self.oracle.get(oid, (OracleType.VARCHAR2, False))[0]

    def is_text(self, oid: int) -> bool:
        return self.kind(oid) in _TEXTS

    def is_bytes(self, oid: int) -> bool:
        return self.kind(oid) in _BYTES

    def datatype(self, oid: int, modifier: int) -> DataType:
        """The Oracle type of a PostgreSQL type with its type modifier (-1: none).

        Raises ORA-03001 for types that the database's users made: object and collection types.
        """
        if oid >= FIRST_MADE and oid not in self.oracle:
            raise not_supported("a value of an object or collection type in a result")
        kind, national = self.oracle.get(oid, (OracleType.VARCHAR2, False))
        if kind is OracleType.NUMBER:
            if oid == NUMERIC and modifier >= 4:
                scale = (modifier - 4) & 0x7FF
                return DataType(kind, 22, ((modifier - 4) >> 16) & 0xFFFF, (scale ^ 1024) - 1024)
            return DataType(kind, 22, 0, UNSIZED)
        if kind in (OracleType.VARCHAR2, OracleType.CHAR):
            if oid == BPCHAR and modifier > 4:
                length, in_bytes = char_length(modifier)
                return DataType(kind, length if in_bytes else BYTES_OF_CHARACTER * length, in_bytes=in_bytes)
            characters = modifier - 4 if modifier > 4 and oid not in (NAME, INTERNAL_CHAR) else 0
            return DataType(
                kind, BYTES_OF_CHARACTER * characters if characters else DEFAULT_TEXT_SIZE, national=national
            )
        if kind is OracleType.RAW:
            return DataType(kind, modifier - 4 if modifier > 4 else 2000)
        if kind in (OracleType.TIMESTAMP, OracleType.TIMESTAMP_TZ, OracleType.TIMESTAMP_LTZ):
            if oid == TIMESTAMPTZ:
                return DataType(kind, 13, 0, 6)
            if kind is OracleType.TIMESTAMP_TZ:
                return DataType(kind, 13, 0, modifier - 5 if modifier >= 5 else 9)
            return DataType(kind, 11, 0, modifier if modifier >= 0 else 9)
        if kind in (OracleType.INTERVAL_YM, OracleType.INTERVAL_DS):
            leading, fraction = precisions(modifier)
            return (
                DataType(kind, 5, leading)
                if kind is OracleType.INTERVAL_YM
                else DataType(kind, 11, leading, fraction)
            )
        sizes = {
            OracleType.DATE: 7,
            OracleType.BINARY_FLOAT: 4,
            OracleType.BINARY_DOUBLE: 8,
            OracleType.BOOLEAN: 1,
            OracleType.ROWID: 18,
        }
        return DataType(kind, sizes.get(kind, 4000), national=national)

    def column(self, description: Field, name: str | None = None) -> Column:
        """A result column; `name` overrides PostgreSQL's."""
        return Column(name or description.name, self.datatype(description.type, description.modifier))

    def parameter_type(self, datatype: DataType) -> int:
        """The type to declare for a bind whose type PostgreSQL cannot infer."""
        kind = datatype.type
        if kind in (OracleType.NUMBER, OracleType.BINARY_INTEGER):
            return NUMERIC
        by_kind = {
            OracleType.DATE: self.names.get("oradate", TIMESTAMP),
            OracleType.TIMESTAMP: TIMESTAMP,
            OracleType.TIMESTAMP_TZ: self.names["timestamp_tz"],
            OracleType.TIMESTAMP_LTZ: TIMESTAMPTZ,
            OracleType.RAW: BYTEA,
            OracleType.LONG_RAW: BYTEA,
            OracleType.BINARY_FLOAT: FLOAT4,
            OracleType.BINARY_DOUBLE: FLOAT8,
            OracleType.INTERVAL_DS: self.names["interval_ds"],
            OracleType.INTERVAL_YM: self.names["interval_ym"],
            OracleType.BOOLEAN: BOOL,
            OracleType.BLOB: self.names.get("blob", BYTEA),
            OracleType.CLOB: self.names.get("clob", TEXT),
        }
        return by_kind.get(kind, VARCHAR)
