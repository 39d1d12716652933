"""Clauses that many DDL statements share: physical attributes, constraint states, LOB storage.

What PostgreSQL has no use for is read, kept as an attribute for the dictionary where the dictionary shows
it, and otherwise without effect; a clause that is not known is ORA-00922, one that changes behaviour is
refused.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from localoracle.errors import OracleError, not_supported
from localoracle.sql.lexer import Cursor


@dataclass
class ConstraintState:
    """constraint_state: deferral, ENABLE or DISABLE, VALIDATE or NOVALIDATE, the index to use."""

    deferral: str = ""
    disabled: bool = False
    validated: bool = True
    rely: bool = False
    uses_index: bool = False
    index: str | None = None
    create_index: list[object] = field(default_factory=list)
    index_attributes: dict[str, str] = field(default_factory=dict)


# The parts of constraint_state in their order; those of the first stand in any.
_STATE = (
    ("NOT DEFERRABLE", "DEFERRABLE", "INITIALLY IMMEDIATE", "INITIALLY DEFERRED"),
    ("RELY", "NORELY"),
    ("USING INDEX",),
    ("ENABLE", "DISABLE"),
    ("VALIDATE", "NOVALIDATE"),
    ("EXCEPTIONS",),
)
# The same words begin clauses of ALTER TABLE.
_OTHER_CLAUSES = tuple(
    f"{word} {what}"
    for word in ("ENABLE", "DISABLE")
    for what in ("CONSTRAINT", "PRIMARY KEY", "UNIQUE (", "ROW MOVEMENT", "ALL TRIGGERS", "TABLE LOCK")
)


def constraint_state(cursor: Cursor) -> ConstraintState:
    """Read the states that follow a constraint: in their order and each once, or ORA-00922.

    SQL Language Reference, constraint, constraint_state.
    """
    state = ConstraintState()
    said: list[str] = []
    reached = 0
    while not cursor.done and not cursor.at(*_OTHER_CLAUSES):
        position = cursor.position
        place, word = next(
            ((place, word) for place, words in enumerate(_STATE) if (word := cursor.take(*words))), (0, None)
        )
        if word is None:
            break
        if place < reached or any(_same_state(word, other) for other in said):
            raise OracleError(922, "missing or invalid option", position)
        reached = place
        said.append(word)
        if word == "USING INDEX":
            _using_index(cursor, state)
        elif word == "EXCEPTIONS":
            raise not_supported("EXCEPTIONS on a constraint")
    state.rely = "RELY" in said
    state.disabled = "DISABLE" in said
    state.validated = "NOVALIDATE" not in said
    state.uses_index = "USING INDEX" in said
    if "NOT DEFERRABLE" in said and "INITIALLY DEFERRED" in said:
        raise OracleError(2447, "cannot defer a constraint that is not deferrable")
    if state.disabled and "VALIDATE" in said:
        raise not_supported("DISABLE VALIDATE of a constraint")
    if "DEFERRABLE" in said or "INITIALLY DEFERRED" in said:
        state.deferral = " DEFERRABLE" + (" INITIALLY DEFERRED" if "INITIALLY DEFERRED" in said else "")
    return state


def _same_state(word: str, other: str) -> bool:
    """Whether two words say the same part of constraint_state."""
    if "INITIALLY" in word or "INITIALLY" in other:
        return "INITIALLY" in word and "INITIALLY" in other
    return any(word in words and other in words for words in _STATE)


def _using_index(cursor: Cursor, state: ConstraintState) -> None:
    if cursor.at("("):
        inner = cursor.parenthesised()
        state.create_index = list(inner)
        return
    if physical_attribute(cursor, state.index_attributes, index=True):
        while physical_attribute(cursor, state.index_attributes, index=True):
            pass
        return
    if not cursor.done and not cursor.at(
        "ENABLE", "DISABLE", "VALIDATE", "NOVALIDATE", ",", ")", "NOT", "DEFERRABLE", "INITIALLY", "RELY"
    ):
        _, state.index = cursor.qualified()


_NUMBERED = ("PCTFREE", "PCTUSED", "INITRANS", "MAXTRANS")
_WITHOUT_EFFECT = (
    "MONITORING", "NOMONITORING", "NOCACHE", "CACHE", "COMPUTE STATISTICS", "ROWDEPENDENCIES",
    "NOROWDEPENDENCIES", "NO INMEMORY", "SEGMENT CREATION IMMEDIATE", "SEGMENT CREATION DEFERRED",
    "INDEXING ON", "DISABLE ROW MOVEMENT",
)  # fmt: skip


def physical_attribute(cursor: Cursor, attributes: dict[str, str], *, index: bool = False) -> bool:
    """Read one physical attribute or storage clause; False when there is none here."""
    numbered = cursor.take(*_NUMBERED)
    if numbered:
        value = cursor.number()
        if numbered in ("PCTFREE", "PCTUSED"):
            if not 0 <= value <= 99:
                raise cursor.error(2211, "invalid value for PCTFREE or PCTUSED")
            attributes["pct_free" if numbered == "PCTFREE" else "pct_used"] = str(value)
            if int(attributes.get("pct_free", 10)) + int(attributes.get("pct_used", 0)) > 100:
                raise cursor.error(4000, "the sum of PCTUSED and PCTFREE cannot exceed 100")
    elif cursor.take("STORAGE"):
        _storage(cursor.sub(cursor.parenthesised()))
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
    elif cursor.take("ENABLE ROW MOVEMENT"):
        attributes["row_movement"] = "ENABLED"
    elif cursor.take("RESULT_CACHE"):
        cursor.parenthesised()
    elif index and cursor.take("ONLINE", "NOSORT", "SORT", "VISIBLE", "GLOBAL", "NOREVERSE"):
        pass
    elif index and cursor.take("REVERSE"):
        attributes["reverse"] = "YES"
    elif index and cursor.take("LOCAL"):
        attributes["locality"] = "LOCAL"
        if cursor.at("("):
            cursor.parenthesised()
    elif cursor.take(*_WITHOUT_EFFECT):
        pass
    else:
        return False
    return True


def _degree(cursor: Cursor) -> str:
    if cursor.take("("):
        cursor.expect("DEGREE")
        degree = "DEFAULT" if cursor.take("DEFAULT") else str(cursor.number())
        if cursor.take("INSTANCES"):
            cursor.next()
        cursor.expect(")", 907, "missing right parenthesis")
        return degree
    return str(cursor.number()) if cursor.word().isdigit() else "DEFAULT"


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


_STORAGE_NAMES = {
    "INITIAL", "NEXT", "MINEXTENTS", "MAXEXTENTS", "PCTINCREASE", "FREELISTS", "FREELIST", "GROUPS",
    "BUFFER_POOL", "FLASH_CACHE", "CELL_FLASH_CACHE", "MAXSIZE", "OPTIMAL", "ENCRYPT", "DEFAULT",
    "KEEP", "RECYCLE", "NONE", "UNLIMITED", "K", "M", "G", "T", "P", "E",
}  # fmt: skip


def _storage(cursor: Cursor) -> None:
    """STORAGE (...): nothing of it has an effect here, but it must be made of storage clauses."""
    while not cursor.done:
        word = cursor.word()
        if word not in _STORAGE_NAMES and not word.rstrip("KMGTPE").isdigit():
            raise cursor.error(2143, "invalid STORAGE option")
        cursor.next()


@dataclass
class LobStorage:
    """LOB (c, ...) STORE AS ...: attributes for each of the columns."""

    columns: tuple[str, ...]
    attributes: dict[str, str]


def lob_storage(cursor: Cursor) -> LobStorage:
    """Read the clause after LOB."""
    from localoracle.sql.columns import column_list

    columns = column_list(cursor)
    cursor.expect("STORE AS")
    attributes: dict[str, str] = {}
    kind = cursor.take("BASICFILE", "SECUREFILE")
    if kind:
        attributes["securefile"] = "NO" if kind == "BASICFILE" else "YES"
    if (
        not cursor.at("(")
        and not cursor.done
        and cursor.word() not in _AFTER_LOB
        and cursor.word() not in (",", ")")
    ):
        cursor.name()  # the segment's name
    if cursor.at("("):
        lob_parameters(cursor.sub(cursor.parenthesised()), attributes)
    return LobStorage(columns, attributes)


_AFTER_LOB = {
    "LOB", "PARTITION", "TABLESPACE", "PCTFREE", "STORAGE", "LOGGING", "NOLOGGING", "AS", "PARALLEL",
    "NOPARALLEL", "ENABLE", "DISABLE", "SEGMENT", "MONITORING", "CACHE", "NOCACHE", "COMPRESS",
    "NOCOMPRESS", "INITRANS", "PCTUSED", "ORGANIZATION",
}  # fmt: skip


def lob_parameters(cursor: Cursor, attributes: dict[str, str]) -> None:
    """LOB_storage_parameters."""
    while not cursor.done:
        if cursor.take("ENABLE STORAGE IN ROW"):
            attributes["in_row"] = "YES"
            if cursor.word().isdigit():
                cursor.number()
        elif cursor.take("DISABLE STORAGE IN ROW"):
            attributes["in_row"] = "NO"
        elif cursor.take("CHUNK"):
            attributes["chunk"] = str(cursor.number())
        elif cursor.take("PCTVERSION", "FREEPOOLS"):
            cursor.number()
        elif cursor.take("RETENTION"):
            cursor.take("MAX", "AUTO", "NONE") or (cursor.take("MIN") and cursor.number())
        elif cursor.take("CACHE READS"):
            attributes["cache"] = "CACHEREADS"
        elif cursor.take("NOCACHE"):
            attributes["cache"] = "NO"
        elif cursor.take("CACHE"):
            attributes["cache"] = "YES"
        elif (
            cursor.take("DEDUPLICATE", "KEEP_DUPLICATES", "DECRYPT")
            or cursor.take("NOCOMPRESS")
            or (cursor.take("COMPRESS") and (cursor.take("HIGH", "MEDIUM", "LOW") or True))
        ):
            pass
        elif cursor.at("ENCRYPT"):
            raise not_supported("an encrypted LOB")
        elif not physical_attribute(cursor, attributes):
            raise OracleError(22853, "invalid LOB storage option specification", cursor.position)
