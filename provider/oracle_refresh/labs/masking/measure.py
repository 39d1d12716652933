"""One trial: all tables masked by several jobs at the same time, and the time that takes."""

from __future__ import annotations

import threading
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from oracle_refresh.labs.harness.together import Connect, Start, Tally, together
from oracle_refresh.labs.masking.model import STEP, Workload
from oracle_refresh.labs.masking.workload import chunk_bytes, drop_tables, ruleset
from oracle_refresh.masking import MasterKey, mask_table
from oracle_refresh.masking.compiler import compile_table
from oracle_refresh.masking.run import Options
from oracle_refresh.oracle.errors import MaskingError
from oracle_refresh.oracle.identifiers import Identifier
from oracle_refresh.oracle.session import execute, rows
from oracle_refresh.run.ledger import DELETE_RUN, Ledger, ensure_ledger
from oracle_refresh.run.progress import Progress, silent

if TYPE_CHECKING:
    import oracledb

    from oracle_refresh.catalog import Table

CONTROL_TABLES = "SELECT TABLE_NAME FROM USER_TABLES WHERE TABLE_NAME LIKE 'REFRESH$%' || :stem || '%'"


@dataclass(frozen=True)
class Taken:
    """What a trial took: from the common start to the last job's end, and each job's own seconds."""

    seconds: float
    job_seconds: tuple[float, ...]
    rows: int
    transactions: int


def mask_all(
    connect: Connect,
    workload: Workload,
    tables: Mapping[str, Table],
    key: MasterKey,
    progress: Progress = silent,
) -> Taken:
    """Mask every table once.

    :raises MaskingError: if a table could not be masked, or not all of its rows were.
    """
    rules, tally = ruleset(workload), Tally(progress, len(tables), "tables", "masked")
    stopped = threading.Event()

    def job(place: int, start: Start) -> tuple[int, int]:
        masked = transactions = 0
        with connect() as connection:
            ledger = Ledger(connection, workload.masking_run)
            start.wait()
            for name in workload.names(place + 1):
                if stopped.is_set():
                    break
                size = chunk_bytes(tables[name], workload.commit_rows)
                options = Options(chunk_bytes=size, strategy="chunks")
                result = mask_table(tables[name], rules, key, ledger, options=options)
                _require_all(workload, name, result.rows)
                masked, transactions = masked + result.rows, transactions + result.chunks
                tally.add()
        return masked, transactions

    done = together(workload.jobs, job, step=STEP, kind=MaskingError, stop=stopped.set)
    masked, transactions = map(sum, zip(*done.results, strict=True))
    return Taken(done.seconds, done.ends, masked, transactions)


def _require_all(workload: Workload, name: str, masked: int) -> None:
    if masked != workload.rows:
        raise MaskingError(
            f"{masked} rows were masked, the table has {workload.rows}",
            object_name=f"{workload.schema}.{name}",
            step=STEP,
            remedy="find out who writes to the benchmark's tables, and run it again",
        )


def clean(connection: oracledb.Connection, workload: Workload, tables: Collection[Table]) -> None:
    """Drop what a trial has left, finished or killed: tables, control tables, ledger rows. DDL commits."""
    rules = ruleset(workload)
    for table in tables:
        stem = compile_table(table, rules.rules(table.owner, table.name), workload.masking_run).stem
        for (name,) in rows(connection, CONTROL_TABLES, stem=stem):
            execute(connection, f"DROP TABLE {Identifier(name).sql} PURGE")
    drop_tables(connection, workload)
    ensure_ledger(connection)  # a run whose trials all failed early may not have made it
    execute(connection, DELETE_RUN, run_id=workload.masking_run)
    connection.commit()
