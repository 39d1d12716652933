"""Oracle's data types by name: what a column or a CAST becomes in PostgreSQL."""

from __future__ import annotations

from dataclasses import dataclass

from sqlglot import exp

from localoracle.dictionary.column_types import char_type
from localoracle.errors import OracleError, not_supported
from localoracle.instance.creation import created_with
from localoracle.sql.parsing.dialect import DIALECT
from localoracle.sql.parsing.lexer import Cursor
from localoracle.sql.types.literals import parse_interval_type


@dataclass(frozen=True)
class ColumnType:
    """A column's type. `attributes` are for the dictionary.

    `length` is that of a string as declared, `bytes` the same where it counts bytes; `digits`: how many
    significant ones a FLOAT has.
    """

    name: str
    family: str
    bytes: int | None = None
    attributes: tuple[tuple[str, str], ...] = ()
    lob: bool = False
    length: int | None = None
    digits: int | None = None


_SIMPLE = {
    "BINARY_FLOAT": ("float4", "F"),
    "BINARY_DOUBLE": ("float8", "F"),
    "DATE": ("ora.oradate", "D"),
    "CLOB": ("ora.clob", "L"),
    "NCLOB": ("ora.nclob", "L"),
    "BLOB": ("ora.blob", "L"),
    "LONG RAW": ("ora.longraw", "R"),
    "LONG": ("ora.long", "S"),
    "ROWID": ("ora.rowid", "X"),
}


def parse_type(cursor: Cursor) -> ColumnType:
    """Read a data type ("Data Types"). ORA-00902 when it is none, ORA-03001 when it is not kept."""
    position = cursor.position
    character = cursor.take("VARCHAR2", "VARCHAR", "CHAR VARYING", "CHARACTER VARYING", "CHARACTER", "CHAR")
    if character:
        fixed = character in ("CHAR", "CHARACTER")
        size, in_bytes = _length(cursor, 1 if fixed else None)
        _check_length(size, 2000 if fixed else created_with().longest_string, position)
        if fixed:
            name = char_type(size, in_bytes=in_bytes)
            return ColumnType(name, "S", size if in_bytes else None, length=size)
        attributes = (("char_used", "B"),) if in_bytes else ()
        return ColumnType(f"varchar({size})", "S", size if in_bytes else None, attributes, length=size)
    national = cursor.take("NVARCHAR2", "NCHAR")
    if national:
        size, _ = _length(cursor, 1 if national == "NCHAR" else None)
        # AL16UTF16 has two bytes a character.
        _check_length(2 * size, 2000 if national == "NCHAR" else created_with().longest_string, position)
        return ColumnType(f"ora.{national.lower()}({size})", "S", length=size)
    if cursor.take("RAW"):
        size, _ = _length(cursor, None)
        _check_length(size, created_with().longest_raw, position)
        return ColumnType(f"ora.raw({size})", "R")
    if cursor.take("NUMBER"):
        return ColumnType(_number(cursor, "numeric"), "N")
    if cursor.take("NUMERIC", "DECIMAL", "DEC"):
        # "ANSI, DB2, and SQL/DS Data Types": these are of fixed point, the default scale is 0.
        return ColumnType(_number(cursor, "numeric(38,0)"), "N")
    if cursor.take("FLOAT"):
        bits = _MOST_BITS
        if cursor.take("("):
            bits = cursor.number()
            if not 1 <= bits <= _MOST_BITS:
                raise OracleError(1724, "floating point precision is out of range (1 to 126)")
            cursor.expect(")", 907, "missing right parenthesis")
        return _float(bits)
    if cursor.take("DOUBLE PRECISION"):
        return _float(_MOST_BITS)
    if cursor.take("REAL"):
        return _float(63)
    if cursor.take("INTEGER", "INT", "SMALLINT"):
        return ColumnType("numeric(38,0)", "N", None, (("data_type", "NUMBER(*,0)"),))
    if cursor.take("TIMESTAMP"):
        return _timestamp(cursor)
    if cursor.take("INTERVAL"):
        return ColumnType(parse_interval_type(cursor), "I")
    simple = cursor.take(*sorted(_SIMPLE, key=len, reverse=True))
    if simple:
        name, family = _SIMPLE[simple]
        return ColumnType(name, family, lob=family == "L")
    word = cursor.word()
    if word in ("BFILE", "UROWID", "XMLTYPE", "JSON", "SDO_GEOMETRY", "ANYDATA", "BOOLEAN", "VECTOR"):
        raise not_supported(f"the data type {word}")
    raise OracleError(902, "invalid datatype", position)


