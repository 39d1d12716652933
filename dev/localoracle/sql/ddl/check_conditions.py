"""What the condition of a CHECK constraint, and the expressions of indexes and virtual columns, may not hold.

SQL Language Reference, constraint, "Check Constraints"; CREATE INDEX, column_expression; CREATE TABLE,
virtual_column_definition. And what the default of a column may not hold (CREATE TABLE, DEFAULT).
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp
from sqlglot.tokenizer_core import Token

from localoracle.errors import OracleError
from localoracle.sql.parsing.lexer import Cursor
from localoracle.sql.parsing.trees import parse_expression

_OF_THE_MOMENT = (
    "CURRENT_DATE", "CURRENT_TIMESTAMP", "DBTIMEZONE", "LOCALTIMESTAMP", "SESSIONTIMEZONE", "SYSDATE",
    "SYSTIMESTAMP", "UID", "USER", "USERENV",
)  # fmt: skip
_NOT_HERE = (976, "Specified pseudocolumn or operator not allowed here.")
_OF_THE_QUERY = ("ROWNUM", "LEVEL", "PRIOR", "CONNECT_BY_ROOT", "CONNECT_BY_ISLEAF", "CONNECT_BY_ISCYCLE")


def check_condition(tokens: Sequence[Token], sql: str, column: str | None) -> None:
    """Refuse a condition that a CHECK may not have. `column`: the one beside which it stands."""
    _refuse(
        tokens,
        sql,
        {
            ("SELECT",): (2251, "subquery not allowed here"),
            ("NEXTVAL", "CURRVAL"): (2287, "sequence number not allowed here"),
            _OF_THE_QUERY: _NOT_HERE,
            _OF_THE_MOMENT: (2436, "date or system variable wrongly specified in CHECK constraint"),
        },
    )
    if column is not None:
        for node in parse_expression(tokens, sql).find_all(exp.Column):
            name = node.name if getattr(node.this, "quoted", False) else node.name.upper()
            if name != column:
                raise OracleError(
                    2438, "Column check constraint cannot reference other columns", tokens[0].start
                )


def check_default(tokens: Sequence[Token], sql: str) -> None:
    """Refuse a default that is no value of its own; its columns are refused by PostgreSQL."""
    _refuse(
        tokens,
        sql,
        {("SELECT",): (22818, "subquery expressions not allowed here"), _OF_THE_QUERY: _NOT_HERE},
    )


def check_pure(tokens: Sequence[Token], sql: str, code: int, text: str) -> None:
    """Refuse an expression whose value changes with time or session, with the caller's code."""
    _refuse(tokens, sql, {_OF_THE_MOMENT: (code, text)})


def check_no_sequence(tokens: Sequence[Token], sql: str) -> None:
    """A view draws no numbers (SQL Language Reference, "Sequence Pseudocolumns")."""
    _refuse(tokens, sql, {("NEXTVAL", "CURRVAL"): (2287, "sequence number not allowed here")})


def _refuse(tokens: Sequence[Token], sql: str, refusals: dict[tuple[str, ...], tuple[int, str]]) -> None:
    cursor = Cursor(tokens, sql)
    while not cursor.done:
        for words, refusal in refusals.items():
            if cursor.at(*words):
                raise OracleError(*refusal, cursor.position)
        cursor.next()
