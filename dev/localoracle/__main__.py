"""`python -m localoracle`: start and stop stand-in databases, fill them with the demo data.

start NAME [--port N] [--home DIR] [--foreground] [--character-set ...]  a new one as in instance/creation.py
stop NAME        status NAME
load-demo NAME --scale S             the demo source: users, schema, data
prepare-target NAME                  the demo target: users and directory
control NAME COMMAND...              make a running server fail on purpose (server/control.py)
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from localoracle.demo.load import load, prepare_target
from localoracle.instance import creation
from localoracle.instance.cluster import Cluster
from localoracle.instance.config import Instance, instance
from localoracle.instance.control_file import ControlFile
from localoracle.instance.creation import Creation, CreationMismatch
from localoracle.instance.processes import ServerLock, is_server
from localoracle.server.bootstrap import VersionMismatch
from localoracle.server.control import ControlError, send
from localoracle.server.database import Database
from localoracle.server.signals import TERMINATION_SIGNALS, deferred_signals, exit_on_signals

START_SECONDS = 120
STOP_SECONDS = 120
KILLED_SECONDS = 30
"""How long a process that was killed may keep its port and its lock."""
DEEPEST_EXPRESSION = 20_000
"""Calls inside one another: an expression over the 1,000 columns of a table is a tree of that depth."""
OTHER_VERSION = 3
"""Exit code of a start whose database another version of localoracle has made."""


def running_pid(target: Instance) -> int | None:
    """The process that serves the instance, or is about to; None when there is none."""
    try:
        pid = int(target.pid_file.read_text())
    except (FileNotFoundError, ValueError):
        return None
    return pid if is_server(pid, target) else None


def accepts(target: Instance) -> bool:
    """Whether something listens on the instance's port."""
    with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", target.port), timeout=1):
        return True
    return False


async def _serve(target: Instance) -> None:
    database = Database(target)
    stopping = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in TERMINATION_SIGNALS:
        loop.add_signal_handler(number, stopping.set)
    try:
        await database.start()
        print(f"{target.name}: {target.dsn}", flush=True)
        await stopping.wait()
    finally:
        await database.stop()


def settle(target: Instance, wanted: dict[str, str]) -> Creation:
    """What the database is, or is about to be, created with. Raises CreationMismatch."""
    made = Creation.settle(target.root, wanted)
    ControlFile.create(target.root, made.log_mode)
    return made


def serve(target: Instance, wanted: dict[str, str]) -> int:
    """Serve until SIGTERM, SIGINT or SIGHUP. Returns OTHER_VERSION for a database of another version."""
    lock = _lock(target)
    if lock is None:
        print(f"{target.name} is served by process {running_pid(target)} already", file=sys.stderr)
        return 1
    sys.setrecursionlimit(DEEPEST_EXPRESSION)
    try:
        creation.serve(settle(target, wanted))
        asyncio.run(_serve(target))
    except VersionMismatch as error:
        print(f"{target.root}: {error}", file=sys.stderr)
        return OTHER_VERSION
    finally:
        lock.release()
    return 0


def _lock(target: Instance) -> ServerLock | None:
    """None when another server holds it, not one that was killed and is about to give it back."""
    end = time.monotonic() + KILLED_SECONDS
    while (lock := ServerLock.take(target.pid_file)) is None:
        if running_pid(target) is not None or time.monotonic() > end:
            return None
        time.sleep(0.05)
    return lock


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
        settle(target, wanted)
        print(f"{target.name} runs already: {target.dsn}")
        return 0
    if not _port_is_free(target):
        print(f"port {target.port} is in use by something else", file=sys.stderr)
        return 1
    settle(target, wanted)
    target.log_directory.mkdir(parents=True, exist_ok=True)
    log_path = target.log_directory / "server.log"
    words = ["start", target.name, "--port", str(target.port), "--home", str(target.root.parent)]
    process: subprocess.Popen[bytes] | None = None
    try:
        with log_path.open("ab") as log, deferred_signals():
            begin = log.tell()
            process = subprocess.Popen(
                [sys.executable, "-m", "localoracle", *words, "--foreground"],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        return _started(target, process, log_path, begin)
    except BaseException:
        # Who ends the start wants no server.
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


def _same_case(values: tuple[str, ...]) -> Callable[[str], str]:
    """What takes a value in any case."""
    return lambda text: next((value for value in values if value.casefold() == text.casefold()), text)


def arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m localoracle", description="Local stand-ins for Oracle databases."
    )
    commands = parser.add_subparsers(dest="command", required=True)
    for name, text in (
        ("start", "start a database and print its DSN"),
        ("stop", "stop a database"),
        ("status", "is it running?"),
        ("load-demo", "fill a database with the demo data"),
        ("prepare-target", "make the demo target's users"),
        ("control", "make a running database fail on purpose"),
    ):
        command = commands.add_parser(name, help=text, description=text)
        command.add_argument("name", help="instance name: source, target or your own")
        command.add_argument("--port", type=int, help="port on 127.0.0.1 (own instances need one)")
        command.add_argument(
            "--home", type=Path, help="folder of the instances (default: LOCALORACLE_HOME or .local)"
        )
        if name == "start":
            command.add_argument("--foreground", action="store_true", help="serve in this process")
            for option, values in Creation.choices().items():
                command.add_argument(
                    f"--{option.replace('_', '-')}",
                    type=_same_case(values),
                    choices=values,
                    help=f"of a new database (default: {values[0]})",
                )
        elif name == "load-demo":
            command.add_argument("--scale", type=float, default=1.0, help="1 is about 300 MB")
        elif name == "control":
            command.add_argument("words", nargs=argparse.REMAINDER, metavar="COMMAND")
    return parser


def main(words: list[str] | None = None) -> int:
    """Run one command; returns the exit code."""
    options = arguments().parse_args(words)
    if options.home is not None:
        os.environ["LOCALORACLE_HOME"] = str(options.home.resolve())
    try:
        # A server is stopped and looked for by its pid file: its port need not be known.
        unneeded = 0 if options.command in ("stop", "status") else None
        target = instance(options.name, port=unneeded if options.port is None else options.port)
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    if options.command == "start":
        asked = {option: getattr(options, option) for option in Creation.choices()}
        wanted = {option: value for option, value in asked.items() if value is not None}
        try:
            return serve(target, wanted) if options.foreground else start(target, wanted)
        except CreationMismatch as error:
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
