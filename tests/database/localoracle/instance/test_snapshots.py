from __future__ import annotations

import psycopg
import pytest

from localoracle.errors import OracleError
from localoracle.instance import snapshots as module
from localoracle.instance.snapshots import Snapshots
from support.waiting import until

KEPT, UNUSED = 10, 5


@pytest.fixture
def counted(world):
    world.sql("CREATE TABLE IF NOT EXISTS public.counted (n int)")
    world.sql("TRUNCATE public.counted")
    return world


@pytest.fixture
def few(monkeypatch):
    """Smaller bounds: each SCN costs a process of PostgreSQL."""
    monkeypatch.setattr(module, "MAXIMUM_KEPT", KEPT)
    monkeypatch.setattr(module, "MAXIMUM_UNUSED", UNUSED)


def rows_at(world, scn):
    async def read():
        name = await world.database.snapshots.snapshot(scn)
        connection = await psycopg.AsyncConnection.connect(world.database.cluster.conninfo, autocommit=True)
        async with connection:
            await connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ")
            await connection.execute(f"SET TRANSACTION SNAPSHOT '{name}'")
            row = await (await connection.execute("SELECT count(*) FROM public.counted")).fetchone()
            return row[0]

    return world.run(read())


def test_the_same_scn_while_nothing_changes(counted):
    snapshots = counted.database.snapshots
    # PostgreSQL's own work, such as autovacuum's, is a change as well: it may come between, but not always.
    until(lambda: counted.run(snapshots.take()) == counted.run(snapshots.take()))


def test_each_scn_shows_its_own_state(counted):
    seen = {}
    for number in range(3):
        counted.sql("INSERT INTO public.counted VALUES (%s)", number)
        seen[counted.run(counted.database.snapshots.take())] = number + 1
    assert len(seen) == 3
    assert {scn: rows_at(counted, scn) for scn in seen} == seen


def test_numbers_grow(counted):
    first = counted.run(counted.database.snapshots.take())
    counted.sql("INSERT INTO public.counted VALUES (1)")
    assert counted.run(counted.database.snapshots.take()) > first


@pytest.mark.parametrize("offset", [1, 10**9])
def test_a_number_not_yet_reached_is_not_valid(counted, offset):
    scn = counted.run(counted.database.snapshots.take())
    with pytest.raises(OracleError, match="ORA-08181"):
        counted.run(counted.database.snapshots.snapshot(scn + offset))


@pytest.mark.parametrize("scn", [0, -5])
def test_no_scn_is_below_one(counted, scn):
    with pytest.raises(OracleError, match="ORA-08181"):
        counted.run(counted.database.snapshots.snapshot(scn))


def test_an_scn_of_an_earlier_server_is_too_old(counted):
    with pytest.raises(OracleError, match="ORA-01555"):
        counted.run(counted.database.snapshots.snapshot(5))


def test_undo_retention_over(counted):
    snapshots = counted.database.snapshots
    old = counted.run(snapshots.take())
    counted.sql("INSERT INTO public.counted VALUES (1)")
    current = counted.run(snapshots.take())
    counted.sql("UPDATE localoracle.parameters SET value = '0' WHERE name = 'undo_retention'")
    try:
        with pytest.raises(OracleError, match="ORA-01555"):
            counted.run(snapshots.snapshot(old))
    finally:
        counted.sql("UPDATE localoracle.parameters SET value = '900' WHERE name = 'undo_retention'")
    assert rows_at(counted, counted.run(snapshots.take())) == 1
    assert current > old


def test_expire(counted):
    snapshots = counted.database.snapshots
    scn = counted.run(snapshots.take())
    assert counted.run(snapshots.expire()) >= 1
    with pytest.raises(OracleError, match="ORA-01555"):
        counted.run(snapshots.snapshot(scn))
    assert counted.run(snapshots.take()) > scn


def test_used_snapshots_outlive_those_only_looked_at(counted, few):
    snapshots = counted.database.snapshots
    counted.run(snapshots.expire())
    used = counted.run(snapshots.take())
    counted.run(snapshots.snapshot(used))
    for number in range(KEPT + 3):
        counted.sql("INSERT INTO public.counted VALUES (%s)", number)
        counted.run(snapshots.take())
    assert rows_at(counted, used) == 0
    counted.run(snapshots.expire())


def test_one_just_taken_outlives_those_used_before(counted, few):
    snapshots = counted.database.snapshots
    counted.run(snapshots.expire())
    for number in range(KEPT + 3):
        counted.sql("INSERT INTO public.counted VALUES (%s)", number)
        counted.run(snapshots.snapshot(counted.run(snapshots.take())))
    counted.sql("INSERT INTO public.counted VALUES (0)")
    frozen = counted.run(snapshots.take())
    for number in range(UNUSED - 1):
        counted.sql("INSERT INTO public.counted VALUES (%s)", number)
        counted.run(snapshots.take())
    assert rows_at(counted, frozen) == KEPT + 4
    counted.run(snapshots.expire())


def test_each_scn_outlives_the_server(counted):
    snapshots = counted.database.snapshots
    counted.run(snapshots.expire())
    scns = []
    for number in range(3):
        counted.sql("INSERT INTO public.counted VALUES (%s)", number)
        scns.append(counted.run(snapshots.take()))
    counted.sql("DELETE FROM public.counted")
    counted.run(snapshots.close())
    counted.sql("VACUUM public.counted")
    counted.database.snapshots = again = Snapshots(counted.database)
    assert [rows_at(counted, scn) for scn in reversed(scns)] == [3, 2, 1]
    assert rows_at(counted, counted.run(again.take())) == 0
    counted.run(again.expire())
    with counted.database.cluster.connect() as connection:
        assert connection.execute("SELECT count(*) FROM pg_prepared_xacts").fetchone() == (0,)
    with pytest.raises(OracleError, match="ORA-01555"):
        counted.run(again.snapshot(scns[0]))


def test_a_short_transaction_beside_it_does_not_end_an_scn_with_the_server(counted, monkeypatch):
    """As autovacuum's do, at any time."""
    undo = counted.database.snapshots._undo
    prepare, busy = undo.prepare, iter([True, True, False])

    async def disturbed(connection, scn):
        number = await prepare(connection, scn)
        if next(busy):
            await counted.database.system("INSERT INTO public.counted VALUES (0)")
        return number

    counted.run(counted.database.snapshots.expire())
    counted.sql("INSERT INTO public.counted VALUES (0)")
    monkeypatch.setattr(undo, "prepare", disturbed)
    scn = counted.run(counted.database.snapshots.take())
    assert list(undo.ages()) == [scn]
    assert rows_at(counted, scn) == 3
    counted.run(counted.database.snapshots.expire())
