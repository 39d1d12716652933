"""Every masking algorithm with the settings that it is tried with, whether or not a ruleset uses it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from oracle_refresh.catalog import Column
from oracle_refresh.masking.algorithms import ALGORITHMS
from oracle_refresh.masking.algorithms.email import Email
from oracle_refresh.masking.algorithms.name import Name
from oracle_refresh.masking.algorithms.record_lookup import PLACES, RecordLookup
from oracle_refresh.masking.algorithms.samples import NAMES, SURNAMES, text
from oracle_refresh.masking.rules import ColumnRule


@dataclass(frozen=True)
class Sample:
    """Rules for the columns of one table.

    :ivar name: of the algorithm, with what is special about its settings; of the composite.
    :ivar columns: those that the rules mask, and those that they read.
    """

    name: str
    columns: tuple[Column, ...]
    rules: tuple[ColumnRule, ...]


def _singles() -> Iterator[Sample]:
    for kind, algorithm in sorted(ALGORITHMS.items()):
        for each in algorithm.samples():
            domain = "sample" if algorithm.keyed else None
            rule = ColumnRule(each.column.name, kind, domain, each.algorithm)
            yield Sample(f"{kind} {each.name}".rstrip(), (each.column, *each.reads), (rule,))


def _composites() -> Iterator[Sample]:
    """As `masking.composites` unfolds them."""
    first, last, email = text("FIRST_NAME", 40), text("LAST_NAME", 40), text("EMAIL", 80)
    address = Email(local="names", first_name="FIRST_NAME", last_name="LAST_NAME")
    yield Sample(
        "person",
        (first, last, email),
        (
            ColumnRule(first.name, "name", "sample.first", Name(NAMES)),
            ColumnRule(last.name, "name", "sample.last", Name(SURNAMES)),
            ColumnRule(email.name, "email", "sample.email", address),
        ),
    )
    key = ("CITY", "POSTCODE")
    yield Sample(
        "place",
        (text("CITY", 40), text("POSTCODE", 10)),
        tuple(
            ColumnRule(name, "record_lookup", "sample", RecordLookup(PLACES, number, key))
            for number, name in enumerate(key, 1)
        ),
    )


SAMPLES = (*_singles(), *_composites())
