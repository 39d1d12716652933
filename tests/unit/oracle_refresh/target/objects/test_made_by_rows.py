"""Partitions that rows make, as dictionaries tell them that no database here has: lists and subpartitions."""

from __future__ import annotations

from typing import Any

from oracle_refresh.catalog import Catalogue
from oracle_refresh.oracle.identifiers import TableName
from oracle_refresh.target.objects import inventory_statements as statements
from oracle_refresh.target.objects.inventory import Item, compare
from oracle_refresh.target.objects.inventory_reader import Reader
from support.generated.recording import Recording

KEY = TableName("SHOP", "SALES")
OF_INTERVAL = (*KEY, "RANGE", "LIST", "10", "NO")
OF_LIST = (*KEY, "LIST", "HASH", None, "YES")


class Dictionary(Reader):
    """A database whose views hold these rows."""

    def __init__(self, **views: list[tuple[Any, ...]]) -> None:
        answers = {getattr(statements, name): rows for name, rows in views.items()}
        super().__init__(Recording(Catalogue((), ()), answers=answers), Catalogue(("SHOP",), ()))  # type: ignore[arg-type]
        self.tables = {KEY}


def interval(name: str, *regions: str) -> list[Item]:
    rows: list[tuple[Any, ...]] = [(*KEY, "P1", 1, "NO", "10"), (*KEY, name, 2, "YES", "20")]
    parts: list[tuple[Any, ...]] = [(*KEY, "P1", 1, "'north'")]
    parts += [(*KEY, name, place, region) for place, region in enumerate(regions, 1)]
    return list(
        Dictionary(PARTITIONED_TABLES=[OF_INTERVAL], PARTITIONS=rows, SUBPARTITIONS=parts)._partitions()
    )


def test_subpartitions_are_compared_by_the_bounds_of_both() -> None:
    source = interval("SYS_P7", "'north'", "'south'")
    assert compare(source, interval("SYS_P1", "'north'", "'south'")).verdict == "equal"
    (found,) = compare(source, interval("SYS_P1", "'north'")).differences
    assert str(found) == "partition SHOP.SALES below 20, subpartition 'south' is missing on the target"


def automatic(*values: tuple[str, str]) -> list[Item]:
    rows = [(*KEY, name, place, "NO", value) for place, (name, value) in enumerate(values, 1)]
    parts: list[tuple[Any, ...]] = [(*KEY, name, place, None) for name, _ in values for place in (1, 2)]
    return list(Dictionary(PARTITIONED_TABLES=[OF_LIST], PARTITIONS=rows, SUBPARTITIONS=parts)._partitions())


def test_automatic_lists_are_compared_by_their_values_in_whatever_order_they_came() -> None:
    source = automatic(("P1", "'A'"), ("SYS_P5", "'B'"), ("SYS_P6", "'C'"))
    assert compare(source, automatic(("P1", "'A'"), ("SYS_P2", "'C'"), ("SYS_P3", "'B'"))).verdict == "equal"
    found = compare(source, automatic(("P1", "'A'"), ("SYS_P2", "'C'"))).differences
    assert [each.member for each in found] == ["of 'B'", "of 'B', subpartition 1", "of 'B', subpartition 2"]
