"""Jobs that are ended in unlucky moments: nobody may wait for them for ever."""

from __future__ import annotations

import asyncio
from contextlib import suppress

import psycopg
import pytest

from localoracle.engine.datapump import stream

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
    world.run(pump.delay_lobs(20))
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
        await asyncio.wait_for(job.wait(), 10)

    world.run(asyncio.wait_for(stop_twice_and_more(), 30))
    assert job.state == "STOPPED"
    assert ("SYSTEM", "ENDING_TWICE") not in pump._jobs
    rows = world.sql("SELECT state FROM localoracle.datapump_jobs WHERE job_name = 'ENDING_TWICE'")
    assert rows == [("NOT RUNNING",)]
    world.run(pump.delay_lobs(0))


def test_connections_that_died_while_nobody_used_them(world, pump):
    assert world.block(EXPORT.format("ENDING_A", WAIT), state=None)["state"] == "COMPLETED"
    backends = [connection.info.backend_pid for connection in pump._idle]
    assert backends
    world.sql("SELECT pg_terminate_backend(pid, 5000) FROM unnest(%s::int[]) pid", backends)
    assert world.block(EXPORT.format("ENDING_B", WAIT), state=None)["state"] == "COMPLETED"


@pytest.mark.parametrize("direction", ["TO", "FROM"])
def test_postgres_never_waits_at_a_pipe_that_nobody_serves(world, pump, direction, tmp_path):
    class Nowhere:
        def write(self, data):
            raise OSError("no")

        def close(self):
            pass

    async def late():
        moving = (
            stream.unloading(pump.pipes, Nowhere())
            if direction == "TO"
            else stream.loading(pump.pipes, [(tmp_path / "missing", 0, 10, 0)], "")
        )
        connection = await pump.connect()
        try:
            async with moving:
                moving._over.set()
                await asyncio.wait([moving._task])
                # As if PostgreSQL came late: the thread is gone already.
                statement = f'COPY "ENDINGS"."T" {direction} \'{moving.path}\' (FORMAT binary)'
                with suppress(psycopg.errors.UndefinedFile):
                    await asyncio.wait_for(connection.execute(statement), 10)
            assert not moving.path.exists()
        finally:
            await connection.close()

    world.run(late())
