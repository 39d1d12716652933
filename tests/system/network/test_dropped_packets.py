"""Packets that are dropped for good: nobody acknowledges anything, keep-alive probes neither.

The client has a network of its own, whose way back leads nowhere from a moment on. It masks in a session of
the hook, with what that sets by default; only the probes come after seconds instead of minutes.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from support.masked_people import RULES, Database, expected, rows
from support.stand_in import Schema
from support.swallowing_proxy import SwallowingProxy
from support.waiting import until

NAME = f"rf{os.getpid()}"
TESTS = Path(__file__).parents[2]
HERE, THERE = "10.78.151.1", "10.78.151.2"
#: Says what probes its session sends, by default, has them sent after two seconds, and masks a table.
CLIENT = """
import os, socket, sys
told = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)  # what Airflow prints
import psutil
from oracle_refresh.hooks.oracle import OracleRefreshHook
from oracle_refresh.integration.retries import decide
from oracle_refresh.masking import Ruleset, mask_table
from oracle_refresh.run.ledger import Ledger
from support.masked_people import KEY, RULES
from support.samples import people
owner, port = sys.argv[1:]
OPTIONS = socket.TCP_KEEPIDLE, socket.TCP_KEEPINTVL, socket.TCP_KEEPCNT
ruleset = Ruleset("test", {(owner, "PEOPLE"): RULES[:2]}, "f")
try:
    with OracleRefreshHook(oracle_conn_id="far").session("target", "mask") as connection:
        for each in psutil.Process().net_connections("tcp"):
            if each.raddr and each.raddr.port == int(port):
                with socket.socket(fileno=os.dup(each.fd)) as found:
                    alive = found.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE)
                    probes = [found.getsockopt(socket.IPPROTO_TCP, option) for option in OPTIONS]
                    print("connected", alive, *probes, file=told, flush=True)
                    for option in OPTIONS:
                        found.setsockopt(socket.IPPROTO_TCP, option, 2)
        sys.stdin.readline()
        mask_table(people(owner), ruleset, KEY, Ledger(connection, "run"))
except Exception as error:
    decision = decide(error, 1)
    print(type(error).__name__, *error.codes, decision.action, file=told)
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
def test_keep_alive_ends_a_masking_on_a_host_that_is_gone(schema: Schema) -> None:
    database = Database(schema)
    database.fill(rows())
    before = database.read()
    with SwallowingProxy(schema.server.instance.port, HERE) as network:
        far = {
            "conn_type": "oracle",
            "host": HERE,
            "port": network.port,
            "login": schema.name,
            "password": schema.password,
            "extra": {"service_name": schema.server.instance.service_name, "refresh_role": "target"},
        }
        client = subprocess.Popen(
            ["ip", "netns", "exec", NAME, sys.executable, "-c", CLIENT, schema.name, str(network.port)],
            env={**os.environ, "AIRFLOW_CONN_FAR": json.dumps(far), "PYTHONPATH": str(TESTS)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert client.stdout is not None
        assert client.stdin is not None
        assert client.stdout.readline() == "connected 1 120 6 10\n"
        network.swallow_at(b"G.ROWID = S.RID", arrives=True)
        print("go", file=client.stdin, flush=True)
        assert network.swallowing.wait(60)
        until(lambda: not unacknowledged(network.port))
        assert ip("route", "add", "blackhole", f"{THERE}/32")
        told, _ = client.communicate(timeout=300)
        assert told == "MaskingError DPY-4011 retry\n"
        network.reset()  # as the database's own probes end its session
    assert database.mask(*RULES[:2]).rows == len(before)
    assert [row[1:3] for row in database.read()] == [expected(row)[1:3] for row in before]
    assert database.control_tables() == []
