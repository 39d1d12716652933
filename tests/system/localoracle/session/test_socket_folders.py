"""The folder of a server's sockets is gone with the server, however that ended."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from localoracle.instance.cluster import Cluster
from localoracle.instance.processes import command_line
from localoracle.instance.sockets import LOCK, SocketFolder, remove_left_over
from support.killed_server import kill_server
from support.stand_in import Server, free_port, new_home, new_server
from support.waiting import until


def folder_of(server: Server) -> Path:
    return Cluster(server.instance).socket_directory


def test_a_stopped_server_leaves_none() -> None:
    server, end = new_server("stopped")
    assert (folder_of(server) / LOCK).exists()
    assert end()
    assert not folder_of(server).exists()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_signals_end_a_server_in_order(number: signal.Signals) -> None:
    server, end = new_server("signalled")
    process = int(server.instance.pid_file.read_text())
    os.kill(process, number)
    until(lambda: not command_line(process), "for the end of the server")
    assert not folder_of(server).exists()
    assert not server.instance.pid_file.exists()
    end()


def test_what_a_killed_server_leaves_is_removed_by_stop() -> None:
    server, end = new_server("killed")
    kill_server(server)
    assert folder_of(server).exists()
    assert end()
    assert not folder_of(server).exists()


def test_and_by_the_next_start_of_another_one() -> None:
    server, _ = new_server("lost")
    postgres = int((server.instance.cluster_directory / "postmaster.pid").read_text().split()[0])
    kill_server(server)
    until(lambda: not command_line(postgres), "for the end of its PostgreSQL")
    shutil.rmtree(server.instance.root.parent)
    other, end = new_server("other")
    assert not folder_of(server).exists()
    other.connect().close()
    end()


def test_the_folder_of_a_running_server_is_left_alone(oracle: Server) -> None:
    remove_left_over()
    SocketFolder(oracle.instance.cluster_directory).remove()
    assert (folder_of(oracle) / LOCK).exists()
    oracle.connect().close()


@pytest.mark.parametrize("log", ["server.log", "postgres.log"])
def test_a_start_that_is_ended_leaves_no_server(log: str) -> None:
    """When it has begun to start the server, and when the server has begun to start PostgreSQL."""
    home = new_home()
    words = ["start", "ended", "--port", str(free_port()), "--home", str(home)]
    starting = subprocess.Popen([sys.executable, "-m", "localoracle", *words], start_new_session=True)
    until((home / "ended" / "log" / log).exists, "for the start to begin")
    starting.terminate()
    assert starting.wait() == 128 + signal.SIGTERM
    assert not [process for process in psutil.process_iter() if str(home) in command_line(process.pid)]
    assert not (home / "ended" / "localoracle.pid").exists()
    assert not SocketFolder(home / "ended" / "postgres").path.exists()
    shutil.rmtree(home)
