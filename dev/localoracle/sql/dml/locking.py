"""LOCK TABLE, and how long it and FOR UPDATE wait."""

from __future__ import annotations

from localoracle.errors import not_supported
from localoracle.sql.parsing.lexer import Cursor, quote_qualified

_LOCK_MODES = {
    "ROW SHARE": "ROW SHARE",
    "ROW EXCLUSIVE": "ROW EXCLUSIVE",
    "SHARE UPDATE": "ROW SHARE",
    "SHARE ROW EXCLUSIVE": "SHARE ROW EXCLUSIVE",
    "SHARE": "SHARE",
    "EXCLUSIVE": "EXCLUSIVE",
}


def lock_table(cursor: Cursor) -> tuple[str, int | None]:
    """LOCK TABLE t [, ...] IN mode MODE [NOWAIT | WAIT n]: PostgreSQL's text, and the seconds to wait."""
    cursor.expect("LOCK TABLE", 900, "invalid SQL statement")
    tables = []
    while True:
        schema, name = cursor.qualified()
        if cursor.at("PARTITION", "SUBPARTITION"):
            raise not_supported("LOCK TABLE of a partition")
        tables.append(quote_qualified(schema, name))
        if not cursor.take(","):
            break
    cursor.expect("IN", 905, "missing keyword")
    mode = cursor.take(*sorted(_LOCK_MODES, key=len, reverse=True))
    if mode is None:
        raise cursor.error(1737, "valid modes: [ROW] SHARE, [[SHARE] ROW] EXCLUSIVE, SHARE UPDATE")
    cursor.expect("MODE", 905, "missing keyword")
    waiting, seconds = lock_wait(cursor)
    cursor.finish(933, "SQL command not properly ended")
    return f"LOCK TABLE {', '.join(tables)} IN {_LOCK_MODES[mode]} MODE{waiting}", seconds


def lock_wait(cursor: Cursor) -> tuple[str, int | None]:
    """[NOWAIT | WAIT n]: PostgreSQL's NOWAIT, or the seconds to wait. ORA-30005: WAIT without a number."""
    if cursor.take("NOWAIT"):
        return " NOWAIT", None
    if not cursor.take("WAIT"):
        return "", None
    if not cursor.word().isdigit():
        raise cursor.error(30005, "missing or invalid WAIT interval")
    seconds = cursor.number()
    return ("", seconds) if seconds else (" NOWAIT", None)
