"""The types of dictionary columns: the documented one as PostgreSQL has it in the stand-in."""

from __future__ import annotations

import re

from localoracle.dictionary.char_lengths import char_type

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
