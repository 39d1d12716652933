"""One schema from nothing to loaded, indexed and analysed; several of them at the same time.

The session of a killed task may be at its last statement still, and hold what it works on: what drops a
schema waits for it.

Safe to repeat: a schema that the ledger calls done, and that is there, is left as it is; any other is dropped
and made anew. The ledger says done only when everything of the schema is committed.
"""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from oracle_refresh.labs.data_load import statements
from oracle_refresh.labs.data_load.model import (
    CREATE,
    INDEX,
    LOAD,
    STATISTICS,
    STEP,
    BatchLoad,
    SchemaLoad,
    Work,
)
from oracle_refresh.labs.harness.together import CANCELLED, Connect, Start, Tally, together
from oracle_refresh.oracle.errors import DataLoadError
from oracle_refresh.oracle.identifiers import Identifier, TableName
from oracle_refresh.oracle.session import execute, scalar, translated
from oracle_refresh.run.documents import Documents
from oracle_refresh.run.kind import Kind
from oracle_refresh.run.ledger import DONE, Ledger, ensure_ledger
from oracle_refresh.run.progress import Progress, silent
from oracle_refresh.target.objects.statements import WAIT_FOR_LOCKS
from oracle_refresh.target.own_schemas import OwnSchemas, SchemaIntent

if TYPE_CHECKING:
    import oracledb

SCHEMAS = OwnSchemas(
    "loader",
    STEP,
    Kind("loaded schema", SchemaIntent),
    re.compile(
        rf"TABLE (?:{statements.TABLE}|{statements.SEED}|{statements.PEOPLE}|{statements.PIECES})"
        rf"|INDEX (?:{statements.UNIQUE_INDEX}|SYS_IL\S+)|LOB SYS_LOB\S+"
    ),
)
#: Between two cancels of sessions that are still at work.
CANCEL_SECONDS = 0.1


class StoppedError(DataLoadError):
    """A session went no further, for a reason that another one tells."""


@dataclass
class Sessions:
    """Opens the sessions of a batch and ends what they do when the task is killed."""

    connect: Connect
    stopped: threading.Event = field(default_factory=threading.Event)
    _open: set[oracledb.Connection] = field(default_factory=set)

    @contextmanager
    def session(self) -> Iterator[oracledb.Connection]:
        with self.connect() as connection:
            self._open.add(connection)
            try:
                self.require_going()
                yield connection
            finally:
                self._open.discard(connection)

    def require_going(self) -> None:
        """:raises StoppedError: once they were stopped."""
        if self.stopped.is_set():
            # As if its statement had been cancelled, which is tried again.
            raise StoppedError(
                "stopped, as another session failed or the task was ended", codes=[CANCELLED], step=STEP
            )

    def stop(self) -> None:
        """From another thread or a signal handler: cancel the statements that run, until all sessions are
        closed. One that was between two statements has begun another since, which nobody would end."""
        if not self.stopped.is_set():
            self.stopped.set()
            threading.Thread(target=self._cancel, name="data-load-stop", daemon=True).start()

    def _cancel(self) -> None:
        while sessions := tuple(self._open):
            for connection in sessions:
                with suppress(Exception):  # it may just have ended
                    connection.cancel()
            time.sleep(CANCEL_SECONDS)


@dataclass(frozen=True)
class Loader:
    """Loads schemas of one shape for a run."""

    sessions: Sessions
    work: Work
    run_id: str
    progress: Progress = silent

    def batch(self, number: int, schemas: Sequence[str], rows: int) -> BatchLoad:
        """Load the schemas at the same time, one session each.

        :param rows: of each schema; at most as many as the seed has.
        :raises PreflightError: if a schema of one of the names is somebody else's.
        :raises DataLoadError: if a statement failed, or not all rows arrived.
        """
        with self.sessions.session() as connection:
            ensure_ledger(connection)
            loads = {name: self._finished(connection, name) for name in schemas}
        finished = tuple(load for load in loads.values() if load)
        waiting = [name for name, load in loads.items() if load is None]
        if not waiting:
            return BatchLoad(number, 0.0, (), finished)
        tally = Tally(self.progress, len(schemas), "schemas", f"batch {number}", done=len(finished))

        def load(place: int, start: Start) -> SchemaLoad:
            with self.sessions.session() as connection:
                start.wait()
                loaded = self._schema(connection, waiting[place], rows, start)
            tally.add()
            return loaded

        made = together(len(waiting), load, step=STEP, kind=DataLoadError, stop=self.sessions.stop)
        return BatchLoad(number, made.seconds, made.results, finished)

    def _finished(self, connection: oracledb.Connection, schema: str) -> SchemaLoad | None:
        entry = Ledger(connection, self.run_id).entry(STEP, schema)
        if entry is None or entry.state != DONE:
            return None
        there = SCHEMAS.require_own(Documents(connection, self.run_id), schema)
        return SchemaLoad.from_json(entry.detail) if there else None

    def _schema(self, connection: oracledb.Connection, schema: str, rows: int, start: Start) -> SchemaLoad:
        work = self.work
        table = TableName(schema, statements.TABLE)
        names = {"table": table.sql, "seed": TableName(work.seed_schema, statements.SEED).sql}
        documents, ledger = Documents(connection, self.run_id), Ledger(connection, self.run_id)
        seconds: dict[str, float] = {}
        begun = time.monotonic()

        @contextmanager
        def phase(name: str) -> Iterator[None]:
            self.sessions.require_going()
            started = time.monotonic()
            with translated(STEP, schema, DataLoadError):
                yield
            seconds[name] = time.monotonic() - started

        with phase(CREATE):
            execute(connection, WAIT_FOR_LOCKS)
            SCHEMAS.drop(documents, schema)
            # Before the schema is made: one that is half made when the task ends is found by the ledger.
            ledger.record(STEP, schema, "running")
            SCHEMAS.make(documents, schema, work.tablespace)
            execute(connection, statements.create_table(work, schema))
            if work.sparse:
                execute(connection, statements.FIRST_ROW.format(**names))
                connection.commit()
                execute(connection, statements.MINIMIZE.format(**names))
                execute(connection, statements.TRUNCATE.format(**names))
        with phase(LOAD):
            loaded = execute(connection, statements.LOAD.format(**names), number_of_rows=rows)
            connection.commit()
        if loaded != rows:
            raise DataLoadError(
                f"{loaded} rows were loaded, not {rows}",
                object_name=f"{schema}.{statements.TABLE}",
                step=STEP,
                remedy="find out who writes to the loader's seed table, and run it again",
            )
        with phase(INDEX):
            execute(connection, statements.create_index(work, schema))
        with phase(STATISTICS):
            execute(connection, statements.GATHER, owner=Identifier(schema).sql, name=statements.TABLE)
        with translated(STEP, schema, DataLoadError):
            size = bytes_of(connection, schema)
            load = SchemaLoad(schema, rows, size, begun - start.began, seconds)
            ledger.record(STEP, schema, DONE, load.to_json())
        return load


def drop_schemas(documents: Documents, schemas: Sequence[str]) -> list[str]:
    """Drop those of the schemas that are there; their names.

    :raises PreflightError: if one of them is somebody else's; then those before it are dropped.
    """
    execute(documents.connection, WAIT_FOR_LOCKS)
    return [name for name in schemas if SCHEMAS.drop(documents, name)]


def bytes_of(connection: oracledb.Connection, schema: str) -> int:
    """Bytes of all segments of a schema."""
    return int(scalar(connection, statements.BYTES, owner=schema))
