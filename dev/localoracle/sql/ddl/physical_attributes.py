"""Physical attributes of tables, indexes, partitions and LOBs, and what else stands among them.

What PostgreSQL has no use for is read, kept as an attribute for the dictionary where the dictionary shows it,
and otherwise without effect; a clause that is not known is ORA-00922, one that changes behaviour is refused.
All tablespaces are managed locally, with automatic extents and segment space: of STORAGE, INITIAL and the
pools are kept and shown; NEXT, PCTINCREASE, MINEXTENTS, MAXEXTENTS, FREELISTS are documented to be ignored.
"""

from __future__ import annotations

from localoracle.errors import OracleError, not_supported
from localoracle.sql.parsing.lexer import Cursor, split_commas
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
_STORAGE_NUMBERS = ("MINEXTENTS", "MAXEXTENTS", "PCTINCREASE", "FREELISTS", "FREELIST GROUPS")
_FIXED = ("NEXT", "MINEXTENTS", "PCTINCREASE")
"""What a segment with automatic extents has no choice of after its creation."""
_MOST_EXTENTS = 2147483645


def read_storage(cursor: Cursor, *, altering: bool = False) -> dict[str, str]:
    """What stands inside STORAGE ( ): initial_extent (bytes), buffer_pool, flash_cache, cell_flash_cache.

    ORA-02143 for what is no option, ORA-02217 for one twice, ORA-02218 to ORA-02222 for wrong values. Of an
    object that is there (`altering`) INITIAL is ORA-02203, other sizes of its extents are ORA-25150.
    """
    attributes: dict[str, str] = {}
    words: set[str] = set()
    if cursor.done:
        raise cursor.error(2143, "invalid STORAGE option")
    while not cursor.done:
        position = cursor.position
        word = cursor.take(*_POOLS, *_STORAGE_NUMBERS, *_SIZES)
        if word is None:
            raise cursor.error(2143, "invalid STORAGE option")
        if word in words:
            raise OracleError(2217, "duplicate storage option specification", position)
        words.add(word)
        if altering and word == "INITIAL":
            raise OracleError(2203, "INITIAL storage options not allowed", position)
        if altering and word in _FIXED:
            raise OracleError(25150, "ALTERING of extent parameters not permitted", position)
        if word in _POOLS:
            pool = cursor.take(*_POOLS[word])
            if pool is None:
                raise cursor.error(2143, "invalid STORAGE option")
            attributes[word.lower()] = pool
        elif word in _SIZES:
            bytes_wanted = _size(cursor, word)
            if word == "INITIAL":
                attributes["initial_extent"] = str(max(-(-bytes_wanted // BLOCK_BYTES), 1) * BLOCK_BYTES)
        else:
            _check_number(cursor, word)
    return attributes


def _size(cursor: Cursor, word: str) -> int:
    if word == "MAXSIZE" and cursor.take("UNLIMITED"):
        return 0
    position = cursor.position
    try:
        return size(cursor)
    except OracleError:
        raise OracleError(*_INVALID.get(word, (2143, "invalid STORAGE option")), position) from None


def _check_number(cursor: Cursor, word: str) -> None:
    if word == "MAXEXTENTS" and cursor.take("UNLIMITED"):
        return
    text = cursor.word()
    least = 0 if word == "PCTINCREASE" else 1
    if not text.isdigit() or not least <= int(text) <= _MOST_EXTENTS:
        raise cursor.error(*_INVALID.get(word, (2143, "invalid STORAGE option")))
    cursor.next()


_NUMBERED = ("PCTFREE", "PCTUSED", "INITRANS", "MAXTRANS")
_OF_SEGMENTS = {
    "NOLOGGING": ("logging", "NO"), "FILESYSTEM_LIKE_LOGGING": ("logging", "NO"),
    "LOGGING": ("logging", "YES"), "NOPARALLEL": ("degree", "1"), "NOCOMPRESS": ("compression", "DISABLED"),
}  # fmt: skip
_OF_TABLES = {
    "NOCACHE": ("cache", "N"), "CACHE": ("cache", "Y"),
    "ROWDEPENDENCIES": ("dependencies", "ENABLED"), "NOROWDEPENDENCIES": ("dependencies", "DISABLED"),
    "SEGMENT CREATION IMMEDIATE": ("segment_created", "YES"),
    "SEGMENT CREATION DEFERRED": ("segment_created", "NO"),
    "ENABLE ROW MOVEMENT": ("row_movement", "ENABLED"), "DISABLE ROW MOVEMENT": ("row_movement", "DISABLED"),
}  # fmt: skip
# Clauses of tables and not of indexes, with what the dictionary shows of them.
_WITHOUT_EFFECT = ("MONITORING", "NOMONITORING", "NO INMEMORY", "INDEXING ON")
_TRANSACTIONS = {
    "INITRANS": ("ini_trans", 2207, "invalid INITRANS option value"),
    "MAXTRANS": ("max_trans", 2209, "invalid MAXTRANS option value"),
}
_ONCE = {
    "INITRANS": ("ini_trans", 2206, "duplicate INITRANS option specification"),
    "MAXTRANS": ("max_trans", 2208, "duplicate MAXTRANS option specification"),
    "PCTFREE": ("pct_free", 2212, "duplicate PCTFREE option specification"),
    "TABLESPACE": ("tablespace", 2215, "duplicate tablespace name clause"),
    **dict.fromkeys(
        ("LOGGING", "NOLOGGING"), ("logging", 14102, "only one LOGGING or NOLOGGING clause may be specified")
    ),
    **dict.fromkeys(
        ("PARALLEL", "NOPARALLEL"),
        ("degree", 12812, "only one PARALLEL or NOPARALLEL clause may be specified"),
    ),
    "REVERSE": ("reverse", 14124, "duplicate REVERSE clause"),
}
COMPUTED = "computed"
"""COMPUTE STATISTICS: of an index, which has them from then on."""
_RESULT_CACHES = ("DEFAULT", "FORCE", "MANUAL")


def physical_attribute(
    cursor: Cursor, attributes: dict[str, str], *, index: bool = False, altering: bool = False
) -> bool:
    """Read one physical attribute or storage clause; False when there is none here. `altering`: of an object
    that keeps its segment."""
    if index and (twice := _ONCE.get(cursor.word())) and twice[0] in attributes:
        raise OracleError(*twice[1:], cursor.position)
    numbered = cursor.take(*(word for word in _NUMBERED if not (index and word == "PCTUSED")))
    if numbered:
        value = cursor.number()
        if numbered in _TRANSACTIONS:
            name, code, text = _TRANSACTIONS[numbered]
            if not 1 <= value <= 255:
                raise cursor.error(code, text)
            attributes[name] = str(value)
        else:
            if not 0 <= value <= 99:
                raise cursor.error(2211, "invalid value for PCTFREE or PCTUSED")
            attributes["pct_free" if numbered == "PCTFREE" else "pct_used"] = str(value)
            if int(attributes.get("pct_free", 10)) + int(attributes.get("pct_used", 0)) > 100:
                raise cursor.error(4000, "the sum of PCTUSED and PCTFREE cannot exceed 100")
    elif cursor.take("STORAGE"):
        attributes |= read_storage(cursor.inside(), altering=altering)
    elif cursor.take("TABLESPACE"):
        attributes["tablespace"] = cursor.name()
    elif word := cursor.take(*_OF_SEGMENTS):
        attributes[_OF_SEGMENTS[word][0]] = _OF_SEGMENTS[word][1]
    elif cursor.take("PARALLEL"):
        attributes["degree"] = _degree(cursor)
    elif cursor.take("ROW STORE COMPRESS", "COMPRESS"):
        attributes |= _index_compression(cursor) if index else _table_compression(cursor)
    elif not index and cursor.take("RESULT_CACHE"):
        attributes["result_cache"] = _result_cache(cursor.inside())
    elif not index and (word := cursor.take(*_OF_TABLES)):
        attributes[_OF_TABLES[word][0]] = _OF_TABLES[word][1]
    elif index and cursor.take("ONLINE", "NOSORT", "SORT", "VISIBLE", "GLOBAL", "NOREVERSE"):
        pass
    elif index and cursor.take("COMPUTE STATISTICS"):
        attributes[COMPUTED] = "YES"
    elif index and cursor.take("REVERSE"):
        attributes["reverse"] = "YES"
    elif index and cursor.take("LOCAL"):
        attributes["locality"] = "LOCAL"
        if cursor.at("("):
            attributes["partitions"] = _index_partitions(cursor.inside())
    elif not index and cursor.take(*_WITHOUT_EFFECT):
        pass
    else:
        return False
    return True


def _index_partitions(cursor: Cursor) -> str:
    """The partitions of a LOCAL index: their names, commas between them."""
    names = []
    for part in split_commas(cursor):
        inner = cursor.over(part)
        inner.expect("PARTITION", 14004, "missing PARTITION keyword")
        if inner.done:
            raise not_supported("a partition of an index without a name")
        names.append(inner.name())
        if not inner.done:
            raise not_supported("attributes of a single partition of an index")
    if len(set(names)) != len(names):
        raise OracleError(14013, "duplicate partition name")
    return ",".join(names)


def _result_cache(cursor: Cursor) -> str:
    cursor.expect("MODE", 905, "missing keyword")
    mode = cursor.take(*_RESULT_CACHES)
    if mode is None or not cursor.done:
        raise cursor.error(922, "missing or invalid option")
    return mode


def _degree(cursor: Cursor) -> str:
    if cursor.take("("):
        cursor.expect("DEGREE")
        degree = "DEFAULT" if cursor.take("DEFAULT") else str(cursor.number())
        if cursor.take("INSTANCES"):
            cursor.next()
        cursor.expect(")", 907, "missing right parenthesis")
    else:
        degree = str(cursor.number()) if cursor.word().isdigit() else "DEFAULT"
    if degree == "0":
        raise cursor.error(12813, "value for PARALLEL or DEGREE must be greater than 0")
    return degree


def _table_compression(cursor: Cursor) -> dict[str, str]:
    """As DBA_TABLES has it in COMPRESSION and COMPRESS_FOR (table_compression of CREATE TABLE)."""
    kind = "BASIC"
    if cursor.take("FOR"):
        operations = cursor.take("OLTP", "ALL OPERATIONS", "DIRECT_LOAD OPERATIONS")
        if operations is None:
            raise not_supported(f"COMPRESS FOR {cursor.word()}")
        kind = "BASIC" if operations.startswith("DIRECT_LOAD") else "ADVANCED"
    elif cursor.take("ADVANCED"):
        kind = "ADVANCED"
    else:
        cursor.take("BASIC")
    return {"compression": "ENABLED", "compress_for": kind}


def _index_compression(cursor: Cursor) -> dict[str, str]:
    """As DBA_INDEXES has it; `prefix_length` is missing where the default is wanted (index_compression)."""
    if level := cursor.take("ADVANCED LOW", "ADVANCED HIGH", "ADVANCED"):
        return {"compression": "ADVANCED LOW" if level == "ADVANCED LOW" else "ADVANCED HIGH"}
    attributes = {"compression": "ENABLED"}
    if cursor.word().isdigit():
        attributes["prefix_length"] = str(cursor.number())
    return attributes
