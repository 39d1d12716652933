"""Index builds whose caller is interrupted."""

from __future__ import annotations

import concurrent.futures
import contextlib
import threading
from types import SimpleNamespace
from typing import Any

import pytest

from oracle_refresh.objects.sessions import spread


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
