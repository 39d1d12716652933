"""A try that stands still while its successor works, and what it then sees."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from oracle_refresh.datapump import settle
from oracle_refresh.datapump.status import JobStatus, status
from oracle_refresh.run.possession import Possession
from support.demo import DemoDatabase

TAKEN_OVER = r"try 2 of move_3 has taken the job over from try 1.*nothing is to be done"


def claim(run_id: str, number: int, item: str = "load X", task: str = "move_3") -> Possession:
    """That of a try: Airflow gives each an id of its own, a later one to a later try."""
    return Possession("oracle_target", run_id, item, f"0199{number:04}", number, task)


@contextmanager
def seen_as_dead(
    monkeypatch: pytest.MonkeyPatch, successor: Callable[[], object], then: Callable[[], object] = bool
) -> Iterator[None]:
    """A try sees its job dead, then its successor starts it again; what it looks at after that, it sees."""
    real, looks = settle.watch, iter((successor, then))

    def watch(connection: Any, job_name: str, *others: Any) -> JobStatus | None:
        look = next(looks, None)
        if look is None:
            return real(connection, job_name, *others)
        look()
        if look is then:
            return real(connection, job_name, *others)
        return JobStatus(job_name, "EXPORT", "NOT RUNNING", 0, 0)

    monkeypatch.setattr(settle, "watch", watch)
    yield


def runs(database: DemoDatabase, name: str) -> bool:
    with database.connect() as connection:
        found = status(connection, name)
        return found is not None and found.running


@pytest.fixture
def slow_lobs(demo_source: DemoDatabase) -> Iterator[Callable[[], None]]:
    """No unload comes to its end, until this is called."""
    demo_source.server.command("control", "delay-lobs", "60000")

    def no_more() -> None:
        demo_source.server.command("control", "delay-lobs", "0")

    yield no_more
    no_more()
