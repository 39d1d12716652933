"""The order of the clauses behind CREATE TABLE's columns, and each once.

SQL Language Reference, CREATE TABLE: DEFAULT COLLATION, physical_properties, then table_properties in their
order. Attributes of the segment may also stand behind CACHE and PARALLEL, as releases are known to take them.
"""

from __future__ import annotations

from localoracle.errors import OracleError
from localoracle.sql.parsing.lexer import Cursor

_COLLATION, _PHYSICAL, _COLUMNS, _PARTITIONS, _TABLE, _STATES, _ARCHIVAL, _QUERY = range(8)
_PLACES = {
    "DEFAULT": _COLLATION,
    **dict.fromkeys(("LOB", "NESTED", "VARRAY", "OBJECT", "XMLTYPE"), _COLUMNS),
    "PARTITION": _PARTITIONS,
    **dict.fromkeys(("CACHE", "NOCACHE", "RESULT_CACHE", "PARALLEL", "NOPARALLEL"), _TABLE),
    **dict.fromkeys(("ROWDEPENDENCIES", "NOROWDEPENDENCIES"), _TABLE),
    **dict.fromkeys(("ENABLE", "DISABLE"), _STATES),
    "ROW ARCHIVAL": _ARCHIVAL,
    "AS": _QUERY,
}
_SAME_CLAUSE = {
    "NOLOGGING": "LOGGING",
    "FILESYSTEM_LIKE_LOGGING": "LOGGING",
    "NOPARALLEL": "PARALLEL",
    "NOCACHE": "CACHE",
    "NOCOMPRESS": "COMPRESS",
    "NOMONITORING": "MONITORING",
    "NOROWDEPENDENCIES": "ROWDEPENDENCIES",
}
_MANY = (
    "LOB", "NESTED", "VARRAY", "OBJECT", "XMLTYPE", "ENABLE", "DISABLE", "NO", "ROW", "COLUMN", "INDEXING",
)  # fmt: skip
_TWICE = {
    "INITRANS": (2206, "duplicate INITRANS option specification"),
    "MAXTRANS": (2208, "duplicate MAXTRANS option specification"),
    "PCTFREE": (2212, "duplicate PCTFREE option specification"),
    "PCTUSED": (2213, "duplicate PCTUSED option specification"),
    "TABLESPACE": (2215, "duplicate tablespace name clause"),
}


class ClauseOrder:
    """What was read so far."""

    def __init__(self) -> None:
        self._reached = _COLLATION
        self._met: set[str] = set()

    def check(self, cursor: Cursor) -> None:
        """ORA-00922 for the clause that stands here if others may not stand before it; its own code if it is
        there already."""
        word = "ROW ARCHIVAL" if cursor.at("ROW ARCHIVAL") else cursor.word().partition(" ")[0]
        clause = _SAME_CLAUSE.get(word, word)
        if clause in self._met and clause not in _MANY:
            raise OracleError(*_TWICE.get(clause, (922, "missing or invalid option")), cursor.position)
        if word == "OVERFLOW":
            self._met -= _TWICE.keys()  # what follows are the attributes of another segment
        place = _PLACES.get(word, _PHYSICAL)
        behind_attributes = self._reached == _TABLE and not self._met & {"LOB", "PARTITION"}
        if place < self._reached and not (place == _PHYSICAL and behind_attributes):
            raise cursor.error(922, "missing or invalid option")
        self._reached = max(self._reached, place)
        self._met.add(clause)
