"""What is measured: the plan of trials, and what a trial took. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from oracle_refresh.jsonable import Jsonable
from oracle_refresh.oracle.errors import RefreshError


@dataclass(frozen=True)
class Trial(Jsonable):
    """One setting, tried once. `number` is its place in the order of the trials."""

    number: int
    repetition: int
    setting: str

    @property
    def id(self) -> str:
        """What tasks are mapped over, and under which the run keeps what they measure: `007 all`."""
        return f"{self.number:03d} {self.setting}"


@dataclass(frozen=True)
class Measurement(Jsonable):
    """Work against the clock. Under which conditions is in the fields of those that derive from it."""

    seconds: float
    rows: int
    bytes: int

    @property
    def bytes_per_second(self) -> float:
        return self.bytes / self.seconds if self.seconds else 0.0

    @property
    def rows_per_second(self) -> float:
        return self.rows / self.seconds if self.seconds else 0.0


def whole_numbers(
    chosen: Sequence[int] | str,
    what: str = "these",
    *,
    step: str,
    kind: type[RefreshError],
    least: int = 0,
    most: int | None = None,
    required: bool = False,
) -> tuple[int, ...]:
    """The numbers of a list, or of a text such as `2, 4, 8` or `[2, 4]`; an empty one is none.

    :param what: they are, in the plural.
    :param required: whether there has to be one.
    :raises RefreshError: of this kind, for anything else, or a number out of bounds.
    """
    text = chosen if isinstance(chosen, str) else ",".join(map(str, chosen))
    numbers = tuple(int(number) for number in re.findall(r"\d+", text))
    possible = all(least <= number and (most is None or number <= most) for number in numbers)
    if required and not numbers:
        possible = False
    if not possible or not re.fullmatch(r"[\[(\s]*(\d+([,\s]+\d+)*)?[,\])\s]*", text):
        bounds = f" from {least} to {most}" if most else ""
        raise kind(f"{what} are whole numbers{bounds} such as 1, 4, 8; not {text!r}", step=step)
    return numbers
