"""A database that says nothing any more is given up: no session, short call or trigger waits for ever."""

from __future__ import annotations

import asyncio
import json
import os
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from typing import Any

import oracledb
import psutil
import pytest
from airflow.sdk.definitions.retry_policy import RetryAction

from oracle_refresh.datapump.status import status
from oracle_refresh.hooks.oracle import OracleRefreshHook
from oracle_refresh.integration.retries import OracleRetryPolicy
from oracle_refresh.oracle.errors import PreflightError
from oracle_refresh.run.documents import Documents
from oracle_refresh.run.kind import Kind
from oracle_refresh.run.ledger import RUNNING, Ledger, ensure_ledger
from oracle_refresh.run.owner import Owner
from oracle_refresh.triggers.datapump import JobWatch
from oracle_refresh.validation.expectations import evaluate
from oracle_refresh.validation.suite_files import SuiteDefinition
from support.stand_in import Schema
from support.swallowing_proxy import SwallowingProxy
from support.waiting import PATIENCE, until_true

UNOPENED = {"connect_timeout": 0.5}
SHORT = {"call_timeout": 0.5}
"""For calls that are never answered."""
LOOK = {"connect_timeout": 3, "call_timeout": 3}
"""For looks of which some are answered, also on a busy machine."""
ANY: Kind[Owner] = Kind("any", Owner)


@pytest.fixture
def network(schema: Schema) -> Iterator[SwallowingProxy]:
    with SwallowingProxy(schema.server.instance.port) as network:
        yield network


@pytest.fixture
def connect(
    schema: Schema, network: SwallowingProxy, monkeypatch: pytest.MonkeyPatch
) -> Callable[..., OracleRefreshHook]:
    """A hook of the schema's user, by way of the network that swallows."""

    def connect(conn_id: str = "far", port: int = network.port, **extra: Any) -> OracleRefreshHook:
        connection = {
            "conn_type": "oracle",
            "host": "127.0.0.1",
            "port": port,
            "login": schema.name,
            "password": schema.password,
            "extra": {"service_name": schema.server.instance.service_name, "refresh_role": "target"} | extra,
        }
        monkeypatch.setenv(f"AIRFLOW_CONN_{conn_id.upper()}", json.dumps(connection))
        return OracleRefreshHook(oracle_conn_id=conn_id)

    return connect


class Retried(Exception):
    """What failed is tried again by the task's retry policy."""


def in_time(work: Callable[[], object]) -> None:
    """It comes back, with whatever outcome; a test that waits for ever tells nobody why."""
    outcome: list[BaseException | None] = []

    def note() -> None:
        try:
            work()
            outcome.append(None)
        except BaseException as error:
            outcome.append(error)

    thread = threading.Thread(target=note, daemon=True)
    thread.start()
    thread.join(PATIENCE / 5)
    assert outcome, "it still waits"
    if outcome[0] is not None:
        raise outcome[0]


def tried_again(error: BaseException) -> bool:
    decision = OracleRetryPolicy().evaluate(error, 1, 3)
    return decision.action is not RetryAction.FAIL


@pytest.mark.parametrize(
    ("opener", "seconds"),
    [
        ("get_conn", "0.5"),
        ("prepared", "4"),  # Airflow kills a task five seconds after it has asked it to end
        ("opener", "0.5"),
        ("session", "0.5"),
        ("engine", "0.5"),
    ],
)
def test_a_listener_that_accepts_and_says_nothing(
    connect: Callable[..., OracleRefreshHook], network: SwallowingProxy, opener: str, seconds: str
) -> None:
    hook = connect(**UNOPENED)

    def open_session() -> None:
        if opener == "session":
            with hook.session("target", "test"):
                pass
        elif opener == "engine":
            hook.get_sqlalchemy_engine().connect().close()
        else:
            made = getattr(hook, opener)
            made() if opener == "get_conn" else made("test")()

    network.swallow()
    with pytest.raises(PreflightError, match=f"no session was opened within {seconds} seconds") as caught:
        in_time(open_session)
    assert tried_again(caught.value)
    network.resume()
    connect()
    in_time(open_session)


def test_a_session_that_comes_too_late_is_closed(
    connect: Callable[..., OracleRefreshHook], network: SwallowingProxy, schema: Schema
) -> None:
    network.swallow()
    with pytest.raises(PreflightError):
        connect(connect_timeout=0.1).get_conn()
    network.resume()
    connect(connect_timeout=PATIENCE).get_conn().close()

    async def all_gone() -> None:
        await until_true(lambda: not network.connections)

    asyncio.run(all_gone())


