"""Rows of the dictionary that begin with an object's owner and name, by that object."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from oracle_refresh.oracle.identifiers import ObjectName, TableName

Rows = list[tuple[Any, ...]]
#: Asks a statement of the schemas that are read; `{names}` in it stands for them.
Read = Callable[[str], Rows]
Name = TypeVar("Name", bound=ObjectName)


def grouped(kind: type[Name], rows: Iterable[tuple[Any, ...]]) -> defaultdict[Name, Rows]:
    """The rest of each row by the object that it begins with, in the order of the rows."""
    by_name: defaultdict[Name, Rows] = defaultdict(list)
    for owner, name, *rest in rows:
        by_name[kind(owner, name)].append(tuple(rest))
    return by_name


def table_names(rows: Iterable[tuple[Any, ...]]) -> list[TableName]:
    """The tables that rows of owner and name are about."""
    return [TableName(row[0], row[1]) for row in rows]


def whole(value: Any) -> int | None:
    return None if value is None else int(value)
