"""DDL_LOCK_TIMEOUT: a new try outlasts the statement that the session of a killed task still runs."""

from __future__ import annotations

import asyncio

from localoracle.session import execution


def test_ddl_waits_as_long_as_it_is_told_to(world, monkeypatch):
    monkeypatch.setattr(execution, "DDL_LOCK_SECONDS", 0.05)
    world.sql('CREATE TABLE "SYSTEM"."LOCKED" ("N" numeric)')
    holder, other = world.session("SYSTEM"), world.session("SYSTEM")

    async def wait():
        await holder.run('LOCK TABLE "SYSTEM"."LOCKED" IN EXCLUSIVE MODE')
        await other.run("ALTER SESSION SET DDL_LOCK_TIMEOUT = 600")
        waiting = asyncio.ensure_future(other.run('DROP TABLE "SYSTEM"."LOCKED"'))
        while not await world.database.system("SELECT 1 FROM pg_locks WHERE NOT granted"):
            assert not waiting.done()
        await asyncio.sleep(0.2)
        await holder.transaction.rollback()
        await waiting
        await holder.close()
        await other.close()

    world.run(wait())
