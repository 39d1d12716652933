"""Servers killed at any moment: PostgreSQL ends with them, the next start has what was committed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import oracledb
import pytest

from localoracle.instance.cluster import DATABASE, Cluster
from localoracle.instance.config import Instance
from localoracle.instance.processes import command_line
from support.stand_in import Server, new_server

ROWS_PER_COMMIT = 50
END_SECONDS = 90


@pytest.fixture(scope="module")
def own_server() -> Iterator[Server]:
    server, end = new_server("killed")
    yield server
    end()


def _server_process(server: Server) -> int:
    return int(server.instance.pid_file.read_text())


def _postgres_process(server: Server) -> int:
    return int((server.instance.cluster_directory / "postmaster.pid").read_text().split()[0])


def _wait_until_gone(pid: int) -> None:
    end = time.monotonic() + END_SECONDS
    while command_line(pid):
        assert time.monotonic() < end, f"process {pid} still runs: {command_line(pid)}"
        time.sleep(0.05)


def _load(server: Server, committed: list[int]) -> None:
    """Insert and commit until the server is gone; `committed` holds what a commit was answered for."""
    try:
        with server.connect() as connection:
            cursor = connection.cursor()
            for batch in range(100_000):
                rows = [(batch * ROWS_PER_COMMIT + number,) for number in range(ROWS_PER_COMMIT)]
                cursor.executemany("insert into loaded values (:1)", rows)
                connection.commit()
                committed.append(batch)
    except oracledb.Error:
        pass


@pytest.mark.parametrize("victim", ["server", "server and postgres"])
def test_killed_during_a_load(own_server: Server, victim: str) -> None:
    with own_server.connect() as connection:
        cursor = connection.cursor()
        cursor.execute("create table loaded (n number primary key)")
    committed: list[int] = []
    loader = threading.Thread(target=_load, args=(own_server, committed))
    loader.start()
    end = time.monotonic() + END_SECONDS
    while len(committed) < 20:
        assert time.monotonic() < end
        time.sleep(0.01)
    server, postgres = _server_process(own_server), _postgres_process(own_server)
    if victim == "server":
        os.kill(server, signal.SIGKILL)
    else:
        os.kill(postgres, signal.SIGKILL)
        os.kill(server, signal.SIGKILL)
    loader.join(END_SECONDS)
    assert not loader.is_alive()
    # Clients may see the end of their connections before the process has ended.
    _wait_until_gone(server)
    if victim == "server":
        _wait_until_gone(postgres)
    assert own_server.command("status").returncode == 3
    started = own_server.command("start")
    assert started.returncode == 0, started.stderr
    with own_server.connect() as connection:
        cursor = connection.cursor()
        cursor.execute("select count(*), max(n) from loaded")
        rows, last = cursor.fetchone()
        # The last commit may have been made and not answered; a part of one never.
        assert rows in (len(committed) * ROWS_PER_COMMIT, (len(committed) + 1) * ROWS_PER_COMMIT)
        assert last == rows - 1
        cursor.execute("drop table loaded purge")


def test_a_first_start_that_is_killed_can_be_repeated(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Killed(Exception):
        pass

    def killed(*arguments: object) -> None:
        raise Killed

    def begun(cluster: Cluster, *command: str) -> None:
        (Path(command[-1]) / "PG_VERSION").write_text("18\n")
        raise Killed

    cluster = Cluster(Instance("begun", tmp_path / "begun", 0))
    for step, death in (("_run", begun), ("_spawn", killed)):
        with monkeypatch.context() as patches:
            patches.setattr(Cluster, step, death)
            with pytest.raises(Killed):
                cluster.start()
    cluster.start()
    try:
        with cluster.connect() as connection:
            assert connection.execute("SELECT current_database()").fetchone() == (DATABASE,)
    finally:
        cluster.close()


def test_second_server_of_an_instance_is_refused(own_server: Server) -> None:
    """Two starts at once: one wins, by the lock, not by the port."""
    words = ["start", own_server.instance.name, "--port", "1", "--foreground"]
    done = subprocess.run(
        [sys.executable, "-m", "localoracle", *words],
        env={**os.environ, **own_server.environment},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 1
    assert f"served by process {_server_process(own_server)}" in done.stderr
    own_server.connect().close()


def test_stale_pid_file(own_server: Server) -> None:
    """The number in it may belong to any process by now: that one is left alone."""
    assert own_server.command("stop").returncode == 0
    assert not own_server.instance.pid_file.exists()
    bystander = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)", "localoracle"])
    try:
        for stale in (str(bystander.pid), "", "no number", "999999999"):
            own_server.instance.pid_file.write_text(stale)
            assert own_server.command("status").returncode == 3
            stopped = own_server.command("stop")
            assert stopped.returncode == 0
            assert "does not run" in stopped.stdout
            assert not own_server.instance.pid_file.exists()
        assert bystander.poll() is None
        own_server.instance.pid_file.write_text(str(bystander.pid))
        assert own_server.command("start").returncode == 0
        own_server.connect().close()
        assert bystander.poll() is None
    finally:
        bystander.kill()
        bystander.wait()


@pytest.mark.parametrize("content", ["", "x", "999999999\n", "1\n/somewhere/else\n"])
def test_left_over_postmaster_file(own_server: Server, content: str) -> None:
    own_server.command("stop")
    left_over = own_server.instance.cluster_directory / "postmaster.pid"
    left_over.write_text(content)
    started = own_server.command("start")
    assert started.returncode == 0, started.stderr
    assert own_server.command("status").returncode == 0


def test_stop_ends_a_left_over_postgres(own_server: Server) -> None:
    """Where no kernel ends PostgreSQL with its parent, stop and start do."""
    own_server.command("stop")
    script = (
        "import os, sys; from pathlib import Path; from localoracle.instance import processes, cluster;"
        "cluster.die_with_parent = lambda number: None;"
        "from localoracle.instance.config import Instance;"
        "c = cluster.Cluster(Instance(sys.argv[1], Path(sys.argv[2]), 1)); c.start(); os._exit(0)"
    )
    instance = own_server.instance
    subprocess.run([sys.executable, "-c", script, instance.name, str(instance.root)], check=True, timeout=120)
    postgres = _postgres_process(own_server)
    assert command_line(postgres)
    assert own_server.command("stop").returncode == 0
    _wait_until_gone(postgres)
    assert not Path(instance.cluster_directory / "postmaster.pid").exists()
    Cluster(instance).stop_left_over()
    assert own_server.command("start").returncode == 0
