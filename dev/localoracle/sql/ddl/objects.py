"""Synonyms, comments, TRUNCATE, RENAME and DROP."""

from __future__ import annotations

from localoracle.errors import OracleError, not_supported
from localoracle.sql.ddl import calls
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


def compile_synonym(cursor: Cursor) -> Statement:
    """`cursor` stands behind ALTER SYNONYM."""
    schema, name = cursor.qualified()
    if not cursor.take("COMPILE"):
        raise not_supported(f"ALTER SYNONYM {cursor.word()}")
    cursor.finish(933, "SQL command not properly ended")
    return Statement.ddl("ALTER SYNONYM", schema, name, calls.call("ora.compile_synonym", schema, name))


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
        calls.call("ora.make_usable", relation),
        calls.call("ora.truncate_temporary", relation),
    )


def rename(cursor: Cursor) -> Statement:
    old = read_name(cursor, "table")
    cursor.expect("TO", 905, "missing keyword")
    new = read_name(cursor, "table")
    cursor.finish(933, "SQL command not properly ended")
    return Statement.ddl("RENAME", None, old, calls.call("ora.rename_object", old, new))


_DROPPED = {
    "TABLE": ("CASCADE CONSTRAINTS", "PURGE"), "MATERIALIZED VIEW": ("PRESERVE TABLE",),
    "VIEW": ("CASCADE CONSTRAINTS",), "SEQUENCE": (), "INDEX": ("ONLINE", "FORCE"),
    "PUBLIC SYNONYM": ("FORCE",), "SYNONYM": ("FORCE",),
}  # fmt: skip
"""What may be dropped, and the words that may follow its name."""


def drop(cursor: Cursor) -> Statement:
    """`cursor` stands behind DROP."""
    if cursor.take("CLUSTER"):
        raise OracleError(943, "cluster does not exist")
    kind = cursor.take(*_DROPPED)
    if kind is None:
        cursor.take("PUBLIC")
        raise not_supported(f"DROP {cursor.word()}")
    if kind == "MATERIALIZED VIEW" and cursor.at("LOG"):
        raise not_supported("DROP MATERIALIZED VIEW LOG")
    named_by_kind = kind in ("TABLE", "INDEX")
    schema, name = read_qualified(cursor, kind.lower()) if named_by_kind else cursor.qualified()
    options = [cursor.take(word) for word in _DROPPED[kind]]
    if "PRESERVE TABLE" in options:
        raise not_supported("DROP MATERIALIZED VIEW ... PRESERVE TABLE")
    cursor.finish(933, "SQL command not properly ended")
    full = quote_qualified(schema, name)
    arguments: tuple[object, ...] = (schema, name)
    if kind == "TABLE":
        arguments = (calls.relation(full), "CASCADE CONSTRAINTS" in options)
    elif kind in ("INDEX", "SEQUENCE"):
        arguments = (calls.Verbatim(f"ora.existing_{kind.lower()}({literal(full)})"),)
    elif kind == "PUBLIC SYNONYM":
        arguments = ("PUBLIC", name)
    function = kind.removeprefix("PUBLIC ").lower().replace(" ", "_")
    return Statement.ddl(f"DROP {kind}", schema, name, calls.call(f"ora.drop_{function}", *arguments))
