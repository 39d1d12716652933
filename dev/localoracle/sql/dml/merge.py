"""MERGE (SQL Language Reference, MERGE)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlglot import exp
from sqlglot.tokenizer_core import Token, TokenType

from localoracle.errors import OracleError, not_supported
from localoracle.sql.parsing.lexer import Cursor, last_part, named, quote, split_commas
from localoracle.sql.parsing.nodes import identifier_name
from localoracle.sql.parsing.trees import parse_query
from localoracle.sql.query import stars
from localoracle.sql.statement import Statement

if TYPE_CHECKING:
    from localoracle.sql.dml.dml import Dml


def merge(dml: Dml) -> Statement:
    """`dml`'s cursor stands behind MERGE."""
    cursor = dml.cursor
    cursor.expect("INTO", 925, "missing INTO keyword")
    target, alias = dml.target("USING")
    name = alias or last_part(target)
    cursor.expect("USING", 928, "missing USING keyword")
    source_tokens = cursor.until("ON")
    source = _source(dml, source_tokens)
    cursor.expect("ON", 969, "missing ON keyword")
    on_node = dml.expression(cursor.parenthesised())
    # A name alone is the target's, if it is updated: were it the source's as well, it would be ambiguous.
    joined = {
        identifier_name(column.this)
        for column in on_node.find_all(exp.Column)
        if isinstance(column.this, exp.Identifier)
        and (column.args.get("table") is None or identifier_name(column.args["table"]) == name)
    }
    matching = dml.emit.condition(on_node)
    if dml.archived:
        matching = f"({matching}) AND ora.may_merge_archived_rows()"
    text = f"MERGE INTO {target}{named(alias)} USING {source} ON {matching}"
    clauses: set[str] = set()
    while cursor.take("WHEN"):
        matched = cursor.take("MATCHED THEN UPDATE SET", "NOT MATCHED THEN INSERT")
        if matched is None:
            raise cursor.error(905, "missing keyword")
        if matched in clauses:
            raise cursor.error(933, "SQL command not properly ended")
        clauses.add(matched)
        text += _update(dml, name, joined) if matched.startswith("MATCHED") else _insert(dml, name)
    if not clauses:
        raise cursor.error(905, "missing keyword")
    return dml.statement("MERGE", text, whole_rows=dml.merged_values)


def _source(dml: Dml, tokens: list[Token]) -> str:
    """The source is a table, a view or a subquery with an alias: exactly an item of FROM."""
    if not tokens:
        raise dml.cursor.error(903, "invalid table name")
    start = tokens[0]
    words = ((TokenType.SELECT, "SELECT"), (TokenType.STAR, "*"), (TokenType.FROM, "FROM"))
    head = [Token(*word, start.line, start.col, start.start, start.start, []) for word in words]
    tree = parse_query([*head, *tokens], dml.sql)
    if not isinstance(tree, exp.Select) or tree.args.get("joins") or tree.args.get("where"):
        raise not_supported("this source of MERGE")
    return dml.query.item(tree.args["from_"].this.pop(), dml.emit)


def _update(dml: Dml, name: str, joined: set[str]) -> str:
    cursor = dml.cursor
    tokens = cursor.until("WHERE", "DELETE WHERE", "WHEN", "LOG ERRORS")
    for part in split_commas(Cursor(tokens, dml.sql)):
        listed = part[0].token_type == TokenType.L_PAREN
        column = "" if listed else dml.column(Cursor(part, dml.sql), {name})
        if column in joined:
            raise OracleError(
                38104,
                f'Columns referenced in the ON Clause cannot be updated: "{name}"."{column}"',
                part[0].start,
            )
    assignments = dml.assignments(Cursor(tokens, dml.sql), {name})
    condition = ""
    if cursor.take("WHERE"):
        condition = f" AND {dml.condition(cursor.until('DELETE WHERE', 'WHEN', 'LOG ERRORS'))}"
    if cursor.at("DELETE"):
        raise not_supported("MERGE ... DELETE WHERE")
    return f" WHEN MATCHED{condition} THEN UPDATE SET {assignments}"


def _insert(dml: Dml, name: str) -> str:
    cursor = dml.cursor
    if cursor.at("("):
        columns = f" ({', '.join(map(quote, dml.columns(cursor.parenthesised(), {name})))})"
    else:
        columns = stars.listed(next(iter(dml.context.tables)))
    cursor.expect("VALUES", 926, "missing VALUES keyword")
    values = [dml.value(part) for part in split_commas(cursor.inside())]
    condition = ""
    if cursor.take("WHERE"):
        condition = f" AND {dml.condition(cursor.until('WHEN', 'LOG ERRORS'))}"
    dml.merged_values = None if columns else len(values)
    return f" WHEN NOT MATCHED{condition} THEN INSERT{columns} VALUES ({', '.join(values)})"
