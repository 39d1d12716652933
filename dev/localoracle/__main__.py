"""`python -m localoracle`: start and stop stand-in databases, fill them with the demo data.

start NAME [--port N] [--home DIR] [--foreground] [--character-set ...]  a new one as in instance/creation.py
stop NAME        status NAME
load-demo NAME --scale S             the demo source: users, schema, data
prepare-target NAME                  the demo target: users and directory
control NAME COMMAND...              make a running server fail on purpose (server/control.py)
"""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

from localoracle.demo.load import load, prepare_target
from localoracle.instance.arguments import arguments, creation_options, named_instance
from localoracle.instance.cluster import Cluster
from localoracle.instance.config import Instance
from localoracle.instance.control_file import settle
from localoracle.instance.processes import KILLED_SECONDS, is_server, running_pid
from localoracle.server.control import ControlError, send
from localoracle.server.signals import deferred_signals, exit_on_signals

START_SECONDS = 120
STOP_SECONDS = 120


def accepts(target: Instance) -> bool:
    """Whether something listens on the instance's port."""
    with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", target.port), timeout=1):
        return True
    return False


def _port_is_free(target: Instance) -> bool:
    """A server that was killed, and left its pid file, may accept connections some moments longer."""
    end = time.monotonic() + KILLED_SECONDS
    while accepts(target):
        if not target.pid_file.exists() or time.monotonic() > end:
            return False
        time.sleep(0.05)
    return True


def start(target: Instance, wanted: dict[str, str]) -> int:
    """Start a server process of its own; returns when it accepts connections."""
    if running_pid(target) is not None:
        settle(target.root, wanted)
        print(f"{target.name} runs already: {target.dsn}")
        return 0
    if not _port_is_free(target):
        print(f"port {target.port} is in use by something else", file=sys.stderr)
        return 1
    settle(target.root, wanted)
    target.log_directory.mkdir(parents=True, exist_ok=True)
    log_path = target.log_directory / "server.log"
    words = ["start", target.name, "--port", str(target.port), "--home", str(target.root.parent)]
    process: subprocess.Popen[bytes] | None = None
    try:
        with log_path.open("ab") as log, deferred_signals():
            begin = log.tell()
            process = subprocess.Popen(
                [sys.executable, "-m", "localoracle.server", *words, "--foreground"],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        return _started(target, process, log_path, begin)
    except BaseException:
        # Whoever interrupts the start does not want the server.
        if process is not None:
            process.terminate()
            process.wait(STOP_SECONDS)
        raise


def _started(target: Instance, process: subprocess.Popen[bytes], log: Path, begin: int) -> int:
    """Wait until the server accepts connections; returns the exit code of the command."""
    end = time.monotonic() + START_SECONDS
    while time.monotonic() < end:
        if process.poll() is not None:
            print(log.read_bytes()[begin:].decode(errors="replace"), file=sys.stderr)
            return process.returncode or 1
        if running_pid(target) == process.pid and accepts(target):
            print(f"{target.name}: {target.dsn}")
            return 0
        time.sleep(0.05)
    print(f"{target.name} did not start in {START_SECONDS} s; see {log}", file=sys.stderr)
    process.terminate()
    return 1


def stop(target: Instance) -> int:
    """Stop the server; sessions end, running Data Pump jobs stop and can be restarted.

    What a killed server left behind is cleared away: its PostgreSQL, its pid file.
    """
    pid = running_pid(target)
    if pid is None:
        cluster = Cluster(target)
        cluster.stop_left_over()
        cluster.sockets.remove()
        target.pid_file.unlink(missing_ok=True)
        print(f"{target.name} does not run ({target.root})")
        return 0
    os.kill(pid, signal.SIGTERM)
    end = time.monotonic() + STOP_SECONDS
    while time.monotonic() < end:
        # Its pid file is gone before it is.
        if not is_server(pid, target):
            print(f"{target.name} stopped ({target.root})")
            return 0
        time.sleep(0.05)
    print(f"{target.name} (process {pid}) did not stop in {STOP_SECONDS} s", file=sys.stderr)
    return 1


def status(target: Instance) -> int:
    """Exit code 0 when the server runs, 3 when not."""
    pid = running_pid(target)
    if pid is None:
        print(f"{target.name}: stopped")
        return 3
    print(f"{target.name}: running, process {pid}, {target.root}")
    return 0


def load_demo(target: Instance, scale: float | None) -> int:
    """Fill the demo source; without a scale, prepare the demo target instead."""
    if running_pid(target) is None:
        print(f"{target.name} does not run; start it first", file=sys.stderr)
        return 1
    if scale is None:
        prepare_target(target)
    else:
        load(target, scale, progress=print)
    return 0


def main(words: list[str] | None = None) -> int:
    """Run one command; returns the exit code."""
    words = sys.argv[1:] if words is None else words
    options = arguments().parse_args(words)
    try:
        target = named_instance(options)
        if options.command == "start":
            if options.foreground:
                os.execv(sys.executable, [sys.executable, "-m", "localoracle.server", *words])
            return start(target, creation_options(options))
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    if options.command == "stop":
        return stop(target)
    if options.command == "status":
        return status(target)
    if options.command in ("load-demo", "prepare-target"):
        return load_demo(target, getattr(options, "scale", None))
    try:
        print(send(target, *options.words))
    except ControlError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    exit_on_signals()
    sys.exit(main())
