"""Values in Oracle's internal formats (NUMBER, DATE, ROWID ...), one value at a time."""

from __future__ import annotations

import struct
from base64 import b64decode
from datetime import datetime, timedelta, timezone
from decimal import Decimal
from typing import Any
from zoneinfo import ZoneInfo

from localoracle.errors import OracleError, not_supported
from localoracle.wire.buffer import lv, ub

_CACHE_LIMIT = 100_000
_encoded_numbers: dict[Any, bytes] = {}
_decoded_numbers: dict[bytes, int | Decimal] = {}
_BASE64 = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
_ROWID_DIGIT = {chr(code): number for number, code in enumerate(_BASE64)}
_LOGICAL = b"\x02"
"""The kind of a rowid that is made of a key; of one with an address it is 1."""
_MICROSECOND = timedelta(microseconds=1)


_POSITIVE = {f"{pair:02d}": bytes((pair + 1,)) for pair in range(100)}
_NEGATIVE = {f"{pair:02d}": bytes((101 - pair,)) for pair in range(100)}
_FAST_DIGITS = 36


def _encode_plain(text: str) -> bytes | None:
    """NUMBER of up to 36 plain digits that do not begin with 0; None for anything else."""
    negative = text[0] == "-"
    whole, _, fraction = (text[1:] if negative else text).partition(".")
    if not whole or whole[0] == "0" or len(whole) + len(fraction) > _FAST_DIGITS:
        return None
    if len(whole) & 1:
        whole = "0" + whole
    digits = whole + fraction
    if len(digits) & 1:
        digits += "0"
    table = _NEGATIVE if negative else _POSITIVE
    try:
        body = b"".join([table[digits[start : start + 2]] for start in range(0, len(digits), 2)])
    except KeyError:
        return None
    exponent = len(whole) >> 1
    if negative:
        return bytes((63 - exponent,)) + body.rstrip(b"\x65") + b"\x66"
    return bytes((192 + exponent,)) + body.rstrip(b"\x01")


def encode_number(value: Any) -> bytes:
    """NUMBER of an int, Decimal, float or decimal text: 20 base-100 digits."""
    plain = _encode_plain(value if isinstance(value, str) else str(value)) if value != "" else None
    if plain is not None:
        return plain
    if isinstance(value, float):
        value = Decimal(repr(value))
    text = (
        format(value, "f")
        if isinstance(value, Decimal)
        else str(int(value) if isinstance(value, bool) else value)
    )
    if "e" in text or "E" in text:
        text = format(Decimal(text), "f")
    if text in ("NaN", "Infinity", "-Infinity"):
        return b"\x00" if text.startswith("-") else b"\xff\x65"
    negative = text.startswith("-")
    whole, _, fraction = text.lstrip("+-").partition(".")
    whole = whole.lstrip("0")
    fraction = fraction.rstrip("0")
    if len(whole) % 2:
        whole = "0" + whole
    if len(fraction) % 2:
        fraction += "0"
    digits = whole + fraction
    pairs = [int(digits[start : start + 2]) for start in range(0, len(digits), 2)]
    exponent = len(whole) // 2
    leading = 0
    while leading < len(pairs) and not pairs[leading]:
        leading += 1
    del pairs[:leading]
    exponent -= leading
    if len(pairs) > 20:
        pairs = _rounded(pairs)
        if len(pairs) > 20:
            exponent += 1
            pairs = pairs[:20]
    while pairs and not pairs[-1]:
        pairs.pop()
    if not pairs:
        return b"\x80"
    if exponent > 63:
        raise OracleError(1426, "numeric overflow")
    if exponent < -64:
        return b"\x80"
    if negative:
        tail = b"\x66" if len(pairs) < 20 else b""
        return bytes((255 - (exponent + 192), *(101 - pair for pair in pairs))) + tail
    return bytes((exponent + 192, *(pair + 1 for pair in pairs)))


def _rounded(pairs: list[int]) -> list[int]:
    """The first 20 pairs, rounded; 21 when the carry runs over the front."""
    rounded = pairs[:20]
    if pairs[20] >= 50:
        position = 19
        while position >= 0:
            rounded[position] += 1
            if rounded[position] < 100:
                return rounded
            rounded[position] = 0
            position -= 1
        return [1, *rounded]
    return rounded


def number_value(value: Any) -> bytes:
    """NUMBER with its length, remembered: keys and amounts come back again and again."""
    try:
        return _encoded_numbers[value]
    except KeyError:
        encoded = lv(encode_number(value))
        if len(_encoded_numbers) < _CACHE_LIMIT and not isinstance(value, bool):
            _encoded_numbers[value] = encoded
        return encoded


