"""Views, sequences, synonyms, comments, TRUNCATE, RENAME and DROP."""

from __future__ import annotations

from localoracle.errors import OracleError, not_supported
from localoracle.sql import calls
from localoracle.sql.columns import column_list, source_text
from localoracle.sql.context import Context
from localoracle.sql.dialect import parse_query
from localoracle.sql.lexer import Cursor, literal, quote, quote_qualified
from localoracle.sql.query import Query
from localoracle.sql.sources import partition_name
from localoracle.sql.statement import Statement


def ddl(verb: str, schema: str | None, name: str, *statements: str) -> Statement:
    return Statement(verb=verb, kind="ddl", sql=statements, schema=schema, object_name=name)


def create_view(cursor: Cursor, replace: bool) -> Statement:
    """`cursor` stands behind VIEW."""
    schema, name = cursor.qualified()
    columns = ""
    if cursor.at("("):
        columns = f"({', '.join(quote(column) for column in column_list(cursor))}) "
    cursor.take("BEQUEATH DEFINER")
    cursor.expect("AS", 905, "missing keyword")
    tokens = cursor.until("WITH READ ONLY", "WITH CHECK OPTION")
    option = ""
    if cursor.take("WITH CHECK OPTION"):
        option = " WITH CASCADED CHECK OPTION"
    elif cursor.take("WITH READ ONLY"):
        raise not_supported("WITH READ ONLY")
    if cursor.take("CONSTRAINT"):
        cursor.name()
    cursor.finish(933, "SQL command not properly ended")
    context = Context((), ())
    block = Query(context).block(parse_query(tokens, cursor.sql))
    if context.scn is not None:
        raise not_supported("a view with AS OF SCN")
    definition = f"{columns}AS {block.text}{option}"
    source = source_text(tokens, cursor.sql)
    made = calls.call("ora.create_view", schema, name, definition, source, replace)
    return ddl("CREATE VIEW", schema, name, made)


def sequence_options(cursor: Cursor, *, altering: bool = False) -> tuple[str, dict[str, str]]:
    """The options of a sequence, PostgreSQL's text and attributes.

    A sequence hands its numbers out one by one (CACHE 1), so that none is lost with a session; the cache
    size is only shown.
    """
    text, attributes = "", {}
    biggest = 2**63 - 1
    while not cursor.done:
        if altering and cursor.take("RESTART START WITH"):
            text += f" RESTART WITH {cursor.number()}"
        elif cursor.take("START WITH"):
            text += f" {'RESTART' if altering else 'START'} WITH {cursor.number()}"
        elif cursor.take("INCREMENT BY"):
            text += f" INCREMENT BY {cursor.number()}"
        elif cursor.take("MAXVALUE"):
            value = cursor.number()
            text += f" MAXVALUE {value}" if value < biggest else " NO MAXVALUE"
        elif cursor.take("MINVALUE"):
            value = cursor.number()
            text += f" MINVALUE {value}" if value > -biggest else " NO MINVALUE"
        elif cursor.take("NOMAXVALUE"):
            text += " NO MAXVALUE"
        elif cursor.take("NOMINVALUE"):
            text += " NO MINVALUE"
        elif cursor.take("NOCYCLE"):
            text += " NO CYCLE"
        elif cursor.take("CYCLE"):
            text += " CYCLE"
        elif cursor.take("CACHE"):
            attributes["cache"] = str(cursor.number())
        elif cursor.take("NOCACHE"):
            attributes["cache"] = "0"
        elif cursor.take("ORDER"):
            attributes["order"] = "YES"
        elif altering and cursor.take("RESTART"):
            text += " RESTART"
        elif not cursor.take("NOORDER", "NOKEEP", "NOSCALE", "NOEXTEND", "GLOBAL"):
            if cursor.at("KEEP", "SCALE", "SHARD", "SESSION"):
                raise not_supported(f"a sequence with {cursor.word()}")
            raise cursor.error(933, "SQL command not properly ended")
    return text, attributes


