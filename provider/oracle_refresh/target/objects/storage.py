"""Where new tables and their LOBs are stored, as far as the definition says so.

DDL comes without the source's storage (`statements.TRANSFORMS`), so tables go to their owner's default
tablespace and LOBs are what DB_SECUREFILE says. With `storage` of the definition, clauses are put where
the grammar wants them. Source: CREATE TABLE, "physical_properties" and "LOB_storage_clause", in SQL Language
Reference 19c.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from oracle_refresh.catalog.model import Catalogue, Table
from oracle_refresh.definition import RefreshDefinition
from oracle_refresh.definition.model import LobStorage
from oracle_refresh.oracle.errors import PlanError
from oracle_refresh.oracle.identifiers import Identifier, TableName
from oracle_refresh.oracle.session import rows
from oracle_refresh.target.objects import ddl, statements
from oracle_refresh.target.objects.metadata import STEP

if TYPE_CHECKING:
    import oracledb


@dataclass(frozen=True)
class Places:
    """The tablespaces of the source's tables and LOBs, mapped to those of the target."""

    tables: Mapping[TableName, str]
    lobs: Mapping[tuple[str, str, str], str]
    lob_storage: LobStorage

    def apply(self, statement: str, table: Table) -> str:
        """The CREATE TABLE with its clauses; unchanged where nothing is said of the table."""
        tablespace = self.tables.get(table.full_name)
        place = f" TABLESPACE {Identifier(tablespace).sql}" if tablespace else ""
        lobs = "".join(self._lob(table, lob.column, lob.securefile) for lob in table.lobs)
        if not (place or lobs) or table.temporary:
            return statement
        first, second = _places(statement, table)
        return f"{statement[:first]}{place}{statement[first:second]}{lobs}{statement[second:]}"

    def _lob(self, table: Table, column: str, securefile: bool) -> str:
        tablespace = self.lobs.get((table.owner, table.name, column))
        if self.lob_storage is LobStorage.DEFAULT and tablespace is None:
            return ""
        kind = {
            LobStorage.SECUREFILE: "SECUREFILE ",
            LobStorage.BASICFILE: "BASICFILE ",
            LobStorage.NO_CHANGE: "SECUREFILE " if securefile else "BASICFILE ",
            LobStorage.DEFAULT: "",
        }[self.lob_storage]
        inside = f"(TABLESPACE {Identifier(tablespace).sql})" if tablespace else ""
        return f" LOB ({Identifier(column).sql}) STORE AS {kind}{inside}".rstrip()


def read_places(source: oracledb.Connection, catalogue: Catalogue, definition: RefreshDefinition) -> Places:
    """The places of all tables; the source is asked only where tablespaces are mapped."""
    mapped = definition.storage.tablespaces
    tables: dict[TableName, str] = {}
    lobs: dict[tuple[str, str, str], str] = {}
    if mapped:
        of_tables = rows(source, statements.TABLESPACES_OF_TABLES, names=catalogue.schemas)
        of_lobs = rows(source, statements.TABLESPACES_OF_LOBS, names=catalogue.schemas)
        tables = {TableName(*table): mapped[place] for *table, place in of_tables if place in mapped}
        lobs = {(*table, column): mapped[place] for *table, column, place in of_lobs if place in mapped}
    return Places(tables, lobs, definition.storage.lob_storage)


#: What begins the clauses behind the physical properties and those of columns, with the words that follow.
_LATER = {
    "PARTITION": ("BY",),
    "READ": ("ONLY", "WRITE"),
    "INDEXING": ("ON", "OFF"),
    "ENABLE": (),
    "DISABLE": (),
    "ROW": ("ARCHIVAL",),
    "FLASHBACK": ("ARCHIVE",),
    "NO": ("ROW", "FLASHBACK"),
    **dict.fromkeys(("CACHE", "NOCACHE", "RESULT_CACHE", "PARALLEL", "NOPARALLEL"), ()),
    **dict.fromkeys(("ROWDEPENDENCIES", "NOROWDEPENDENCIES"), ()),
}


def _places(statement: str, table: Table) -> tuple[int, int]:
    """Where the tablespace goes, and where the LOB clauses go.

    The tablespace begins the physical properties: behind the columns, DEFAULT COLLATION and ORGANIZATION
    INDEX. LOBs follow the physical properties, with those of an index-organized table (PCTTHRESHOLD,
    INCLUDING, OVERFLOW).
    """
    end = first = ddl.end_of_columns(statement)
    depth = 0
    tokens = [token for token in ddl.tokens(statement) if token.start >= end]
    for number, token in enumerate(tokens):
        depth += {"(": 1, ")": -1}.get(token.text, 0) if token.kind == "symbol" else 0
        following = tokens[number + 1].text if number + 1 < len(tokens) else ""
        if depth or token.kind != "word":
            end = token.end
        elif token.text in ("LOB", "TABLESPACE"):
            raise PlanError(
                "the source's definition says itself where the table is stored",
                object_name=table.key,
                step=STEP,
                remedy="leave `storage` out of the definition, or exclude the table",
            )
        elif token.text in _LATER and (not _LATER[token.text] or following in _LATER[token.text]):
            return first, end
        else:
            end = token.end
            if (token.text, following) == ("DEFAULT", "COLLATION"):
                first = tokens[number + 2].end
            elif (token.text, following) == ("ORGANIZATION", "INDEX"):
                first = tokens[number + 1].end
    return first, end
