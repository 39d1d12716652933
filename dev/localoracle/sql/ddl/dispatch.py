"""DDL by its first words."""

from __future__ import annotations

from localoracle.errors import not_supported
from localoracle.sql.ddl import objects, sequences, views
from localoracle.sql.ddl.alter_table import alter_table
from localoracle.sql.ddl.create_table import create_table
from localoracle.sql.ddl.indexes import alter_index, create_index
from localoracle.sql.parsing.lexer import Cursor
from localoracle.sql.statement import Statement


def translate_ddl(cursor: Cursor) -> Statement:
    """Translate CREATE, ALTER, DROP, TRUNCATE, COMMENT, RENAME; ORA-03001 for objects that are not kept."""
    if cursor.take("CREATE"):
        return _create(cursor)
    if cursor.take("ALTER"):
        if cursor.take("TABLE"):
            return alter_table(cursor)
        if cursor.take("INDEX"):
            return alter_index(cursor)
        if cursor.take("SEQUENCE"):
            return sequences.alter_sequence(cursor)
        if cursor.take("VIEW"):
            schema, name = cursor.qualified()
            cursor.expect("COMPILE")
            cursor.finish(933, "SQL command not properly ended")
            return views.compile_view(schema, name)
        raise not_supported(f"ALTER {cursor.word()}")
    if cursor.take("DROP"):
        return objects.drop(cursor)
    if cursor.take("TRUNCATE"):
        return objects.truncate(cursor)
    if cursor.take("COMMENT"):
        return objects.comment(cursor)
    cursor.expect("RENAME", 900, "invalid SQL statement")
    return objects.rename(cursor)


def _create(cursor: Cursor) -> Statement:
    replace = bool(cursor.take("OR REPLACE"))
    force = False
    while word := cursor.take("NO FORCE", "FORCE", "EDITIONABLE", "NONEDITIONABLE"):
        force = force or word == "FORCE"
    public = bool(cursor.take("PUBLIC"))
    if cursor.take("SYNONYM"):
        return objects.create_synonym(cursor, replace, public)
    if cursor.take("VIEW"):
        return views.create_view(cursor, replace, force)
    if replace or public:
        raise not_supported(
            f"CREATE OR REPLACE {cursor.word()}" if replace else f"CREATE PUBLIC {cursor.word()}"
        )
    if cursor.take("TABLE"):
        return create_table(cursor)
    if cursor.take("MATERIALIZED VIEW"):
        return views.create_materialized_view(cursor)
    if cursor.at("INDEX", "UNIQUE", "BITMAP"):
        return create_index(cursor)
    if cursor.take("SEQUENCE"):
        return sequences.create_sequence(cursor)
    if cursor.take("GLOBAL TEMPORARY TABLE"):
        return create_table(cursor, temporary=True)
    if cursor.at("TEMPORARY TABLE"):
        raise cursor.error(14459, "missing GLOBAL keyword")
    if cursor.at("GLOBAL", "PRIVATE"):
        raise not_supported(f"CREATE {cursor.word()} TEMPORARY TABLE")
    raise not_supported(f"CREATE {cursor.word()}")
