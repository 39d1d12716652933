"""Signals that end a command in order: it clears away what it has made, and is not disturbed in that."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

TERMINATION_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class _Deferred:
    """Whether signals wait, and the first that does."""

    deferring = False
    waiting: int | None = None


def exit_on_signals() -> None:
    """From now on such a signal raises SystemExit, the first one; those that follow are ignored.

    Signals that are ignored already, as SIGHUP by nohup, stay so.
    """
    for number in TERMINATION_SIGNALS:
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _end)


def _end(number: int, _: FrameType | None) -> None:
    if _Deferred.deferring:
        _Deferred.waiting = _Deferred.waiting or number
        return
    # Children inherit it: what a command is stopped with must not be ended by the same Ctrl-C.
    for ending in TERMINATION_SIGNALS:
        signal.signal(ending, signal.SIG_IGN)
    raise SystemExit(128 + number)


@contextmanager
def deferred_signals() -> Iterator[None]:
    """Signals wait until a process that is started here has been noted, so that it is found and stopped."""
    _Deferred.deferring = True
    try:
        yield
    finally:
        _Deferred.deferring = False
        if (waiting := _Deferred.waiting) is not None:
            _Deferred.waiting = None
            _end(waiting, None)
