"""Jobs that are ended in unlucky moments: nobody may wait for them for ever."""

from __future__ import annotations

import asyncio
from contextlib import suppress

import psycopg
import pytest

from localoracle.datapump import stream
from localoracle.datapump.master import Master
from support.waiting import PATIENCE

EXPORT = """declare h number;
begin
  h := dbms_datapump.open('EXPORT', 'TABLE', null, '{0}');
  dbms_datapump.add_file(h, '{0}.dmp', 'DATA_PUMP_DIR', reusefile => 1);
  dbms_datapump.metadata_filter(h, 'SCHEMA_EXPR', 'IN (''ENDINGS'')');
  dbms_datapump.start_job(h);
  {1}
end;"""
WAIT = "dbms_datapump.wait_for_job(h, :state);"


@pytest.fixture(scope="module")
def pump(world):
    world.user("ENDINGS", "CREATE TABLE")
    world.sql('CREATE TABLE "ENDINGS"."T" ("ID" numeric, "BODY" ora.blob)')
    world.sql('ALTER TABLE "ENDINGS"."T" ALTER "BODY" SET STORAGE EXTERNAL')
    world.sql(
        'INSERT INTO "ENDINGS"."T" SELECT i, decode(repeat(md5(i::text), 300), \'hex\')::ora.blob'
        " FROM generate_series(1, 300) i"
    )
    yield world.database.services["datapump"]
    world.run(world.database.services["datapump"].delay_lobs(0))
    for path in world.dumps.glob("ENDING_*"):
        path.unlink()


def test_a_job_that_is_stopped_twice_is_stopped(world, pump):
    world.run(pump.delay_lobs(100))
    world.block(EXPORT.format("ENDING_TWICE", "dbms_datapump.detach(h);"))
    job = pump._jobs["SYSTEM", "ENDING_TWICE"]

    async def stop_twice_and_more():
        def stop():
            return asyncio.create_task(job.stop(immediate=True, keep_master=True, delay=0))

        stops = [stop(), stop()]
        while not all(task.done() for task in stops):
            # Again and again, so that every step of its ending is hit.
            await asyncio.sleep(0)
            if len(stops) < 200:
                stops.append(stop())
        await asyncio.wait_for(job.wait(), PATIENCE)

    world.run(asyncio.wait_for(stop_twice_and_more(), 2 * PATIENCE))
    assert job.state == "STOPPED"
    assert ("SYSTEM", "ENDING_TWICE") not in pump._jobs
    rows = world.sql("SELECT state FROM localoracle.datapump_jobs WHERE job_name = 'ENDING_TWICE'")
    assert rows == [("NOT RUNNING",)]
    world.run(pump.delay_lobs(0))


def test_of_two_who_start_a_job_at_the_same_moment_one_does(world, pump):
    """Both have attached to the same stopped job: who is to go on, and whose client was killed."""
    world.run(pump.delay_lobs(20))
    world.block(EXPORT.format("ENDING_STARTS", "dbms_datapump.stop_job(h, 1, 1);"))
    attach = "begin :h := dbms_datapump.attach('ENDING_STARTS', 'SYSTEM'); end;"
    sessions = [world.session("SYSTEM") for _ in range(2)]
    handles = [world.block(attach, session, h=0)["h"] for session in sessions]

    async def start():
        return await asyncio.gather(
            *(
                session.run(f"begin dbms_datapump.start_job({handle}); end;")
                for session, handle in zip(sessions, handles, strict=True)
            ),
            return_exceptions=True,
        )

    refused = [outcome for outcome in world.run(start()) if isinstance(outcome, Exception)]
    assert [str(error)[:9] for error in refused] == ["ORA-39004"]
    world.run(pump.delay_lobs(0))
    assert world.run(asyncio.wait_for(pump._jobs["SYSTEM", "ENDING_STARTS"].wait(), PATIENCE)) == "COMPLETED"
    for session in sessions:
        world.run(session.close())