_MOST_BITS = 126


def _check_length(size: int, most: int, position: int) -> None:
    if not 1 <= size <= most:
        raise OracleError(910, "specified length too long for its datatype", position)


def _float(bits: int) -> ColumnType:
    """A NUMBER with so many binary digits of precision: 0.30103 decimal ones each ("FLOAT Data Type")."""
    digits = -(-bits * 30103 // 100000)
    return ColumnType("numeric", "N", None, (("data_type", f"FLOAT({bits})"),), digits=digits)


def _length(cursor: Cursor, default: int | None) -> tuple[int, bool]:
    if not cursor.take("("):
        if default is None:
            raise cursor.error(906, "missing left parenthesis")
        return default, cursor.lengths_in_bytes
    size = cursor.number()
    unit = cursor.take("BYTE", "CHAR")
    cursor.expect(")", 907, "missing right parenthesis")
    return size, unit == "BYTE" or (unit is None and cursor.lengths_in_bytes)


def _number(cursor: Cursor, unlimited: str) -> str:
    """:param unlimited: what it is without precision and scale."""
    position = cursor.position
    if not cursor.take("("):
        return unlimited
    if cursor.take("* )"):
        return "numeric"
    precision = 38 if cursor.take("*") else cursor.number()
    scale = cursor.number() if cursor.take(",") else 0
    cursor.expect(")", 907, "missing right parenthesis")
    if not 1 <= precision <= 38:
        raise OracleError(1727, "numeric precision specifier is out of range (1 to 38)", position)
    if not -84 <= scale <= 127:
        raise OracleError(1728, "numeric scale specifier is out of range (-84 to 127)", position)
    return f"numeric({precision},{scale})"


def _timestamp(cursor: Cursor) -> ColumnType:
    precision = 6
    if cursor.take("("):
        precision = cursor.number()
        cursor.expect(")", 907, "missing right parenthesis")
        if not 0 <= precision <= 9:
            raise cursor.error(30088, "datetime/interval precision is out of range")
    zone = cursor.take("WITH LOCAL TIME ZONE", "WITH TIME ZONE")
    if zone == "WITH TIME ZONE":
        return ColumnType(f"ora.timestamp_tz({precision + 1})", "Z")
    # PostgreSQL's modifiers end at 6; without one nothing is rounded, which the dictionary calls 9.
    modifier = f"({precision})" if precision <= 6 else ""
    written = f"TIMESTAMP({precision})" + (f" {zone}" if zone else "")
    attributes = (("data_type", written),) if precision in (7, 8) else ()
    name, family = ("ora.timestampltz", "Z") if zone else ("timestamp", "T")
    return ColumnType(f"{name}{modifier}", family, None, attributes)


def cast_type(target: exp.Expr, *, lengths_in_bytes: bool = True) -> ColumnType:
    """A CAST's type; that of a literal like 1.5d is sqlglot's. `lengths_in_bytes`: as of `Cursor`."""
    if isinstance(target, exp.DataType):
        return ColumnType("float8" if target.this == exp.DType.DOUBLE else "float4", "F")
    text = target.name
    cursor = Cursor(DIALECT.tokenize(text), text, lengths_in_bytes=lengths_in_bytes)
    parsed = parse_type(cursor)
    if cursor.at("DEFAULT"):
        raise not_supported("CAST with DEFAULT ON CONVERSION ERROR")
    cursor.finish(907, "missing right parenthesis")
    return parsed
