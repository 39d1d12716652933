"""Multitable INSERT: INSERT ALL and INSERT FIRST, with or without WHEN.

SQL Language Reference 19c, INSERT, multi_table_insert: the subquery is read once; ALL tries every condition,
FIRST goes no further than the first that is true; a table without VALUES takes the subquery's columns.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlglot.tokenizer_core import Token

from localoracle.errors import OracleError, not_supported
from localoracle.sql.parsing.lexer import quote, split_commas
from localoracle.sql.parsing.trees import parse_query

if TYPE_CHECKING:
    from localoracle.sql.dml.dml import Dml

_SOURCE = quote("MULTITABLE$SOURCE")


@dataclass(frozen=True)
class _Branch:
    """One INTO clause: rows of the source that meet the condition go to the target."""

    target: str
    """The table and its columns, as INSERT INTO has them."""
    values: str
    condition: str

    @property
    def query(self) -> str:
        return f"SELECT {self.values} FROM {_SOURCE}{self.condition}"


def multitable_insert(dml: Dml) -> str:
    """`dml`'s cursor stands behind INSERT. The text's only value is the number of rows."""
    branches = _branches(dml)
    body = dml.cursor.until("RETURNING", "RETURN", "LOG ERRORS")
    if not body:
        raise dml.cursor.error(928, "missing SELECT keyword")
    if dml.cursor.at("LOG ERRORS"):
        raise not_supported("LOG ERRORS")
    source = dml.query.block(parse_query(body, dml.sql)).text
    inserts = [
        f"inserted_{number} AS (INSERT INTO {branch.target} {branch.query} RETURNING 1)"
        for number, branch in enumerate(branches)
    ]
    counts = " + ".join(f"(SELECT count(*) FROM inserted_{number})" for number in range(len(inserts)))
    return f"WITH {_SOURCE} AS MATERIALIZED ({source}), {', '.join(inserts)} SELECT {counts}"


def _branches(dml: Dml) -> list[_Branch]:
    cursor = dml.cursor
    first = cursor.take("ALL", "FIRST") == "FIRST"
    if not cursor.at("WHEN"):
        if first:
            raise cursor.error(905, "missing keyword")
        return _into_clauses(dml, "")
    branches: list[_Branch] = []
    earlier: list[str] = []
    while cursor.take("WHEN"):
        tokens = cursor.until("THEN", "INTO")
        cursor.expect("THEN", 905, "missing keyword")
        condition = dml.condition(tokens)
        before = [f"({condition}) IS NOT TRUE" for condition in earlier] if first else []
        branches += _into_clauses(dml, f" WHERE {' AND '.join([*before, f'({condition})'])}")
        earlier.append(condition)
    if cursor.take("ELSE"):
        none = " AND ".join(f"({condition}) IS NOT TRUE" for condition in earlier)
        branches += _into_clauses(dml, f" WHERE {none}")
    return branches


def _into_clauses(dml: Dml, condition: str) -> list[_Branch]:
    cursor = dml.cursor
    if not cursor.at("INTO"):
        raise cursor.error(925, "missing INTO keyword")
    branches = []
    while cursor.take("INTO"):
        target, _ = dml.insert_target("VALUES", "SELECT", "WITH", "INTO", "WHEN", "ELSE")
        values = "*"
        if cursor.take("VALUES"):
            parts = split_commas(cursor.inside())
            values = ", ".join(_value(dml, part) for part in parts)
        branches.append(_Branch(target, values, condition))
    return branches


def _value(dml: Dml, tokens: Sequence[Token]) -> str:
    words = {token.text.upper() for token in tokens}
    if words & {"NEXTVAL", "CURRVAL"}:
        raise not_supported("a sequence in a multitable INSERT")
    value = dml.value(tokens)
    if value == "DEFAULT":
        raise not_supported("DEFAULT in a multitable INSERT")
    if not value:
        raise OracleError(936, "missing expression")
    return value
