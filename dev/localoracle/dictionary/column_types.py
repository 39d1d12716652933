"""Types of columns as PostgreSQL has them in the stand-in: those of the dictionary, and the length of a CHAR.

`bpchar(2 * n)` is CHAR(n CHAR), `bpchar(2 * n + 1)` is CHAR(n BYTE): the type alone determines the padding.
PostgreSQL's own conversion to a length is replaced by `ora.limit_bpchar`; what COPY loads has its length
already (sql/bootstrap/10_types.sql).
"""

from __future__ import annotations

import re

HEADER_BYTES = 4
"""What PostgreSQL adds to the lengths of strings in a type modifier."""
_TYPES = (
    (r"VARCHAR2\((\d+)\)", r"varchar(\1)"),
    (r"NUMBER(\(.*\))?", r"numeric\1"),
    (r"DATE", "ora.oradate"),
    (r"RAW\((\d+)\)", r"ora.raw(\1)"),
    (r"(LONG|CLOB|BLOB|ROWID)", r"ora.\1"),
    (r"TIMESTAMP\(\d\)", "timestamp"),
    (r"TIMESTAMP\(\d\) WITH TIME ZONE", "timestamptz"),
    (r"INTERVAL DAY\(\d\) TO SECOND\(\d\)", "interval"),
)


def family(view: str) -> str:
    """DBA_TABLES, ALL_TABLES and USER_TABLES are of the family TABLES; GV$SESSION is of V$SESSION."""
    view = view.removeprefix("SYS.").replace("V_$", "V$")
    return re.sub(r"^(DBA_|ALL_|USER_|G(?=V\$))", "", view)


def postgres_type(documented: str) -> str:
    """The PostgreSQL type for a documented type of a column."""
    if character := re.fullmatch(r"CHAR\((\d+)\)", documented):
        return char_type(int(character[1]), in_bytes=True)
    for pattern, type_text in _TYPES:
        match = re.fullmatch(pattern, documented)
        if match:
            return match.expand(type_text).lower()
    raise ValueError(f"no type for {documented}")


def char_type(length: int, *, in_bytes: bool) -> str:
    return f"bpchar({2 * length + in_bytes})"


def char_length(modifier: int) -> tuple[int, bool]:
    """Of a type modifier: the length, and whether it counts bytes."""
    length, in_bytes = divmod(modifier - HEADER_BYTES, 2)
    return length, bool(in_bytes)
