"""The tables that statements can name: a catalogue's, the dictionary's views, and control tables."""

from __future__ import annotations

import re
from collections import ChainMap
from collections.abc import Iterable, Mapping
from functools import cache

from localoracle.dictionary import documentation
from oracle_refresh.catalog import Catalogue
from support.oracle_rules.kinds import Kind, of_column, of_type
from support.oracle_rules.queries import Columns

_CREATE = re.compile(r'CREATE (?:GLOBAL TEMPORARY )?TABLE "(?P<name>[^"]+)" \((?P<columns>.*)\)$', re.DOTALL)


@cache
def dictionary() -> dict[tuple[str, str], Columns]:
    """The documented views (Database Reference 19c) and DUAL."""
    found: dict[tuple[str, str], Columns] = {
        ("", name): {column: of_type(kind) for column, kind in columns}
        for name, columns in documentation.views().items()
    }
    return {**found, ("", "DUAL"): {"DUMMY": Kind("CHAR", 1)}}


def described(catalogue: Catalogue, creates: Iterable[str] = ()) -> Mapping[tuple[str, str], Columns]:
    """Every table by (schema or "", name); `creates` are CREATE TABLE statements of control tables."""
    found: dict[tuple[str, str], Columns] = {}
    for table in catalogue.tables:
        columns = {column.name: of_column(column) for column in table.columns}
        # What addresses a row there is no ROWID ("Data Types", UROWID).
        found[table.owner, table.name] = {**columns, "ROWID": Kind("UROWID", 4000)} if table.iot else columns
    for create in creates:
        match = _CREATE.match(create)
        assert match is not None, create
        columns = (part.split(" ", 1) for part in re.split(r", (?![^(]*\))", match["columns"]))
        # What is in them is shorter than declared: the entries of lists, and values that fit their columns.
        found["", match["name"]] = {name.strip('"'): Kind(of_type(kind).group) for name, kind in columns}
    return ChainMap(found, dictionary())
