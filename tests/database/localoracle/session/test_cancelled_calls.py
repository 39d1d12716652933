"""Calls that are cancelled between any two of their steps: by a break, or because their client is gone."""

from __future__ import annotations

import asyncio
import itertools
import os
import signal
import threading

import pytest

from localoracle.errors import OracleError
from localoracle.instance.snapshots import Snapshots
from localoracle.packages import dbms_lock
from localoracle.tasks import in_thread
from localoracle.values import DataType, OracleType, Value
from support.waiting import PATIENCE

NUMBER = DataType(OracleType.NUMBER)
MANY = 'SELECT a.n FROM "SYSTEM"."CANCELLED" a, "SYSTEM"."CANCELLED" b'
"""More rows than can be fetched while a test looks away for a moment."""
MORE_THAN_A_SOCKET_TAKES = 8 << 20


@pytest.fixture(scope="module", autouse=True)
def rows(world):
    world.sql('CREATE TABLE "SYSTEM"."CANCELLED" ("N" numeric)')
    world.sql('INSERT INTO "SYSTEM"."CANCELLED" SELECT generate_series(1, 5000)')


@pytest.fixture
def session(world):
    session = world.session("SYSTEM")
    yield session
    world.run(session.close())


async def cancelled(work):
    """Begin it, and cancel it in the middle."""
    task = asyncio.ensure_future(work)
    await asyncio.sleep(0.05)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


def cancelling(owner, name, patches, *, begun=0, done=0):
    """Cancel a task when a method is called for the `begun`-th time, or has come back for the `done`-th."""
    original = getattr(owner, name)
    outer = []
    calls, returns = itertools.count(1), itertools.count(1)

    async def wrapped(*arguments, **named):
        if next(calls) == begun:
            outer[0].cancel()
        result = await original(*arguments, **named)
        if next(returns) == done:
            outer[0].cancel()
        return result

    patches.setattr(owner, name, wrapped)

    async def run(work):
        outer.append(asyncio.ensure_future(work))
        with pytest.raises(asyncio.CancelledError):
            await outer[0]

    return run


def test_a_fetch_that_was_cancelled_is_no_end_of_the_rows(world, session):
    async def fetch():
        result = await session.run(MANY)
        await cancelled(result.fetch_raw(10**8))
        with pytest.raises(OracleError, match="ORA-01002"):
            await result.fetch_raw(1)

    world.run(fetch())


def test_rows_lost_to_another_statement_that_was_cancelled(world, session):
    """It needed the connection, and was cancelled while the rows before it were put aside."""

    async def fetch():
        result = await session.run(MANY)
        await cancelled(session.run("SELECT 1 FROM DUAL"))
        with pytest.raises(OracleError, match="ORA-01002"):
            await result.all()
        with pytest.raises(OracleError, match="ORA-01002"):
            await result.fetch_raw(1)
        assert await (await session.run("SELECT 1 FROM DUAL")).all()

    world.run(fetch())


@pytest.mark.parametrize("step", [1, 2, 3])
def test_the_servers_own_rights_do_not_stay(world, session, monkeypatch, step):
    async def rights():
        with monkeypatch.context() as patches:
            run = cancelling(session.backend, "script", patches, begun=step)
            await run(_twice(session))
        (result,) = await session.backend.script("SELECT current_user")
        assert result.get_value(0, 0) == b'SYSTEM"'  # the role of SYSTEM's sessions

    world.run(rights())


async def _twice(session):
    for _ in range(2):
        await session.pg_system("SELECT 1")
        await asyncio.sleep(0)


def test_a_cancel_that_comes_before_its_statement(world, session):
    """PostgreSQL forgets a cancel when it has not read the statement; the session stays usable."""

    async def cancel():
        backend = session.pg.info.backend_pid
        os.kill(backend, signal.SIGSTOP)
        try:
            task = asyncio.ensure_future(session.backend.script("SELECT pg_sleep(600)"))
            await asyncio.sleep(0.05)
            task.cancel()
            await asyncio.sleep(0.2)
        finally:
            os.kill(backend, signal.SIGCONT)
        with pytest.raises(asyncio.CancelledError):
            await task
        assert await (await session.run("SELECT 1 FROM DUAL")).all()

    world.run(cancel())


@pytest.mark.parametrize("rows", [1, 3])
def test_a_statement_that_is_cancelled_before_all_of_it_was_sent(world, session, rows):
    """Else PostgreSQL would wait for the rest of it for ever, with the locks of its transaction."""

    async def cancel():
        backend = session.pg.info.backend_pid
        prepared = await session.backend.prepare("SELECT length($1::bytea)")
        values = [[bytes(MORE_THAN_A_SOCKET_TAKES)]] * rows
        os.kill(backend, signal.SIGSTOP)
        try:
            work = session.backend.pipeline(prepared, values, [1])
            if rows == 1:
                work = session.backend.execute(prepared, *values, [1])
            task = asyncio.ensure_future(work)
            await asyncio.sleep(0.05)
            task.cancel()
            await asyncio.sleep(0.05)
        finally:
            os.kill(backend, signal.SIGCONT)
        await asyncio.wait([task], timeout=PATIENCE)
        assert task.cancelled()
        assert await (await session.run("SELECT 1 FROM DUAL")).all()

    world.run(cancel())


