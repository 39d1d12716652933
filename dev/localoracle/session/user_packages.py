"""Packages of schemas as statements write them: PACKAGE.FUNCTION( ) is no function of a schema then."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from localoracle.server.database import Database


class UserPackages:
    """All packages of a database's users, by owner and name."""

    def __init__(self) -> None:
        self._known: frozenset[tuple[str, str]] = frozenset()

    async def read(self, database: Database) -> None:
        rows = await database.system("SELECT owner, name FROM localoracle.routines WHERE type = 'PACKAGE'")
        self._known = frozenset((str(owner), str(name)) for owner, name in rows)

    async def changed(self, database: Database, verb: str) -> None:
        """Look again after DDL that may have made or dropped one."""
        if verb in ("CREATE PACKAGE", "DROP PACKAGE"):
            await self.read(database)

    def seen_from(self, schema: str) -> frozenset[str]:
        """PACKAGE of the schema itself, OWNER.PACKAGE of all."""
        own = {name for owner, name in self._known if owner == schema}
        return frozenset(own | {f"{owner}.{name}" for owner, name in self._known})
