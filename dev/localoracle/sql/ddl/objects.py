"""Views, sequences, synonyms, comments, TRUNCATE, RENAME and DROP."""

from __future__ import annotations

from dataclasses import replace as replace_fields

from localoracle.errors import OracleError, not_supported
from localoracle.sql.context import Context
from localoracle.sql.ddl import calls
from localoracle.sql.ddl.check_conditions import check_no_sequence
from localoracle.sql.ddl.columns import column_list, source_text
from localoracle.sql.ddl.sequence_options import read_options
from localoracle.sql.parsing import database_link
from localoracle.sql.parsing.lexer import Cursor, literal, quote, quote_qualified
from localoracle.sql.parsing.names import read_name, read_qualified
from localoracle.sql.parsing.trees import parse_query
from localoracle.sql.query.column_names import check_columns, check_titles
from localoracle.sql.query.query import Query
from localoracle.sql.query.sources import partition_name
from localoracle.sql.statement import Statement


def ddl(verb: str, schema: str | None, name: str, *statements: str) -> Statement:
    return Statement(verb=verb, kind="ddl", sql=statements, schema=schema, object_name=name)


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
    option = ""
    read_only = False
    if cursor.take("WITH CHECK OPTION"):
        option = " WITH CASCADED CHECK OPTION"
    elif cursor.take("WITH READ ONLY"):
        read_only = True
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
    made = calls.call("ora.create_view", schema, name, definition, source, replace, read_only, force)
    view = ddl("CREATE VIEW", schema, name, made)
    return replace_fields(view, natural_joins=tuple(context.natural_joins))


def compile_view(schema: str | None, name: str) -> Statement:
    """ALTER VIEW ... COMPILE."""
    check = calls.call("ora.check_view", schema, name)
    return ddl("ALTER VIEW", schema, name, check, calls.call("ora.revive_views"))


def create_sequence(cursor: Cursor) -> Statement:
    schema, name = read_qualified(cursor, "sequence")
    options = read_options(cursor)
    options.check()
    full = quote_qualified(schema, name)
    noted = [
        calls.attribute(full, None, key, value)
        for key, value in ({"cache": "20"} | options.attributes).items()
    ]
    made = f"CREATE SEQUENCE {full} AS int8{options.text(altering=False)} CACHE 1"
    return ddl("CREATE SEQUENCE", schema, name, made, *noted)


def alter_sequence(cursor: Cursor) -> Statement:
    schema, name = read_qualified(cursor, "sequence")
    options = read_options(cursor, altering=True)
    if not options.said and not options.restart:
        raise OracleError(2286, "no options specified for ALTER SEQUENCE")
    if "start" in options.said and not options.restart:
        raise OracleError(2283, "cannot alter starting sequence number")
    options.check_alone()
    full = quote_qualified(schema, name)
    limits = (options.said.get("minimum"), options.said.get("maximum"))
    text = options.text(altering=True)
    statements = [calls.call("ora.alter_sequence", full, text, *limits, options.restart)]
    statements += [calls.attribute(full, None, key, value) for key, value in options.attributes.items()]
    return ddl("ALTER SEQUENCE", schema, name, *statements)


def create_synonym(cursor: Cursor, replace: bool, public: bool) -> Statement:
    schema, name = read_qualified(cursor, "synonym")
    cursor.expect("FOR", 905, "missing keyword")
    target_schema, target = cursor.qualified()
    link = database_link.read(cursor)
    cursor.finish(933, "SQL command not properly ended")
    owner = "PUBLIC" if public else schema
    made = calls.call("ora.create_synonym", owner, name, target_schema, target, link, replace)
    return ddl("CREATE PUBLIC SYNONYM" if public else "CREATE SYNONYM", schema, name, made)


LONGEST_TEXT = 4000
"""Bytes of a text literal."""


def comment(cursor: Cursor) -> Statement:
    """COMMENT ON TABLE or COLUMN; an empty text removes it."""
    cursor.expect("ON", 969, "missing ON keyword")
    kind = cursor.take("TABLE", "COLUMN", "MATERIALIZED VIEW")
    if kind is None:
        raise not_supported(f"COMMENT ON {cursor.word()}")
    parts = [cursor.name()]
    while cursor.take("."):
        parts.append(cursor.name())
    cursor.expect("IS", 905, "missing keyword")
    text = cursor.string()
    if len(text.encode()) > LONGEST_TEXT:
        raise OracleError(1704, "string literal too long")
    cursor.finish(933, "SQL command not properly ended")
    value = literal(text) if text else "NULL"
    if kind != "COLUMN":
        schema, name = (parts[0], parts[1]) if len(parts) == 2 else (None, parts[0])
        relation = calls.relation(quote_qualified(schema, name))
        materialized = kind == "MATERIALIZED VIEW"
        return ddl(
            "COMMENT", schema, name, calls.call("ora.comment_on", relation, text or None, materialized)
        )
    if len(parts) not in (2, 3):
        raise OracleError(1748, "only simple column names allowed here", cursor.position)
    column = parts.pop()
    schema, name = (parts[0], parts[1]) if len(parts) == 2 else (None, parts[0])
    return ddl(
        "COMMENT",
        schema,
        name,
        f"COMMENT ON COLUMN {quote_qualified(schema, name)}.{quote(column)} IS {value}",
    )


