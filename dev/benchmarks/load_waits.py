"""Many deferred waits for the loads of one run in the event loop of one triggerer, beside one wait."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import time

import oracledb
import psutil

from benchmarks.own_database import PASSWORD
from benchmarks.size import sized
from localoracle.instance.config import Instance
from oracle_refresh.run.ledger import DONE, INSERT, ensure_ledger
from oracle_refresh.triggers.ledger import JobsLoadedTrigger

#: As many as Airflow's triggerer takes by default.
WAITS, SECONDS = sized((1000, 60.0), (20, 3.0))
POLL_SECONDS = 1.0
CONNECTION = "benchmark_load"


def measure(database: Instance) -> tuple[dict[str, float], dict[str, float]]:
    os.environ[f"AIRFLOW_CONN_{CONNECTION.upper()}"] = json.dumps(
        {
            "conn_type": "oracle",
            "host": "127.0.0.1",
            "port": database.port,
            "login": "SYSTEM",
            "password": PASSWORD,
            "extra": {"service_name": database.service_name, "refresh_role": "target"},
        }
    )
    # There is no Airflow that could tell the states of the run's tasks: it is asked all the same.
    logging.getLogger("oracle_refresh.triggers").setLevel(logging.ERROR)
    alone_cpu, _, _ = asyncio.run(_waited(database, 1))
    cpu, memory, sessions = asyncio.run(_waited(database, WAITS))
    figures = {
        "waits": float(WAITS),
        "waits_cpu_seconds_per_minute": cpu,
        "waits_1_cpu_seconds_per_minute": alone_cpu,
        "waits_memory_kb_each": memory / WAITS,
        "waits_sessions": float(sessions),
    }
    return {f"waits_{WAITS}_over_1_cpu": cpu / alone_cpu}, figures


async def _waited(database: Instance, count: int) -> tuple[float, float, int]:
    """CPU seconds of a minute, kilobytes more than before, sessions of the database while so many wait."""
    process, run_id = psutil.Process(), f"waits_{count}"
    before = process.memory_info().rss
    with oracledb.connect(user="SYSTEM", password=PASSWORD, dsn=database.dsn) as connection:
        ensure_ledger(connection)
        others = _sessions(connection)
        waits = [asyncio.create_task(_fired(run_id, f"S{number}")) for number in range(count)]
        await asyncio.sleep(2 * POLL_SECONDS)
        cpu, began = time.process_time(), time.monotonic()
        await asyncio.sleep(SECONDS)
        used = (time.process_time() - cpu) / (time.monotonic() - began) * 60
        more = (process.memory_info().rss - before) / 1e3
        sessions = _sessions(connection) - others
        loaded = {"run_id": run_id, "step": "load", "state": DONE, "detail": "{}"}
        with connection.cursor() as cursor:
            cursor.executemany(INSERT, [loaded | {"item": f"S{number}"} for number in range(count)])
        connection.commit()
        await asyncio.gather(*waits)
    return used, more, sessions


async def _fired(run_id: str, job: str) -> None:
    async for _ in JobsLoadedTrigger(CONNECTION, "load", run_id, [job], POLL_SECONDS).run():
        return


def _sessions(connection: oracledb.Connection) -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT COUNT(*) FROM V$SESSION WHERE USERNAME = 'SYSTEM'")
        (count,) = cursor.fetchone() or (0,)
        return int(count)
