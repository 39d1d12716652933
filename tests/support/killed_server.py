"""A stand-in that is killed."""

from __future__ import annotations

import os
import signal

from localoracle.instance.processes import command_line
from support.stand_in import Server
from support.waiting import until


def kill_server(server: Server) -> None:
    """Returns when it is dead, which it is some time after the signal."""
    process = int(server.instance.pid_file.read_text())
    os.kill(process, signal.SIGKILL)
    until(lambda: not command_line(process), f"for the end of process {process}")


def kill_and_start(server: Server) -> None:
    kill_server(server)
    started = server.command("start")
    assert started.returncode == 0, started.stderr
