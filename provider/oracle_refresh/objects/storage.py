"""Where new tables and their LOBs are stored, as far as the definition says so.

DDL comes without the source's storage (`statements.TRANSFORMS`), so tables go to their owner's default
tablespace and LOBs are what DB_SECUREFILE says. With `storage` of the definition, clauses are put behind the
list of columns. Source: CREATE TABLE, "physical_properties" and "LOB_storage_clause", in SQL Language
Reference 19c.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from oracle_refresh.catalog.model import Catalogue, Table
from oracle_refresh.errors import PlanError
from oracle_refresh.identifiers import Identifier
from oracle_refresh.objects import ddl, statements
from oracle_refresh.objects.metadata import STEP, select
from oracle_refresh.spec import RefreshDefinition
from oracle_refresh.spec.definition import LobStorage

if TYPE_CHECKING:
    import oracledb

Key = tuple[str, str]


@dataclass(frozen=True)
class Places:
    """The tablespaces of the source's tables and LOBs, mapped to those of the target."""

    tables: Mapping[Key, str]
    lobs: Mapping[tuple[str, str, str], str]
    lob_storage: LobStorage

    def apply(self, statement: str, table: Table) -> str:
        """The CREATE TABLE with its clauses; unchanged where nothing is said of the table."""
        tablespace = self.tables.get((table.owner, table.name))
        clauses = f" TABLESPACE {Identifier(tablespace).sql}" if tablespace else ""
        clauses += "".join(self._lob(table, lob.column, lob.securefile) for lob in table.lobs)
        if not clauses or table.temporary:
            return statement
        place = _behind_columns(statement, table)
        return f"{statement[:place]}{clauses}{statement[place:]}"

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
    tables: dict[Key, str] = {}
    lobs: dict[tuple[str, str, str], str] = {}
    if mapped:
        for owner, name, tablespace in select(source, statements.TABLESPACES_OF_TABLES, catalogue.schemas):
            if tablespace in mapped:
                tables[owner, name] = mapped[tablespace]
        for owner, name, column, tablespace in select(
            source, statements.TABLESPACES_OF_LOBS, catalogue.schemas
        ):
            if tablespace in mapped:
                lobs[owner, name, column] = mapped[tablespace]
    return Places(tables, lobs, definition.storage.lob_storage)


def _behind_columns(statement: str, table: Table) -> int:
    """Where storage clauses go: behind the columns, and behind ORGANIZATION INDEX where that follows."""
    depth, place = 0, None
    before = ""
    for token in ddl.tokens(statement):
        if token.kind == "symbol" and token.text in "()":
            depth += 1 if token.text == "(" else -1
            if depth == 0 and place is None:
                place = token.end
        elif depth == 0 and place is not None and token.kind == "word":
            if (before, token.text) == ("ORGANIZATION", "INDEX"):
                place = token.end
            elif token.text in ("LOB", "TABLESPACE"):
                raise PlanError(
                    "the source's definition says itself where the table is stored",
                    object_name=table.key,
                    step=STEP,
                    remedy="leave `storage` out of the definition, or exclude the table",
                )
            before = token.text
    if place is None:
        raise PlanError("a CREATE TABLE without columns", object_name=table.key, step=STEP)
    return place
