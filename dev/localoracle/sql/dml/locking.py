"""LOCK TABLE and FOR UPDATE, and how long they wait."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlglot import exp
from sqlglot.tokenizer_core import Token, TokenType

from localoracle.errors import not_supported
from localoracle.sql.parsing.lexer import Cursor, nesting, quote, quote_qualified

_LOCK_MODES = {
    "ROW SHARE": "ROW SHARE",
    "ROW EXCLUSIVE": "ROW EXCLUSIVE",
    "SHARE UPDATE": "ROW SHARE",
    "SHARE ROW EXCLUSIVE": "SHARE ROW EXCLUSIVE",
    "SHARE": "SHARE",
    "EXCLUSIVE": "EXCLUSIVE",
}


def lock_table(cursor: Cursor) -> tuple[str, int | None]:
    """LOCK TABLE t [, ...] IN mode MODE [NOWAIT | WAIT n]: PostgreSQL's text, and the seconds to wait."""
    cursor.expect("LOCK TABLE", 900, "invalid SQL statement")
    tables = []
    while True:
        schema, name = cursor.qualified()
        if cursor.at("PARTITION", "SUBPARTITION"):
            raise not_supported("LOCK TABLE of a partition")
        tables.append(quote_qualified(schema, name))
        if not cursor.take(","):
            break
    cursor.expect("IN", 905, "missing keyword")
    mode = cursor.take(*sorted(_LOCK_MODES, key=len, reverse=True))
    if mode is None:
        raise cursor.error(1737, "valid modes: [ROW] SHARE, [[SHARE] ROW] EXCLUSIVE, SHARE UPDATE")
    cursor.expect("MODE", 905, "missing keyword")
    waiting, seconds = lock_wait(cursor)
    cursor.finish(933, "SQL command not properly ended")
    return f"LOCK TABLE {', '.join(tables)} IN {_LOCK_MODES[mode]} MODE{waiting}", seconds


def lock_wait(cursor: Cursor) -> tuple[str, int | None]:
    """[NOWAIT | WAIT n]: PostgreSQL's NOWAIT, or the seconds to wait. ORA-30005: WAIT without a number."""
    if cursor.take("NOWAIT"):
        return " NOWAIT", None
    if not cursor.take("WAIT"):
        return "", None
    if not cursor.word().isdigit():
        raise cursor.error(30005, "missing or invalid WAIT interval")
    seconds = cursor.number()
    return ("", seconds) if seconds else (" NOWAIT", None)


@dataclass(frozen=True)
class RowLock:
    """FOR UPDATE: the parts of each name behind OF, PostgreSQL's words for how it waits, and the seconds."""

    columns: list[list[str]]
    waiting: str
    seconds: int | None

    def require_columns(self, tree: exp.Expr) -> None:
        """ORA-00904 for columns that the query's tables lack: the database finds out by a condition."""
        for parts in self.columns:
            named = [exp.Identifier(this=part, quoted=True) for part in reversed(parts)]
            column = exp.Column(**dict(zip(("this", "table", "db"), named, strict=False)))
            is_null = exp.Is(this=column, expression=exp.Null())
            always = exp.Or(this=is_null, expression=exp.Not(this=is_null.copy()))
            condition: exp.Expr = exp.Paren(this=always)
            where = tree.args.get("where")
            if where is not None:
                condition = exp.And(this=exp.Paren(this=where.this), expression=condition)
            tree.set("where", exp.Where(this=condition))

    def clause(self, alias: str) -> str:
        """PostgreSQL's; `alias`: the name of the only table, quoted."""
        if not alias and any(len(parts) == 1 for parts in self.columns):
            raise not_supported("FOR UPDATE OF a column without its table")
        tables = [quote(parts[-2]) if len(parts) > 1 else alias for parts in self.columns]
        named = f" OF {', '.join(dict.fromkeys(tables))}" if tables else ""
        return f" FOR UPDATE{named}{self.waiting}"


def split_lock(tokens: Sequence[Token]) -> tuple[list[Token], list[Token] | None]:
    """A query and what stands behind its FOR UPDATE, if there is one outside parentheses."""
    depth = 0
    for index, token in enumerate(tokens):
        depth += nesting(token)
        if depth == 0 and token.token_type != TokenType.IDENTIFIER and token.text.upper() == "FOR":
            following = tokens[index + 1 : index + 2]
            if following and following[0].text.upper() == "UPDATE":
                return list(tokens[:index]), list(tokens[index + 2 :])
    return list(tokens), None


def row_lock(tokens: Sequence[Token], sql: str) -> RowLock:
    """What stands behind FOR UPDATE."""
    cursor = Cursor(tokens, sql)
    columns: list[list[str]] = []
    while cursor.take("," if columns else "OF"):
        columns.append(cursor.dotted())
    skips = cursor.take("SKIP LOCKED")
    waiting, seconds = (" SKIP LOCKED", None) if skips else lock_wait(cursor)
    cursor.finish(933, "SQL command not properly ended")
    return RowLock(columns, waiting, seconds)
