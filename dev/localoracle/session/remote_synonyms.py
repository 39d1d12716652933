"""Synonyms for objects behind database links: which there are, and what a name in a statement means."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from localoracle.errors import OracleError

if TYPE_CHECKING:
    from localoracle.server.database import Database
    from localoracle.session.session import Session
    from localoracle.sql.statement import Statement

_NAMING = ("CREATE TABLE", "CREATE VIEW", "CREATE MATERIALIZED VIEW", "CREATE SEQUENCE")
_CHANGING = ("CREATE SYNONYM", "DROP SYNONYM", "CREATE PUBLIC SYNONYM", "DROP PUBLIC SYNONYM")


@dataclass(frozen=True)
class RemoteObject:
    """An object at the other end of a link; without an owner it is in the schema of the link's user."""

    owner: str | None
    name: str
    link: str


class RemoteSynonyms:
    """All of a database, by owner and name."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, str], RemoteObject] = {}

    async def read(self, database: Database) -> None:
        rows = await database.system(
            "SELECT owner, synonym_name, table_owner, table_name, db_link FROM localoracle.synonyms"
            " WHERE db_link IS NOT NULL"
        )
        self._known = {(owner, name): RemoteObject(*target) for owner, name, *target in rows}

    async def changed(self, database: Database, statement: Statement) -> None:
        """Look again after DDL that may have made or dropped one."""
        if statement.verb in _CHANGING:
            await self.read(database)

    def user_dropped(self, user: str) -> None:
        self._known = {place: target for place, target in self._known.items() if place[0] != user}

    def maybe_in(self, sql: str) -> bool:
        """Whether any of their names stands in a statement, be it as something else."""
        if not self._known:
            return False
        upper = sql.upper()
        return any(name.upper() in upper for _, name in self._known)

    def refuse_name(self, statement: Statement, schema: str) -> None:
        """Raises ORA-00955 where DDL makes an object with the name of a synonym."""
        if statement.verb.startswith(_NAMING) and (
            (statement.schema or schema, statement.object_name) in self._known
        ):
            raise OracleError(955, "name is already used by an existing object")

    async def find(self, session: Session, owner: str | None, name: str) -> RemoteObject | None:
        """What `owner.name` or `name` means, if it is such a synonym: an own one, a public one."""
        found = self._known.get((owner or session.current_schema, name))
        public = self._known.get(("PUBLIC", name)) if owner is None and found is None else None
        if public is None:
            return found
        hidden = await session.pg_system(
            "SELECT 1 FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace"
            " WHERE n.nspname = %s AND c.relname = %s AND c.relkind IN ('r', 'p', 'v', 'm')",
            [session.current_schema, name],
        )
        return None if hidden else public
