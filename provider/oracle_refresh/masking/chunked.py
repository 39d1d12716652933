"""The masking of one table by chunks, in several sessions: each chunk and its ledger row are one transaction.

    prepare   control tables are made and filled, values judged, chunks listed; one ledger row says so
    chunks    each chunk is claimed in the ledger, changed or copied, and committed; a copy may meet a value
              that does not conform, which ends the masking as if it had been found in the first step
    finish    proofs; a copy takes the table's name (`rewrite`); drops; the ledger row of the table

A task that is killed before `prepare` is recorded begins anew: nothing of the table was changed. One that is
killed later resumes with what was recorded: the plan of the first try (its shares of distinct values), its
control tables, its chunks. So a value that is masked already is never taken for an original.
"""

from __future__ import annotations

import logging
import secrets
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

from oracle_refresh.masking import control, statements
from oracle_refresh.masking.facts import in_bigfile_tablespace
from oracle_refresh.masking.nonconforming import require_conforming
from oracle_refresh.masking.plan import MaskPlan, Proof
from oracle_refresh.masking.rewrite import Copy
from oracle_refresh.oracle.errors import MaskingError, oracle_codes
from oracle_refresh.oracle.remedies import LOAD_AGAIN
from oracle_refresh.oracle.session import execute, row, rows
from oracle_refresh.oracle.spread import spread
from oracle_refresh.run.ledger import Ledger

if TYPE_CHECKING:
    import oracledb

    from oracle_refresh.catalog import Table
    from oracle_refresh.masking.keys import MasterKey
    from oracle_refresh.masking.strategy import Connect, Strategy
    from oracle_refresh.run.ledger import LedgerRow
    from oracle_refresh.run.progress import Progress

PREPARED = "mask prepared"
CHUNK = "mask chunk"
log = logging.getLogger(__name__)


