"""`python -m localoracle.server start NAME`: what `python -m localoracle start` runs to serve an instance."""

from __future__ import annotations

import asyncio
import os
import sys
import time

import uvloop

from localoracle.instance import creation
from localoracle.instance.arguments import arguments, creation_options, named_instance
from localoracle.instance.config import Instance
from localoracle.instance.control_file import settle
from localoracle.instance.processes import KILLED_SECONDS, ServerLock, running_pid
from localoracle.server.bootstrap import VersionMismatch
from localoracle.server.database import Database
from localoracle.server.signals import TERMINATION_SIGNALS, exit_on_signals

DEEPEST_EXPRESSION = 20_000
"""Calls inside one another: an expression over the 1,000 columns of a table is a tree of that depth."""
OTHER_VERSION = 3
"""Exit code of a start whose database another version of localoracle has made."""


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


def serve(target: Instance, wanted: dict[str, str]) -> int:
    """Serve until SIGTERM, SIGINT or SIGHUP. Returns OTHER_VERSION for a database of another version."""
    lock = _lock(target)
    if lock is None:
        print(f"{target.name} is served by process {running_pid(target)} already", file=sys.stderr)
        return 1
    sys.setrecursionlimit(DEEPEST_EXPRESSION)
    os.umask(0o077)  # logs, and whatever else others need not read
    try:
        creation.serve(settle(target.root, wanted))
        uvloop.run(_serve(target))
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


def main(words: list[str] | None = None) -> int:
    """Serve; returns the exit code."""
    options = arguments().parse_args(words)
    try:
        return serve(named_instance(options), creation_options(options))
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2


if __name__ == "__main__":
    exit_on_signals()
    sys.exit(main())
