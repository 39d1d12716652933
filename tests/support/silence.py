"""A network that swallows what is sent, hooks whose connections lead through it, and a limit of time."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from typing import Any

import oracledb
import pytest

from oracle_refresh.hooks.oracle import OracleRefreshHook
from oracle_refresh.integration.retries import decide
from oracle_refresh.oracle.errors import PreflightError
from support.stand_in import Schema
from support.swallowing_proxy import SwallowingProxy
from support.waiting import PATIENCE

Connect = Callable[..., OracleRefreshHook]
UNOPENED = {"connect_timeout": 0.5}
SHORT = {"call_timeout": 0.5}
"""For calls that are never answered."""


@pytest.fixture
def network(schema: Schema) -> Iterator[SwallowingProxy]:
    with SwallowingProxy(schema.server.instance.port) as network:
        yield network


@pytest.fixture
def connect(schema: Schema, network: SwallowingProxy, monkeypatch: pytest.MonkeyPatch) -> Connect:
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
    decision = decide(error, 1)
    return decision.action != "fail"


def require_given_up(connect: Connect, network: SwallowingProxy, opener: str, seconds: str) -> None:
    """Open a session at a listener that accepts and says nothing, and another one when it answers again."""
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


def require_retried(
    connect: Connect, network: SwallowingProxy, call: Callable[[oracledb.Connection], object]
) -> None:
    """Make a call that is not answered any more: it is given up, and its task attempt is repeated."""

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
