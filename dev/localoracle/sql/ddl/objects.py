"""Synonyms, comments, TRUNCATE, RENAME and DROP."""

from __future__ import annotations

from localoracle.errors import OracleError, not_supported
from localoracle.sql.ddl import calls
from localoracle.sql.ddl.indexes import drop_index
from localoracle.sql.ddl.views import drop_materialized_view
from localoracle.sql.parsing import database_link
from localoracle.sql.parsing.lexer import Cursor, literal, quote, quote_qualified
from localoracle.sql.parsing.names import read_name, read_qualified
from localoracle.sql.statement import Statement


def create_synonym(cursor: Cursor, replace: bool, public: bool) -> Statement:
    schema, name = read_qualified(cursor, "synonym")
    cursor.expect("FOR", 905, "missing keyword")
    target_schema, target = cursor.qualified()
    link = database_link.read(cursor)
    cursor.finish(933, "SQL command not properly ended")
    owner = "PUBLIC" if public else schema
    created = calls.call("ora.create_synonym", owner, name, target_schema, target, link, replace)
    return Statement.ddl("CREATE PUBLIC SYNONYM" if public else "CREATE SYNONYM", schema, name, created)


LONGEST_TEXT = 4000
"""Bytes of a text literal."""


def comment(cursor: Cursor) -> Statement:
    """COMMENT ON TABLE or COLUMN; an empty text removes it."""
    cursor.expect("ON", 969, "missing ON keyword")
    kind = cursor.take("TABLE", "COLUMN", "MATERIALIZED VIEW")
    if kind is None:
        raise not_supported(f"COMMENT ON {cursor.word()}")
    parts = cursor.dotted()
    cursor.expect("IS", 905, "missing keyword")
    text = cursor.string()
    if len(text.encode()) > LONGEST_TEXT:
        raise OracleError(1704, "string literal too long")
    cursor.finish(933, "SQL command not properly ended")
    value = literal(text) if text else "NULL"
    if kind == "COLUMN" and len(parts) not in (2, 3):
        raise OracleError(1748, "only simple column names allowed here", cursor.position)
    column = parts.pop() if kind == "COLUMN" else ""
    schema, name = (parts[0], parts[1]) if len(parts) == 2 else (None, parts[0])
    full = quote_qualified(schema, name)
    if column:
        written = f"COMMENT ON COLUMN {full}.{quote(column)} IS {value}"
    else:
        materialized = kind == "MATERIALIZED VIEW"
        written = calls.call("ora.comment_on", calls.relation(full), text or None, materialized)
    return Statement.ddl("COMMENT", schema, name, written)


_TRUNCATING = (
    "DROP STORAGE", "DROP ALL STORAGE", "PRESERVE MATERIALIZED VIEW LOG", "PURGE MATERIALIZED VIEW LOG"
)  # fmt: skip


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
        elif not cursor.take(*_TRUNCATING):
            raise cursor.error(3291, "Invalid truncate option - missing STORAGE keyword")
    full = quote_qualified(schema, name)
    relation = calls.relation(full)
    return Statement.ddl(
        "TRUNCATE TABLE",
        schema,
        name,
        calls.call("ora.check_truncate", relation, cascade),
        calls.call("ora.check_writable", relation),
        *([calls.call("ora.check_storage_reused", relation)] if reused else []),
        f"TRUNCATE TABLE {full}{' CASCADE' if cascade else ''}",
        calls.call("ora.truncate_temporary", relation),
    )


def rename(cursor: Cursor) -> Statement:
    old = read_name(cursor, "table")
    cursor.expect("TO", 905, "missing keyword")
    new = read_name(cursor, "table")
    cursor.finish(933, "SQL command not properly ended")
    return Statement.ddl("RENAME", None, old, calls.call("ora.rename_object", old, new))


def drop(cursor: Cursor) -> Statement:
    """`cursor` stands behind DROP."""
    if cursor.take("TABLE"):
        schema, name = read_qualified(cursor, "table")
        cascade = bool(cursor.take("CASCADE CONSTRAINTS"))
        cursor.take("PURGE")
        cursor.finish(933, "SQL command not properly ended")
        relation = calls.relation(quote_qualified(schema, name))
        return Statement.ddl("DROP TABLE", schema, name, calls.call("ora.drop_table", relation, cascade))
    if cursor.take("CLUSTER"):
        raise OracleError(943, "cluster does not exist")
    if cursor.take("MATERIALIZED VIEW"):
        return drop_materialized_view(cursor)
    if cursor.take("VIEW"):
        schema, name = cursor.qualified()
        cursor.take("CASCADE CONSTRAINTS")
        cursor.finish(933, "SQL command not properly ended")
        return Statement.ddl("DROP VIEW", schema, name, calls.call("ora.drop_view", schema, name))
    if cursor.take("SEQUENCE"):
        schema, name = cursor.qualified()
        cursor.finish(933, "SQL command not properly ended")
        sequence = calls.Verbatim(f"ora.existing_sequence({literal(quote_qualified(schema, name))})")
        return Statement.ddl("DROP SEQUENCE", schema, name, calls.call("ora.drop_sequence", sequence))
    if cursor.take("INDEX"):
        return drop_index(cursor)
    public = bool(cursor.take("PUBLIC"))
    if cursor.take("SYNONYM"):
        schema, name = cursor.qualified()
        cursor.take("FORCE")
        cursor.finish(933, "SQL command not properly ended")
        owner = "PUBLIC" if public else schema
        verb = "DROP PUBLIC SYNONYM" if public else "DROP SYNONYM"
        return Statement.ddl(verb, schema, name, calls.call("ora.drop_synonym", owner, name))
    raise not_supported(f"DROP {cursor.word()}")
