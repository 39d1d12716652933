"""Apply servers: each applies one transaction after the other on a connection of its own.

Exactly once: the transaction's place in PostgreSQL's log is written to localoracle.apply_applied by the very
transaction that applies it. Whatever is delivered again after a kill is recognised by that (pipeline.py), and
what was spilled is taken out of the queue's table by that transaction too.
"""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from dataclasses import dataclass

import psycopg

from localoracle.capture import handlers
from localoracle.capture.channel import Channel, Command
from localoracle.capture.coordinator import Assignment
from localoracle.capture.messages import Change, SourceTable, Transaction, unpack
from localoracle.capture.reader import ApplyProcess, spill_table
from localoracle.errors import OracleError

CHUNK = 200
"""Changes that are sent together; a transaction of no more takes a single round trip."""
_FETCH = 500
_COLUMNS = """\
SELECT a.attname FROM pg_attribute a WHERE a.attrelid = to_regclass(format('%I.%I', $1::text, $2::text))
AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum"""


@dataclass
class ServerCounters:
    """Times in seconds."""

    assigned: int = 0
    messages: int = 0
    rollbacks: int = 0
    apply_seconds: float = 0.0
    dequeue_seconds: float = 0.0
    last_applied: float = 0.0
    last_scn: int = 0
    last_created: int = 0


class Server:
    """Works until there are no more transactions. Raises OracleError, psycopg.Error."""

    def __init__(
        self, number: int, process: ApplyProcess, channel: Channel, counters: ServerCounters
    ) -> None:
        self.number = number
        self._definition = process.definition
        self._source_database = process.source_database
        self._tables = process.tables
        self._queue = process.queue
        self._coordinator = process.coordinator
        self.channel = channel
        self.counters = counters
        self._targets: dict[tuple[int, str], tuple[SourceTable, handlers.Target]] = {}
        self.state = "IDLE"
        self.transaction: Transaction | None = None
        self.sequence = 0

    async def run(self) -> None:
        while (assignment := await self._coordinator.next()) is not None:
            self.transaction = assignment.transaction
            self.counters.assigned += 1
            self.state = "WAIT DEPENDENCY"
            await self._coordinator.wait_for_dependencies(assignment)
            begun = time.perf_counter()
            self.state = "EXECUTE TRANSACTION"
            try:
                await self._apply(assignment)
            except (OracleError, psycopg.Error):
                self._coordinator.counters.errors += 1
                raise
            self._queue.remove(assignment.transaction)
            self._coordinator.applied(assignment)
            counters = self.counters
            counters.apply_seconds += time.perf_counter() - begun
            counters.last_applied = time.time()
            counters.last_scn, counters.last_created = self.transaction.scn, self.transaction.time
            self.state, self.transaction, self.sequence = "IDLE", None, 0

    async def _apply(self, assignment: Assignment) -> None:
        transaction = assignment.transaction
        messages = transaction.messages
        done = await self._done(transaction)
        if (
            not transaction.spilled
            and len(messages) <= CHUNK
            and not self._definition.in_commit_order
            and all(change.in_memory for change in messages)
        ):
            commands = [command for change in messages for command in await self._commands(change)]
            await self.channel.run([*commands, done])
            self.counters.messages += len(messages)
            return
        await self.channel.execute("BEGIN")
        try:
            commands = []
            async for change in self._changes(transaction):
                commands += await self._commands(change)
                self.sequence += 1
                if len(commands) >= CHUNK:
                    await self.channel.run(commands)
                    commands = []
            await self.channel.run([*commands, done])
            if transaction.spilled:
                await self.channel.execute(
                    f"SELECT localoracle.end_spill('{spill_table(self._definition, transaction)}')"
                )
            if self._definition.in_commit_order:
                self.state = "WAIT COMMIT"
                await self._coordinator.wait_for_turn(assignment)
        except BaseException:
            self.counters.rollbacks += 1
            raise
        await self.channel.execute("COMMIT")
        self.counters.messages += self.sequence

    async def _done(self, transaction: Transaction) -> Command:
        """What marks the transaction as applied."""
        statement = await self.channel.prepare(
            "INSERT INTO localoracle.apply_applied VALUES ($1, $2, $3, $4, $5)"
        )
        facts = (
            self._definition.number,
            transaction.position,
            transaction.end,
            transaction.scn,
            transaction.time,
        )
        return statement, tuple(b"%d" % fact for fact in facts), None

    async def _changes(self, transaction: Transaction) -> AsyncIterator[Change]:
        """Its changes in their order, from memory, the queue's spill table or the reader's."""
        for change in list(transaction.messages):
            if change.in_memory:
                yield change
            else:
                begun = time.perf_counter()
                whole = await self._queue.take_out(self.channel, change)
                self.counters.dequeue_seconds += time.perf_counter() - begun
                yield whole
        if not transaction.spilled:
            return
        table = spill_table(self._definition, transaction)
        await self.channel.execute(
            # The table was written in this order, and is read from its beginning.
            f"DECLARE spilled NO SCROLL CURSOR FOR SELECT message, payload FROM localoracle.{table}"
        )
        fetch = await self.channel.prepare(f"FETCH {_FETCH} FROM spilled")
        while True:
            begun = time.perf_counter()
            result = (await self.channel.run([(fetch, (), None)], binary=True))[0]
            self.counters.dequeue_seconds += time.perf_counter() - begun
            for place in range(result.ntuples):
                message, data = result.get_value(place, 0), result.get_value(place, 1)
                assert message is not None
                assert data is not None
                number, kind, old, new = unpack(data)
                yield Change(
                    int.from_bytes(message, "big"), transaction, self._tables[number], kind, old, new
                )
            if result.ntuples < _FETCH:
                break
        await self.channel.execute("CLOSE spilled")

    async def _commands(self, change: Change) -> list[Command]:
        """The INSERTs that record a change."""
        cached = self._targets.get((change.table.number, change.kind))
        if cached is None or cached[0] is not change.table:
            cached = change.table, await self._target(change.table, change.kind)
            self._targets[change.table.number, change.kind] = cached
        target = cached[1]
        statement = await self.channel.prepare(target.sql)
        return [
            (
                statement,
                target.values(row, change.transaction, change.kind, kind, self._source_database),
                None,
            )
            for kind, row in target.rows(change)
        ]

    async def _target(self, table: SourceTable, command: str) -> handlers.Target:
        handler = handlers.find(self._definition, table, command)
        result = await self.channel.execute(
            _COLUMNS, (handler.change_owner.encode(), handler.change_table.encode())
        )
        columns = [(result.get_value(place, 0) or b"").decode() for place in range(result.ntuples)]
        return handlers.target(handler, table, columns)
