"""Many values of one bind at a time, from Oracle's internal formats: what codecs.py does, for whole columns.

A NULL is empty in all of them.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from datetime import datetime, timedelta
from operator import itemgetter

from localoracle.errors import OracleError, not_supported
from localoracle.wire.codecs import decode_number

_EPOCH = datetime(2000, 1, 1)
_MICROSECOND = timedelta(microseconds=1)
_CACHED_DAYS = 100_000

# A NUMBER's hexadecimal digits are its decimal ones, once each base-100 digit is written as two of them; what
# is no digit of a positive number has a letter in it. The byte of the exponent is 193 for numbers below 100.
_EXPONENT = 193
_SMALLEST, _LARGEST = -20, 30
_FIRST_EXPONENT = 0xA0
_OTHER, _SEPARATOR = 0xEE, 0xFF
_DIGITS = bytes(
    _SEPARATOR
    if byte == 0
    else ((byte - 1) // 10 << 4) + (byte - 1) % 10
    if byte <= 100
    else byte - _EXPONENT - _SMALLEST + _FIRST_EXPONENT
    if _SMALLEST <= byte - _EXPONENT <= _LARGEST
    else _OTHER
    for byte in range(256)
)
_PLACES = tuple(
    2 * (byte - _EXPONENT + 1) + 2 if _SMALLEST <= byte - _EXPONENT <= _LARGEST else None
    for byte in range(256)
)
"""Places before the point, and two for the exponent's own digits, by the first byte."""


def number_texts(column: Sequence[bytes]) -> list[str]:
    """NUMBERs as decimal texts, with an exponent where that is shorter; NULL is the empty text."""
    pieces = b"\0".join(column).translate(_DIGITS).hex().split("ff")
    if len(pieces) != len(column):  # -Infinity is a zero byte
        return [str(decode_number(data)) if data else "" for data in column]
    texts = []
    for data, piece in zip(column, pieces, strict=True):
        if not data:
            texts.append("")
            continue
        places = _PLACES[data[0]]
        if places is None:
            texts.append(str(decode_number(data)))
            continue
        exponent = places - len(piece)
        if not exponent:
            texts.append(piece[2:])
        elif exponent > 0 or piece[-1] != "0":
            texts.append(f"{piece[2:]}E{exponent}")
        else:
            texts.append(f"{piece[2:-1]}E{exponent + 1}")
    return texts


class _Days(dict[bytes, int]):
    """Microseconds from 2000 to the midnight of a DATE's first four bytes."""

    def __missing__(self, key: bytes) -> int:
        if (key[0] - 100) * 100 + key[1] - 100 < 0:
            raise not_supported("a bind of a date before Christ")
        try:
            day = datetime((key[0] - 100) * 100 + key[1] - 100, key[2], key[3])
        except ValueError:
            raise OracleError(1841, "(full) year must be between -4713 and +9999, and not be 0") from None
        if len(self) >= _CACHED_DAYS:
            self.clear()
        self[key] = microseconds = (day - _EPOCH) // _MICROSECOND
        return microseconds


_days = _Days()
_FIELDS = struct.Struct(">4sBBBI")
_LENGTHS = {7, _FIELDS.size}
_CLOCK = ((4, 24), (5, 60), (6, 60))
"""Place and highest byte of hour, minute and second; each is one more than what it says."""
_LAST_NANOSECOND = 999_999_999
_NANOSECONDS = (1000).__rmod__
"""What of a number of nanoseconds is no whole microsecond."""
_CLOCK_OFFSET = (3_600 + 60 + 1) * 1_000_000


def microseconds(column: Sequence[bytes]) -> list[int | None]:
    """DATEs and TIMESTAMPs without a zone as microseconds from the beginning of 2000."""
    lengths = set(map(len, column))
    if not lengths - {0} <= _LENGTHS:
        raise OracleError(932, "inconsistent datatypes: expected DATE got BINARY")
    joined = b"".join([data.ljust(_FIELDS.size, b"\0") for data in column if data])
    fields = list(_FIELDS.iter_unpack(joined))
    in_range = all(
        set(joined[place :: _FIELDS.size]).issubset(range(1, highest + 1)) for place, highest in _CLOCK
    )
    if not in_range or max(map(itemgetter(4), fields), default=0) > _LAST_NANOSECOND:
        raise OracleError(1841, "(full) year must be between -4713 and +9999, and not be 0")
    if any(map(_NANOSECONDS, map(itemgetter(4), fields))):
        raise not_supported("fractions of a second of more than 6 digits")
    days = _days
    moments: list[int | None] = [
        days[date] + ((hour * 60 + minute) * 60 + second) * 1_000_000 - _CLOCK_OFFSET + nanoseconds // 1000
        for date, hour, minute, second, nanoseconds in fields
    ]
    if 0 not in lengths:
        return moments
    following = iter(moments)
    return [next(following) if data else None for data in column]