def test_the_end_of_a_session_is_not_cut_short(world):
    """A client that is gone while it logs off leaves no transaction, no lock, no row of V$SESSION."""
    session, other = world.session("SYSTEM"), world.session("SYSTEM")
    going_on = asyncio.Event()

    class Slow:
        async def session_closed(self):
            await going_on.wait()

    async def log_off():
        session.package_state["slow"] = Slow()
        await session.run('LOCK TABLE "SYSTEM"."CANCELLED" IN EXCLUSIVE MODE')
        await cancelled(session.close())
        going_on.set()
        await session.close()
        assert session.pg.closed or session.pg in world.database.idle._kept
        await other.run('LOCK TABLE "SYSTEM"."CANCELLED" IN EXCLUSIVE MODE NOWAIT')
        await other.close()

    world.run(log_off())
    shown = world.sql("SELECT sid FROM localoracle.sessions WHERE sid = ANY(%s)", [session.sid, other.sid])
    assert shown == []


def test_a_commit_that_has_begun_is_done(world, session):
    """PostgreSQL can be cancelled while it checks what was deferred; who commits again thinks it kept."""
    world.sql('CREATE TABLE "SYSTEM"."COMMITTED" ("N" numeric)')
    world.sql(
        "CREATE FUNCTION public.take_time() RETURNS trigger LANGUAGE plpgsql AS"
        " 'BEGIN PERFORM pg_advisory_lock(4711), pg_advisory_unlock(4711); RETURN NULL; END'"
    )
    world.sql(
        'CREATE CONSTRAINT TRIGGER slow AFTER INSERT ON "SYSTEM"."COMMITTED" DEFERRABLE INITIALLY DEFERRED'
        " FOR EACH ROW EXECUTE FUNCTION public.take_time()"
    )

    async def commit():
        await session.run('INSERT INTO "SYSTEM"."COMMITTED" VALUES (1)')
        system = world.database.system
        await system("SELECT pg_advisory_lock(4711)")
        committing = asyncio.ensure_future(session.transaction.commit())
        while not await system("SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"):
            assert not committing.done()
        committing.cancel()
        await asyncio.sleep(0.05)
        await system("SELECT pg_advisory_unlock(4711)")
        with pytest.raises(asyncio.CancelledError):
            await committing

    world.run(commit())
    assert world.sql('SELECT count(*) FROM "SYSTEM"."COMMITTED"') == [(1,)]


def test_locks_are_free_when_a_session_has_ended(world):
    """PostgreSQL's process ends some time after the session."""

    async def again_and_again():
        for _ in range(5):
            session = await world.database.open_session("SYSTEM")
            outcome = Value(NUMBER, None)
            await session.run("BEGIN :r := DBMS_LOCK.REQUEST(77, 6, 0); END;", by_name={"R": outcome})
            assert outcome.value == dbms_lock.SUCCESS
            await session.close()

    world.run(again_and_again())


def test_a_cancelled_request_holds_no_lock(world, session, monkeypatch):
    request = "BEGIN :r := DBMS_LOCK.REQUEST(78, 6, 0); END;"

    async def give_up():
        with monkeypatch.context() as patches:
            run = cancelling(dbms_lock, "_try", patches, done=1)
            await run(session.run(request, by_name={"R": Value(NUMBER, None)}))
        outcome = Value(NUMBER, None)
        await world.system.run(request, by_name={"R": outcome})
        assert outcome.value == dbms_lock.SUCCESS

    world.run(give_up())
    world.block("BEGIN :r := DBMS_LOCK.RELEASE(78); END;", r=0)


def test_an_scn_is_kept_whole_or_not_at_all(world, monkeypatch):
    snapshots = world.database.snapshots
    world.run(snapshots.expire())
    world.sql('INSERT INTO "SYSTEM"."CANCELLED" VALUES (0)')

    async def give_up():
        with monkeypatch.context() as patches:
            run = cancelling(snapshots._undo, "prepare", patches, done=1)
            await run(snapshots.take())
        await snapshots.expire()

    world.run(give_up())
    assert world.sql("SELECT gid FROM pg_prepared_xacts") == []


def test_what_a_killed_server_has_kept_of_an_scn_is_cleared_away(world):
    """CREATE_CAPTURE would wait for it in vain, and vacuum would remove nothing any more."""
    snapshots = world.database.snapshots
    world.run(snapshots.expire())
    with world.database.cluster.connect() as connection, connection.transaction():
        connection.execute('INSERT INTO "SYSTEM"."CANCELLED" VALUES (0)')
        world.run(snapshots.take())  # cannot be had again: a transaction is open
    with world.database.cluster.connect() as connection:
        connection.execute("BEGIN; SELECT pg_current_xact_id(); PREPARE TRANSACTION 'scn_5'")
    world.sql('INSERT INTO "SYSTEM"."CANCELLED" VALUES (0)')
    kept = world.run(snapshots.take())
    world.run(snapshots.close())
    world.database.snapshots = again = Snapshots(world.database)
    world.run(again.start())
    assert world.sql("SELECT gid FROM pg_prepared_xacts") == [(f"scn_{kept}",)]
    world.run(again.expire())


def test_a_thread_is_through_when_its_call_is_over(world):
    begun, interrupted, through = threading.Event(), threading.Event(), threading.Event()

    def work():
        begun.set()
        interrupted.wait(60)
        through.set()

    async def give_up():
        task = asyncio.ensure_future(in_thread(work, interrupt=interrupted.set))
        await asyncio.to_thread(begun.wait)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert through.is_set()

    world.run(give_up())
