"""The Streams pool: memory for messages, and what other sizes of it would have meant.

Sources: Oracle Database Reference, STREAMS_POOL_SIZE (granules, automatic size), V$STREAMS_POOL_ADVICE (sizes
from 10 % to 200 % of the current one in equal steps).
"""

from __future__ import annotations

from dataclasses import dataclass

from localoracle.capture.messages import Transaction

GRANULE = 4 << 20
"""Oracle's granule where the SGA is below 1 GB."""
STEPS = 20
_SHARED_POOL_PART = 6
"""The stand-in counts a sixth of SGA_TARGET as shared pool."""


def pool_bytes(streams_pool_size: int, sga_target: int) -> int:
    """The pool's size: the parameter in whole granules; when it is 0, a tenth of the shared pool."""
    if streams_pool_size <= 0:
        return max(GRANULE, sga_target // _SHARED_POOL_PART // 10 // GRANULE * GRANULE)
    return -(-streams_pool_size // GRANULE) * GRANULE


@dataclass
class Account:
    """What a kind of work with spilled messages has cost so far; seconds."""

    count: int = 0
    seconds: float = 0.0

    def add(self, seconds: float) -> None:
        self.count += 1
        self.seconds += seconds


@dataclass(frozen=True)
class Advice:
    """What would have been spilled with this size of the pool, for the same messages."""

    factor: float
    size: int
    spilled: int


class StreamsPool:
    """The memory of all buffered queues' messages.

    Beside the real one it keeps the accounts of STEPS other sizes: what each would have had to spill of the
    same messages, enqueued and released in the same order.
    """

    def __init__(self, size: int) -> None:
        self.size = size
        self.used = 0
        self._restart()

    def _restart(self) -> None:
        self._sizes = [self.size * step // 10 for step in range(1, STEPS + 1)]
        self._used = [0] * STEPS
        self._spilled = [0] * STEPS

    def resize(self, size: int) -> None:
        """A smaller pool keeps what it holds until that is released. The advice starts afresh."""
        if size != self.size:
            self.size = size
            self._restart()

    def fits(self, size: int) -> bool:
        """Whether there is memory for a message of `size` bytes."""
        return self.used + size <= self.size

    def admit(self, transaction: Transaction, size: int) -> bool:
        """Take memory for a message of `size` bytes; False when there is none left."""
        if not transaction.held:
            transaction.held = [0] * STEPS
        held, used, sizes = transaction.held, self._used, self._sizes
        for step in range(STEPS):
            if used[step] + size <= sizes[step]:
                used[step] += size
                held[step] += size
            else:
                self._spilled[step] += 1
        if not self.fits(size):
            return False
        self.used += size
        return True

    def give_back(self, size: int) -> None:
        """A message that was admitted is no longer held."""
        self.used -= size

    def forget(self, transaction: Transaction) -> None:
        """No message of the transaction is in the queue any more."""
        for step, size in enumerate(transaction.held):
            self._used[step] = max(0, self._used[step] - size)
        transaction.held = []

    def advice(self) -> list[Advice]:
        """One row for each size."""
        return [Advice((step + 1) / 10, self._sizes[step], self._spilled[step]) for step in range(STEPS)]
