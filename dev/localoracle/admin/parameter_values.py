"""Which values an initialization parameter takes, and how V$PARAMETER shows them. Pure.

Database Reference, pages of the parameters; Error Messages of the codes.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from localoracle.errors import OracleError
from localoracle.sql.parsing.sizes import parse_size

BOOLEAN, STRING, INTEGER, BIG_INTEGER = 1, 2, 3, 6
GRANULE = 4 << 20
"""The unit of the SGA's pools where the SGA is below 1 GB."""
_IN_GRANULES = re.compile(r"(streams|shared|large|java)_pool_size|db_(cache|\w+_cache)_size|sga_target")
_TRUE, _FALSE = ("TRUE", "YES", "1"), ("FALSE", "NO", "0")
_WORDS_FOR_NUMBERS = ("AUTO", "UNLIMITED", "DEFAULT")
SMALLEST_PGA_LIMIT = 2 << 30


@dataclass(frozen=True)
class Parameter:
    """What is documented of one parameter. `system_modifiable`: IMMEDIATE, DEFERRED or FALSE (static)."""

    name: str
    type: int
    default: str | None
    system_modifiable: str
    pdb_modifiable: bool
    minimum: int | None = None
    maximum: int | None = None
    words: tuple[str, ...] = ()


def checked(parameter: Parameter, text: str) -> str:
    """The value as V$PARAMETER shows it.

    Raises ORA-00068 (not in its range), ORA-00096 (none of its words), ORA-02017 (no number), ORA-02097 over
    the cause (a size that is out of its range).
    """
    if parameter.type == BOOLEAN:
        if text.upper() not in _TRUE + _FALSE:
            raise OracleError(
                68, f"invalid value {text} for parameter {parameter.name}, must be between FALSE and TRUE"
            )
        return "TRUE" if text.upper() in _TRUE else "FALSE"
    if parameter.words:
        if text.upper() not in parameter.words:
            raise OracleError(
                96,
                f"invalid value {text.upper()} for parameter {parameter.name}, must be from among"
                f" {', '.join(parameter.words)}",
            )
        return text.upper()
    if parameter.type in (INTEGER, BIG_INTEGER):
        return _number(parameter, text)
    return text


def _number(parameter: Parameter, text: str) -> str:
    value = -int(text[1:]) if re.fullmatch(r"-\d+", text) else parse_size(text)
    if value is None:
        if parameter.type == INTEGER and text.upper() in _WORDS_FOR_NUMBERS:
            return text.upper()
        raise OracleError(2017, "integer value required")
    low = 0 if parameter.minimum is None else parameter.minimum
    default_is_zero = parameter.default == "0"
    outside = value < low or (parameter.maximum is not None and value > parameter.maximum)
    if outside and not (value == 0 and default_is_zero):
        raise _out_of_range(parameter, value, low)
    if _IN_GRANULES.fullmatch(parameter.name):
        value = -(-value // GRANULE) * GRANULE
    return str(value)


def _out_of_range(parameter: Parameter, value: int, low: int) -> OracleError:
    high = parameter.maximum if parameter.maximum is not None else (1 << 31) - 1
    if parameter.type == BIG_INTEGER:
        largest = f"{(high + 1) >> 30}G-1" if (high + 1) % (1 << 30) == 0 else str(high)
        smallest = f"{low >> 20}M" if low and low % (1 << 20) == 0 else str(low)
        return invalid(93, f"{parameter.name} must be between {smallest} and {largest}")
    return OracleError(
        68, f"invalid value {value} for parameter {parameter.name}, must be between {low} and {high}"
    )


def invalid(code: int, text: str) -> OracleError:
    """ORA-02097 with its cause."""
    return OracleError(
        2097, f"parameter cannot be modified because specified value is invalid\nORA-{code:05d}: {text}"
    )


def check_together(values: Mapping[str, str | None]) -> None:
    """What the instance's values have to be to each other: `values` are those that it would run with.

    Raises ORA-02097 over ORA-00823, ORA-00837, ORA-00093 or ORA-19802.
    """

    def size(name: str) -> int:
        text = values.get(name) or "0"
        return int(text) if text.isdigit() else 0

    if size("sga_target") > size("sga_max_size"):
        raise invalid(823, "Specified value of sga_target greater than sga_max_size")
    if size("memory_target") > size("memory_max_target"):
        raise invalid(837, "Specified value of MEMORY_TARGET greater than MEMORY_MAX_TARGET")
    limit = size("pga_aggregate_limit")
    smallest = max(SMALLEST_PGA_LIMIT, size("pga_aggregate_target"))
    if 0 < limit < smallest:
        raise invalid(93, f"pga_aggregate_limit must be between {smallest >> 20}M and 100000G")
    pools = sum(
        size(name)
        for name in (
            "streams_pool_size",
            "shared_pool_size",
            "large_pool_size",
            "java_pool_size",
            "db_cache_size",
        )
    )
    if pools > size("sga_max_size"):
        raise invalid(4033, "Insufficient memory to grow pool")
    if values.get("db_recovery_file_dest") and not size("db_recovery_file_dest_size"):
        raise invalid(19802, "cannot use DB_RECOVERY_FILE_DEST without DB_RECOVERY_FILE_DEST_SIZE")
