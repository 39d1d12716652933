"""Where in a statement an error is that only PostgreSQL finds: tables and columns that are none."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import psycopg

from localoracle.errors import OracleError
from localoracle.sql.parsing.lexer import tokenize

if TYPE_CHECKING:
    from localoracle.sql.statement import Statement

_TABLE = re.compile(r'(?:relation|table|view) "(?P<name>.*?)"')
_COLUMN = re.compile(r'^"(?P<name>[^".]+)": invalid identifier$')
_NO_TABLE, _NO_COLUMN = 942, 904


@contextmanager
def located(sql: str, statement: Statement) -> Iterator[None]:
    """What `statement`, the translation of `sql`, meets inside gets its position, where that is certain."""
    try:
        yield
    except OracleError as error:
        _locate(error, sql, statement)
        raise


def _locate(error: OracleError, sql: str, statement: Statement) -> None:
    if error.position or not isinstance(error.__cause__, psycopg.Error):
        return
    if error.code == _NO_TABLE:
        error.position = _of_table(str(error.__cause__), statement)
    elif error.code == _NO_COLUMN and (column := _COLUMN.search(error.text)):
        error.position = _of_column(column["name"], sql)


def _of_table(message: str, statement: Statement) -> int:
    """PostgreSQL names a missing table as it was written, one that must not be read without its schema."""
    missing = _TABLE.search(message)
    if missing is None:
        return 0
    places = {
        position
        for name, position in zip(statement.tables, statement.table_positions, strict=True)
        if missing["name"] in (plain := name.replace('"', ""), plain.rpartition(".")[2])
    }
    return places.pop() if len(places) == 1 else 0


def _of_column(name: str, sql: str) -> int:
    """A name that is written once, and not behind a table's, is the column."""
    tokens = tokenize(sql).tokens
    places = [
        token.start
        for before, token in zip((None, *tokens), tokens, strict=False)
        if name in (token.text, token.text.upper()) and (before is None or before.text != ".")
    ]
    return places[0] if len(places) == 1 else 0
