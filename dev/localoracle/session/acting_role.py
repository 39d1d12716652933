"""PostgreSQL's role of a session: its user's, a definer's, or the superuser for the server's own work."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from psycopg import sql as pgsql
from psycopg.pq import TransactionStatus

from localoracle.postgres.privileges import session_role
from localoracle.tasks import undisturbed

if TYPE_CHECKING:
    from localoracle.session.session import Session


class ActingRole:
    """The role whose privileges count.

    That of the user's sessions has all of the user's roles. In a program unit with definer's rights it is
    the owner's own, for which they do not count (Database Security Guide, "How Roles Work in PL/SQL
    Blocks").
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        self.name = session_role(session.user)
        self._changed = False
        """Whether it was ever another than the session's: a rollback brings back that of before."""

    @asynccontextmanager
    async def as_owner(self, owner: str) -> AsyncIterator[None]:
        """Inside a program unit with definer's rights: those privileges count that its owner was granted
        directly."""
        before = self.name
        await self._become(owner)
        try:
            yield
        finally:
            await undisturbed(self._become(before))

    async def _become(self, role: str) -> None:
        if role == self.name or self._session.pg.closed:
            return
        await self._session.free_backend()
        self.name, self._changed = role, True
        await self.restore()

    async def restore(self) -> None:
        """After a rollback."""
        if self._changed and not self._session.pg.closed:
            await self._session.backend.script(f"SET ROLE {self._quoted()}")

    @asynccontextmanager
    async def superuser(self) -> AsyncIterator[None]:
        """PostgreSQL's own; in a transaction that has failed its rollback brings back the role of before."""
        local = "LOCAL " if self._session.backend.in_transaction else ""
        try:
            await self._session.backend.script(f"SET {local}ROLE NONE")
            yield
        finally:
            await undisturbed(self._end_superuser(local))

    async def _end_superuser(self, local: str) -> None:
        connection = self._session.pg
        if not connection.closed and connection.info.transaction_status != TransactionStatus.INERROR:
            await self._session.backend.script(f"SET {local}ROLE {self._quoted()}")

    def _quoted(self) -> str:
        return pgsql.Identifier(self.name).as_string(self._session.pg)
