"""Functions held against models of Oracle's documented rules, on generated input."""

from __future__ import annotations

import calendar
import datetime
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from localoracle.values import DataType, OracleType

FEW = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
TEXT = st.text(alphabet="abAB é*1", min_size=1, max_size=12)
DATES = st.datetimes(datetime.datetime(1900, 1, 1), datetime.datetime(2999, 12, 31)).map(
    lambda moment: moment.replace(microsecond=0)
)
STRING, NUMBER, DATE = (
    DataType(OracleType.VARCHAR2, 4000),
    DataType(OracleType.NUMBER),
    DataType(OracleType.DATE),
)


def one(db: Any, sql: str, values: tuple[Any, ...], types: tuple[DataType, ...]) -> Any:
    return db.run(f"SELECT {sql} FROM DUAL", *values, types=types)[0][0]


def substr(text: str, position: int, length: int | None) -> str | None:
    if position == 0:
        position = 1
    if position < 0:
        position += len(text) + 1
        if position < 1:
            return None
    if length is not None and length < 1:
        return None
    end = None if length is None else position - 1 + length
    return text[position - 1 : end] or None


@FEW
@given(TEXT, st.integers(-15, 15), st.none() | st.integers(-2, 15))
def test_substr(db: Any, text: str, position: int, length: int | None) -> None:
    sql, values = (
        ("SUBSTR(:a, :b)", (text, position))
        if length is None
        else ("SUBSTR(:a, :b, :c)", (text, position, length))
    )
    assert one(db, sql, values, (STRING, NUMBER, NUMBER)[: len(values)]) == substr(text, position, length)
    literal = text.replace("'", "''")
    rest = "" if length is None else f", {length}"
    assert db.value(f"SUBSTR('{literal}', {position}{rest})") == substr(text, position, length)


def instr(text: str, part: str, position: int, occurrence: int) -> int:
    if position == 0:
        return 0
    starts = [i + 1 for i in range(len(text) - len(part) + 1) if text[i : i + len(part)] == part]
    if position > 0:
        found = [start for start in starts if start >= position]
    else:
        found = [start for start in reversed(starts) if start <= len(text) + position + 1]
    return found[occurrence - 1] if len(found) >= occurrence else 0


@FEW
@given(TEXT, st.text(alphabet="abA", min_size=1, max_size=2), st.integers(-14, 14), st.integers(1, 3))
def test_instr(db: Any, text: str, part: str, position: int, occurrence: int) -> None:
    values = (text, part, position, occurrence)
    assert one(db, "INSTR(:a, :b, :c, :d)", values, (STRING, STRING, NUMBER, NUMBER)) == instr(*values)


@FEW
@given(
    st.decimals(allow_nan=False, allow_infinity=False, places=6, min_value=-(10**12), max_value=10**12),
    st.integers(-3, 5),
)
def test_round_trunc_and_text(db: Any, number: Decimal, places: int) -> None:
    step = Decimal(1).scaleb(-places)
    assert (
        one(db, "ROUND(:a, :b)", (number, places), (NUMBER, NUMBER))
        == (number / step).quantize(Decimal(1), ROUND_HALF_UP) * step
    )
    text = one(db, "TO_CHAR(:a)", (number,), (NUMBER,))
    assert Decimal(text) == number
    assert not text.lstrip("-").startswith("0") or number == 0
    assert "." not in text or not text.endswith("0")
    assert one(db, "TO_NUMBER(TO_CHAR(:a))", (number,), (NUMBER,)) == number


@FEW
@given(DATES, st.integers(-2000, 2000))
def test_add_months(db: Any, moment: datetime.datetime, months: int) -> None:
    index = moment.year * 12 + moment.month - 1 + months
    year, month = divmod(index, 12)
    month += 1
    if not 1800 <= year <= 3200:
        return
    last = calendar.monthrange(year, month)[1]
    was_last = moment.day == calendar.monthrange(moment.year, moment.month)[1]
    expected = moment.replace(year=year, month=month, day=last if was_last else min(moment.day, last))
    text = one(db, "TO_CHAR(ADD_MONTHS(:a, :b), 'YYYY-MM-DD HH24:MI:SS')", (moment, months), (DATE, NUMBER))
    assert text == expected.strftime("%Y-%m-%d %H:%M:%S")


@FEW
@given(DATES, DATES)
def test_difference_of_dates(db: Any, first: datetime.datetime, second: datetime.datetime) -> None:
    days = one(db, "(:a - :b)", (first, second), (DATE, DATE))
    assert round(days * 86400) == int((first - second).total_seconds())
    back = one(
        db, "TO_CHAR(:b + (:a - :b), 'YYYY-MM-DD HH24:MI:SS')", (second, first, second), (DATE, DATE, DATE)
    )
    assert back == first.strftime("%Y-%m-%d %H:%M:%S")