def create_sequence(cursor: Cursor) -> Statement:
    schema, name = cursor.qualified()
    text, attributes = sequence_options(cursor)
    full = quote_qualified(schema, name)
    attributes.setdefault("cache", "20")
    noted = [calls.attribute(full, None, key, value) for key, value in attributes.items()]
    return ddl("CREATE SEQUENCE", schema, name, f"CREATE SEQUENCE {full} AS int8{text} CACHE 1", *noted)


def alter_sequence(cursor: Cursor) -> Statement:
    schema, name = cursor.qualified()
    text, attributes = sequence_options(cursor, altering=True)
    if not text and not attributes:
        raise OracleError(2286, "no options specified for ALTER SEQUENCE")
    full = quote_qualified(schema, name)
    statements = [f"ALTER SEQUENCE {full}{text}"] if text else []
    statements += [calls.attribute(full, None, key, value) for key, value in attributes.items()]
    return ddl("ALTER SEQUENCE", schema, name, *statements)


def create_synonym(cursor: Cursor, replace: bool, public: bool) -> Statement:
    schema, name = cursor.qualified()
    cursor.expect("FOR", 905, "missing keyword")
    target_schema, target = cursor.qualified()
    cursor.finish(933, "SQL command not properly ended")
    owner = "PUBLIC" if public else schema
    made = calls.call("ora.create_synonym", owner, name, target_schema, target, replace)
    return ddl("CREATE PUBLIC SYNONYM" if public else "CREATE SYNONYM", schema, name, made)


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
    cursor.finish(933, "SQL command not properly ended")
    value = literal(text) if text else "NULL"
    if kind != "COLUMN":
        schema, name = (parts[0], parts[1]) if len(parts) == 2 else (None, parts[0])
        relation = calls.relation(quote_qualified(schema, name))
        return ddl("COMMENT", schema, name, calls.call("ora.comment_on", relation, text or None))
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
    cursor.expect("TABLE", 3290, "Invalid truncate command - missing CLUSTER or TABLE keyword")
    schema, name = cursor.qualified()
    cascade = False
    while not cursor.done:
        if cursor.take("CASCADE"):
            cascade = True
        elif not cursor.take(
            "DROP STORAGE",
            "DROP ALL STORAGE",
            "REUSE STORAGE",
            "PRESERVE MATERIALIZED VIEW LOG",
            "PURGE MATERIALIZED VIEW LOG",
        ):
            raise cursor.error(3291, "Invalid truncate option - missing STORAGE keyword")
    full = quote_qualified(schema, name)
    statements = [] if cascade else [calls.call("ora.check_truncate", calls.relation(full))]
    statements.append(f"TRUNCATE TABLE {full}{' CASCADE' if cascade else ''}")
    return ddl("TRUNCATE TABLE", schema, name, *statements)


def rename(cursor: Cursor) -> Statement:
    old = cursor.name()
    cursor.expect("TO", 905, "missing keyword")
    new = cursor.name()
    cursor.finish(933, "SQL command not properly ended")
    return ddl("RENAME", None, old, calls.call("ora.rename_table", calls.relation(quote(old)), new))


def drop(cursor: Cursor) -> Statement:
    """`cursor` stands behind DROP."""
    if cursor.take("TABLE"):
        schema, name = cursor.qualified()
        cascade = bool(cursor.take("CASCADE CONSTRAINTS"))
        cursor.take("PURGE")
        cursor.finish(933, "SQL command not properly ended")
        relation = calls.relation(quote_qualified(schema, name))
        return ddl("DROP TABLE", schema, name, calls.call("ora.drop_table", relation, cascade))
    if cursor.take("VIEW"):
        schema, name = cursor.qualified()
        cursor.take("CASCADE CONSTRAINTS")
        cursor.finish(933, "SQL command not properly ended")
        relation = calls.relation(quote_qualified(schema, name))
        return ddl("DROP VIEW", schema, name, calls.call("ora.drop_view", relation))
    if cursor.take("SEQUENCE"):
        schema, name = cursor.qualified()
        cursor.finish(933, "SQL command not properly ended")
        return ddl("DROP SEQUENCE", schema, name, f"DROP SEQUENCE {quote_qualified(schema, name)}")
    if cursor.take("INDEX"):
        from localoracle.sql.ddl_index import drop_index

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
