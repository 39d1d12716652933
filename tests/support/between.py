"""A connection with something between it and the statements that are sent on it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


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
