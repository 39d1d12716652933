"""Checks whose statements do not end."""

from __future__ import annotations

import contextlib
import threading
from types import SimpleNamespace
from typing import Any

import pytest

from oracle_refresh.oracle.errors import ValidationError
from oracle_refresh.validation import verify_copy
from support.samples import people


class Endless:
    """A connection whose query ends when it is cancelled."""

    def __init__(self) -> None:
        self.begun, self.cancelled = threading.Event(), threading.Event()

    def cursor(self) -> Any:
        return contextlib.nullcontext(SimpleNamespace(execute=self.execute, rowcount=0))

    def execute(self, *_: object, **__: object) -> None:
        self.begun.set()
        assert self.cancelled.wait(120)
        raise RuntimeError("ORA-01013: user requested cancel of current operation")

    def cancel(self) -> None:
        self.cancelled.set()


def test_a_side_that_cannot_be_read_ends_the_other() -> None:
    """The source may read for hours yet when the target fails, or the task's time is over."""
    source = Endless()

    def cursor() -> Any:
        assert source.begun.wait(120)
        raise RuntimeError("ORA-03113: end-of-file on communication channel")

    target: Any = SimpleNamespace(cursor=cursor)
    with pytest.raises(ValidationError, match="ORA-03113"):
        verify_copy(source, target, 1, people("APP"))  # type: ignore[arg-type]
    assert source.cancelled.is_set()
