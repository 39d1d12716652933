"""The two demo databases: started, filled, stopped through localoracle's own command line."""

from __future__ import annotations

import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass

from stack import processes, settings

NAMES = ("source", "target")
OTHER_VERSION = 3  # exit code of `python -m localoracle start`


def _command(*words: str) -> list[str]:
    return [sys.executable, "-m", "localoracle", *words]


def run(*words: str) -> subprocess.CompletedProcess[str]:
    return processes.run(_command(*words), settings.database_environment())


def _succeeded(done: subprocess.CompletedProcess[str]) -> None:
    """What fails ends the stack's command."""
    if done.returncode:
        words = " ".join(done.args[done.args.index("localoracle") :])
        raise SystemExit(f"{words} failed:\n{done.stdout}{done.stderr}")


@dataclass(frozen=True)
class Start:
    """Databases that start beside other work."""

    parts: tuple[Future[None], ...]

    def over(self) -> bool:
        return all(part.done() for part in self.parts)


@contextmanager
def starting(scale: float | None, names: tuple[str, ...] = NAMES) -> Iterator[Start]:
    """Start the databases of these names, all at the same time; they are ready at the end of the context.

    Where the caller fails, filling is broken off: the next start begins it again.

    :param scale: of the demo data that the source is filled with; None leaves it as it is.
    """
    given_up = threading.Event()
    with ThreadPoolExecutor(len(names)) as pool:
        start = Start(tuple(pool.submit(_prepare, name, scale, given_up) for name in names))
        try:
            yield start
            for part in start.parts:
                part.result()
        finally:
            given_up.set()


def _prepare(name: str, scale: float | None, given_up: threading.Event) -> None:
    done = run("start", name)
    if done.returncode == OTHER_VERSION:
        print(f"  {name} was made by another version of localoracle: making it anew", flush=True)
        shutil.rmtree(settings.LOCAL / name)
        done = run("start", name)
    _succeeded(done)
    if name == "target":
        _succeeded(run("prepare-target", name))
    elif scale is not None:
        _succeeded(_run_unless(given_up, "load-demo", name, "--scale", str(scale)))


def _run_unless(given_up: threading.Event, *words: str) -> subprocess.CompletedProcess[str]:
    """As `run`, but killed as soon as nobody wants it any more."""
    with subprocess.Popen(
        _command(*words),
        env=settings.database_environment(),
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        while True:
            if given_up.is_set():
                process.kill()
            with suppress(subprocess.TimeoutExpired):
                output, errors = process.communicate(timeout=0.2)
                return subprocess.CompletedProcess(process.args, process.returncode, output, errors)


def stop() -> None:
    """Stop all of them at the same time; one that does not stop keeps no other one running."""
    with ThreadPoolExecutor(len(NAMES)) as pool:
        stopped = dict(zip(NAMES, pool.map(lambda name: run("stop", name), NAMES), strict=True))
    failed = [f"{name}: {done.stdout}{done.stderr}" for name, done in stopped.items() if done.returncode]
    if failed:
        raise SystemExit("localoracle stop failed:\n" + "\n".join(failed))
