"""Packets that are dropped for good: nobody acknowledges anything, keep-alive probes neither.

The client has a network of its own, whose way back leads nowhere from a moment on. What is set by default is
tried elsewhere (`test_silence.py`); here the probes come after seconds instead of minutes.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator

import pytest

from oracle_refresh.integration.retries import OracleRetryPolicy, RetryAction
from oracle_refresh.oracle.errors import from_oracle
from support.stand_in import Schema
from support.swallowing_proxy import SwallowingProxy
from support.waiting import until

NAME = f"rf{os.getpid()}"
HERE, THERE = "10.78.151.1", "10.78.151.2"
CLIENT = """
import os, socket, sys
import oracledb, psutil
from oracle_refresh.oracle.session import close
user, password, dsn, port = sys.argv[1:]
connection = oracledb.connect(user=user, password=password, dsn=dsn, expire_time=1)
for each in psutil.Process().net_connections("tcp"):
    if each.raddr and each.raddr.port == int(port):
        with socket.socket(fileno=os.dup(each.fd)) as found:
            for option in (socket.TCP_KEEPIDLE, socket.TCP_KEEPINTVL, socket.TCP_KEEPCNT):
                found.setsockopt(socket.IPPROTO_TCP, option, 2)
print("connected", flush=True)
sys.stdin.readline()
try:
    connection.cursor().execute("BEGIN DBMS_SESSION.SLEEP(3600); END;")
except oracledb.Error as error:
    print(error.args[0].full_code)
close(connection)
"""


def ip(*words: str) -> bool:
    return subprocess.run(["ip", *words], capture_output=True).returncode == 0


@pytest.fixture
def far_away() -> Iterator[None]:
    """A network of its own, and a way to it."""
    able = os.geteuid() == 0 and shutil.which("ip") is not None and ip("netns", "add", NAME)
    if not able:
        pytest.skip("networks are root's to make")
    try:
        ways = (
            ("link", "add", f"{NAME}a", "type", "veth", "peer", "name", f"{NAME}b", "netns", NAME),
            ("addr", "add", f"{HERE}/24", "dev", f"{NAME}a"),
            ("link", "set", f"{NAME}a", "up"),
            ("-n", NAME, "addr", "add", f"{THERE}/24", "dev", f"{NAME}b"),
            ("-n", NAME, "link", "set", f"{NAME}b", "up"),
        )
        if not all(ip(*words) for words in ways):
            pytest.skip("this machine has no pairs of networks")
        yield
    finally:
        ip("route", "del", "blackhole", f"{THERE}/32")
        ip("link", "del", f"{NAME}a")
        ip("netns", "del", NAME)


def unacknowledged(port: int) -> bool:
    """Whether the client has sent what nobody has acknowledged yet: TCP repeats that instead of probing."""
    look = ["ip", "netns", "exec", NAME, "cat", "/proc/net/tcp"]
    lines = subprocess.run(look, capture_output=True, text=True, check=True).stdout.splitlines()
    sockets = [line.split() for line in lines[1:]]
    (queued,) = (each[4] for each in sockets if each[2].endswith(f":{port:04X}"))
    return int(queued.partition(":")[0], 16) > 0


@pytest.mark.usefixtures("far_away")
def test_keep_alive_ends_a_long_call_to_a_host_that_is_gone(schema: Schema) -> None:
    with SwallowingProxy(schema.server.instance.port, HERE) as network:
        dsn = f"{HERE}:{network.port}/{schema.server.instance.service_name}"
        arguments = schema.name, schema.password, dsn, str(network.port)
        client = subprocess.Popen(
            ["ip", "netns", "exec", NAME, sys.executable, "-c", CLIENT, *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert client.stdout is not None
        assert client.stdin is not None
        assert client.stdout.readline() == "connected\n"
        network.swallow_at(b"DBMS_SESSION", arrives=True)
        print("go", file=client.stdin, flush=True)
        assert network.swallowing.wait(60)
        until(lambda: not unacknowledged(network.port))
        assert ip("route", "add", "blackhole", f"{THERE}/32")
        told, _ = client.communicate(timeout=300)
        assert told == "DPY-4011\n"
    decision = OracleRetryPolicy().evaluate(from_oracle(Exception(told), "mask"), 1, 3)
    assert decision.action is RetryAction.RETRY