def decode_number(data: bytes) -> int | Decimal:
    """int when there is no fraction, else Decimal."""
    cached = _decoded_numbers.get(data)
    if cached is not None:
        return cached
    first = data[0]
    value: int | Decimal
    if first == 0x80 and len(data) == 1:
        return 0
    if first & 0x80:
        if 0xC0 < first < 0xCB and len(data) <= first - 0xC0 + 1:
            # A positive integer of up to 20 digits.
            value = 0
            for byte in data[1:]:
                value = value * 100 + byte - 1
            return value * int(100 ** (first - 0xC0 - len(data) + 1))
        exponent = first - 192 - 1
        pairs = [byte - 1 for byte in data[1:]]
        sign = ""
    else:  # negative: complemented exponent, digits from 101, 0x66 at the end
        exponent = (255 - first) - 192 - 1
        tail = data[1:-1] if data[-1] == 0x66 else data[1:]
        pairs = [101 - byte for byte in tail]
        sign = "-"
    digits = "".join(f"{pair:02d}" for pair in pairs)
    point = 2 * (exponent + 1)
    if point >= len(digits):
        value = int(sign + digits + "0" * (point - len(digits)))
    elif point <= 0:
        value = Decimal(f"{sign}0.{'0' * -point}{digits.rstrip('0')}")
    else:
        fraction = digits[point:].rstrip("0")
        value = Decimal(f"{sign}{digits[:point]}.{fraction}") if fraction else int(sign + digits[:point])
    if len(_decoded_numbers) < _CACHE_LIMIT:
        _decoded_numbers[data] = value
    return value


def encode_date(value: datetime) -> bytes:
    """DATE, 7 bytes."""
    year = value.year
    return bytes(
        (
            year // 100 + 100,
            year % 100 + 100,
            value.month,
            value.day,
            value.hour + 1,
            value.minute + 1,
            value.second + 1,
        )
    )


def encode_timestamp(value: datetime) -> bytes:
    """TIMESTAMP, 11 bytes (7 without a fraction)."""
    if not value.microsecond:
        return encode_date(value)
    return encode_date(value) + (value.microsecond * 1000).to_bytes(4, "big")


#: A time zone region without its number.
_REGION = bytes((0x80, 0x01))


def encode_timestamp_tz(value: datetime) -> bytes:
    """TIMESTAMP WITH TIME ZONE, 13 bytes: UTC, and the offset or that there is a time zone region.

    The number of the region is left out: python-oracledb's thin mode refuses every region (DPY-3022).
    """
    offset = value.utcoffset() or timedelta()
    minutes = int(offset.total_seconds()) // 60
    hours, rest = divmod(abs(minutes), 60)
    if minutes < 0:
        hours, rest = -hours, -rest
    zone = _REGION if isinstance(value.tzinfo, ZoneInfo) else bytes((hours + 20, rest + 60))
    plain = value.replace(tzinfo=None) - offset
    return encode_date(plain) + (plain.microsecond * 1000).to_bytes(4, "big") + zone


def encode_old_date(text: str) -> bytes:
    """DATE or TIMESTAMP before Christ, which Python's datetimes do not have, of PostgreSQL's text."""
    day, clock, _ = text.split(" ")
    (year, month, of_month), (clock, _, fraction) = day.split("-"), clock.partition(".")
    hour, minute, second = clock.split(":")
    century, rest = divmod(int(year), 100)
    fields = (
        100 - century,
        100 - rest,
        int(month),
        int(of_month),
        int(hour) + 1,
        int(minute) + 1,
        int(second) + 1,
    )
    return bytes(fields) + (int(fraction.ljust(9, "0")).to_bytes(4, "big") if fraction else b"")


def kept_microseconds(nanoseconds: int) -> int:
    """ORA-03001 for what is no whole number of microseconds: nothing is rounded in silence."""
    whole, rest = divmod(nanoseconds, 1000)
    if rest:
        raise not_supported("fractions of a second of more than 6 digits")
    return whole


