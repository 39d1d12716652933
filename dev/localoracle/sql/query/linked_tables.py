"""The tables that a query names, and which of them are behind database links.

SQL Language Reference, "References to Objects in Remote Databases".
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from sqlglot import exp
from sqlglot.errors import TokenError
from sqlglot.tokenizer_core import Token, TokenType

from localoracle.errors import OracleError
from localoracle.sql.functions.functions import is_built_in
from localoracle.sql.parsing import database_link
from localoracle.sql.parsing.dialect import DIALECT
from localoracle.sql.parsing.lexer import quote, quote_qualified, tokenize
from localoracle.sql.parsing.trees import parse_query

_OF_SESSION = frozenset(("USER", "UID", "USERENV", "SYS_CONTEXT", "SESSIONTIMEZONE"))
_OF_SEQUENCE = frozenset(("CURRVAL", "NEXTVAL"))


@dataclass(frozen=True)
class NamedTable:
    """A table as a query names it, from the first to behind the last character of that.

    `link` is None where none is written. `aliased`: whether the query calls it by another name.
    """

    owner: str | None
    name: str
    link: str | None
    start: int
    end: int
    aliased: bool


class Target(Protocol):
    """What it is called at the other end."""

    @property
    def owner(self) -> str | None: ...
    @property
    def name(self) -> str: ...


def is_query(sql: str) -> bool:
    """Whether it begins as one."""
    tokens = _tokens(sql)
    return bool(tokens) and tokens[0].token_type in (TokenType.SELECT, TokenType.WITH, TokenType.L_PAREN)


def names_link(sql: str) -> bool:
    """Whether a statement names a link, other than CREATE SYNONYM."""
    tokens = _tokens(sql)
    return bool(_links(tokens)) and not database_link.of_synonym(tokens)


def named(sql: str) -> tuple[exp.Expr, list[NamedTable]]:
    """The tree of a query without its links, and the tables that are none of its own WITH clause."""
    text = sql
    behind: dict[int, tuple[str, int]] = {}
    for name, start, end in _links(_tokens(sql)):
        behind[len(sql[:start].rstrip())] = name, end
        # As long as before, so that places in the tree are places in the statement.
        text = text[:start] + " " * (end - start) + text[end:]
    tree = parse_query(list(tokenize(text).tokens), text)
    common = {_identifier(item.args["alias"].this) for item in tree.find_all(exp.CTE)}
    tables = []
    for table in tree.find_all(exp.Table):
        called, owner = _identifier(table.this), _identifier(table.args.get("db"))
        if called is None:
            # A collection or a function.
            tables.append(NamedTable(None, "", None, 0, 0, True))
            continue
        if owner is None and called in common:
            continue
        end = table.this.meta["end"] + 1
        link, last = behind.get(end, (None, end))
        first = (table.args.get("db") or table.this).meta["start"]
        tables.append(NamedTable(owner, called, link, first, last, table.args.get("alias") is not None))
    return tree, tables


def session_functions(sql: str) -> list[str]:
    """The functions in a query about the session. "In a distributed SQL statement, the UID and USER
    functions together identify the user on your local database" (SQL Language Reference, USER).
    """
    tokens = _tokens(sql)
    return [
        token.text.upper()
        for before, token in zip((None, *tokens), tokens, strict=False)
        if token.token_type not in (TokenType.IDENTIFIER, TokenType.STRING)
        and token.text.upper() in _OF_SESSION
        and (before is None or before.token_type != TokenType.DOT)
    ]


def local_programs(tree: exp.Expr) -> list[str]:
    """The functions and sequences of this database that a query calls: those without a link of their own."""
    calls = [
        call.name.upper()
        for call in tree.find_all(exp.Anonymous)
        if isinstance(call.parent, exp.Dot) or not is_built_in(call.name.upper())
    ]
    sequences = [column.sql() for column in tree.find_all(exp.Column) if column.name.upper() in _OF_SEQUENCE]
    return calls + sequences


def qualifies_with_owner(tree: exp.Expr) -> bool:
    """Whether any column is written as owner.table.column."""
    return any(column.args.get("db") is not None for column in tree.find_all(exp.Column))


def as_there(sql: str, tables: Sequence[tuple[NamedTable, Target]]) -> str:
    """The query with the names that tables have at the other end; it goes on calling them as it did."""
    text, position = "", 0
    for table, target in sorted(tables, key=lambda pair: pair[0].start):
        alias = "" if table.aliased or table.name == target.name else f" {quote(table.name)}"
        text += sql[position : table.start] + quote_qualified(target.owner, target.name) + alias
        position = table.end
    return text + sql[position:]


def _tokens(sql: str) -> Sequence[Token]:
    try:
        return DIALECT.tokenize(sql)
    except TokenError as error:
        raise OracleError(1756, "quoted string not properly terminated") from error


def _identifier(node: exp.Expr | None) -> str | None:
    if not isinstance(node, exp.Identifier):
        return None
    return str(node.this) if node.args.get("quoted") else str(node.this).upper()


def _links(tokens: Sequence[Token]) -> list[tuple[str, int, int]]:
    """Name of each link, and where the `@link` behind a table begins and ends."""
    split = [part for token in tokens for part in database_link.split(token)]
    links = []
    index = 0
    while index < len(split) - 1:
        if split[index].token_type != TokenType.PARAMETER or split[index].text != "@":
            index += 1
            continue
        start, index = split[index].start, index + 1
        name, end = split[index].text, split[index].end + 1
        while index + 2 < len(split) and split[index + 1].token_type == TokenType.DOT:
            index += 2
            name, end = f"{name}.{split[index].text}", split[index].end + 1
        links.append((name.upper(), start, end))
    return links
