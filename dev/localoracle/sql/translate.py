"""The way in: one Oracle SQL statement to PostgreSQL statements (cached by text and bind types)."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from sqlglot import exp
from sqlglot.tokenizer_core import Token, TokenType

from localoracle.errors import OracleError, not_supported
from localoracle.sql.context import Context
from localoracle.sql.ddl.dispatch import translate_ddl
from localoracle.sql.dml.direct_path import hint_names
from localoracle.sql.dml.dml import Dml
from localoracle.sql.dml.locking import lock_table, row_lock, split_lock
from localoracle.sql.parsing.lexer import Cursor, Tokenized, tokenize
from localoracle.sql.parsing.trees import parse_query
from localoracle.sql.query import output_columns
from localoracle.sql.query.query import Query, branches
from localoracle.sql.restrictions.queries import check_lockable
from localoracle.sql.schema_facts import SchemaFacts, TableFacts, schema_facts
from localoracle.sql.statement import Statement
from localoracle.values import DataType

# Statements of the SQL Language Reference that are not here: refused by name, not called unknown.
_OTHER_STATEMENTS = frozenset(
    ("ADMINISTER", "ANALYZE", "ASSOCIATE", "AUDIT", "DISASSOCIATE", "EXPLAIN", "FLASHBACK", "NOAUDIT", "SET")
)


def bind_names(sql: str) -> list[str]:
    """The names of the bind variables in order of occurrence, with repetitions; upper case unless quoted."""
    return list(_tokenize(sql).binds)


@lru_cache(maxsize=2000)
def _tokenize(sql: str) -> Tokenized:
    return tokenize(sql)


@lru_cache(maxsize=4000)
def translate(
    sql: str,
    bind_types: tuple[DataType | None, ...],
    *,
    binds_by_name: bool = False,
    temporary: tuple[tuple[str, str], ...] = (),
    packages: frozenset[str] = frozenset(),
    functions: frozenset[str] = frozenset(),
    shown: tuple[TableFacts, ...] = (),
    lengths_in_bytes: bool = True,
    in_plsql: bool = False,
) -> Statement:
    """Translate one statement.

    `bind_types` are in order of occurrence, or, with `binds_by_name`, in order of the distinct names' first
    appearance. `temporary`: temporary tables as statements write them, quoted, and what holds the session's
    rows. `packages`: those of schemas as statements write them. `functions`: names without a qualifier that
    are no columns but calls without parentheses. `shown`: tables that do not show all of their columns or
    rows, or are index-organized. `lengths_in_bytes`: NLS_LENGTH_SEMANTICS of the session. `in_plsql`: the
    query is one expression of PL/SQL.

    Raises OracleError: 900-family with the offset for what is no Oracle SQL, 904 for unknown functions,
    3001 for what the stand-in does not have.
    """
    token = schema_facts.set(SchemaFacts.of(shown, packages, functions))
    try:
        return _translated(sql, bind_types, binds_by_name, temporary, lengths_in_bytes, in_plsql)
    finally:
        schema_facts.reset(token)


def _translated(
    sql: str,
    bind_types: tuple[DataType | None, ...],
    binds_by_name: bool,
    temporary: tuple[tuple[str, str], ...],
    lengths_in_bytes: bool,
    in_plsql: bool,
) -> Statement:
    tokenized = _tokenize(sql)
    cursor = Cursor(tokenized.tokens, sql, lengths_in_bytes=lengths_in_bytes)
    word = cursor.word()
    context = _context(tokenized, bind_types, binds_by_name, temporary)
    context.lengths_in_bytes = lengths_in_bytes
    if word in ("SELECT", "WITH", "("):
        context.in_plsql = in_plsql
        return _query(tokenized, context)
    if word in ("INSERT", "UPDATE", "DELETE", "MERGE"):
        statement = Dml(context, tokenized.tokens, sql).translate()
        if statement.verb != "INSERT":
            return statement
        return replace(statement, insert_hints=hint_names(tokenized.insert_hint))
    if word == "LOCK":
        text, seconds = lock_table(cursor)
        return Statement(verb="LOCK TABLE", kind="transaction", sql=(text,), lock_seconds=seconds)
    if word in ("CREATE", "ALTER", "DROP", "TRUNCATE", "COMMENT", "RENAME"):
        if tokenized.binds:
            raise OracleError(1027, "bind variables not allowed for data definition operations")
        return translate_ddl(cursor)
    if word in _OTHER_STATEMENTS:
        raise not_supported(f"the statement {word}")
    raise OracleError(900, "invalid SQL statement", cursor.position)


def _context(
    tokenized: Tokenized,
    bind_types: tuple[DataType | None, ...],
    by_name: bool,
    temporary: tuple[tuple[str, str], ...],
) -> Context:
    indexes = tuple(range(len(tokenized.binds)))
    if by_name:
        distinct = list(dict.fromkeys(tokenized.binds))
        indexes = tuple(distinct.index(name) for name in tokenized.binds)
    return Context(bind_types, indexes, tokenized.binds, temporary=dict(temporary))


def _query(tokenized: Tokenized, context: Context) -> Statement:
    tokens, locking = split_lock(tokenized.tokens)
    tree = parse_query(tokens, tokenized.sql)
    if any(call.name.upper() == "TO_LOB" for call in tree.find_all(exp.Anonymous)):
        # "TO_LOB": only in the query of INSERT and CREATE TABLE.
        raise OracleError(932, "inconsistent datatypes: expected - got LONG")
    lock = row_lock(locking, tokenized.sql) if locking is not None else None
    if lock is not None:
        check_lockable(tree)
        lock.require_columns(tree)
    scalars = output_columns.scalar_positions(tree)
    query = Query(context)
    block = query.block(tree, titles=_titles(tokenized, tokens))
    hidden = lock is not None and block.lockable
    text = block.addressed if hidden else block.text
    if lock is not None:
        if context.scn is not None:
            raise OracleError(8187, "snapshot expression not allowed here")
        text += lock.clause(block.alias if block.lockable else "")
    return Statement(
        verb="SELECT",
        kind="query",
        sql=(text,),
        for_update=lock is not None,
        lock_seconds=lock.seconds if lock is not None else None,
        hidden_columns=2 if hidden else 0,
        addressed="" if lock is not None else block.addressed,
        lob_columns=tuple(block.columns) if hidden and block.names is not None else (),
        column_names=tuple(block.names) if block.names is not None else None,
        column_types=tuple(block.types) if block.names is not None else (),
        scalar_columns=scalars,
        branches=branches(tree, context),
        **context.seen(),
    )


def _titles(tokenized: Tokenized, tokens: list[Token]) -> list[str] | None:
    """Oracle's names of the outermost select list: the text as written, without spaces, in upper case."""
    cursor = Cursor(tokens, tokenized.sql)
    if cursor.word() == "WITH":
        cursor.until("SELECT")
    if not cursor.take("SELECT"):
        return None
    cursor.take("DISTINCT", "UNIQUE", "ALL")
    titles = []
    while True:
        part = cursor.until(",", "FROM", "BULK COLLECT INTO", "INTO")
        if not part:
            return None
        titles.append("".join(_written(token, tokenized.sql) for token in part))
        if not cursor.take(","):
            return titles


def _written(token: Token, sql: str) -> str:
    text = sql[token.start : token.end + 1]
    if token.token_type == TokenType.IDENTIFIER or text.startswith("'"):
        return text
    if token.text == "::":
        return ""
    return "".join(text.split()).upper()
