"""The stand-in's Data Pump against PostgreSQL's own server-side COPY of the same rows, in turn."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable

import oracledb
import psycopg

from localoracle.cluster import Cluster
from localoracle.config import instance

TABLE = ("DOCS", "DOCUMENTS")
ROUNDS = 3


def measure() -> dict[str, float]:
    """MB/s of export, load and both COPY directions; medians of three rounds in alternation."""
    source, target = instance("source"), instance("target")
    seconds: dict[str, list[float]] = {name: [] for name in ("export", "copy_out", "load", "copy_in")}
    with (
        psycopg.connect(Cluster(source).conninfo, autocommit=True) as plain,
        oracledb.connect(user="SYSTEM", password="system_demo", dsn=source.dsn) as oracle,
    ):
        (megabytes,) = plain.execute(
            'SELECT pg_total_relation_size(\'"DOCS"."DOCUMENTS"\') / 1e6'
        ).fetchone() or (0,)
        oracle.cursor().execute(
            "CREATE OR REPLACE DIRECTORY BENCH_DUMPS AS :path".replace(":path", f"'{source.dump_directory}'")
        )
        plain.execute('DROP TABLE IF EXISTS "TEST"."BENCH_COPY"')
        plain.execute('CREATE UNLOGGED TABLE "TEST"."BENCH_COPY" (LIKE "DOCS"."DOCUMENTS")')
        plain.execute('ALTER TABLE "TEST"."BENCH_COPY" SET LOGGED')
        copied = source.dump_directory / "bench.copy"
        for number in range(ROUNDS):
            seconds["export"].append(_timed(lambda n=number: _datapump(oracle, "EXPORT", n)))  # type: ignore[misc]
            seconds["copy_out"].append(
                _timed(lambda: plain.execute(f'COPY "DOCS"."DOCUMENTS" TO \'{copied}\' (FORMAT binary)'))
            )
            plain.execute('TRUNCATE "TEST"."BENCH_COPY"')
            seconds["copy_in"].append(
                _timed(lambda: plain.execute(f'COPY "TEST"."BENCH_COPY" FROM \'{copied}\' (FORMAT binary)'))
            )
            plain.execute('TRUNCATE "TEST"."BENCH_COPY"')
            seconds["load"].append(_timed(lambda n=number: _datapump(oracle, "IMPORT", n)))  # type: ignore[misc]
        plain.execute('DROP TABLE "TEST"."BENCH_COPY"')
    del target
    return {
        f"{name}_mb_per_second": float(megabytes) / statistics.median(values)
        for name, values in seconds.items()
    }


def _timed(work: Callable[[], object]) -> float:
    began = time.monotonic()
    work()
    return time.monotonic() - began


def _datapump(connection: oracledb.Connection, operation: str, number: int) -> None:
    raise NotImplementedError