def decode_date(data: bytes) -> datetime:
    """DATE or TIMESTAMP; with a time zone an aware datetime."""
    year = (data[0] - 100) * 100 + data[1] - 100
    if year < 0:
        raise not_supported("a bind of a date before Christ")
    microseconds = kept_microseconds(int.from_bytes(data[7:11], "big")) if len(data) >= 11 else 0
    try:
        value = datetime(year, data[2], data[3], data[4] - 1, data[5] - 1, data[6] - 1, microseconds)
    except ValueError:
        raise OracleError(1841, "(full) year must be between -4713 and +9999, and not be 0") from None
    if len(data) >= 13:
        if data[11] & 0x80:
            raise not_supported("a bind of a time zone region")
        offset = timedelta(hours=data[11] - 20, minutes=data[12] - 60)
        return (value + offset).replace(tzinfo=timezone(offset))
    return value


def encode_double(value: float) -> bytes:
    """BINARY_DOUBLE: IEEE 754 with the bits turned so that bytes sort as numbers."""
    return _sorting_as_numbers(struct.pack(">d", value))


def encode_float(value: float) -> bytes:
    """BINARY_FLOAT."""
    return _sorting_as_numbers(struct.pack(">f", value))


def _sorting_as_numbers(raw: bytes) -> bytes:
    return bytes(255 - byte for byte in raw) if raw[0] & 0x80 else bytes((raw[0] | 0x80, *raw[1:]))


def decode_binary_float(data: bytes) -> float:
    """BINARY_FLOAT (4 bytes) or BINARY_DOUBLE (8)."""
    raw = bytes((data[0] & 0x7F, *data[1:])) if data[0] & 0x80 else bytes(255 - byte for byte in data)
    return float(struct.unpack(">f" if len(data) == 4 else ">d", raw)[0])


def encode_interval_ds(value: timedelta) -> bytes:
    """INTERVAL DAY TO SECOND, 11 bytes; every field carries the sign."""
    sign = -1 if value < timedelta() else 1
    seconds, microseconds = divmod(abs(value) // _MICROSECOND, 1_000_000)
    days, seconds = divmod(seconds, 86_400)
    hours, seconds = divmod(seconds, 3_600)
    minutes, seconds = divmod(seconds, 60)
    return struct.pack(
        ">IBBBI",
        sign * days + 2**31,
        sign * hours + 60,
        sign * minutes + 60,
        sign * seconds + 60,
        sign * microseconds * 1000 + 2**31,
    )


def decode_interval_ds(data: bytes) -> timedelta:
    days, hours, minutes, seconds, nanoseconds = struct.unpack(">IBBBI", data)
    return timedelta(
        days=days - 2**31,
        hours=hours - 60,
        minutes=minutes - 60,
        seconds=seconds - 60,
        microseconds=kept_microseconds(nanoseconds - 2**31),
    )


def encode_interval_ym(months: int) -> bytes:
    """INTERVAL YEAR TO MONTH, 5 bytes."""
    years, rest = divmod(abs(months), 12)
    if months < 0:
        years, rest = -years, -rest
    return struct.pack(">IB", years + 2**31, rest + 60)


def decode_interval_ym(data: bytes) -> int:
    years, months = struct.unpack(">IB", data)
    return (int(years) - 2**31) * 12 + int(months) - 60


def rowid_fields(text: str) -> tuple[int, int, int, int]:
    """(object, file, block, row) of an extended rowid. Raises ORA-01410."""
    if len(text) != 18:
        raise OracleError(1410, "invalid ROWID")
    try:
        numbers = [_ROWID_DIGIT[character] for character in text]
    except KeyError:
        raise OracleError(1410, "invalid ROWID") from None
    fields = []
    for start, end in ((0, 6), (6, 9), (9, 15), (15, 18)):
        value = 0
        for digit in numbers[start:end]:
            value = value * 64 + digit
        fields.append(value)
    return fields[0], fields[1], fields[2], fields[3]


def rowid_text(number: int, file: int, block: int, row: int) -> str:
    """The extended rowid of its fields."""
    text = bytearray()
    for value, digits in ((number, 6), (file, 3), (block, 6), (row, 3)):
        text += bytes(_BASE64[value >> 6 * place & 63] for place in reversed(range(digits)))
    return text.decode()


def encode_rowid(text: str) -> bytes:
    """A ROWID column value: length, then ub4 object, ub2 file, u8 0, ub4 block, ub2 row."""
    number, file, block, row = rowid_fields(text)
    body = ub(number) + ub(file) + b"\0" + ub(block) + ub(row)
    return bytes((len(body),)) + body


def encode_logical_rowid(text: str) -> bytes:
    """A UROWID column value: its length, twice, then the kind of rowid and what the text has in base 64."""
    digits = text.removeprefix("*")
    body = _LOGICAL + b64decode(digits + "=" * (-len(digits) % 4))
    return ub(len(body)) + lv(body)
