"""Conversions between scalar values, as assignments and operators make them (Language Reference, chapter 4).

What depends on NLS settings (dates and text) is left to SQL, through the session.
"""

from __future__ import annotations

import contextlib
from datetime import datetime, timedelta
from decimal import ROUND_HALF_UP, Context, Decimal, InvalidOperation
from typing import TYPE_CHECKING, Any

from localoracle.errors import OracleError
from localoracle.instance import nls
from localoracle.instance.character_set import encoded
from localoracle.lobs.lob import Lob, TemporaryLob
from localoracle.plsql.errors import unplaced_error
from localoracle.supplied.types import (
    DATA_TYPES,
    DATES,
    PLS_INTEGERS,
    WHOLE_NUMBERS,
    WIRE_FAMILIES,
    Collection,
    CollectionType,
    PlsqlType,
    Record,
    RecordType,
    ScalarType,
    copy_value,
)
from localoracle.values import BYTES_OF_CHARACTER, DataType, OracleType, Value

if TYPE_CHECKING:
    from localoracle.session.session import Session

ARITHMETIC = Context(prec=40, rounding=ROUND_HALF_UP)
MAXIMUM_STRING = 32767


def value_error(detail: str = "") -> OracleError:
    return OracleError(6502, f"PL/SQL: numeric or value error{': ' if detail else ''}{detail}")