@dataclass
class ChunkedMasking:
    """One table's masking by chunks. `mark` says with what: ruleset, key id, algorithm versions."""

    ledger: Ledger
    table: Table
    plan: MaskPlan
    key: MasterKey
    strategy: Strategy
    mark: Mapping[str, Any]
    progress: Progress
    connect: Connect | None = None
    _lock: threading.Lock = field(default_factory=threading.Lock, init=False)
    _begun: Mapping[str, str] = field(default_factory=lambda: {"try": secrets.token_hex(8)}, init=False)

    @property
    def connection(self) -> oracledb.Connection:
        return self.ledger.connection

    @property
    def _copy(self) -> Copy:
        return Copy(self.connection, self.table, self.plan)

    # -- prepare ------------

    def prepare(self, distinct: Mapping[str, float]) -> None:
        """Everything that reads originals of the whole table; afterwards the chunks are independent.

        :raises MaskingError: when another try has begun to prepare meanwhile: what this one has listed is not
            noted, or rows that are masked by now would be masked again.
        """
        if not self.ledger.begin(PREPARED, self.table.key, self._begun):
            raise self._overtaken()
        self.drop()
        if self.strategy.kind == "rewrite":
            self._copy.create()
        control.create(self.connection, self.plan, self.key)
        if self.strategy.kind == "chunks":
            execute(self.connection, statements.create_rows(self.plan.rows_table))
        self.connection.commit()
        control.extend_shared(self.connection, self.plan, self.key)
        self.connection.commit()
        control.describe_lookups(self.connection, self.plan)
        self._fill_maps()
        misfits = require_conforming(self.connection, self.table, self.plan, self.key, self._counts())
        for table_map in self.plan.maps:
            control.require_promised(self.connection, self.table, table_map)
        if self.strategy.kind == "chunks":
            self._prove_beforehand()
        chunks = self._list_chunks()
        ids = self._copy.ids() if self.strategy.kind == "rewrite" else {}
        detail = {
            **self.mark,
            "strategy": self.strategy.kind,
            "chunks": len(chunks),
            "sessions": self.strategy.sessions,
            "reason": self.strategy.reason,
            "distinct": {name: round(share, 6) for name, share in distinct.items()},
            "ids": ids,
            "non_conforming": [each.to_json() for each in misfits],
        }
        if not self.ledger.settle(PREPARED, self.table.key, self._begun, detail):
            raise self._overtaken()
        for number, place in chunks.items():
            self.ledger.record(CHUNK, self._item(number), "running", place, commit=False)
        self.connection.commit()

    def _overtaken(self) -> MaskingError:
        return MaskingError(
            "another try of this task has begun meanwhile",
            object_name=self.table.key,
            step=control.STEP,
            remedy="leave the table to that try",
        )

    def _prove_beforehand(self) -> None:
        """Chunks are committed one by one, so whether keys stay unique is asked before the first of them."""
        keys = {constraint.name: constraint.columns for constraint in self.table.constraints}
        proofs = tuple(
            Proof(proof.constraint, self.plan.repeated_after(keys[proof.constraint]))
            for proof in self.plan.proofs
        )
        control.require_unique(self.connection, self.table, proofs, self.plan.apply.resolve(self.key))

    def _fill_maps(self) -> None:
        what, done = f"maps of {self.table.key}", 0
        degree = self.strategy.sessions // max(1, len(self.plan.maps))

        def fill(connection: oracledb.Connection, number: int) -> None:
            nonlocal done
            table_map = self.plan.maps[number]
            execute(connection, table_map.fill(degree), **table_map.query.resolve(self.key))
            noted = Ledger(connection, self.ledger.run_id).entry(PREPARED, self.table.key)
            if noted is None or noted.detail != self._begun:
                raise self._overtaken()  # the map is that of the other try
            connection.commit()
            control.gather_statistics(connection, table_map.name)
            with self._lock:
                done += 1
                self.progress.report(done, len(self.plan.maps), "maps", what)

        self._in_sessions([*range(len(self.plan.maps))], fill)

    def _counts(self) -> dict[int, list[tuple[Any, ...]]]:
        """What does not conform in columns without a map, by the place of its statement in the plan.

        A copy that is given up harms nobody, so there the pass itself may tell, and the table is read once
        less. Rows that are updated would be masked in part.
        """
        counted: dict[int, list[tuple[Any, ...]]] = {}

        def count(connection: oracledb.Connection, number: int) -> None:
            statement = self.plan.conformity[number].statement
            counted[number] = rows(connection, statement.sql, **statement.resolve(self.key))

        rewritten = self.strategy.kind == "rewrite"
        wanted = [n for n, each in enumerate(self.plan.conformity) if not (rewritten and each.in_pass)]
        self._in_sessions(wanted, count)
        return counted

    def _list_chunks(self) -> dict[int, dict[str, Any]]:
        if self.strategy.kind == "chunks":
            listed = self.plan.rows_table
            fill = statements.fill_rows(listed, self.table.sql)
            execute(self.connection, fill, chunks=self.strategy.chunks)
            execute(self.connection, statements.index_rows(listed))
            control.gather_statistics(self.connection, listed)
            return {
                int(number): {"low": low, "high": high}
                for number, low, high in rows(self.connection, statements.listed_chunks(listed))
            }
        bigfile = in_bigfile_tablespace(self.connection, self.table)
        ranges = statements.ranges(self.table.sql, bigfile)
        chunks = {}
        for number, low, high, count in rows(self.connection, ranges, chunks=self.strategy.chunks):
            address = row(self.connection, statements.address(self.table.sql), low=low, high=high)
            first, last = address or (None, None)
            chunks[int(number)] = {"low": first, "high": last, "rows": int(count)}
        return chunks

    # -- chunks ------------

    def work(self) -> None:
        """Mask every chunk that is not done. Each is masked once, whoever is killed when."""
        entries = self._entries()
        self.connection.commit()
        todo = [number for number, entry in entries.items() if entry.state != "done"]
        what, total = f"mask {self.table.key}", len(entries)
        done = total - len(todo)
        if done and todo:
            log.info("masking %s resumes: %d of %d chunks are done", self.table.key, done, total)
        statement, binds = self._statement()

        def mask(connection: oracledb.Connection, number: int) -> None:
            nonlocal done
            self._chunk(connection, number, statement, binds, entries[number].detail)
            with self._lock:
                done += 1
                self.progress.report(done, total, "chunks", what)

        try:
            self._in_sessions(todo, mask)
        except Exception as error:
            if self.strategy.kind == "rewrite" and statements.REFUSED in oracle_codes(error):
                self._give_up()
            raise

    def _give_up(self) -> None:
        """Forget the copy, so that the next try begins anew, and tell which values do not conform.

        :raises MaskingError: naming their patterns.
        """
        self.connection.rollback()
        prepared = self._prepared()
        self.ledger.record(PREPARED, self.table.key, "failed", prepared.detail, commit=True)
        try:
            require_conforming(self.connection, self.table, self.plan, self.key)
        finally:
            self.drop()

    def _chunk(
        self,
        connection: oracledb.Connection,
        number: int,
        statement: str,
        binds: Mapping[str, Any],
        detail: Mapping[str, Any],
    ) -> None:
        ledger = Ledger(connection, self.ledger.run_id)
        began = time.monotonic()
        if not ledger.claim(CHUNK, self._item(number)):
            connection.rollback()
            return
        rewritten = self.strategy.kind == "rewrite"
        place = {"low": detail["low"], "high": detail["high"]}
        if not rewritten:
            place["chunk"] = number
        masked = execute(connection, statement, **binds, **place)
        if rewritten and masked != detail["rows"]:
            raise MaskingError(
                f"chunk {number} has {masked} rows, counted were {detail['rows']}: the table was changed",
                object_name=self.table.key,
                step=control.STEP,
                remedy=f"find out who writes to the quarantined target, then {LOAD_AGAIN}",
            )
        seconds = round(time.monotonic() - began, 3)
        told = {**self.mark, "rows": masked, "seconds": seconds}
        ledger.record(CHUNK, self._item(number), "done", told, commit=True)

    def _statement(self) -> tuple[str, Mapping[str, Any]]:
        """What masks a chunk, and its binds without those that say which one."""
        plan = self.plan
        if self.strategy.kind == "rewrite":
            sql = plan.insert_chunk(column.name for column in self.table.columns)
        else:
            sql = plan.chunk_update
        return sql, plan.apply.resolve(self.key)

    # -- finish ------------

    def finish(self) -> dict[str, Any]:
        """Proofs, and the taking of the name; the detail of the table's ledger row."""
        prepared = self._prepared()
        chunks = self._entries().values()
        masked = sum(int(chunk.detail["rows"]) for chunk in chunks)
        if self.strategy.kind == "rewrite":
            self._copy.take_name(prepared.detail["ids"], masked, self.plan.proofs)
        else:
            control.require_unique(self.connection, self.table, self.plan.proofs, committed=True)
        return {
            **self.mark,
            "columns": len(self.plan.columns),
            "rows": masked,
            "strategy": str(self.strategy),
            "chunks": len(chunks),
            "non_conforming": prepared.detail["non_conforming"],
        }

    def drop(self) -> None:
        """Drop what the masking made. What the copy replaced goes first: it holds all originals."""
        if self.strategy.kind == "rewrite":
            self._copy.drop_beside()
        control.drop(self.connection, self.plan)
        control.drop_tables(self.connection, (f'"{self.plan.rows_table}"',))

    # -- sessions ------------

    @property
    def _prefix(self) -> str:
        return f"{self.table.key}#"

    def _item(self, number: int) -> str:
        return f"{self._prefix}{number}"

    def _prepared(self) -> LedgerRow:
        prepared = self.ledger.entry(PREPARED, self.table.key)
        assert prepared is not None, "recorded before the first chunk"
        return prepared

    def _entries(self) -> dict[int, LedgerRow]:
        """The chunks by their numbers. A try that was given up may have left rows of further ones."""
        entries = {entry.key: entry for entry in self.ledger.rows(CHUNK)}
        return {n: entries[self._item(n)] for n in range(1, self._prepared().detail["chunks"] + 1)}

    def _in_sessions(self, numbers: list[int], work: Callable[[oracledb.Connection, int], None]) -> None:
        """Let the sessions take one piece after the other; a failure or an interruption ends all of them."""

        def whole(session: oracledb.Connection, number: int) -> None:
            try:
                work(session, number)
            except BaseException:
                with suppress(Exception):  # the error to raise is the one that led here
                    session.rollback()
                raise

        further = None if self.connect is None else partial(_compared_by_bytes, self.connect)
        spread(self.connection, numbers, whole, self.strategy.sessions, further)


@contextmanager
def _compared_by_bytes(connect: Connect) -> Iterator[oracledb.Connection]:
    with connect() as session:
        for statement in statements.SESSION:
            execute(session, statement)
        yield session
