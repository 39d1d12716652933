"""What the samples of the algorithms share: columns, lists, and values that were made up.

A sample is an algorithm with settings and a column to be tried on, whether or not a ruleset uses it. Values
belong to nobody; each row of them is endless or at least long, and all differ.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from oracle_refresh.catalog import Column

if TYPE_CHECKING:
    from oracle_refresh.masking.algorithms.protocol import Algorithm

LETTERS = "ABCDEFGHJKLMNPRSTUVWXYZ"
NAMES = ("Anna", "Bert", "Cleo", "Dora", "Zoë")
SURNAMES = ("Adams", "Brück", "Cole", "Dean", "Eden")


@dataclass(frozen=True)
class Sample:
    """An algorithm and the column that it is tried on.

    :ivar reads: the columns that it reads beside that one.
    :ivar name: what is special about it.
    """

    algorithm: Algorithm
    column: Column
    reads: tuple[Column, ...] = ()
    name: str = ""


def text(name: str, characters: int, data_type: str = "VARCHAR2") -> Column:
    return Column(name, data_type, 4 * characters, characters, "C", None, None, True)


def number(name: str, precision: int = 9, scale: int = 0) -> Column:
    return Column(name, "NUMBER", 22, 0, None, precision, scale, True)


def plain(name: str, data_type: str, length: int = 4000) -> Column:
    return Column(name, data_type, length, 0, None, None, None, True)


TEXT, NUMBER, DAY = text("V", 60), number("V"), plain("V", "DATE", 7)
SUBJECT = number("SUBJECT")


def numbers(pattern: str) -> Iterator[str]:
    """Texts with a running number in them, spread over all its digits."""
    return (pattern.format(n * 7919 % 10**9) for n in itertools.count())