def family_of(value: Any) -> str:
    """The type of a value whose declaration is not at hand; '' for NULL."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "BOOLEAN"
    if isinstance(value, int | Decimal):
        return "NUMBER"
    if isinstance(value, str):
        return "VARCHAR2"
    if isinstance(value, float):
        return "BINARY_DOUBLE"
    if isinstance(value, bytes):
        return "RAW"
    if isinstance(value, datetime):
        return "TIMESTAMP WITH TIME ZONE" if value.tzinfo else "TIMESTAMP" if value.microsecond else "DATE"
    if isinstance(value, timedelta):
        return "INTERVAL DAY TO SECOND"
    if isinstance(value, Lob):
        return {OracleType.CLOB: "CLOB", OracleType.BLOB: "BLOB"}.get(value.kind, "BFILE")
    if isinstance(value, Record | Collection):
        return value.type.family
    return "REF CURSOR"


def tidy(value: Decimal) -> int | Decimal:
    """A whole number as int, so that subscripts and equality are plain."""
    return int(value) if value == value.to_integral_value() else value


def number_text(value: int | Decimal | float) -> str:
    """TO_CHAR(number) without a format: no leading zero before the point, at most 40 significant
    characters.
    """
    return _plain_text(value).replace(".", nls.numeric_characters.get()[0])


def _plain_text(value: int | Decimal | float) -> str:
    if isinstance(value, float):
        return f"{value:.16E}"
    if isinstance(value, int):
        text = str(value)
        return text if len(text) <= 40 else f"{Decimal(value):.33E}"
    plain = ARITHMETIC.create_decimal(value).normalize(ARITHMETIC)
    text = format(plain, "f")
    if len(text) > 41:
        return f"{plain:.33E}"
    return text.replace("0.", ".", 1) if text.startswith(("0.", "-0.")) else text


def to_number(value: Any) -> int | Decimal | float | None:
    """A number from a number or text. ORA-06502 when the text is none."""
    if value is None or (isinstance(value, int | Decimal | float) and not isinstance(value, bool)):
        return value
    if isinstance(value, str):
        with contextlib.suppress(InvalidOperation):
            number = Decimal(value.strip().translate(_signs()))
            if number.is_finite() and "_" not in value:
                return tidy(number)
        raise value_error("character to number conversion error")
    raise unplaced_error("PLS-00382")


def _signs() -> dict[int, str]:
    characters = nls.numeric_characters.get()
    return str.maketrans({characters[1]: "?", characters[0]: "."})


async def to_text(session: Session, value: Any) -> str | None:
    """The text that concatenation and assignment to VARCHAR2 see."""
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, bool):
        raise unplaced_error("PLS-00382")
    if isinstance(value, int | Decimal | float):
        return number_text(value)
    if isinstance(value, bytes):
        return value.hex().upper() or None
    if isinstance(value, Lob) and value.is_text:
        content = await value.read()
        return str(content) if content else None
    if isinstance(value, datetime | timedelta):
        text = await sql_value(session, "TO_CHAR(:1)", [value])
        return str(text)
    raise unplaced_error("PLS-00382")


def bind(value: Any, family: str = "") -> Value:
    """A value as a bind of a SQL statement; NULL of no known type goes as VARCHAR2, as in Oracle."""
    kind = DATA_TYPES.get(family or family_of(value), DATA_TYPES["VARCHAR2"])
    if isinstance(value, Record | Collection):
        raise OracleError(3001, f"unimplemented feature: PL/SQL value of type {value.type.name} in SQL")
    return Value(kind, value)


async def sql_value(
    session: Session, expression: str, values: list[Any], families: list[str] | None = None
) -> Any:
    """The value of one SQL expression with binds :1, :2 ..."""
    binds = [bind(value, families[place] if families else "") for place, value in enumerate(values)]
    result = await session.run(f"SELECT {expression} FROM DUAL", binds)
    rows = await result.all()
    return rows[0][0]


async def convert(session: Session, value: Any, kind: PlsqlType) -> Any:
    """The value as an assignment to a variable of that type stores it. ORA-06502 when it does not fit."""
    if isinstance(kind, ScalarType):
        if value is None:
            if kind.not_null:
                raise value_error()
            return None
        return await _scalar(session, value, kind)
    if value is None:
        return None
    if isinstance(kind, RecordType):
        if not isinstance(value, Record):
            raise unplaced_error("PLS-00382")
        if value.type is kind or value.type == kind:
            return copy_value(value)
        if len(value.values) != len(kind.fields) or kind.is_object:
            raise unplaced_error("PLS-00382")
        made = Record(kind)
        for (name, field_type), item in zip(kind.fields, value.values.values(), strict=True):
            made.values[name] = await convert(session, item, field_type)
        return made
    if isinstance(kind, CollectionType):
        if isinstance(value, Collection) and value.type == kind:
            return copy_value(value)
        by_number = kind.kind == "ASSOCIATIVE" and kind.index == "NUMBER"
        if isinstance(value, Collection) and value.type.is_bound and by_number:
            return Collection.of(kind, [await convert(session, item, kind.element) for item in value])
        raise unplaced_error("PLS-00382")
    return value


async def _scalar(session: Session, value: Any, kind: ScalarType) -> Any:
    family = kind.family
    if family == "NUMBER":
        return _number(to_number(value), kind)
    if family == "VARCHAR2":
        text = await to_text(session, value)
        if kind.name == "ROWID" and text is not None and text.startswith("*"):
            raise OracleError(1410, "invalid ROWID")  # a logical one
        return _fit_text(text, kind)
    if family == "BOOLEAN":
        if not isinstance(value, bool):
            raise unplaced_error("PLS-00382")
        return value
    if family == "BINARY_DOUBLE":
        number = to_number(value)
        return float(number) if number is not None else None
    if family == "RAW":
        return await _raw(value, kind)
    if family in ("CLOB", "BLOB"):
        return await _lob(session, value, family)
    if family in DATES:
        return await _date(session, value, family)
    return value


def _number(value: int | Decimal | float | None, kind: ScalarType) -> int | Decimal | None:
    if value is None:
        return None
    if isinstance(value, int) and kind.name == "NUMBER" and kind.precision is None:
        return value
    exact = ARITHMETIC.create_decimal(repr(value) if isinstance(value, float) else value)
    if kind.name in PLS_INTEGERS + WHOLE_NUMBERS:
        whole = int(exact.to_integral_value(ROUND_HALF_UP))
        if kind.name in PLS_INTEGERS and not -(2**31) <= whole < 2**31:
            raise OracleError(1426, "numeric overflow")
        if (kind.name.startswith("NATURAL") and whole < 0) or (
            kind.name.startswith("POSITIVE") and whole < 1
        ):
            raise value_error()
        _check_range(whole, kind)
        return whole
    if kind.precision is not None:
        scale = kind.scale or 0
        exact = (
            exact.quantize(Decimal(1).scaleb(-scale), ROUND_HALF_UP, ARITHMETIC)
            if abs(exact) < Decimal(10) ** 39
            else exact
        )
        if abs(exact) >= Decimal(10) ** (kind.precision - scale):
            raise value_error("number precision too large")
    result = tidy(exact)
    _check_range(result, kind)
    return result


def _check_range(value: int | Decimal, kind: ScalarType) -> None:
    if kind.low is not None and kind.high is not None and not kind.low <= value <= kind.high:
        raise value_error()


def _fit_text(text: str | None, kind: ScalarType) -> str | None:
    if text is None:
        return None
    limit = (
        kind.size
        if kind.size is not None
        else (1 if kind.name in ("CHAR", "NCHAR", "CHARACTER") else MAXIMUM_STRING)
    )
    length = len(encoded(text)) if kind.in_bytes and not text.isascii() else len(text)
    if length > limit or (len(text) * 4 > MAXIMUM_STRING and len(text.encode()) > MAXIMUM_STRING):
        raise value_error("character string buffer too small")
    return text + " " * (limit - length) if kind.name in ("CHAR", "NCHAR", "CHARACTER") else text


async def _raw(value: Any, kind: ScalarType) -> bytes | None:
    if isinstance(value, str):
        try:
            value = bytes.fromhex(value if len(value) % 2 == 0 else "0" + value)
        except ValueError:
            raise value_error("hex to raw conversion error") from None
    elif isinstance(value, Lob) and not value.is_text:
        value = await value.read(1, MAXIMUM_STRING + 1)
    if not isinstance(value, bytes):
        raise unplaced_error("PLS-00382")
    if len(value) > (kind.size or MAXIMUM_STRING):
        raise value_error("raw variable length too long")
    return value or None


async def _lob(session: Session, value: Any, family: str) -> Lob:
    if isinstance(value, Lob):
        wanted = OracleType.CLOB if family == "CLOB" else OracleType.BLOB
        if value.kind is not wanted:
            raise unplaced_error("PLS-00382")
        return value
    if family == "CLOB":
        if not isinstance(value, str):
            raise unplaced_error("PLS-00382")
        return TemporaryLob(OracleType.CLOB, data=value)
    return TemporaryLob(OracleType.BLOB, data=await _raw(value, ScalarType("RAW")))


async def _date(session: Session, value: Any, family: str) -> Any:
    if isinstance(value, str):
        function = {
            "DATE": "TO_DATE",
            "TIMESTAMP": "TO_TIMESTAMP",
            "TIMESTAMP WITH TIME ZONE": "TO_TIMESTAMP_TZ",
        }.get(family)
        function = function or ("TO_DSINTERVAL" if family == "INTERVAL DAY TO SECOND" else "TO_YMINTERVAL")
        return await sql_value(session, f"{function}(:1)", [value])
    if isinstance(value, datetime) and not family.startswith("INTERVAL"):
        if family == "DATE":
            return value.replace(microsecond=0, tzinfo=None)
        if family == "TIMESTAMP":
            return value.replace(tzinfo=None)
        if value.tzinfo is None:
            return await sql_value(session, "CAST(:1 AS TIMESTAMP WITH TIME ZONE)", [value])
        return value
    if isinstance(value, timedelta) and family == "INTERVAL DAY TO SECOND":
        return value
    if isinstance(value, int) and family == "INTERVAL YEAR TO MONTH":
        return value
    raise unplaced_error("PLS-00382")


def scalar_of(datatype: DataType, *, bound: bool = False) -> ScalarType:
    """The PL/SQL type of a result column (for %TYPE and cursor records) or of a bind, whose size is bytes."""
    family = WIRE_FAMILIES[datatype.type]
    name = {OracleType.CHAR: "CHAR"}.get(datatype.type, family)
    if family == "NUMBER":
        precise = 0 < datatype.precision <= 38 and -84 <= datatype.scale <= 127
        return ScalarType(
            "NUMBER",
            precision=datatype.precision if precise else None,
            scale=datatype.scale if precise else None,
        )
    if family == "RAW" and datatype.size:
        return ScalarType(name, size=datatype.size)
    if family == "VARCHAR2" and datatype.size:
        in_bytes = datatype.in_bytes or (bound and not datatype.national)
        size = datatype.size if in_bytes or bound else datatype.size // BYTES_OF_CHARACTER
        return ScalarType(name, size=size, in_bytes=in_bytes)
    return ScalarType(name)
