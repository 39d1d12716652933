"""Physical attributes of tables, indexes, partitions and LOBs, and what else stands among them.

What PostgreSQL has no use for is read, kept as an attribute for the dictionary where the dictionary shows
it, and otherwise without effect; a clause that is not known is ORA-00922, one that changes behaviour is
refused.
"""

from __future__ import annotations

from localoracle.errors import OracleError, not_supported
from localoracle.sql.ddl.storage_clause import read_storage
from localoracle.sql.parsing.lexer import Cursor, split_commas

_NUMBERED = ("PCTFREE", "PCTUSED", "INITRANS", "MAXTRANS")
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
}
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
        attributes |= read_storage(cursor.sub(cursor.parenthesised()), altering=altering)
    elif cursor.take("TABLESPACE"):
        attributes["tablespace"] = cursor.name()
    elif cursor.take("NOLOGGING", "FILESYSTEM_LIKE_LOGGING"):
        attributes["logging"] = "NO"
    elif cursor.take("LOGGING"):
        attributes["logging"] = "YES"
    elif cursor.take("NOPARALLEL"):
        attributes["degree"] = "1"
    elif cursor.take("PARALLEL"):
        attributes["degree"] = _degree(cursor)
    elif cursor.take("NOCOMPRESS"):
        attributes["compression"] = "DISABLED"
    elif cursor.take("ROW STORE COMPRESS", "COMPRESS"):
        attributes |= _index_compression(cursor) if index else _table_compression(cursor)
    elif not index and cursor.take("RESULT_CACHE"):
        attributes["result_cache"] = _result_cache(cursor.sub(cursor.parenthesised()))
    elif not index and (word := cursor.take(*_OF_TABLES)):
        attributes[_OF_TABLES[word][0]] = _OF_TABLES[word][1]
    elif index and cursor.take(
        "ONLINE", "NOSORT", "SORT", "VISIBLE", "GLOBAL", "NOREVERSE", "COMPUTE STATISTICS"
    ):
        pass
    elif index and cursor.take("REVERSE"):
        attributes["reverse"] = "YES"
    elif index and cursor.take("LOCAL"):
        attributes["locality"] = "LOCAL"
        if cursor.at("("):
            attributes["partitions"] = _index_partitions(cursor.sub(cursor.parenthesised()))
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
