"""One schema from nothing to loaded, indexed and analysed; several of them at the same time.

The sessions of a batch are threads of one task. As tasks of their own they would begin when Airflow comes to
them, seconds apart, and what is measured are seconds. They wait for each other before they begin.

The session of a killed task may be at its last statement still, and hold what it works on: what drops a
schema waits for it.

Safe to repeat: a schema that the ledger calls done, and that is there, is left as it is; any other is dropped
and made anew. The ledger says done only when everything of the schema is committed.
"""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from oracle_refresh.labs.data_load import statements
from oracle_refresh.labs.data_load.model import CREATE, INDEX, LOAD, STATISTICS, BatchLoad, SchemaLoad, Work
from oracle_refresh.oracle.errors import DataLoadError, RefreshError, from_oracle, oracle_codes
from oracle_refresh.oracle.identifiers import Identifier, qualified
from oracle_refresh.run.documents import AllRuns, Documents
from oracle_refresh.run.kind import Kind
from oracle_refresh.run.ledger import DONE, Ledger, ensure_ledger
from oracle_refresh.run.progress import Progress
from oracle_refresh.target.objects.statements import WAIT_FOR_LOCKS
from oracle_refresh.target.own_schemas import OwnSchemas, SchemaIntent

if TYPE_CHECKING:
    import oracledb

STEP = "data load"
SCHEMAS = OwnSchemas(
    "loader",
    STEP,
    Kind("loaded schema", SchemaIntent),
    re.compile(
        rf"TABLE (?:{statements.TABLE}|{statements.SEED}|{statements.PEOPLE}|{statements.PIECES})"
        rf"|INDEX (?:{statements.UNIQUE_INDEX}|SYS_IL\S+)|LOB SYS_LOB\S+"
    ),
)
#: Sessions that have not all been opened by then will not be.
START_SECONDS = 120.0
#: Between two cancels of sessions that are still at work.
CANCEL_SECONDS = 0.1

#: User requested cancel of current operation.
CANCELLED = "ORA-01013"

Connect = Callable[[], "oracledb.Connection"]


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


def load_batch(
    sessions: Sessions,
    work: Work,
    run_id: str,
    number: int,
    schemas: Sequence[str],
    rows: int,
    progress: Progress,
) -> BatchLoad:
    """Load the schemas at the same time, one session each.

    :param rows: of each schema; at most as many as the seed has.
    :raises PreflightError: if a schema of one of the names is somebody else's.
    :raises DataLoadError: if a statement failed, or not all rows arrived.
    """
    with sessions.session() as connection:
        ensure_ledger(connection)
        finished = {name: found for name in schemas if (found := _finished(connection, run_id, name))}
    waiting = [name for name in schemas if name not in finished]
    if not waiting:
        return BatchLoad(number, 0.0, (), tuple(finished.values()))
    began: list[float] = []
    together = threading.Barrier(
        len(waiting), action=lambda: began.append(time.monotonic()), timeout=START_SECONDS
    )
    lock, done = threading.Lock(), [len(finished)]

    def one(schema: str) -> tuple[SchemaLoad, float]:
        try:
            with sessions.session() as connection:
                together.wait()
                loaded = _load_schema(sessions, connection, work, run_id, schema, rows, began[0])
        except BaseException:
            sessions.stop()
            together.abort()
            raise
        with lock:
            done[0] += 1
            progress.report(done[0], len(schemas), "schemas", f"batch {number}")
        return loaded, time.monotonic()

    with ThreadPoolExecutor(len(waiting), thread_name_prefix="data-load") as pool:
        running = [pool.submit(one, schema) for schema in waiting]
        failures = [error for task in running if (error := task.exception()) is not None]
    if failures:
        first = min(failures, key=_consequence)
        if isinstance(first, threading.BrokenBarrierError):
            raise DataLoadError(
                f"{len(waiting)} sessions could not be opened within {START_SECONDS:.0f} s",
                step=STEP,
                remedy="lower the degree, or raise SESSIONS and PROCESSES of the instance",
            ) from first
        raise first
    loaded, ends = zip(*(task.result() for task in running), strict=True)
    return BatchLoad(number, max(ends) - began[0], tuple(loaded), tuple(finished.values()))


