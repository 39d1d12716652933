"""Everything that a 19c would refuse of a statement, as far as it can be told without a database."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

from oracle_refresh.catalog import Catalogue
from support.generated.sent import End, Sent
from support.grammar import alter_system_complaints, call_complaints
from support.grants import section
from support.oracle_rules import changes, ddl, queries, words
from support.oracle_rules.described import described, dictionary
from support.privileges import granted, needed

_QUERY = re.compile(r"\s*(SELECT|WITH|INSERT|UPDATE|DELETE|MERGE)\b")
#: Rooms that no refresh needs: what they take beside is named in comments of the script.
_OPTIONAL = frozenset(
    {
        *("tuning", "tuning.cdc", "dbfs", "target.own_schemas", "first_contact"),
        *("labs.change_capture", "labs.data_load", "labs.masking"),
    }
)


@cache
def _granted(end: str, optional: bool) -> frozenset[str]:
    """With DATAPUMP for the role of the end, as `needed` calls it."""
    found = granted(section(end))
    found |= {"DATAPUMP" for name in found if name.startswith("DATAPUMP_")}
    return frozenset(found | granted(section(end), optional=True) if optional else found)


def complaints(catalogue: Catalogue, one: Sent) -> tuple[str, ...]:
    """What is wrong with a statement."""
    if '"' not in one.sql:  # it names no table of a catalogue, and is written alike for all
        return _of_any(one.sql, one.binds, one.end, one.room)
    found = _complaints(one, described(catalogue, one.made.values()))
    return (*found, *(changes if _QUERY.match(one.sql) else ddl).complaints(one.sql, catalogue))


@cache
def _of_any(sql: str, binds: frozenset[str] | None, end: End, room: str) -> tuple[str, ...]:
    return _complaints(Sent(room, end, sql, binds), dictionary())


def _complaints(one: Sent, tables: Mapping[tuple[str, str], queries.Columns]) -> tuple[str, ...]:
    found = [*words.complaints(one.sql, one.binds), *call_complaints(one.sql)]
    found += alter_system_complaints(one.sql) or ()
    if _QUERY.match(one.sql):
        found += queries.complaints(one.sql, tables)
    missing = needed(one.sql) - _granted(one.end, one.room in _OPTIONAL)
    return (*found, *(f"ORA-01031: {name} is not granted" for name in sorted(missing)))
