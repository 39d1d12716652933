"""`python -m stack.components`: Airflow's components, forked from one that has imported what they share.

Each by itself would spend most of its start on importing Airflow. The tasks that the scheduler forks and the
DAG files that the processor reads find the operators imported, too.

A fork may share no connection and no thread, so nothing is opened here: what brings the metadata database up
to date is a fork of its own, and each component opens what it needs for itself. When all of them run, this
process ends.
"""

from __future__ import annotations

import atexit
import gc
import json
import os
import sys
from dataclasses import asdict
from importlib import import_module, metadata

import psutil
from setproctitle import setproctitle

from oracle_refresh.integration import preload
from stack import settings
from stack.processes import Started

COMPONENTS = {
    "api-server": (
        "airflow.cli.commands.api_server_command",
        "airflow.api_fastapi.execution_api.app",
        "airflow.api_fastapi.execution_api.routes",
    ),
    "dag-processor": ("airflow.cli.commands.dag_processor_command", *preload.MODULES),
    "triggerer": ("airflow.cli.commands.triggerer_command", "airflow.utils.serve_logs.log_server"),
    "scheduler": (
        "airflow.cli.commands.scheduler_command",
        "airflow.executors.local_executor",
        "great_expectations",
    ),
}
"""What is imported before each is forked, in this order: the API server has the longest way to go. Airflow
imports some of it only when a component runs."""
COLLECTION_THRESHOLD = 50_000
"""New objects until the garbage collector looks at them. All that Airflow imports and generates at its start
stays: a third of this time went into looking at it again and again."""
LAUNCHER = "launcher"
PID_FILE = settings.AIRFLOW_HOME / "processes.json"
"""The processes by name; the launcher is one of them until all components run."""
MIGRATED_FILE = settings.AIRFLOW_HOME / "migrated"
"""Holds the version of Airflow that its metadata database was brought to."""


def started() -> dict[str, Started]:
    """The processes that were started last, whether they still run or not."""
    try:
        return {name: Started(**entry) for name, entry in json.loads(PID_FILE.read_text()).items()}
    except (OSError, ValueError, TypeError, AttributeError):
        return {}


def note(components: dict[str, Started]) -> None:
    """Write down which processes there are; a reader finds the former list or this one."""
    written = PID_FILE.with_suffix(".new")
    written.write_text(json.dumps({name: asdict(process) for name, process in components.items()}))
    written.replace(PID_FILE)


def launch() -> None:
    """Returns in the launcher when all run, and in each component at its end."""
    # The first one that is registered runs last.
    atexit.register(_leave)
    gc.disable()
    # Airflow's local settings would import the operators for others, before the first one is forked.
    sys.argv = ["airflow", next(iter(COMPONENTS))]
    command = import_module("airflow.__main__")
    # Before the others read it: the first start writes Airflow's configuration with its keys.
    import_module("airflow.configuration").write_default_airflow_configuration_if_needed()
    migrate()
    components = started()
    for name, modules in COMPONENTS.items():
        for module in modules:
            import_module(module)
        # Collections would write to all that is shared, and copy it.
        gc.freeze()
        if _forked(name, components):
            gc.set_threshold(COLLECTION_THRESHOLD)
            gc.enable()
            sys.argv = ["airflow", name]
            command.main()
            return
    components.pop(LAUNCHER, None)
    note(components)


def _leave() -> None:
    """All is done: to take apart thousands of modules takes an interpreter seconds, and the kernel none."""
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)


def migrate() -> None:
    """Once for each version of Airflow; one that was killed in the middle is begun again."""
    version = metadata.version("apache-airflow-core")
    if _migrated(version):
        return
    child = os.fork()
    if not child:
        sys.argv = ["airflow", "db", "migrate"]
        import_module("airflow.__main__").main()
        MIGRATED_FILE.write_text(version)
        sys.exit()
    os.waitpid(child, 0)
    if not _migrated(version):
        raise SystemExit("airflow db migrate failed")


def _migrated(version: str) -> bool:
    return MIGRATED_FILE.exists() and MIGRATED_FILE.read_text() == version


def _forked(name: str, components: dict[str, Started]) -> bool:
    """Fork one component; true in it.

    It leaves this process's group only when it is noted: until then it ends with this process.
    """
    waiting, go = os.pipe()
    child = os.fork()
    if child:
        components[name] = Started(child, psutil.Process(child).create_time())
        note(components)
        os.write(go, b"!")
        os.close(go)
        os.close(waiting)
        return False
    os.close(go)
    if not os.read(waiting, 1):
        os._exit(1)
    os.close(waiting)
    os.setsid()
    log = os.open(settings.LOGS / f"airflow-{name}.log", os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
    os.dup2(log, 1)
    os.dup2(log, 2)
    os.close(log)
    if sys.platform == "linux":  # it takes a library that a fork must not use on others
        setproctitle(f"airflow {name}")
    return True


if __name__ == "__main__":
    launch()
