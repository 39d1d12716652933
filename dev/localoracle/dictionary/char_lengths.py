"""The length of a CHAR as PostgreSQL keeps it: with its unit, so that the type alone tells how to pad.

`bpchar(2 * n)` is CHAR(n CHAR), `bpchar(2 * n + 1)` is CHAR(n BYTE). PostgreSQL's own conversion to a length
is replaced by `ora.limit_bpchar`; what COPY loads has its length already (sql/bootstrap/10_types.sql).
"""

from __future__ import annotations

_HEADER = 4
"""What PostgreSQL adds to the lengths of strings in a type modifier."""


def char_type(length: int, *, in_bytes: bool) -> str:
    return f"bpchar({2 * length + in_bytes})"


def char_length(modifier: int) -> tuple[int, bool]:
    """Of a type modifier: the length, and whether it counts bytes."""
    length, in_bytes = divmod(modifier - _HEADER, 2)
    return length, bool(in_bytes)
