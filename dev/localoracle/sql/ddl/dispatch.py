"""DDL by its first words."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from localoracle.errors import not_supported
from localoracle.sql.ddl import objects, sequences, views
from localoracle.sql.ddl.alter_table import alter_table
from localoracle.sql.ddl.create_table import create_table
from localoracle.sql.ddl.indexes import alter_index, create_index
from localoracle.sql.parsing.lexer import Cursor
from localoracle.sql.statement import Statement

_ALTERED = {
    "TABLE": alter_table,
    "INDEX": alter_index,
    "SEQUENCE": sequences.alter_sequence,
    "VIEW": views.compile_view,
    "SYNONYM": objects.compile_synonym,
}
_CREATED: dict[str, Callable[[Cursor], Statement]] = {
    "TABLE": create_table,
    "GLOBAL TEMPORARY TABLE": partial(create_table, temporary=True),
    "MATERIALIZED VIEW": views.create_materialized_view,
    "SEQUENCE": sequences.create_sequence,
}
_OTHERS = {
    "DROP": objects.drop,
    "TRUNCATE": objects.truncate,
    "COMMENT": objects.comment,
    "RENAME": objects.rename,
}


def translate_ddl(cursor: Cursor) -> Statement:
    """Translate CREATE, ALTER, DROP, TRUNCATE, COMMENT, RENAME; ORA-03001 for objects that are not kept."""
    if cursor.take("CREATE"):
        return _create(cursor)
    if cursor.take("ALTER"):
        kind = cursor.take(*_ALTERED)
        if kind is None:
            raise not_supported(f"ALTER {cursor.word()}")
        return _ALTERED[kind](cursor)
    verb = cursor.take(*_OTHERS)
    if verb is None:
        raise cursor.error(900, "invalid SQL statement")
    return _OTHERS[verb](cursor)


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
    if cursor.at("INDEX", "UNIQUE", "BITMAP"):
        return create_index(cursor)
    if kind := cursor.take(*_CREATED):
        return _CREATED[kind](cursor)
    if cursor.at("TEMPORARY TABLE"):
        raise cursor.error(14459, "missing GLOBAL keyword")
    if cursor.at("GLOBAL", "PRIVATE"):
        raise not_supported(f"CREATE {cursor.word()} TEMPORARY TABLE")
    raise not_supported(f"CREATE {cursor.word()}")
