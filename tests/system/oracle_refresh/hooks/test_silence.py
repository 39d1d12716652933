"""A database that says nothing any more is given up by every opener, call and trigger."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Any

import oracledb
import pytest

from oracle_refresh.oracle.errors import PreflightError
from oracle_refresh.run.documents import Documents
from oracle_refresh.run.kind import Kind
from oracle_refresh.run.ledger import RUNNING, Ledger, ensure_ledger
from oracle_refresh.run.owner import Owner
from oracle_refresh.triggers.datapump import JobWatch
from oracle_refresh.validation.expectations import evaluate
from oracle_refresh.validation.suite_files import SuiteDefinition
from support.silence import (
    SHORT,
    UNOPENED,
    Connect,
    Retried,
    connect,
    in_time,
    network,
    require_given_up,
    require_retried,
    tried_again,
)
from support.stand_in import Schema
from support.swallowing_proxy import SwallowingProxy
from support.waiting import PATIENCE, until_true

__all__ = ["connect", "network"]

LOOK = {"connect_timeout": 3, "call_timeout": 3}
"""For looks of which some are answered, also on a busy machine."""
ANY: Kind[Owner] = Kind("any", Owner)


@pytest.mark.parametrize(
    ("opener", "seconds"),
    [
        ("get_conn", "0.5"),
        ("prepared", "4"),  # Airflow kills a task five seconds after it has asked it to end
        ("opener", "0.5"),
        ("engine", "0.5"),
    ],
)
def test_a_listener_that_accepts_and_says_nothing(
    connect: Connect, network: SwallowingProxy, opener: str, seconds: str
) -> None:
    require_given_up(connect, network, opener, seconds)


def test_a_session_that_comes_too_late_is_closed(
    connect: Connect, network: SwallowingProxy, schema: Schema
) -> None:
    network.swallow()
    with pytest.raises(PreflightError):
        connect(connect_timeout=0.1).get_conn()
    network.resume()
    connect(connect_timeout=PATIENCE).get_conn().close()

    async def all_gone() -> None:
        await until_true(lambda: not network.connections)

    asyncio.run(all_gone())


CALLS: tuple[Callable[[oracledb.Connection], object], ...] = (
    lambda connection: Ledger(connection, "run").entry("load", "S1"),
    lambda connection: Ledger(connection, "run").record("load", "S1", RUNNING),
    lambda connection: Documents(connection, "run").find(ANY, "one"),
    lambda connection: Documents(connection, "run").put(ANY, "one", Owner("dag")),
)


@pytest.mark.parametrize("call", CALLS)
def test_a_short_call_is_given_up_and_may_be_tried_again(
    connect: Connect,
    network: SwallowingProxy,
    schema: Schema,
    call: Callable[[oracledb.Connection], object],
) -> None:
    ensure_ledger(schema.connection)
    Documents(schema.connection, "run").ensure()
    require_retried(connect, network, call)


def test_an_engine_is_disposed_of_whose_sessions_are_not_answered_any_more(
    connect: Connect, network: SwallowingProxy
) -> None:
    engine = connect(**SHORT).get_sqlalchemy_engine()
    engine.connect().close()  # the session stays in the pool
    network.swallow()
    in_time(engine.dispose)


def test_suites_are_evaluated_again_where_no_session_was_opened(
    connect: Connect, network: SwallowingProxy
) -> None:
    suite = SuiteDefinition.model_validate(
        {"name": "test", "tables": {"SYS.DUAL": [{"type": "expect_column_to_exist", "column": "DUMMY"}]}}
    )

    def work() -> None:
        engine = connect(**UNOPENED).get_sqlalchemy_engine()
        network.swallow()
        try:
            evaluate(suite, engine).require()
        except Exception as error:
            if tried_again(error):
                raise Retried from error
            raise

    with pytest.raises(Retried):
        in_time(work)


async def seen_by(watch: JobWatch, unlike: Any = None) -> Any:
    """What it sees as soon as it sees anything, or anything else."""
    end = time.monotonic() + PATIENCE
    while (seen := await watch.look(0.02)) is unlike:
        assert time.monotonic() < end
        await asyncio.sleep(0.02)
    return seen


async def test_a_watch_gives_up_on_one_look_and_goes_on(
    connect: Connect, network: SwallowingProxy, schema: Schema
) -> None:
    connect("far", **LOOK)
    connect("near", port=schema.server.instance.port)
    async with JobWatch.shared("far") as far, JobWatch.shared("near") as near:
        before = await seen_by(far)
        network.swallow()
        waiting = [asyncio.create_task(far.look(0.0)) for _ in range(3)]
        for _ in range(5):
            seen = await near.look(0.0)
            assert seen is not before, "another database is looked at meanwhile"
        assert await asyncio.wait_for(asyncio.gather(*waiting), PATIENCE / 5) == [before] * 3
        assert await asyncio.wait_for(far.look(0.0), PATIENCE / 5) is before
        network.resume()
        await seen_by(far, unlike=before)


async def test_a_waiter_that_is_cancelled_holds_up_nobody(connect: Connect, network: SwallowingProxy) -> None:
    """The driver waits for the database's answer to a call that is broken off."""
    connect(**LOOK)
    async with JobWatch.shared("far") as watch:
        await seen_by(watch)
        network.swallow()
        first, second = (asyncio.create_task(watch.look(0.0)) for _ in range(2))
        await asyncio.sleep(0.1)
        first.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asyncio.wait_for(first, PATIENCE / 5)
        assert await asyncio.wait_for(second, PATIENCE / 5) is not None
    network.resume()
    await until_true(lambda: not network.connections)
