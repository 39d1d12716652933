"""Signals that end a command in order: it clears away what it has made, and is not disturbed in that."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

ENDINGS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class _Held:
    """Whether signals wait, and the first that does."""

    holding = False
    waiting: int | None = None


def end_in_order() -> None:
    """From now on such a signal raises SystemExit, the first one; those that follow are ignored.

    Signals that are ignored already, as SIGHUP by nohup, stay so.
    """
    for number in ENDINGS:
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _end)


def _end(number: int, _: FrameType | None) -> None:
    if _Held.holding:
        _Held.waiting = _Held.waiting or number
        return
    # Children inherit it: what a command is stopped with must not be ended by the same Ctrl-C.
    for ending in ENDINGS:
        signal.signal(ending, signal.SIG_IGN)
    raise SystemExit(128 + number)


@contextmanager
def held() -> Iterator[None]:
    """Signals wait until a process that is started here has been noted, so that it is found and stopped."""
    _Held.holding = True
    try:
        yield
    finally:
        _Held.holding = False
        if (waiting := _Held.waiting) is not None:
            _Held.waiting = None
            _end(waiting, None)
