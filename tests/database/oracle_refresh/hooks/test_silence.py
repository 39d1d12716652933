"""A database that says nothing any more is given up: no session, short call or trigger waits for ever."""

from __future__ import annotations

import asyncio
import os
import socket
from contextlib import closing

import psutil
import pytest

from oracle_refresh.datapump.status import status
from support.silence import (
    SHORT,
    Connect,
    connect,
    in_time,
    network,
    require_given_up,
    require_retried,
)
from support.swallowing_proxy import SwallowingProxy

__all__ = ["connect", "network"]


def test_a_listener_that_accepts_and_says_nothing(connect: Connect, network: SwallowingProxy) -> None:
    require_given_up(connect, network, "session", "0.5")


@pytest.mark.slow
def test_a_short_call_is_given_up_and_may_be_tried_again(connect: Connect, network: SwallowingProxy) -> None:
    require_retried(connect, network, lambda connection: status(connection, "JOB"))


@pytest.mark.slow
def test_a_session_that_is_not_answered_any_more_is_closed(
    connect: Connect, network: SwallowingProxy
) -> None:
    def work() -> None:
        with connect(**SHORT).session("target", "test"):
            network.swallow()

    in_time(work)


@pytest.mark.slow
def test_a_long_call_is_not_broken_off(connect: Connect) -> None:
    """Masking a table takes hours; only the network tells whether anybody is there."""
    with connect(call_timeout=0.2).session("target", "test") as connection:
        status(connection, "JOB")
        with connection.cursor() as cursor:
            cursor.execute("BEGIN DBMS_SESSION.SLEEP(1); END;")


@pytest.mark.parametrize(("extra", "minutes"), [({}, 2), ({"expire_time": 7}, 7), ({"expire_time": 0}, 0)])
def test_every_session_keeps_alive(
    connect: Connect, network: SwallowingProxy, extra: dict[str, int], minutes: int
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
    with asyncio.run(hook.aopener("watch"))():
        assert keep_alive(network.port) == minutes


def keep_alive(port: int) -> int:
    """Minutes of silence after which this process's connection to a port is probed; 0: never."""
    for each in psutil.Process().net_connections("tcp"):
        if each.raddr and each.raddr.port == port:
            with socket.socket(fileno=os.dup(each.fd)) as found:
                if found.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE):
                    return found.getsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPIDLE) // 60
                return 0
    raise AssertionError("there is no such connection")