def test_an_export_whose_server_dies_at_its_very_end(world, pump, monkeypatch):
    """The dump set is finished, the master table still there: the job that goes on finishes it again."""

    async def dies(self, connection):
        raise psycopg.OperationalError("the server is gone")

    export = EXPORT.replace("'{0}.dmp'", "'{0}_%U.dmp'")
    with monkeypatch.context() as patches:
        patches.setattr(Master, "drop", dies)
        world.block(export.format("ENDING_LATE", WAIT), state=None)
    again = """declare h number;
    begin
      h := dbms_datapump.attach('ENDING_LATE', 'SYSTEM');
      dbms_datapump.start_job(h);
      dbms_datapump.wait_for_job(h, :state);
    end;"""
    assert world.block(again, state=None)["state"] == "COMPLETED"
    assert [path.name for path in world.dumps.glob("ENDING_LATE*")] == ["ENDING_LATE_01.dmp"]
    load = """declare h number;
    begin
      h := dbms_datapump.open('IMPORT', 'TABLE', null, 'ENDING_LOAD');
      dbms_datapump.add_file(h, 'ENDING_LATE_%U.dmp', 'DATA_PUMP_DIR');
      dbms_datapump.metadata_filter(h, 'SCHEMA_EXPR', 'IN (''ENDINGS'')');
      dbms_datapump.metadata_remap(h, 'REMAP_TABLE', 'T', 'COPIED');
      dbms_datapump.start_job(h);
      dbms_datapump.wait_for_job(h, :state);
    end;"""
    assert world.block(load, state=None)["state"] == "COMPLETED"
    assert world.sql('SELECT count(*) FROM "ENDINGS"."COPIED"') == [(300,)]
    assert not [path for path in world.dumps.iterdir() if path.is_dir()]


def test_connections_that_died_while_nobody_used_them(world, pump):
    assert world.block(EXPORT.format("ENDING_A", WAIT), state=None)["state"] == "COMPLETED"
    backends = [connection.info.backend_pid for connection in pump.connections._idle]
    assert backends
    world.sql("SELECT pg_terminate_backend(pid, 60000) FROM unnest(%s::int[]) pid", backends)
    assert world.block(EXPORT.format("ENDING_B", WAIT), state=None)["state"] == "COMPLETED"


@pytest.mark.parametrize("direction", ["TO", "FROM"])
def test_postgres_never_waits_at_a_pipe_that_nobody_serves(world, pump, direction, tmp_path):
    class Nowhere:
        def write(self, data):
            raise OSError("no")

        def close(self):
            pass

    async def late():
        transfer = (
            stream.unloading(pump.pipes, Nowhere())
            if direction == "TO"
            else stream.loading(pump.pipes, [(tmp_path / "missing", 0, 10, 0)], "")
        )
        connection = await pump.connections.connect()
        try:
            async with transfer:
                transfer._over.set()
                await asyncio.wait([transfer._task])
                # As if PostgreSQL came late: the thread is gone already.
                statement = f'COPY "ENDINGS"."T" {direction} \'{transfer.path}\' (FORMAT binary)'
                with suppress(psycopg.errors.UndefinedFile):
                    await asyncio.wait_for(connection.execute(statement), PATIENCE)
            assert not transfer.path.exists()
        finally:
            await connection.close()

    world.run(late())


def test_an_object_without_rows_waits_for_postgres(world, pump):
    """Its pipe would be gone, and the object lost, if PostgreSQL came after the answer of the other end."""

    async def late():
        connection = await pump.connections.connect()
        try:
            async with stream.supplying(pump.pipes, lambda send: None) as transfer:
                await asyncio.sleep(0.05)
                copy = f'COPY "ENDINGS"."T" FROM \'{transfer.path}\' (HEADER)'
                cursor = await transfer.run(connection.execute(copy))
                await transfer.finished()
            return cursor.rowcount
        finally:
            await connection.close()

    assert world.run(late()) == 0
