"""The working process or the whole server killed while changes are applied: each is applied exactly once."""

from __future__ import annotations

import os
import random
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import oracledb
import pytest

from localoracle.instance.processes import command_line
from support.killed_server import kill_and_start
from support.stand_in import Server

from .conftest import WAIT_SECONDS, Flow

PARAMETERS = {
    "one server, all in memory": {"parallelism": "1", "txn_lcr_spill_threshold": "100000"},
    "reader spills": {"parallelism": "3", "txn_lcr_spill_threshold": "100"},
    "commits in order": {"parallelism": "3", "commit_serialization": "FULL"},
}


@pytest.fixture(scope="module")
def own(archiving: Server) -> Iterator[Flow]:
    made = Flow(archiving)
    made.set_up()
    yield made
    made.close()


def _children(pid: int) -> list[int]:
    found = []
    for thread in Path(f"/proc/{pid}/task").iterdir():
        with suppress(OSError):  # it ends meanwhile
            found += [int(child) for child in (thread / "children").read_text().split()]
    return found


def _working_process(flow: Flow) -> int | None:
    server = int(flow.server.instance.pid_file.read_text())
    for pid in _children(server):
        if "localoracle.capture.process" in command_line(pid):
            return pid
    return None


def _write(flow: Flow, first: int, seed: int) -> int:
    """Transactions of many sizes; the number of rows."""
    chance = random.Random(seed)
    sizes = [1] * 20 + [chance.randrange(1, 1500) for _ in range(4)]
    chance.shuffle(sizes)
    for size in sizes:
        flow.insert(first, size, width=chance.randrange(10, 1500))
        first += size
    return sum(sizes)


def _begin(flow: Flow, parameters: dict[str, str]) -> tuple[int, int]:
    """Stopped, with these parameters: the next number, and how many changes are recorded."""
    flow.stop_apply()
    for name in ("parallelism", "txn_lcr_spill_threshold", "commit_serialization"):
        flow.parameter(name, parameters.get(name))
    highest = flow.one(f"SELECT NVL(MAX(id), 0) FROM {flow.source}")
    return int(highest) + 1, flow.recorded()


def _check(flow: Flow, count: int) -> None:
    flow.wait_for(count)
    flow.at_rest()
    time.sleep(0.2)
    missing = f"SELECT id, text FROM {flow.source} MINUS SELECT id, text FROM {flow.changes}"
    assert flow.rows(missing) == []
    assert flow.rows(f"SELECT COUNT(*), COUNT(DISTINCT id) FROM {flow.changes}") == [(count, count)]
    assert flow.rows("SELECT * FROM dba_apply_spill_txn") == []


@pytest.mark.parametrize("name", PARAMETERS)
def test_a_killed_working_process_is_started_again(own: Flow, name: str) -> None:
    first, recorded = _begin(own, PARAMETERS[name])
    count = _write(own, first, seed=first)
    own.start()
    chance = random.Random(first)
    killed: list[int] = []
    for _ in range(2):
        end = time.monotonic() + WAIT_SECONDS
        while (pid := _working_process(own)) is None or pid in killed:
            assert time.monotonic() < end
            time.sleep(0.02)
        killed.append(pid)
        time.sleep(chance.random() * 0.5)
        os.kill(pid, signal.SIGKILL)
    _check(own, recorded + count)


def test_a_killed_server_goes_on(own: Flow) -> None:
    first, recorded = _begin(own, PARAMETERS["reader spills"])
    count = _write(own, first, seed=7)
    own.start()
    time.sleep(0.3)
    kill_and_start(own.server)
    own.connection = own.server.connect()
    own.cursor = own.connection.cursor()
    _check(own, recorded + count)


def test_stops_and_starts_while_changes_are_made(own: Flow) -> None:
    first, recorded = _begin(own, PARAMETERS["reader spills"])
    own.start()
    counts: list[int] = []

    def write() -> None:
        other = Flow(own.server, own.name)
        counts.append(_write(other, first, seed=11))
        other.connection.close()

    writer = threading.Thread(target=write)
    writer.start()
    while writer.is_alive():
        for force in (False, True):
            own.cursor.execute(
                "BEGIN dbms_apply_adm.stop_apply(:1, force => :2); END;",
                [f"{own.name}_A", force],
            )
            own.call("dbms_apply_adm.start_apply", f"{own.name}_A")
    writer.join()
    _check(own, recorded + counts[0])


def test_a_lost_log_mode_aborts_the_capture(own: Flow) -> None:
    own.stop_apply()
    done = own.server.command("control", "log-mode", "noarchivelog")
    assert done.returncode == 0, done.stderr
    own.connection = own.server.connect()
    own.cursor = own.connection.cursor()
    status = "SELECT status, error_number FROM dba_capture WHERE capture_name = :1"
    assert own.rows(status, f"{own.name}_C") == [("ABORTED", 1325)]
    with pytest.raises(oracledb.DatabaseError, match="ORA-01325"):
        own.call("dbms_capture_adm.start_capture", f"{own.name}_C")
    done = own.server.command("control", "log-mode", "archivelog")
    assert done.returncode == 0, done.stderr
    own.connection = own.server.connect()
    own.cursor = own.connection.cursor()
    with pytest.raises(oracledb.DatabaseError, match="ORA-01291"):
        own.call("dbms_capture_adm.start_capture", f"{own.name}_C")