def _consequence(error: BaseException) -> int:
    """0 for what failed by itself; then what says that all were stopped; last what only waited for others."""
    if isinstance(error, threading.BrokenBarrierError):
        return 2
    return int(CANCELLED in oracle_codes(error))


def _finished(connection: oracledb.Connection, run_id: str, schema: str) -> SchemaLoad | None:
    entry = Ledger(connection, run_id).entry(STEP, schema)
    if entry is None or entry.state != DONE:
        return None
    there = SCHEMAS.require_own(connection, AllRuns(connection), schema)
    return SchemaLoad.from_json(entry.detail) if there else None


def _load_schema(
    sessions: Sessions,
    connection: oracledb.Connection,
    work: Work,
    run_id: str,
    schema: str,
    rows: int,
    zero: float,
) -> SchemaLoad:
    table, seed = qualified(schema, statements.TABLE), qualified(work.seed_schema, statements.SEED)
    ledger = Ledger(connection, run_id)
    seconds: dict[str, float] = {}
    begun = time.monotonic()

    @contextmanager
    def phase(name: str) -> Iterator[oracledb.Cursor]:
        sessions.require_going()
        started = time.monotonic()
        with naming(schema), connection.cursor() as cursor:
            yield cursor
        seconds[name] = time.monotonic() - started

    with phase(CREATE) as cursor:
        cursor.execute(WAIT_FOR_LOCKS)
        documents = Documents(connection, run_id)
        SCHEMAS.drop(connection, documents, schema)
        # Before the schema is made: one that is half made when the task ends is found by the ledger.
        ledger.record(STEP, schema, "running")
        SCHEMAS.make(connection, documents, schema, work.tablespace)
        cursor.execute(statements.create_table(work, schema))
        if work.sparse:
            cursor.execute(statements.FIRST_ROW.format(table=table, seed=seed))
            connection.commit()
            cursor.execute(statements.MINIMIZE.format(table=table))
            cursor.execute(statements.TRUNCATE.format(table=table))
    with phase(LOAD) as cursor:
        cursor.execute(statements.LOAD.format(table=table, seed=seed), number_of_rows=rows)
        loaded = cursor.rowcount
        connection.commit()
    if loaded != rows:
        raise DataLoadError(
            f"{loaded} rows were loaded, not {rows}",
            object_name=f"{schema}.{statements.TABLE}",
            step=STEP,
            remedy="find out who writes to the loader's seed table, and run it again",
        )
    with phase(INDEX) as cursor:
        cursor.execute(statements.create_index(work, schema))
    with phase(STATISTICS) as cursor:
        cursor.execute(statements.GATHER, owner=Identifier(schema).sql, name=statements.TABLE)
    with naming(schema), connection.cursor() as cursor:
        found = SchemaLoad(schema, rows, bytes_of(cursor, schema), begun - zero, seconds)
        ledger.record(STEP, schema, DONE, found.to_json())
    return found


def drop_schemas(connection: oracledb.Connection, run_id: str, schemas: Sequence[str]) -> list[str]:
    """Drop those of the schemas that are there; their names.

    :raises PreflightError: if one of them is somebody else's; then those before it are dropped.
    """
    with connection.cursor() as cursor:
        cursor.execute(WAIT_FOR_LOCKS)
    documents = Documents(connection, run_id)
    return [name for name in schemas if SCHEMAS.drop(connection, documents, name)]


def bytes_of(cursor: oracledb.Cursor, schema: str) -> int:
    """Bytes of all segments of a schema."""
    cursor.execute(statements.BYTES, owner=schema)
    ((found,),) = cursor.fetchall()
    return int(found)


@contextmanager
def naming(schema: str) -> Iterator[None]:
    """Errors of the database inside become those of the provider and name the schema."""
    try:
        yield
    except RefreshError:
        raise
    except Exception as error:
        if not oracle_codes(error):
            raise
        raise from_oracle(error, STEP, schema, DataLoadError) from error
