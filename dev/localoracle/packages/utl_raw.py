"""UTL_RAW (PL/SQL Packages and Types Reference): byte strings. NULL arguments give NULL."""

from __future__ import annotations

import functools
import math
import struct
from collections.abc import Callable

from localoracle.errors import OracleError
from localoracle.instance.character_set import decoded, encoded
from localoracle.packages.registry import Call, Implementation, subprogram

PACKAGE = "UTL_RAW"


def _strict(*names: str) -> Callable[[Implementation], Implementation]:
    """Register; the function is not called when one of its given arguments is NULL."""

    def register(function: Implementation) -> Implementation:
        @functools.wraps(function)
        async def strict(call: Call) -> object:
            if any(argument.value is None for argument in call.arguments.values()):
                return None
            return await function(call)

        return subprogram(PACKAGE, *names)(strict)

    return register


@_strict("CAST_TO_RAW")
async def cast_to_raw(call: Call) -> bytes:
    return encoded(str(call["c"]))


@_strict("CAST_TO_VARCHAR2")
async def cast_to_varchar2(call: Call) -> str:
    return decoded(bytes(call["r"]))


@_strict("LENGTH")
async def length(call: Call) -> int:
    return len(call["r"])


@_strict("SUBSTR")
async def substr(call: Call) -> bytes:
    raw, position = call["r"], int(call["pos"])
    start = position - 1 if position > 0 else len(raw) + position
    count = int(call.get("len", len(raw) - start))
    if position == 0 or count < 1 or start < 0 or start + count > len(raw):
        raise OracleError(6502, "PL/SQL: numeric or value error")
    return bytes(raw[start : start + count])


@subprogram(PACKAGE, "CONCAT")
async def concat(call: Call) -> bytes | None:
    parts = [call[f"r{number}"] for number in range(1, 13)]
    joined = b"".join(part for part in parts if part)
    if len(joined) > 32767:
        raise OracleError(6502, "PL/SQL: numeric or value error: raw variable length too long")
    return joined or None


@_strict("REVERSE")
async def reverse(call: Call) -> bytes:
    return bytes(call["r"][::-1])


@_strict("COPIES")
async def copies(call: Call) -> bytes:
    count = int(call["n"])
    if count < 1 or count * len(call["r"]) > 32767:
        raise OracleError(6502, "PL/SQL: numeric or value error")
    return bytes(call["r"]) * count


@_strict("COMPARE")
async def compare(call: Call) -> int:
    """0 when equal, else the place of the first byte that differs; the shorter one is padded."""
    first, second, pad = call["r1"], call["r2"], call.get("pad", b"\0")[:1]
    size = max(len(first), len(second))
    first, second = first.ljust(size, pad), second.ljust(size, pad)
    return next(
        (place for place, (left, right) in enumerate(zip(first, second, strict=True), 1) if left != right), 0
    )


def _bits(first: bytes, second: bytes, operation: Callable[[int, int], int]) -> bytes:
    """Byte by byte over the shorter one; the rest of the longer one is kept."""
    common = min(len(first), len(second))
    head = bytes(operation(left, right) for left, right in zip(first[:common], second[:common], strict=True))
    return head + (first[common:] or second[common:])


@_strict("BIT_XOR")
async def bit_xor(call: Call) -> bytes:
    return _bits(call["r1"], call["r2"], lambda left, right: left ^ right)


def _order(call: Call) -> str:
    number = int(call.get("endianess", 1))
    if number not in (1, 2, 3):
        raise OracleError(6502, "PL/SQL: numeric or value error")
    return "big" if number == 1 else "little"


@_strict("CAST_FROM_BINARY_INTEGER")
async def cast_from_binary_integer(call: Call) -> bytes:
    return int(call["n"]).to_bytes(4, _order(call), signed=True)  # type: ignore[arg-type]


def _binary(call: Call, form: str) -> bytes:
    """Return the bytes of IEEE 754. -0 becomes +0, and every NaN the same NaN."""
    number = float(call["n"])
    data = struct.pack(f">{form}", math.nan if math.isnan(number) else number + 0.0)
    return data if _order(call) == "big" else data[::-1]


@_strict("CAST_FROM_BINARY_FLOAT")
async def cast_from_binary_float(call: Call) -> bytes:
    return _binary(call, "f")


@_strict("CAST_FROM_BINARY_DOUBLE")
async def cast_from_binary_double(call: Call) -> bytes:
    return _binary(call, "d")
