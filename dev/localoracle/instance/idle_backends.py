"""PostgreSQL connections of ended sessions, kept for the next ones.

A new PostgreSQL process reads the catalog for its first statements, which costs more than all that most
sessions do: some 40 ms of a processor for one query of the dictionary. One that is taken over is as good as
new: role, settings, temporary tables, prepared statements and locks are gone, and its counters, which
V$SESSTAT shows as the session's own, begin at zero.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import psycopg
from psycopg.pq import TransactionStatus

MOST_KEPT = 8

_RESET = (
    "RESET ROLE",
    "DISCARD ALL",
    # Counters reach the views only now and then: what is on its way must not come after the reset.
    "SELECT pg_stat_force_next_flush()",
    "SELECT pg_stat_reset_backend_stats(pg_backend_pid())",
)

Connection = psycopg.AsyncConnection[Any]


class IdleBackends:
    """Connections that nobody uses; the one used last is taken first."""

    def __init__(self) -> None:
        self._kept: list[Connection] = []
        self._open = True

    def take(self) -> Connection | None:
        """One of them, whose PostgreSQL process may have ended in the meantime; None where there is none."""
        while self._kept:
            connection = self._kept.pop()
            if not connection.closed:
                return connection
        return None

    async def give(self, connection: Connection) -> None:
        """Keep a connection, or close it where it is in no state to be used again, or too many are kept."""
        reusable = False
        try:
            if self._open and len(self._kept) < MOST_KEPT and await _as_new(connection):
                # Others may have come, or the server begun to stop, while this one was made ready.
                reusable = self._open and len(self._kept) < MOST_KEPT
                if reusable:
                    self._kept.append(connection)
        finally:
            if not reusable:
                with suppress(psycopg.Error):
                    await connection.close()

    async def close(self) -> None:
        """Close all of them, and every one that comes later."""
        self._open = False
        while self._kept:
            with suppress(psycopg.Error):
                await self._kept.pop().close()


async def _as_new(connection: Connection) -> bool:
    if connection.closed:
        return False
    try:
        if connection.info.transaction_status == TransactionStatus.INTRANS:
            await connection.execute("ROLLBACK")
        if connection.info.transaction_status != TransactionStatus.IDLE:
            return False
        for statement in _RESET:
            await connection.execute(statement)
    except psycopg.Error:
        return False
    return True
