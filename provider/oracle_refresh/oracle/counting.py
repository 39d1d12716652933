"""Numbers with their noun, and lists that do not grow too long, for messages. Pure."""

from __future__ import annotations

from collections.abc import Sequence

NAMED = 10


def counted(number: int, noun: str, plural: str = "") -> str:
    """Return `1 table`, `2 tables` or `1,024 tables`.

    :param noun: in the singular.
    :param plural: the noun with an s by default.
    """
    return f"{number:,} {noun if number == 1 else plural or f'{noun}s'}"


def some(names: Sequence[str], most: int = NAMED) -> str:
    """Return names separated by commas, the first ones of many: `A, B and 3 more`."""
    more = f" and {len(names) - most:,} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more


def listed(names: Sequence[str], noun: str, plural: str = "") -> str:
    """Return a number with its noun and the names: `2 accounts (A, B)`, or `0 accounts`."""
    return counted(len(names), noun, plural) + (f" ({some(names)})" if names else "")
