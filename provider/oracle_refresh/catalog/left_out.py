"""Which tables of the schemas are not copied, and why, by the views that say so.

Source: Database Reference 19c; object tables are not in DBA_TABLES but in DBA_OBJECT_TABLES.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from oracle_refresh.catalog import statements
from oracle_refresh.catalog.model import Skipped

Key = tuple[str, str]
Rows = list[tuple[Any, ...]]

EXCLUDED = "excluded by the definition"
MATERIALIZED_VIEW = "materialized view"
MATERIALIZED_VIEW_LOG = "materialized view log"
QUEUE_TABLE = "queue table"
OF_A_QUEUE_TABLE = "part of a queue table"
EXTERNAL = "external table"
OBJECT_TABLE = "object table"
XML_TABLE = "table of XMLTYPE"
HISTORY = "history of a flashback archive"
MASTER_TABLE = "master table of a Data Pump job"
PART_OF_IOT = "part of an index-organized table"
NESTED_STORAGE = "storage of a nested table"
OF_A_DOMAIN_INDEX = "belongs to a domain index"
DROPPED = "in the recycle bin"


def reasons(read: Callable[[str], Rows], exclude: Iterable[Key]) -> dict[Key, str]:
    """Why tables are left out, as far as other views than DBA_TABLES say it, by owner and name."""
    found = dict.fromkeys(_keys(read(statements.MATERIALIZED_VIEWS)), MATERIALIZED_VIEW)
    found |= dict.fromkeys(_keys(read(statements.MATERIALIZED_VIEW_LOGS)), MATERIALIZED_VIEW_LOG)
    found |= dict.fromkeys(_keys(read(statements.FLASHBACK_HISTORIES)), HISTORY)
    found |= dict.fromkeys(_keys(read(statements.QUEUE_TABLES)), QUEUE_TABLE)
    found |= dict.fromkeys(_keys(read(statements.MASTER_TABLES)), MASTER_TABLE)
    return found | dict.fromkeys(exclude, EXCLUDED)


def of_queue_tables(found: dict[Key, str]) -> Callable[[Key], bool]:
    """Whether a table is one that Advanced Queuing made beside a queue table: AQ$_<queue table>_<letter>."""
    prefixes = tuple((owner, f"AQ$_{name}_") for (owner, name), why in found.items() if why == QUEUE_TABLE)
    return lambda key: any(key[0] == owner and key[1].startswith(prefix) for owner, prefix in prefixes)


def unsupported(
    iot_type: str | None, temporary: str, nested: str, secondary: str, dropped: str, external: str
) -> str | None:
    """Why a table is left out, as far as its own row in DBA_TABLES says it."""
    if iot_type not in (None, "IOT"):
        return PART_OF_IOT
    if nested == "YES":
        return NESTED_STORAGE
    if secondary == "Y":
        return OF_A_DOMAIN_INDEX
    if dropped == "YES":
        return DROPPED
    if external == "YES":
        return EXTERNAL
    return None


def object_tables(read: Callable[[str], Rows], exclude: frozenset[Key]) -> Iterator[Skipped]:
    """Tables of objects and of XMLTYPE, which DBA_TABLES does not list."""
    of_xml = set(_keys(read(statements.XML_TABLES)))
    of_objects = {
        (owner, name): DROPPED if dropped == "YES" else NESTED_STORAGE if nested == "YES" else OBJECT_TABLE
        for owner, name, nested, dropped in read(statements.OBJECT_TABLES)
    }
    for key in sorted(of_xml | set(of_objects)):
        reason = of_objects.get(key, OBJECT_TABLE)
        if reason == OBJECT_TABLE and key in of_xml:
            reason = XML_TABLE
        owner, name = key
        yield Skipped(owner, name, EXCLUDED if key in exclude else reason)


def _keys(rows: Rows) -> list[Key]:
    return [(row[0], row[1]) for row in rows]