def test_an_asyncio_session_is_given_up_as_well(
    connect: Callable[..., OracleRefreshHook], network: SwallowingProxy
) -> None:
    hook = connect(**UNOPENED)
    network.swallow()
    with pytest.raises(TimeoutError):
        in_time(lambda: asyncio.run(hook.open_async()))


CALLS: tuple[Callable[[oracledb.Connection], object], ...] = (
    lambda connection: status(connection, "JOB"),
    lambda connection: Ledger(connection, "run").entry("load", "S1"),
    lambda connection: Ledger(connection, "run").states("load"),
    lambda connection: Ledger(connection, "run").latest_elsewhere("load"),
    lambda connection: Ledger(connection, "run").record("load", "S1", RUNNING),
    lambda connection: Documents(connection, "run").find(ANY, "one"),
    lambda connection: Documents(connection, "run").put(ANY, "one", Owner("dag")),
)


@pytest.mark.parametrize("call", CALLS)
def test_a_short_call_is_given_up_and_may_be_tried_again(
    connect: Callable[..., OracleRefreshHook],
    network: SwallowingProxy,
    schema: Schema,
    call: Callable[[oracledb.Connection], object],
) -> None:
    ensure_ledger(schema.connection)
    Documents(schema.connection, "run").ensure()

    def work() -> None:
        with connect(**SHORT).session("target", "test") as connection:
            network.swallow()
            try:
                call(connection)
            except oracledb.Error as error:
                if tried_again(error):
                    raise Retried from error
                raise

    with pytest.raises(Retried):
        in_time(work)


def test_a_session_that_is_not_answered_any_more_is_closed(
    connect: Callable[..., OracleRefreshHook], network: SwallowingProxy
) -> None:
    def work() -> None:
        with connect(**SHORT).session("target", "test"):
            network.swallow()

    in_time(work)


def test_an_engine_is_disposed_of_whose_sessions_are_not_answered_any_more(
    connect: Callable[..., OracleRefreshHook], network: SwallowingProxy
) -> None:
    engine = connect(**SHORT).get_sqlalchemy_engine()
    engine.connect().close()  # the session stays in the pool
    network.swallow()
    in_time(engine.dispose)


def test_suites_are_evaluated_again_where_no_session_was_opened(
    connect: Callable[..., OracleRefreshHook], network: SwallowingProxy
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


def test_a_long_call_is_not_broken_off(connect: Callable[..., OracleRefreshHook]) -> None:
    """Masking a table takes hours; only the network tells whether anybody is there."""
    with connect(call_timeout=0.2).session("target", "test") as connection:
        status(connection, "JOB")
        with connection.cursor() as cursor:
            cursor.execute("BEGIN DBMS_SESSION.SLEEP(1); END;")


@pytest.mark.parametrize(("extra", "minutes"), [({}, 2), ({"expire_time": 7}, 7), ({"expire_time": 0}, 0)])
def test_every_session_keeps_alive(
    connect: Callable[..., OracleRefreshHook], network: SwallowingProxy, extra: dict[str, int], minutes: int
) -> None:
    hook = connect(**extra)
    with hook.get_conn():
        assert keep_alive(network.port) == minutes
    with hook.prepared("kill")():
        assert keep_alive(network.port) == minutes
    with hook.opener("test")():
        assert keep_alive(network.port) == minutes
    engine = hook.get_sqlalchemy_engine()
    with closing(engine.raw_connection()):
        assert keep_alive(network.port) == minutes
    engine.dispose()  # the collector may run in the network's thread, which the session's end would wait for

    async def look() -> None:
        async with await hook.open_async():
            assert keep_alive(network.port) == minutes

    asyncio.run(look())


def keep_alive(port: int) -> int:
    """Minutes of silence after which this process's connection to a port is probed; 0: never."""
    for each in psutil.Process().net_connections("tcp"):
        if each.raddr and each.raddr.port == port:
            with socket.socket(fileno=os.dup(each.fd)) as found:
                if found.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE):
                    return found.getsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPIDLE) // 60
                return 0
    raise AssertionError("there is no such connection")


async def seen_by(watch: JobWatch, unlike: Any = None) -> Any:
    """What it sees as soon as it sees anything, or anything else."""
    end = time.monotonic() + PATIENCE
    while (seen := await watch.look(0.02)) is unlike:
        assert time.monotonic() < end
        await asyncio.sleep(0.02)
    return seen


async def test_a_watch_gives_up_on_one_look_and_goes_on(
    connect: Callable[..., OracleRefreshHook], network: SwallowingProxy, schema: Schema
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


async def test_a_waiter_that_is_cancelled_holds_up_nobody(
    connect: Callable[..., OracleRefreshHook], network: SwallowingProxy
) -> None:
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
