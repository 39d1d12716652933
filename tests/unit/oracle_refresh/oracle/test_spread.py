"""Several sessions that work through one list."""

from __future__ import annotations

import concurrent.futures
import contextlib
import threading
from types import SimpleNamespace
from typing import Any

import pytest

from oracle_refresh.oracle.spread import spread


def test_an_interrupted_caller_cancels_what_runs() -> None:
    cancelled = threading.Event()
    begun = threading.Event()

    class Session:
        def __enter__(self) -> Session:
            return self

        def __exit__(self, *_: object) -> None:
            pass

        def cursor(self) -> Any:
            return contextlib.nullcontext(SimpleNamespace(execute=lambda sql: None, warning=None))

        def cancel(self) -> None:
            cancelled.set()

    def work(session: Any, item: int) -> None:
        begun.set()
        assert cancelled.wait(120)
        raise RuntimeError("ORA-01013")

    class Interrupted(BaseException):
        pass

    def interrupt(*_: object) -> None:
        assert begun.wait(120)
        raise Interrupted

    original = concurrent.futures.Future.exception
    concurrent.futures.Future.exception = interrupt  # type: ignore[method-assign]
    try:
        with pytest.raises(Interrupted):
            spread(Session(), [1, 2, 3], work, 2, Session)  # type: ignore[arg-type]
    finally:
        concurrent.futures.Future.exception = original  # type: ignore[method-assign]
    assert cancelled.is_set()


class Opened:
    """A session of its own for each `with`."""

    def __enter__(self) -> Opened:
        return self

    def __exit__(self, *_: object) -> None:
        pass


def test_every_item_is_worked_on_once_in_as_many_sessions() -> None:
    both, done = threading.Barrier(2, timeout=120), list[tuple[int, int]]()

    def work(session: Any, item: int) -> None:
        if item < 2:
            both.wait()  # two sessions at the same time, or never
        done.append((item, id(session)))

    spread(object(), range(50), work, 2, Opened)  # type: ignore[arg-type]
    assert sorted(item for item, _ in done) == list(range(50))
    assert len({session for _, session in done}) == 2


@pytest.mark.parametrize("sessions", [1, 2])
def test_after_an_error_no_item_is_begun(sessions: int) -> None:
    begun = list[int]()

    def work(_: Any, item: int) -> None:
        begun.append(item)
        raise RuntimeError(f"item {item}")

    with pytest.raises(RuntimeError, match="item"):
        spread(object(), range(50), work, sessions, Opened)  # type: ignore[arg-type]
    assert len(begun) <= sessions
