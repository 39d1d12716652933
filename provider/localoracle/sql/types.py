"""Oracle's data types by name: what a column, a CAST or an interval literal becomes in PostgreSQL."""

from __future__ import annotations

from dataclasses import dataclass

from sqlglot import exp

from localoracle.errors import OracleError, not_supported
from localoracle.sql.lexer import Cursor, literal


@dataclass(frozen=True)
class ColumnType:
    """A column's type. `bytes`: the limit of VARCHAR2(n BYTE); `attributes` are for the dictionary."""

    name: str
    family: str
    bytes: int | None = None
    attributes: tuple[tuple[str, str], ...] = ()
    lob: bool = False


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
        limit = 2000 if fixed else 32767
        if not 1 <= size <= limit:
            raise OracleError(910, "specified length too long for its datatype", position)
        attributes = (("char_used", "B"),) if in_bytes else ()
        return ColumnType(
            f"{'bpchar' if fixed else 'varchar'}({size})", "S", size if in_bytes else None, attributes
        )
    national = cursor.take("NVARCHAR2", "NCHAR")
    if national:
        size, _ = _length(cursor, 1 if national == "NCHAR" else None)
        return ColumnType(f"ora.{national.lower()}({size})", "S")
    if cursor.take("RAW"):
        size, _ = _length(cursor, None)
        if not 1 <= size <= 32767:
            raise OracleError(910, "specified length too long for its datatype", position)
        return ColumnType(f"ora.raw({size})", "R")
    if cursor.take("NUMBER", "NUMERIC", "DECIMAL", "DEC"):
        return ColumnType(_number(cursor), "N")
    if cursor.take("FLOAT"):
        bits = 126
        if cursor.take("("):
            bits = cursor.number()
            cursor.expect(")", 907, "missing right parenthesis")
        return ColumnType("numeric", "N", None, (("data_type", f"FLOAT({bits})"),))
    if cursor.take("DOUBLE PRECISION"):
        return ColumnType("numeric", "N", None, (("data_type", "FLOAT(126)"),))
    if cursor.take("REAL"):
        return ColumnType("numeric", "N", None, (("data_type", "FLOAT(63)"),))
    if cursor.take("INTEGER", "INT", "SMALLINT"):
        return ColumnType("numeric(38,0)", "N", None, (("data_type", "NUMBER(*,0)"),))
    if cursor.take("TIMESTAMP"):
        return _timestamp(cursor)
    if cursor.take("INTERVAL"):
        return _interval(cursor)
    simple = cursor.take(*sorted(_SIMPLE, key=len, reverse=True))
    if simple:
        name, family = _SIMPLE[simple]
        return ColumnType(name, family, lob=family == "L")
    word = cursor.word()
    if word in ("BFILE", "UROWID", "XMLTYPE", "JSON", "SDO_GEOMETRY", "ANYDATA", "BOOLEAN", "VECTOR"):
        raise not_supported(f"the data type {word}")
    raise OracleError(902, "invalid datatype", position)


def _length(cursor: Cursor, default: int | None) -> tuple[int, bool]:
    if not cursor.take("("):
        if default is None:
            raise cursor.error(906, "missing left parenthesis")
        return default, False
    size = cursor.number()
    unit = cursor.take("BYTE", "CHAR")
    cursor.expect(")", 907, "missing right parenthesis")
    return size, unit == "BYTE"


def _number(cursor: Cursor) -> str:
    position = cursor.position
    if not cursor.take("("):
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
    kept = min(precision, 6)
    zone = cursor.take("WITH LOCAL TIME ZONE", "WITH TIME ZONE")
    written = f"TIMESTAMP({precision})" + (f" {zone}" if zone else "")
    attributes = (("data_type", written),) if precision > 6 else ()
    if zone == "WITH LOCAL TIME ZONE":
        return ColumnType(f"ora.timestampltz({kept})", "Z", None, attributes)
    if zone:
        return ColumnType(f"timestamp({kept}) with time zone", "Z", None, attributes)
    return ColumnType(f"timestamp({kept})", "T", None, attributes)


def _interval(cursor: Cursor) -> ColumnType:
    def precision() -> None:
        if cursor.take("("):
            cursor.number()
            cursor.expect(")", 907, "missing right parenthesis")

    if cursor.take("YEAR"):
        precision()
        cursor.expect("TO MONTH", 907, "missing right parenthesis")
        return ColumnType("interval year to month", "I")
    cursor.expect("DAY", 30089, "missing or invalid <datetime field>")
    precision()
    cursor.expect("TO SECOND", 30089, "missing or invalid <datetime field>")
    precision()
    return ColumnType("interval day to second", "I")


def cast_type(target: exp.DataType) -> tuple[str, str]:
    """PostgreSQL's name and the family for the type of a CAST, from sqlglot's tree of it."""
    from localoracle.sql.dialect import DIALECT

    text = target.sql(dialect="oracle")
    if target.this == exp.DType.DOUBLE:
        return "float8", "F"
    if target.this == exp.DType.FLOAT and not target.expressions:
        return "float4", "F"
    if target.this == exp.DType.TIMESTAMPLTZ:
        text = text.replace("TIMESTAMPLTZ", "TIMESTAMP") + " WITH LOCAL TIME ZONE"
    cursor = Cursor(DIALECT.tokenize(text), text)
    parsed = parse_type(cursor)
    cursor.finish(907, "missing right parenthesis")
    return parsed.name, parsed.family


def interval_literal(node: exp.Interval) -> str:
    """INTERVAL '3-2' YEAR TO MONTH, INTERVAL '4 5:12:10.222' DAY TO SECOND(3), INTERVAL '10' HOUR ..."""
    value, unit = node.this, node.args.get("unit")
    if not (isinstance(value, exp.Literal) and value.is_string):
        raise OracleError(30089, "missing or invalid <datetime field>")

    def field(part: object) -> str:
        if isinstance(part, exp.Var | exp.Anonymous | exp.Column):
            return part.name.upper()
        raise not_supported(f"the interval literal '{value.name}'")

    fields = (
        field(unit.this) + " TO " + field(unit.expression)
        if isinstance(unit, exp.IntervalSpan)
        else field(unit)
    )
    allowed = {"YEAR", "MONTH", "DAY", "HOUR", "MINUTE", "SECOND"}
    if not set(fields.split(" TO ")) <= allowed:
        raise OracleError(30089, "missing or invalid <datetime field>")
    return f"(interval {literal(value.name)} {fields})"
