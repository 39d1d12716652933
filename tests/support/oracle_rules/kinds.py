"""Data types as expressions have them: the group that decides what goes together, and how many bytes.

Source: SQL Language Reference 19c, "Data Types" (groups, limits of LONG and LOB), "Data Type Comparison
Rules", and the functions' own pages for what they return.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from oracle_refresh.catalog import Column

#: Bytes that a VARCHAR2 and a RAW have in SQL with MAX_STRING_SIZE = STANDARD.
TEXT_BYTES, RAW_BYTES = 4000, 2000
LOBS = frozenset({"CLOB", "NCLOB", "BLOB"})
#: What no operator compares and no function of texts takes: ORA-00932, and ORA-00997 of LONG.
OPAQUE = frozenset({"BFILE", "OBJECT"})
LONGS = frozenset({"LONG", "LONG RAW"})


@dataclass(frozen=True)
class Kind:
    """`group`: CHAR, NCHAR, NUMBER, DATE (with TIMESTAMP), INTERVAL, RAW, ROWID, UROWID, CLOB, NCLOB, BLOB,
    BFILE, LONG, LONG RAW, OBJECT; ANY of binds, NULL and what is not followed. `size`: the most bytes, 0
    unknown."""

    group: str
    size: int = 0


ANY = Kind("ANY")
NUMBER = Kind("NUMBER", 22)
DATE = Kind("DATE", 13)
_LIKE = (
    (r"N(?:VAR)?CHAR2?", "NCHAR"),
    (r"(?:VAR)?CHAR2?", "CHAR"),
    (r"NUMBER|FLOAT|BINARY_\w+|INTEGER", "NUMBER"),
    (r"DATE|TIMESTAMP", "DATE"),
    (r"INTERVAL", "INTERVAL"),
    (r"LONG RAW", "LONG RAW"),
    (r"LONG", "LONG"),
    (r"RAW", "RAW"),
    (r"UROWID", "UROWID"),
    (r"ROWID", "ROWID"),
    (r"(CLOB|NCLOB|BLOB|BFILE)", ""),
)


def of_type(declared: str, size: int = 0) -> Kind:
    """The kind of a data type as DDL or the dictionary writes it; everything else is an object type."""
    for pattern, group in _LIKE:
        found = re.match(rf"{pattern}(?![A-Z0-9_])", declared.upper())
        if found:
            written = re.search(r"\((\d+)( CHAR)?", declared)
            given = int(written[1]) * (4 if written[2] else 1) if written else size
            return Kind(group or found[1], size or (given if group in ("CHAR", "NCHAR", "RAW") else 0))
    return Kind("OBJECT")


def of_column(column: Column) -> Kind:
    """The kind of a column of a catalogue; with more than 4000 bytes the database has EXTENDED strings."""
    return of_type(column.data_type, column.length)


def mix(kinds: list[Kind]) -> tuple[Kind, str | None]:
    """The kind of what is one of several, as CASE, COALESCE and UNION have it, and what they are refused for.

    Source: "CASE Expressions", COALESCE ("the same data type"), "The UNION [ALL], INTERSECT, MINUS
    Operators".
    """
    known = [kind for kind in kinds if kind.group != "ANY"]
    if not known:
        return ANY, None
    groups = {kind.group for kind in known}
    size = max(kind.size for kind in known)
    if groups == {"CHAR", "NCHAR"}:
        return Kind("NCHAR", size), "ORA-12704: CHAR and NCHAR mixed"
    if len(groups) > 1 and groups != {"ROWID", "UROWID"}:
        return Kind(known[0].group, size), f"ORA-00932: {', '.join(sorted(groups))} mixed"
    return Kind(known[0].group, size), None
