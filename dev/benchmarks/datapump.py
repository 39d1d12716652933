"""The stand-in's Data Pump against PostgreSQL's own server-side COPY of the same rows, in turn.

Both move one bare table with real LOBs, out of and into the same database, through new files in the same
directory. Outside the measured time the table is emptied before it is loaded, and read once before it is
unloaded: the first one to read what was loaded would also mark its rows as committed.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from pathlib import Path

import oracledb
import psycopg

from benchmarks.size import sized
from localoracle.instance.cluster import Cluster
from localoracle.instance.config import instance
from oracle_refresh.datapump import job, jobspec
from oracle_refresh.datapump.status import watch
from oracle_refresh.oracle.identifiers import TableName

TABLE = TableName("TEST", "BENCH_DOCUMENTS")
COPY = '"TEST"."BENCH_DOCUMENTS"'
ROUNDS = sized(3, 1)


def measure() -> dict[str, float]:
    """MB/s of both ways by both means; medians of the rounds. Needs a running source that is filled."""
    source = instance("source")
    seconds: dict[str, list[float]] = {name: [] for name in ("export", "copy_out", "load", "copy_in")}
    with (
        psycopg.connect(Cluster(source).conninfo, autocommit=True) as plain,
        oracledb.connect(user="SYSTEM", password="system_demo", dsn=source.dsn) as oracle,
        oracle.cursor() as cursor,
    ):
        cursor.execute(f"CREATE OR REPLACE DIRECTORY BENCH_DUMPS AS '{source.dump_directory}'")
        cursor.execute("CREATE TABLE TEST.BENCH_DOCUMENTS AS SELECT * FROM DOCS.DOCUMENTS")
        try:
            size = plain.execute("SELECT pg_total_relation_size(%s) / 1e6", [COPY]).fetchone()
            assert size is not None
            copied = source.dump_directory / "bench.copy"
            for number in range(ROUNDS):
                plain.execute(f"COPY {COPY} TO '{copied}' (FORMAT binary)")
                copied.unlink()
                steps: dict[str, Callable[[], object]] = {
                    "export": lambda number=number: _run(oracle, "EXPORT", number),  # type: ignore[misc]
                    "copy_out": lambda: plain.execute(f"COPY {COPY} TO '{copied}' (FORMAT binary)"),
                    "load": lambda number=number: _run(oracle, "IMPORT", number),  # type: ignore[misc]
                    "copy_in": lambda: plain.execute(f"COPY {COPY} FROM '{copied}' (FORMAT binary)"),
                }
                for name, step in steps.items():
                    if name in ("load", "copy_in"):
                        cursor.execute("TRUNCATE TABLE TEST.BENCH_DOCUMENTS")
                    began = time.monotonic()
                    step()
                    seconds[name].append(time.monotonic() - began)
        finally:
            cursor.execute("DROP TABLE TEST.BENCH_DOCUMENTS PURGE")
            _remove(source.dump_directory)
    megabytes = float(size[0])
    return {f"{name}_mb_per_second": megabytes / statistics.median(taken) for name, taken in seconds.items()}


def _run(connection: oracledb.Connection, operation: jobspec.Operation, number: int) -> None:
    spec = jobspec.JobSpec(
        operation=operation,
        job_name=f"BENCH_{operation}_{number}",
        directory="BENCH_DUMPS",
        dump_files=(f"bench_{number}.dmp",),
        log_file=f"bench_{operation.lower()}_{number}.log",
        tables=(TABLE,),
    )
    job.start(connection, spec)
    watch(connection, spec.job_name, poll_seconds=0.1)
    log = (instance("source").dump_directory / spec.log_file).read_text()
    if "successfully completed" not in log:
        raise SystemExit(f"{spec.job_name} failed:\n{log}")


def _remove(folder: Path) -> None:
    for path in folder.glob("bench*"):
        path.unlink()
