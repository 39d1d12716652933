"""The apply coordinator: which transaction is next, what it has to wait for, and up to where everything is
applied.

Sources: Oracle Streams Concepts, "Apply Process Components", "Parallelism" and "commit_serialization".
Transactions that touch the same row are applied in the order of their commits, others at the same time; with
commit_serialization FULL they also commit in that order. A transaction that the reader has spilled stands
alone: it waits for all before it, and all behind it wait.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from dataclasses import dataclass, field

from localoracle.capture.messages import Transaction

BUFFERED_PER_SERVER = 80
"""Complete transactions that wait for a server before the reader pauses; Oracle's buffer is 80 for each
server."""


@dataclass
class CoordinatorCounters:
    received: int = 0
    assigned: int = 0
    applied: int = 0
    ignored: int = 0
    errors: int = 0
    waits_for_dependencies: int = 0
    waits_for_commits: int = 0
    idle_seconds: float = 0.0


@dataclass(eq=False)
class Assignment:
    """A complete transaction on its way through a server."""

    transaction: Transaction
    after: list[Assignment] = field(default_factory=list)
    """Those that have to be committed before it begins."""
    done: asyncio.Event = field(default_factory=asyncio.Event)


class Coordinator:
    """Hands transactions to servers, in the order of their commits.

    `low_water_mark`: the last transaction up to which all have been applied (with them those that need not
    be).
    """

    def __init__(self, parallelism: int, counters: CoordinatorCounters) -> None:
        self.counters = counters
        self._limit = BUFFERED_PER_SERVER * parallelism
        self._unassigned: deque[Assignment] = deque()
        self._in_order: deque[Assignment] = deque()
        self._last_of_row: dict[int, Assignment] = {}
        self._barrier: Assignment | None = None
        self._arrived = asyncio.Event()
        self._room = asyncio.Event()
        self._room.set()
        self._closed = False
        self.low_water_mark: Transaction | None = None
        self.highest: Transaction | None = None

    @property
    def unassigned(self) -> int:
        return len(self._unassigned)

    @property
    def idle(self) -> bool:
        return not self._in_order

    async def receive(self, transaction: Transaction) -> None:
        """A complete transaction; returns when there is room for another one."""
        assignment = Assignment(transaction)
        self.counters.received += 1
        assignment.after = self._dependencies(assignment)
        self._in_order.append(assignment)
        self._unassigned.append(assignment)
        self._arrived.set()
        if len(self._unassigned) >= self._limit:
            self._room.clear()
            await self._room.wait()

    def ignore(self, transaction: Transaction) -> None:
        """A transaction without anything to apply."""
        self.counters.received += 1
        self.counters.ignored += 1
        assignment = Assignment(transaction)
        self._in_order.append(assignment)
        self._end(assignment)

    def _dependencies(self, assignment: Assignment) -> list[Assignment]:
        transaction = assignment.transaction
        if transaction.spilled:
            self._barrier = assignment
            return list(self._in_order)
        dependencies: dict[int, Assignment] = {}
        if self._barrier is not None:
            dependencies[id(self._barrier)] = self._barrier
        last = self._last_of_row
        for key in transaction.keys:
            former = last.get(key)
            if former is not None and former is not assignment:
                dependencies[id(former)] = former
            last[key] = assignment
        return list(dependencies.values())

    async def next(self) -> Assignment | None:
        """The next transaction for a free server; None when there will be no more."""
        while not self._unassigned:
            if self._closed:
                return None
            begun = time.perf_counter()
            self._arrived.clear()
            await self._arrived.wait()
            self.counters.idle_seconds += time.perf_counter() - begun
        assignment = self._unassigned.popleft()
        self.counters.assigned += 1
        if len(self._unassigned) < self._limit:
            self._room.set()
        return assignment

    def close(self) -> None:
        """Assign no more."""
        self._closed = True
        self._unassigned.clear()
        self._arrived.set()

    async def wait_for_dependencies(self, assignment: Assignment) -> None:
        open_ones = [other for other in assignment.after if not other.done.is_set()]
        if open_ones:
            self.counters.waits_for_dependencies += 1
            for other in open_ones:
                await other.done.wait()
        assignment.after.clear()

    async def wait_for_turn(self, assignment: Assignment) -> None:
        """Until all that were committed before it are applied."""
        if self._in_order[0] is not assignment:
            self.counters.waits_for_commits += 1
            for other in list(self._in_order):
                if other is assignment:
                    break
                await other.done.wait()

    def applied(self, assignment: Assignment) -> None:
        self.counters.applied += 1
        self.highest = assignment.transaction
        self._end(assignment)

    def _end(self, assignment: Assignment) -> None:
        assignment.done.set()
        last = self._last_of_row
        for key in assignment.transaction.keys:
            if last.get(key) is assignment:
                del last[key]
        assignment.transaction.keys.clear()
        if self._barrier is assignment:
            self._barrier = None
        while self._in_order and self._in_order[0].done.is_set():
            self.low_water_mark = self._in_order.popleft().transaction
