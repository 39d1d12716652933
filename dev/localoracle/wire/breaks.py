"""A client that breaks the call that runs: markers that come, and markers that go.

A client interrupts with a marker at any time; it does not know whether its call has already ended. The
server answers each interrupt with a break marker, drops what the client sent before it saw that, and answers
the client's reset marker with another one and one error record, ORA-01013. Markers of both sides may cross.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from localoracle.wire.channel import BREAK, INTERRUPT, RESET, Channel

ANSWER_SECONDS = 0.05
"""How long the break marker is withheld.

JDBC writes its interrupt in one thread and its reset in another, both from one buffer: where our marker is
there before the first thread is back from its write, the reset is never sent, and the client waits for our
answer to it for ever.
"""


class Breaks:
    """One client's breaks. `running` is whether a call runs; `broken` whether it was interrupted.

    :param cancel: stops the running call.
    :param record: the error record that follows a reset.
    """

    def __init__(self, channel: Channel, cancel: Callable[[], object], record: Callable[[], bytes]) -> None:
        self.running = False
        self.broken = False
        self._channel = channel
        self._cancel = cancel
        self._record = record
        self._reset_wanted = False
        self._due: asyncio.TimerHandle | None = None

    def marker(self, kind: int) -> None:
        """A marker from the client; one of no known kind is left aside."""
        if kind == RESET:
            self._reset()
        elif kind not in (BREAK, INTERRUPT):
            return
        elif self.running:
            self._break_call()
        elif not self._channel.discarding:
            self._announce()

    def call_over(self) -> None:
        """A call has ended, `running` is False again. Its break is answered whatever its own answer was."""
        if not self.broken:
            return
        self.broken = False
        self._announce()
        if self._reset_wanted:
            self._answer_reset()

    def _break_call(self) -> None:
        if not self.broken:
            self.broken = True
            self._cancel()

    def _reset(self) -> None:
        if self.running:
            self._reset_wanted = True
            self._break_call()
        else:
            self._answer_reset()

    def _announce(self) -> None:
        """What the client sent before it sees our marker is not executed: it takes that for cancelled."""
        self._channel.drop_input()
        self._channel.discarding = True
        self._due = asyncio.get_running_loop().call_later(ANSWER_SECONDS, self._send_break)

    def _send_break(self) -> None:
        if self._due is not None:
            self._due.cancel()
            self._due = None
            self._channel.send_marker(BREAK)

    def _answer_reset(self) -> None:
        self._send_break()
        self._reset_wanted = False
        self._channel.drop_input()
        self._channel.discarding = False
        self._channel.send_marker(RESET)
        self._channel.write(self._record())
