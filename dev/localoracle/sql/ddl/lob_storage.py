"""LOB storage: LOB (columns) STORE AS ..., and its parameters.

SQL Language Reference, CREATE TABLE, LOB_storage_clause.
"""

from __future__ import annotations

from dataclasses import dataclass

from localoracle.errors import OracleError, not_supported
from localoracle.sql.ddl.physical_attributes import physical_attribute
from localoracle.sql.parsing.lexer import Cursor
from localoracle.sql.parsing.names import column_list


@dataclass
class LobStorage:
    """LOB (c, ...) STORE AS ...: attributes for each of the columns."""

    columns: tuple[str, ...]
    attributes: dict[str, str]


def lob_storage(cursor: Cursor) -> LobStorage:
    """Read the clause after LOB."""
    columns = column_list(cursor)
    cursor.expect("STORE AS")
    attributes: dict[str, str] = {}
    kind = cursor.take("BASICFILE", "SECUREFILE")
    if kind:
        attributes["securefile"] = "NO" if kind == "BASICFILE" else "YES"
    if not cursor.done and cursor.word() not in _AFTER_LOB:
        attributes["segment_name"] = cursor.name()
        if len(columns) > 1:
            raise not_supported("one name for the LOB segments of several columns")
    if cursor.at("("):
        lob_parameters(cursor.inside(), attributes)
    return LobStorage(columns, attributes)


_AFTER_LOB = {
    "LOB", "PARTITION", "TABLESPACE", "PCTFREE", "STORAGE", "LOGGING", "NOLOGGING", "AS", "PARALLEL",
    "NOPARALLEL", "ENABLE", "DISABLE", "SEGMENT", "MONITORING", "CACHE", "NOCACHE", "COMPRESS",
    "NOCOMPRESS", "INITRANS", "PCTUSED", "ORGANIZATION", "(", ",", ")",
}  # fmt: skip


_SAME_CLAUSE = {
    "ENABLE": "STORAGE IN ROW", "DISABLE": "STORAGE IN ROW", "NOCACHE": "CACHE", "NOCOMPRESS": "COMPRESS",
    "KEEP_DUPLICATES": "DEDUPLICATE", "NOLOGGING": "LOGGING", "FILESYSTEM_LIKE_LOGGING": "LOGGING",
    "DECRYPT": "ENCRYPT",
}  # fmt: skip
_FIXED = {
    "ENABLE STORAGE IN ROW": {"in_row": "YES"}, "DISABLE STORAGE IN ROW": {"in_row": "NO"},
    "CACHE READS": {"cache": "CACHEREADS"}, "NOCACHE": {"cache": "NO"}, "CACHE": {"cache": "YES"},
    "DEDUPLICATE": {"deduplication": "LOB"}, "KEEP_DUPLICATES": {"deduplication": "NO"},
    "NOCOMPRESS": {"compression": "NO"}, "DECRYPT": {},
}  # fmt: skip
_OF_SECUREFILES = ("DEDUPLICATE", "KEEP_DUPLICATES", "COMPRESS", "NOCOMPRESS", "ENCRYPT", "DECRYPT")


def lob_parameters(cursor: Cursor, attributes: dict[str, str]) -> None:
    """LOB_storage_parameters."""
    clauses: set[str] = set()
    while not cursor.done:
        clause = _SAME_CLAUSE.get(cursor.word(), cursor.word())
        if clause in clauses:
            raise OracleError(22850, "duplicate LOB storage option specificed", cursor.position)
        clauses.add(clause)
        if cursor.at(*_OF_SECUREFILES) and attributes.get("securefile") == "NO":
            raise OracleError(43856, "Unsupported LOB type for SECUREFILE LOB operation", cursor.position)
        if word := cursor.take(*_FIXED):
            attributes |= _FIXED[word]
            if word == "ENABLE STORAGE IN ROW" and cursor.word().isdigit():
                cursor.number()
        elif word := cursor.take("CHUNK", "PCTVERSION"):
            attributes[word.lower()] = str(cursor.number())
        elif cursor.take("FREEPOOLS"):
            cursor.number()
        elif cursor.take("RETENTION"):
            cursor.take("MAX", "AUTO", "NONE") or (cursor.take("MIN") and cursor.number())
        elif cursor.take("COMPRESS"):
            attributes["compression"] = cursor.take("HIGH", "MEDIUM", "LOW") or "MEDIUM"
        elif cursor.at("ENCRYPT"):
            raise not_supported("an encrypted LOB")
        elif not physical_attribute(cursor, attributes):
            raise OracleError(22853, "invalid LOB storage option specification", cursor.position)
