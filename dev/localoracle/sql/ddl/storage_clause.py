"""STORAGE (...) of tables, indexes and LOBs (SQL Language Reference, storage_clause).

All tablespaces are managed locally, with automatic extents and segment space: INITIAL and the pools are kept
and shown; NEXT, PCTINCREASE, MINEXTENTS, MAXEXTENTS and FREELISTS are documented to be ignored in such.
"""

from __future__ import annotations

from localoracle.errors import OracleError
from localoracle.sql.parsing.lexer import Cursor
from localoracle.sql.parsing.sizes import size

BLOCK_BYTES = 8192
_INVALID = {
    "INITIAL": (2218, "invalid INITIAL storage option value"),
    "NEXT": (2219, "invalid NEXT storage option value"),
    "MINEXTENTS": (2220, "invalid MINEXTENTS storage option value"),
    "MAXEXTENTS": (2221, "invalid MAXEXTENTS storage option value"),
    "PCTINCREASE": (2222, "invalid PCTINCREASE storage option value"),
}
_POOLS = {
    "BUFFER_POOL": ("KEEP", "RECYCLE", "DEFAULT"),
    "FLASH_CACHE": ("KEEP", "NONE", "DEFAULT"),
    "CELL_FLASH_CACHE": ("KEEP", "NONE", "DEFAULT"),
}
_SIZES = ("INITIAL", "NEXT", "MAXSIZE")
_NUMBERS = ("MINEXTENTS", "MAXEXTENTS", "PCTINCREASE", "FREELISTS", "FREELIST GROUPS")
_FIXED = ("NEXT", "MINEXTENTS", "PCTINCREASE")
"""What a segment with automatic extents has no choice of after its creation."""
_MOST_EXTENTS = 2147483645


def read_storage(cursor: Cursor, *, altering: bool = False) -> dict[str, str]:
    """What stands inside STORAGE ( ): initial_extent (bytes), buffer_pool, flash_cache, cell_flash_cache.

    ORA-02143 for what is no option, ORA-02217 for one twice, ORA-02218 to ORA-02222 for wrong values. Of an
    object that is there (`altering`) INITIAL is ORA-02203, other sizes of its extents are ORA-25150.
    """
    found: dict[str, str] = {}
    said: set[str] = set()
    if cursor.done:
        raise cursor.error(2143, "invalid STORAGE option")
    while not cursor.done:
        position = cursor.position
        word = cursor.take(*_POOLS, *_NUMBERS, *_SIZES)
        if word is None:
            raise cursor.error(2143, "invalid STORAGE option")
        if word in said:
            raise OracleError(2217, "duplicate storage option specification", position)
        said.add(word)
        if altering and word == "INITIAL":
            raise OracleError(2203, "INITIAL storage options not allowed", position)
        if altering and word in _FIXED:
            raise OracleError(25150, "ALTERING of extent parameters not permitted", position)
        if word in _POOLS:
            pool = cursor.take(*_POOLS[word])
            if pool is None:
                raise cursor.error(2143, "invalid STORAGE option")
            found[word.lower()] = pool
        elif word in _SIZES:
            bytes_wanted = _size(cursor, word)
            if word == "INITIAL":
                found["initial_extent"] = str(max(-(-bytes_wanted // BLOCK_BYTES), 1) * BLOCK_BYTES)
        else:
            _number(cursor, word)
    return found


def _size(cursor: Cursor, word: str) -> int:
    if word == "MAXSIZE" and cursor.take("UNLIMITED"):
        return 0
    position = cursor.position
    try:
        return size(cursor)
    except OracleError:
        raise OracleError(*_INVALID.get(word, (2143, "invalid STORAGE option")), position) from None


def _number(cursor: Cursor, word: str) -> None:
    if word == "MAXEXTENTS" and cursor.take("UNLIMITED"):
        return
    text = cursor.word()
    least = 0 if word == "PCTINCREASE" else 1
    if not text.isdigit() or not least <= int(text) <= _MOST_EXTENTS:
        raise cursor.error(*_INVALID.get(word, (2143, "invalid STORAGE option")))
    cursor.next()
