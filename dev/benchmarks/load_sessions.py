"""Many sessions of one stand-in at the same time, beside one."""

from __future__ import annotations

import asyncio
import time

import oracledb

from benchmarks.consumption import cpu_seconds, family, memory_mb
from benchmarks.own_database import PASSWORD
from benchmarks.size import sized
from localoracle.instance.config import Instance

SESSIONS, STATEMENTS = sized((200, 4000), (20, 100))
#: Logons under way at the same time.
LOGONS = 20


async def measure(database: Instance) -> tuple[dict[str, float], dict[str, float]]:
    """As many statements by one session, and by all of them side by side."""
    server = int(database.pid_file.read_text())
    idle = memory_mb(family([server]))
    (one,) = await _opened(database, 1)
    await _work([one], STATEMENTS // 10)  # what is read once is read
    alone_seconds, alone_cpu = await _timed(server, [one])
    sessions = [one, *await _opened(database, SESSIONS - 1)]
    seconds, cpu = await _timed(server, sessions)
    memory = memory_mb(family([server]))
    await asyncio.gather(*(session.close() for session in sessions))
    ratios = {
        f"sessions_{SESSIONS}_over_1_cpu": cpu / alone_cpu,
        f"sessions_{SESSIONS}_over_1_seconds": seconds / alone_seconds,
    }
    figures = {
        "sessions": float(SESSIONS),
        "sessions_statements_per_second": STATEMENTS / seconds,
        "sessions_cpu_milliseconds_per_statement": cpu / STATEMENTS * 1000,
        "sessions_idle_server_memory_mb": idle,
        "sessions_memory_mb": memory,
        "sessions_memory_mb_each": (memory - idle) / SESSIONS,
    }
    return ratios, figures


async def _opened(database: Instance, count: int) -> list[oracledb.AsyncConnection]:
    found: list[oracledb.AsyncConnection] = []
    while len(found) < count:
        logons = min(LOGONS, count - len(found))
        found += await asyncio.gather(
            *(
                oracledb.connect_async(user="SYSTEM", password=PASSWORD, dsn=database.dsn)
                for _ in range(logons)
            )
        )
    return found


async def _timed(server: int, sessions: list[oracledb.AsyncConnection]) -> tuple[float, float]:
    """Seconds, and CPU seconds of the server, for all statements together."""
    before, began = cpu_seconds(family([server])), time.monotonic()
    await _work(sessions, STATEMENTS // len(sessions))
    return time.monotonic() - began, cpu_seconds(family([server])) - before


async def _work(sessions: list[oracledb.AsyncConnection], each: int) -> None:
    async def work(session: oracledb.AsyncConnection) -> None:
        for number in range(each):
            await session.fetchone("SELECT :1 FROM DUAL", [number])

    await asyncio.gather(*map(work, sessions))
