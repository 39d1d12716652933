"""Stand-ins of a benchmark's own: new, empty, on ports of their own, and gone afterwards."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from benchmarks.result import FOLDER
from localoracle.instance.config import Instance, instance
from stack import processes

PASSWORD = "system_demo"


@contextmanager
def own_database(name: str, port: int) -> Iterator[Instance]:
    """The running instance; its SYSTEM has `PASSWORD`.

    :param port: unless `LOCALORACLE_PORT_<NAME>` names another.
    """
    with own_databases(name, {name: port}) as databases:
        yield databases[name]


@contextmanager
def own_databases(home_name: str, ports: Mapping[str, int]) -> Iterator[dict[str, Instance]]:
    """Several running instances below one folder, by their names; their SYSTEMs have `PASSWORD`."""
    home = FOLDER / f"{home_name}-home"
    shutil.rmtree(home, ignore_errors=True)
    home.mkdir(parents=True)
    os.environ["LOCALORACLE_SYSTEM_PASSWORD"] = PASSWORD
    os.environ["LOCALORACLE_HOME"] = str(home)
    try:
        for name, port in ports.items():
            os.environ.setdefault(f"LOCALORACLE_PORT_{name.upper()}", str(port))
            localoracle("start", name)
        yield {name: instance(name) for name in ports}
    finally:
        try:
            for name in ports:
                localoracle("stop", name)
        finally:
            shutil.rmtree(home, ignore_errors=True)


def localoracle(*words: str) -> None:
    """Run a command of the stand-in. Ends the benchmark where that fails."""
    done = processes.run([sys.executable, "-m", "localoracle", *words], os.environ)
    if done.returncode:
        raise SystemExit(f"localoracle {' '.join(words)}:\n{done.stdout}{done.stderr}")
