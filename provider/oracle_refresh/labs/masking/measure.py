"""One trial: all tables masked by several jobs at the same time, and the time that takes.

The jobs are sessions of one task. As tasks of their own they would begin when Airflow comes to them, seconds
apart, and what is measured are seconds. They wait for each other before they begin.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING

from oracle_refresh.labs.masking.model import Workload
from oracle_refresh.labs.masking.workload import chunk_bytes, drop_tables
from oracle_refresh.masking import MasterKey, Ruleset, mask_table
from oracle_refresh.masking.compiler import compile_table
from oracle_refresh.masking.run import Options
from oracle_refresh.oracle.errors import MaskingError
from oracle_refresh.run.ledger import DELETE_RUN, Ledger, ensure_ledger
from oracle_refresh.run.progress import Progress

if TYPE_CHECKING:
    import oracledb

    from oracle_refresh.catalog import Table

STEP = "masking benchmark"
#: Sessions that have not all been opened by then will not be.
START_SECONDS = 120.0
CONTROL_TABLES = "SELECT TABLE_NAME FROM USER_TABLES WHERE TABLE_NAME LIKE 'REFRESH$%' || :stem || '%'"

Connect = Callable[[], "oracledb.Connection"]


@dataclass(frozen=True)
class Taken:
    """What a trial took: from the common start to the last job's end, and each job's own seconds."""

    seconds: float
    job_seconds: tuple[float, ...]
    rows: int
    transactions: int


def masking_run(workload: Workload) -> str:
    """The run under which the ledger notes the masking. It is that of the schema and of no DAG run: what a
    lost run has left there is found and cleaned by the next one."""
    return f"masking benchmark {workload.schema}"


def mask_all(
    connect: Connect,
    workload: Workload,
    tables: Mapping[str, Table],
    rules: Ruleset,
    key: MasterKey,
    run_id: str,
    progress: Progress,
) -> Taken:
    """Mask every table once.

    :param connect: opens a session; called by several threads at once.
    :raises MaskingError: if a table could not be masked, or not all of its rows were.
    """
    began: list[float] = []
    together = threading.Barrier(
        workload.jobs, action=lambda: began.append(time.monotonic()), timeout=START_SECONDS
    )
    lock, done = threading.Lock(), [0]
    stopped = threading.Event()

    def job(number: int) -> tuple[float, int, int]:
        rows = transactions = 0
        try:
            with connect() as connection:
                together.wait()
                for name in workload.names(number):
                    if stopped.is_set():
                        break
                    result = mask_table(
                        connection,
                        tables[name],
                        rules,
                        key,
                        Ledger(connection, run_id),
                        options=Options(
                            chunk_bytes=chunk_bytes(tables[name], workload.commit_rows), strategy="chunks"
                        ),
                    )
                    _require_all(workload, name, result.rows)
                    rows, transactions = rows + result.rows, transactions + result.chunks
                    with lock:
                        done[0] += 1
                        progress.report(done[0], len(workload.all_names), "tables", "masked")
        except BaseException:
            stopped.set()
            together.abort()
            raise
        return time.monotonic(), rows, transactions

    with ThreadPoolExecutor(workload.jobs, thread_name_prefix="masking-job") as pool:
        running = [pool.submit(job, number) for number in range(1, workload.jobs + 1)]
        try:
            failures = [error for one in running if (error := one.exception()) is not None]
        except BaseException:
            stopped.set()
            raise
    if failures:
        # A job that waited for one that failed says nothing of its own.
        raise next(
            (one for one in failures if not isinstance(one, threading.BrokenBarrierError)), failures[0]
        )
    ends, rows, transactions = zip(*(one.result() for one in running), strict=True)
    return Taken(max(ends) - began[0], tuple(end - began[0] for end in ends), sum(rows), sum(transactions))


def _require_all(workload: Workload, name: str, rows: int) -> None:
    if rows != workload.rows:
        raise MaskingError(
            f"{rows} rows were masked, the table has {workload.rows}",
            object_name=f"{workload.schema}.{name}",
            step=STEP,
            remedy="find out who writes to the benchmark's tables, and run it again",
        )


def clean(
    connection: oracledb.Connection,
    workload: Workload,
    tables: Mapping[str, Table],
    rules: Ruleset,
    run_id: str,
) -> None:
    """Drop what a trial has left, finished or killed: tables, control tables, ledger rows. DDL commits."""
    with connection.cursor() as cursor:
        for table in tables.values():
            stem = compile_table(table, rules.rules(table.owner, table.name), run_id).stem
            cursor.execute(CONTROL_TABLES, stem=stem)
            for (name,) in cursor.fetchall():
                cursor.execute(f'DROP TABLE "{name}" PURGE')
    drop_tables(connection, workload)
    ensure_ledger(connection)  # a run whose trials all failed early may not have made it
    with connection.cursor() as cursor:
        cursor.execute(DELETE_RUN, run_id=run_id)
    connection.commit()