def truncate(cursor: Cursor) -> Statement:
    if cursor.at("CLUSTER"):
        raise OracleError(943, "cluster does not exist")
    cursor.expect("TABLE", 3290, "Invalid truncate command - missing CLUSTER or TABLE keyword")
    schema, name = read_qualified(cursor, "table")
    cascade = reused = False
    while not cursor.done:
        if cursor.take("CASCADE"):
            cascade = True
        elif cursor.take("REUSE STORAGE"):
            reused = True
        elif not cursor.take(
            "DROP STORAGE",
            "DROP ALL STORAGE",
            "PRESERVE MATERIALIZED VIEW LOG",
            "PURGE MATERIALIZED VIEW LOG",
        ):
            raise cursor.error(3291, "Invalid truncate option - missing STORAGE keyword")
    full = quote_qualified(schema, name)
    statements = [
        calls.call("ora.check_truncate", calls.relation(full), cascade),
        calls.call("ora.check_writable", calls.relation(full)),
    ]
    if reused:
        statements.append(calls.call("ora.check_storage_reused", calls.relation(full)))
    statements.append(f"TRUNCATE TABLE {full}{' CASCADE' if cascade else ''}")
    statements.append(calls.call("ora.truncate_temporary", calls.relation(full)))
    return ddl("TRUNCATE TABLE", schema, name, *statements)


def rename(cursor: Cursor) -> Statement:
    old = read_name(cursor, "table")
    cursor.expect("TO", 905, "missing keyword")
    new = read_name(cursor, "table")
    cursor.finish(933, "SQL command not properly ended")
    return ddl("RENAME", None, old, calls.call("ora.rename_object", old, new))


def drop(cursor: Cursor) -> Statement:
    """`cursor` stands behind DROP."""
    if cursor.take("TABLE"):
        schema, name = read_qualified(cursor, "table")
        cascade = bool(cursor.take("CASCADE CONSTRAINTS"))
        cursor.take("PURGE")
        cursor.finish(933, "SQL command not properly ended")
        relation = calls.relation(quote_qualified(schema, name))
        return ddl("DROP TABLE", schema, name, calls.call("ora.drop_table", relation, cascade))
    if cursor.take("CLUSTER"):
        raise OracleError(943, "cluster does not exist")
    if cursor.take("MATERIALIZED VIEW"):
        from localoracle.sql.ddl.materialized_views import drop_materialized_view

        return drop_materialized_view(cursor)
    if cursor.take("VIEW"):
        schema, name = cursor.qualified()
        cursor.take("CASCADE CONSTRAINTS")
        cursor.finish(933, "SQL command not properly ended")
        return ddl("DROP VIEW", schema, name, calls.call("ora.drop_view", schema, name))
    if cursor.take("SEQUENCE"):
        schema, name = cursor.qualified()
        cursor.finish(933, "SQL command not properly ended")
        sequence = calls.Verbatim(f"ora.existing_sequence({literal(quote_qualified(schema, name))})")
        return ddl("DROP SEQUENCE", schema, name, calls.call("ora.drop_sequence", sequence))
    if cursor.take("INDEX"):
        from localoracle.sql.ddl.indexes import drop_index

        return drop_index(cursor)
    public = bool(cursor.take("PUBLIC"))
    if cursor.take("SYNONYM"):
        schema, name = cursor.qualified()
        cursor.take("FORCE")
        cursor.finish(933, "SQL command not properly ended")
        owner = "PUBLIC" if public else schema
        verb = "DROP PUBLIC SYNONYM" if public else "DROP SYNONYM"
        return ddl(verb, schema, name, calls.call("ora.drop_synonym", owner, name))
    raise not_supported(f"DROP {cursor.word()}")


def partition_table(schema: str | None, table: str, partition: str) -> str:
    return quote_qualified(schema, partition_name(table, partition))
