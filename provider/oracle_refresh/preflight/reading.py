"""Helpers of the checks: one query, one suggestion."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import oracledb


def query(
    connection: oracledb.Connection, statement: str, names: Sequence[str] = (), **binds: str
) -> list[tuple[Any, ...]]:
    """All rows of a statement; `{names}` in it becomes a list of binds."""
    given = {f"n{number}": name for number, name in enumerate(names)}
    text = statement.replace("{names}", ", ".join(f":{name}" for name in given))
    with connection.cursor() as cursor:
        cursor.arraysize = cursor.prefetchrows = 1000
        cursor.execute(text, {**given, **binds})
        return list(cursor)


def near(name: str, known: Iterable[str]) -> str:
    """`; did you mean ...?` where a known name is close."""
    candidates = {other.upper(): other for other in known}
    close = difflib.get_close_matches(name.upper(), candidates, n=1, cutoff=0.75)
    return f"; did you mean {candidates[close[0]]}?" if close else ""