@FEW
@given(DATES)
def test_dates_survive_text(db: Any, moment: datetime.datetime) -> None:
    for model in ("YYYY-MM-DD HH24:MI:SS", "DD-MON-YYYY HH:MI:SS AM", "YYYYMMDDHH24MISS", "J SSSSS"):
        sql = f"TO_CHAR(TO_DATE(TO_CHAR(:a, '{model}'), '{model}'), 'YYYY-MM-DD HH24:MI:SS')"
        assert one(db, sql, (moment,), (DATE,)) == moment.strftime("%Y-%m-%d %H:%M:%S")


@FEW
@given(st.binary(max_size=200))
def test_sha1_and_hex(db: Any, data: bytes) -> None:
    import hashlib

    raw = DataType(OracleType.RAW, 2000)
    if data:
        assert (
            one(db, "RAWTOHEX(STANDARD_HASH(:a))", (data,), (raw,)) == hashlib.sha1(data).hexdigest().upper()
        )
        assert one(db, "RAWTOHEX(HEXTORAW(RAWTOHEX(:a)))", (data,), (raw,)) == data.hex().upper()


RAW = DataType(OracleType.RAW, 2000)


@pytest.mark.slow
@FEW
@given(st.none() | st.binary(min_size=1, max_size=20), st.integers(1, 12), st.integers(1, 16))
def test_pieces_of_hex_digits(db: Any, data: bytes | None, first: int, size: int) -> None:
    """Digits that are never written, as bytes are cut and joined, are those that would have been."""
    digits = (data or b"").hex().upper()
    piece = digits[first - 1 : first - 1 + size] or None
    sql = f"SUBSTR(RAWTOHEX(A), {first}, {size})"
    from_column = "(SELECT CAST(:a AS RAW(20)) AS A FROM DUAL)"

    def found(expression: str) -> Any:
        return db.run(f"SELECT {expression} FROM {from_column}", data, types=(RAW,))[0][0]

    assert found(sql) == piece
    assert found(f"LOWER({sql})") == (piece and piece.lower())
    assert found(f"NVL({sql}, '00')") == (piece or "00")
    assert found(f"NULLIF({sql}, '{'0' * size}')") == (None if piece == "0" * size else piece)
    assert found(f"{sql} || RAWTOHEX(A)") == ((piece or "") + digits or None)
    if size % 2 == 0 and first % 2:
        assert found(f"RAWTOHEX(HEXTORAW({sql}))") == piece
        assert found(f"RAWTOHEX(HEXTORAW({sql} || RAWTOHEX(A)))") == ((piece or "") + digits or None)
        assert found(f"RAWTOHEX(HEXTORAW(NVL({sql}, '00') || 'AB' || {sql}))") == (
            (piece or "00") + "AB" + (piece or "")
        )
        zeros = "0" * size
        assert found(f"RAWTOHEX(HEXTORAW(NULLIF({sql}, '{zeros}')))") == (None if piece == zeros else piece)
    if size <= 15:
        number = found(f"TO_NUMBER({sql}, '{'X' * 15}')")
        assert number == (None if piece is None else int(piece, 16))


@FEW
@given(st.none() | st.binary(min_size=1, max_size=40), st.integers(1, 40))
def test_slices_of_hashes_as_numbers(db: Any, data: bytes | None, first: int) -> None:
    piece = (data or b"").hex()[first - 1 : first + 14]
    found = db.run(
        f"SELECT TO_NUMBER(SUBSTR(RAWTOHEX(A), {first}, 15), '{'X' * 15}'), "
        f"SUM(TO_NUMBER(SUBSTR(RAWTOHEX(A), {first}, 15), '{'X' * 15}')) "
        "FROM (SELECT CAST(:a AS RAW(40)) AS A FROM DUAL) GROUP BY A",
        data,
        types=(RAW,),
    )
    expected = int(piece, 16) if piece else None
    assert found == [(expected, expected)]


@FEW
@given(st.none() | st.decimals(-(10**20), 10**20, places=6) | st.decimals(-2, 2, places=8))
def test_numbers_as_the_shortest_text(db: Any, number: Decimal | None) -> None:
    expected = None
    if number is not None:
        expected = f"{number:f}".rstrip("0").rstrip(".")
        sign, rest = ("-", expected[1:]) if expected.startswith("-") else ("", expected)
        expected = "0" if rest in ("", "0") else sign + rest.removeprefix("0")
    for sql in ("TO_CHAR(:a, 'TM9')", "TO_CHAR(:a)"):
        assert one(db, sql, (number,), (NUMBER,)) == expected


@FEW
@given(st.integers(1, 2**31), st.integers(0, 2**32 - 1), st.integers(0, 2**16 - 1))
def test_rowid_codec(db: Any, number: int, block: int, line: int) -> None:
    alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

    def digits(value: int, width: int) -> str:
        return "".join(alphabet[value >> (6 * place) & 63] for place in reversed(range(width)))

    expected = digits(number, 6) + digits(1, 3) + digits(block, 6) + digits(line, 3)
    made = "ora.rowid_make(%s::int8, 1, %s::int8, %s::int8)::text"
    query = f"SELECT {made}, ora.rowid_tid(%s)::text, ora.rowid_object(%s)::int8"
    row = db.connection.execute(query, [number, block, line, expected, expected]).fetchone()
    assert row == (expected, f"({block},{line})", number)
