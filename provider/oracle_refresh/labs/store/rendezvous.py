"""Tasks on different hosts that begin something at one moment, without clocks of their own agreeing.

Each tells where all can read it that it is there, and whose arrivals it has seen. It goes on when every other
one has seen it: then every other one finds, in what it told last, that it was seen too. So nobody is passed
by, and what a killed try has told misleads nobody: it has another token than the try which comes after it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Protocol

from oracle_refresh.jsonable import Jsonable
from oracle_refresh.labs.store.plan import STEP
from oracle_refresh.oracle.errors import StagingError
from oracle_refresh.run.documents import Documents
from oracle_refresh.run.kind import Kind

#: Who has not come by then has no free worker, or no free slot.
PATIENCE = 120.0
#: Seconds between two looks; that much later than the first one begins the last one at most, and a statement.
PAUSE = 0.2


@dataclass(frozen=True)
class Arrival(Jsonable):
    """One of those who meet. `sees` has the tokens of the others whose arrivals it has read."""

    name: str
    token: str
    sees: tuple[str, ...] = ()


#: By what they meet for, and their name.
ARRIVALS: Kind[Arrival] = Kind("store arrivals", Arrival)


class Board(Protocol):
    """Where they tell each other."""

    def tell(self, arrival: Arrival) -> None:
        """In place of what the same one has told before."""

    def told(self) -> Collection[Arrival]:
        """What each has told last, be it a former try."""


@dataclass(frozen=True)
class RunStoreBoard:
    """In the run store of the target."""

    documents: Documents
    occasion: str
    names: Sequence[str]

    def tell(self, arrival: Arrival) -> None:
        self.documents.put(ARRIVALS, self._item(arrival.name), arrival)

    def told(self) -> Collection[Arrival]:
        return self.documents.some(ARRIVALS, [self._item(name) for name in self.names]).values()

    def _item(self, name: str) -> str:
        return f"{self.occasion} {name}"


def meet(
    board: Board,
    name: str,
    token: str,
    names: Collection[str],
    *,
    patience: float = PATIENCE,
    pause: Callable[[], None] = lambda: time.sleep(PAUSE),
) -> None:
    """Wait until all of these names are there.

    :param name: of who waits; one of them.
    :param token: of this try, unlike that of any other.
    :raises StagingError: naming those who have not come in time.
    """
    others = set(names) - {name}
    end = time.monotonic() + patience
    sees = tuple[str, ...]()
    board.tell(Arrival(name, token))
    while True:
        there = [arrival for arrival in board.told() if arrival.name in others]
        now = tuple(sorted(arrival.token for arrival in there))
        if now != sees:
            sees = now
            board.tell(Arrival(name, token, sees))
        late = others - {arrival.name for arrival in there if token in arrival.sees}
        if not late:
            return
        if time.monotonic() >= end:
            raise StagingError(
                f"not there within {patience:.0f} s: {', '.join(sorted(late))}",
                object_name=name,
                step=STEP,
                remedy="let a worker listen to each of these queues, give the pool as many slots as there are"
                " nodes, and clear the tasks of all nodes together",
            )
        pause()
