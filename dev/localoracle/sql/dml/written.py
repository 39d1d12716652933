"""A statement that changes rows, as PostgreSQL gets it."""

from __future__ import annotations

from dataclasses import dataclass

from localoracle.sql.context import SetBranches
from localoracle.sql.parsing.lexer import quote


@dataclass
class Written:
    """A translated DML statement."""

    verb: str
    text: str
    return_binds: tuple[int, ...] = ()
    lob_columns: tuple[str | None, ...] = ()
    from_query: bool = False
    """INSERT ... SELECT."""
    whole_rows: int | str | None = None
    """Of an INSERT, or MERGE's, without column list: how many values there are, or the query that tells."""
    counts_rows: bool = False
    address: str = ""
    """Returns a row's table and its place, behind the statement."""
    query: str = ""
    """That of INSERT ... SELECT."""
    branches: tuple[SetBranches, ...] = ()
    """Those of that query's outermost set operators."""


def named(alias: str | None) -> str:
    return f" AS {quote(alias)}" if alias else ""


def last_part(target: str) -> str:
    """The unquoted last part of a quoted name."""
    return target.rsplit('."', 1)[-1].strip('"').replace('""', '"')
