"""Long lists of the page: what is wrong first, then what is largest; the rest is folded, or left to a file.

Pure.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

#: Rows of a list that are open, and printed.
MOST_SHOWN = 25
#: Rows of a list that the page has at all; a longer one would not be read.
MOST_FOLDED = 300


@dataclass(frozen=True)
class Listing:
    """A list as far as the page has it."""

    shown: Sequence[Any]
    folded: Sequence[Any]
    total: int
    wrong: int
    """How many of them are not as they should be."""

    @property
    def whole(self) -> bool:
        """Whether it is all shown."""
        return len(self.shown) == self.total


def listing(
    items: Iterable[Any],
    *,
    wrong: Callable[[Any], bool] = lambda _: False,
    size: Callable[[Any], float] = lambda _: 0,
) -> Listing:
    """Those that are wrong first. Else a short list stays in its order, a long one is ordered by size.

    :param size: larger ones come first.
    """
    known = list(items)
    long = len(known) > MOST_SHOWN
    known.sort(key=lambda item: (not wrong(item), -size(item) if long else 0))
    return Listing(known[:MOST_SHOWN], known[MOST_SHOWN:MOST_FOLDED], len(known), sum(map(wrong, known)))
