"""`python -m stack refresh|load|calibrate|up|down|env ...`: what `make` calls, and what shells ask for."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

from localoracle.server.signals import exit_on_signals
from stack import airflow, calibrate, databases, load, refresh, run, settings


@dataclass(frozen=True)
class Job:
    """A command that runs one DAG end to end.

    `arguments` adds what the command line takes, `conf` makes the run's configuration of it, `summary` prints
    what came out and says whether it is what the user asked for.
    """

    dag_id: str
    help: str
    arguments: Callable[[argparse.ArgumentParser], None]
    conf: Callable[[argparse.Namespace], dict[str, Any]]
    summary: Callable[[run.Run], bool]
    databases: tuple[str, ...] = databases.NAMES


JOBS = {
    "refresh": Job(
        refresh.DAG_ID,
        "run one refresh end to end, then stop everything",
        refresh.arguments,
        refresh.conf,
        refresh.summary,
    ),
    "load": Job(
        load.DAG_ID,
        "load many schemas at the same time, then stop everything",
        load.arguments,
        load.conf,
        load.summary,
        ("target",),
    ),
    "calibrate": Job(
        calibrate.DAG_ID,
        "measure the DBFS store of the target, then stop everything",
        calibrate.arguments,
        calibrate.conf,
        calibrate.summary,
        ("target",),
    ),
}


def _up(scale: float | None, dag_id: str, names: tuple[str, ...] = databases.NAMES) -> airflow.Api:
    started = time.monotonic()
    print(f"starting {_counted(names)} and Airflow ...", flush=True)
    api = airflow.Api()
    with databases.starting(scale, names) as start:
        airflow.start()
        api.wait_until_ready(dag_id)
        api.ensure_pools(settings.POOLS)
        print(f"  Airflow ready: {time.monotonic() - started:.1f} s", flush=True)
        if not start.over():
            api.prepare_for_tasks()
    filled = "" if scale is None else f", source filled at scale {scale:g}"
    print(f"  databases ready{filled}: {time.monotonic() - started:.1f} s", flush=True)
    return api


def _counted(names: tuple[str, ...]) -> str:
    return "two databases" if len(names) > 1 else f"the {names[0]} database"


def _down() -> None:
    try:
        airflow.stop()
    finally:
        databases.stop()


def _down_after_a_run() -> None:
    """All at the same time: no task is at work on the databases any more."""
    with ThreadPoolExecutor(1) as pool:
        stopped = pool.submit(databases.stop)
        airflow.stop()
    stopped.result()


def _leave_running(scale: float) -> None:
    """What is only half there in the end is stopped, unless it ran before."""
    ran = airflow.running()
    try:
        _up(scale, refresh.DAG_ID)
    except BaseException:
        if not ran:
            _down()
        raise


def _run(job: Job, options: argparse.Namespace) -> int:
    started, stop = time.monotonic(), _down
    try:
        api = _up(getattr(options, "scale", None), job.dag_id, job.databases)
        ended = run.run(api, job.dag_id, job.conf(options))
        stop = _down_after_a_run
        if ended.state != "success":
            run.failures(ended)
            return 1
        good = job.summary(ended)
        print(f"  whole command: {time.monotonic() - started:.1f} s")
        return 0 if good else 1
    finally:
        if not options.keep:
            stop()


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m stack", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    for name, job in JOBS.items():
        command = commands.add_parser(name, help=job.help)
        job.arguments(command)
        command.add_argument("--keep", action="store_true", help="leave the databases and Airflow running")
    up = commands.add_parser("up", help="start everything and leave it running")
    up.add_argument("--scale", type=float, default=1.0)
    commands.add_parser("down", help="stop everything")
    commands.add_parser("env", help="print the environment of Airflow and the databases for a shell")
    return parser


def main() -> int:
    options = _parser().parse_args()
    if options.command == "down":
        _down()
        return 0
    if options.command == "env":
        print(settings.for_a_shell())
        return 0
    settings.close_to_others()
    if options.command == "up":
        _leave_running(options.scale)
        print(f"Airflow: {settings.AIRFLOW_URL}  (no password; loopback only)")
        return 0
    return _run(JOBS[options.command], options)


if __name__ == "__main__":
    exit_on_signals()
    sys.exit(main())
