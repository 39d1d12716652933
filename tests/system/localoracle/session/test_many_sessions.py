"""Two hundred sessions at the same time, all that PROCESSES lets in, and what they leave."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import oracledb
import psutil
import pytest

from localoracle.instance.cluster import PROCESSES
from localoracle.instance.idle_backends import MOST_KEPT
from support.stand_in import Schema, Server, new_schema, new_server
from support.waiting import until_true

SESSIONS = 200
#: So many logons are under way at the same time.
AT_ONCE = 20
#: Most processes of PROCESSES that the stand-in may have for its own work.
OWN = 15


@pytest.fixture(scope="module")
def owner() -> Iterator[Schema]:
    server, end = new_server()
    try:
        yield from new_schema(server)
    finally:
        end()


async def opened(owner: Schema, count: int) -> list[oracledb.AsyncConnection]:
    """So many sessions, or as many as are let in."""
    found: list[oracledb.AsyncConnection] = []
    while len(found) < count:
        wanted = min(AT_ONCE, count - len(found))
        answers = await asyncio.gather(
            *(owner.connect_async() for _ in range(wanted)), return_exceptions=True
        )
        found += [answer for answer in answers if isinstance(answer, oracledb.AsyncConnection)]
        for refused in (answer for answer in answers if isinstance(answer, BaseException)):
            assert "ORA-00020: maximum number of processes (300) exceeded" in str(refused)
            return found
    return found


async def closed(connections: list[oracledb.AsyncConnection]) -> None:
    await asyncio.gather(*(connection.close() for connection in connections))


def backends(server: Server) -> int:
    """PostgreSQL's processes below the server's."""
    return len(psutil.Process(int(server.instance.pid_file.read_text())).children(recursive=True))


async def test_two_hundred_work_at_the_same_time_and_leave_nothing(owner: Schema) -> None:
    with owner.connection.cursor() as cursor:
        cursor.execute("CREATE TABLE WORK (SESSION_NUMBER NUMBER PRIMARY KEY, SID NUMBER)")
    before = backends(owner.server)
    connections = await opened(owner, SESSIONS)
    assert len(connections) == SESSIONS
    everybody = asyncio.Barrier(SESSIONS)

    async def work(number: int, connection: oracledb.AsyncConnection) -> None:
        await connection.execute("INSERT INTO WORK VALUES (:1, SYS_CONTEXT('USERENV', 'SID'))", [number])
        await everybody.wait()  # all of them have a transaction open
        assert await connection.fetchall("SELECT SESSION_NUMBER FROM WORK") == [(number,)]
        await everybody.wait()
        await connection.commit()

    await asyncio.gather(*(work(number, one) for number, one in enumerate(connections)))
    with owner.connection.cursor() as cursor:
        cursor.execute("SELECT COUNT(*), COUNT(DISTINCT SID) FROM WORK")
        assert cursor.fetchone() == (SESSIONS, SESSIONS)
    await closed(connections)
    with owner.server.connect() as system, system.cursor() as cursor:
        cursor.execute("SELECT COUNT(*) FROM V$SESSION WHERE USERNAME = :1", [owner.name])
        assert cursor.fetchone() == (1,)
    await until_true(lambda: backends(owner.server) <= before + MOST_KEPT, "for the end of their processes")


async def test_more_than_processes_are_refused_until_one_ends(owner: Schema) -> None:
    """All that PROCESSES allows, but the few of the stand-in itself, are let in; the next one is refused."""
    connections = await opened(owner, PROCESSES + AT_ONCE)
    sessions = len(connections) + 1  # with the owner's
    assert PROCESSES - OWN <= sessions < PROCESSES
    with pytest.raises(oracledb.DatabaseError, match=r"ORA-00020: .*\(300\)"):
        await owner.connect_async()
    await closed(connections[:1])
    connections[0] = await owner.connect_async()
    assert await connections[-1].fetchone("SELECT 1 FROM DUAL") == (1,)
    await closed(connections)
