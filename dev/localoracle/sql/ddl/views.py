"""Views, and materialized ones (SQL Language Reference, CREATE VIEW, CREATE MATERIALIZED VIEW).

As in Oracle a materialized view is a table, its container, and an object that knows the query; the work is
that of bootstrap/33_materialized_views.sql. Its rows are those of its creation: DBMS_MVIEW is not there, and
what would refresh it by itself is refused.
"""

from __future__ import annotations

from dataclasses import replace as replace_fields

from localoracle.errors import not_supported
from localoracle.sql.context import Context
from localoracle.sql.ddl import calls
from localoracle.sql.ddl.expressions import check_no_sequence, source_text
from localoracle.sql.ddl.physical_attributes import physical_attribute
from localoracle.sql.parsing.lexer import Cursor, literal, quote, quote_qualified
from localoracle.sql.parsing.names import column_list, read_qualified
from localoracle.sql.parsing.trees import parse_query
from localoracle.sql.query.output_columns import check_columns, check_titles
from localoracle.sql.query.query import Block, Query
from localoracle.sql.statement import Statement


def create_view(cursor: Cursor, replace: bool, force: bool = False) -> Statement:
    """`cursor` stands behind VIEW."""
    schema, name = read_qualified(cursor, "view")
    names = column_list(cursor) if cursor.at("(") else ()
    columns = f"({', '.join(map(quote, names))}) " if names else ""
    if cursor.at("BEQUEATH CURRENT_USER"):
        raise not_supported("BEQUEATH CURRENT_USER")
    cursor.take("BEQUEATH DEFINER")
    cursor.expect("AS", 905, "missing keyword")
    begin = cursor.index
    tokens = cursor.until("WITH READ ONLY", "WITH CHECK OPTION")
    kind = cursor.take("WITH CHECK OPTION", "WITH READ ONLY")
    option = " WITH CASCADED CHECK OPTION" if kind == "WITH CHECK OPTION" else ""
    if cursor.take("CONSTRAINT"):
        cursor.name()
    cursor.finish(933, "SQL command not properly ended")
    context = Context((), ())
    check_no_sequence(tokens, cursor.sql)
    tree = parse_query(tokens, cursor.sql)
    if not names:
        check_titles(tree)
    block = Query(context).block(tree)
    check_columns(names, block.names)
    if context.scn is not None:
        raise not_supported("a view with AS OF SCN")
    definition = f"{columns}AS {block.text}{option}"
    source = source_text(cursor.tokens[begin:], cursor.sql)
    created = calls.call(
        "ora.create_view", schema, name, definition, source, replace, kind == "WITH READ ONLY", force
    )
    view = Statement.ddl("CREATE VIEW", schema, name, created)
    return replace_fields(view, natural_joins=tuple(context.natural_joins))


def compile_view(cursor: Cursor) -> Statement:
    """`cursor` stands behind ALTER VIEW."""
    schema, name = cursor.qualified()
    cursor.expect("COMPILE")
    cursor.finish(933, "SQL command not properly ended")
    return Statement.ddl("ALTER VIEW", schema, name, calls.call("ora.compile_view", schema, name))


def create_materialized_view(cursor: Cursor) -> Statement:
    """`cursor` stands behind MATERIALIZED VIEW."""
    if cursor.at("LOG"):
        raise not_supported("CREATE MATERIALIZED VIEW LOG")
    schema, name = cursor.qualified()
    columns = f"({', '.join(map(quote, column_list(cursor)))}) " if cursor.at("(") else ""
    built = rewrite = None
    by_rowid = False
    attributes: dict[str, str] = {}
    while not cursor.take("AS"):
        if word := cursor.take("BUILD IMMEDIATE", "BUILD DEFERRED"):
            built = word
        elif word := cursor.take("ENABLE QUERY REWRITE", "DISABLE QUERY REWRITE"):
            rewrite = word
        elif cursor.take("NEVER REFRESH"):
            raise not_supported("a materialized view that is NEVER refreshed")
        elif cursor.take("REFRESH"):
            by_rowid = _refresh(cursor) or by_rowid
        elif cursor.at("ON PREBUILT", "FOR UPDATE", "OF", "USING", "CLUSTER", "PARTITION"):
            raise not_supported(f"CREATE MATERIALIZED VIEW ... {cursor.word()}")
        elif not physical_attribute(cursor, attributes):
            raise cursor.error(905, "missing keyword")
    tokens = cursor.rest()
    context = Context((), ())
    block = Query(context).block(parse_query(tokens, cursor.sql))
    if context.scn is not None:
        raise not_supported("a materialized view with AS OF SCN")
    described = (schema, name, columns, block.text, source_text(tokens, cursor.sql))
    options = (built != "BUILD DEFERRED", rewrite == "ENABLE QUERY REWRITE")
    table = quote_qualified(schema, name)
    statements = [calls.call("ora.create_materialized_view", *described, *options)]
    if block.lockable and len(context.tables) == 1 and not by_rowid:
        statements.append(
            calls.call("ora.add_materialized_key", calls.relation(table), *context.tables, _copied(block))
        )
    statements += calls.attributes(table, attributes)
    return Statement.ddl("CREATE MATERIALIZED VIEW", schema, name, *statements)


def _copied(block: Block) -> calls.Verbatim | None:
    """The table's column behind each column; None where a star stands for all of them."""
    if block.names is None:
        return None
    written = ", ".join("NULL" if column is None else literal(column) for column in block.columns)
    return calls.Verbatim(f"ARRAY[{written}]::text[]")


def _refresh(cursor: Cursor) -> bool:
    """The refresh clause: COMPLETE or FORCE, ON DEMAND. There are no logs, so FORCE is COMPLETE.

    Returns whether it is WITH ROWID.
    """
    by_rowid = False
    while True:
        if cursor.at("FAST", "ON COMMIT", "ON STATEMENT", "START WITH", "NEXT", "USING"):
            raise not_supported(f"a materialized view with REFRESH {cursor.word()}")
        option = cursor.take("COMPLETE", "FORCE", "ON DEMAND", "WITH PRIMARY KEY", "WITH ROWID")
        if option is None:
            return by_rowid
        by_rowid = by_rowid or option == "WITH ROWID"
