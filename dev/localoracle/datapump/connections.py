"""The connections to PostgreSQL that masters and workers work with."""

from __future__ import annotations

import psycopg

from localoracle.datapump.selection import Connection

KEPT_CONNECTIONS = 8
"""Connections of workers that wait for the next job."""


class Connections:
    """New ones, and those that workers have given back."""

    def __init__(self, conninfo: str) -> None:
        self._conninfo = conninfo
        self._idle: list[Connection] = []

    async def connect(self) -> Connection:
        """A superuser connection, autocommit, for one worker or master process."""
        return await psycopg.AsyncConnection.connect(self._conninfo, autocommit=True)

    async def borrow(self) -> Connection:
        """A connection for a worker, if possible one that has worked before.

        A new PostgreSQL process pays for the first touch of every page it reads: as much as for copying it.
        """
        while self._idle:
            connection = self._idle.pop()
            try:
                await connection.execute("SELECT")
            except psycopg.OperationalError:
                # It was ended while nobody used it.
                await connection.close()
            else:
                return connection
        return await self.connect()

    async def give_back(self, connection: Connection) -> None:
        """Keep a worker's connection for the next one. What is in a transaction or broken is closed."""
        idle = psycopg.pq.TransactionStatus.IDLE
        if (
            not connection.closed
            and connection.info.transaction_status == idle
            and len(self._idle) < KEPT_CONNECTIONS
        ):
            try:
                await connection.execute("RESET ALL")
                await connection.execute("DISCARD TEMP")
            except psycopg.Error:
                await connection.close()
            else:
                self._idle.append(connection)
        else:
            await connection.close()

    async def close(self) -> None:
        while self._idle:
            await self._idle.pop().close()
