"""What comes between a connection and the statements that are sent on it, or between two calls of a try."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest


class Between:
    """A connection (or cursor) that calls `before` with each statement, before it goes on to the real one."""

    def __init__(self, inner: Any, before: Callable[[str], None]) -> None:
        self._inner, self._before = inner, before

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._inner, name)
        return (lambda: Between(value(), self._before)) if name == "cursor" else value

    def __enter__(self) -> Between:
        return self

    def __exit__(self, *_: object) -> None:
        self._inner.close()

    def __iter__(self) -> Any:
        return iter(self._inner)

    def execute(self, sql: str, *binds: Any, **named: Any) -> Any:
        self._before(sql)
        return self._inner.execute(sql, *binds, **named)


def meanwhile(
    monkeypatch: pytest.MonkeyPatch, module: Any, name: str, successor: Callable[[], object]
) -> None:
    """The first call of a function stands still until the successor has run, and then does what it does."""
    real, called = getattr(module, name), threading.Event()

    def stands_still(*arguments: Any, **keywords: Any) -> Any:
        if not called.is_set():
            called.set()
            successor()
        return real(*arguments, **keywords)

    monkeypatch.setattr(module, name, stands_still)
