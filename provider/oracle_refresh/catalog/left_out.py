"""Which tables of the schemas are not copied, and why, by the views that say so.

Source: Database Reference 19c; object tables are not in DBA_TABLES but in DBA_OBJECT_TABLES.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator

from oracle_refresh.catalog import statements
from oracle_refresh.catalog.model import Skipped
from oracle_refresh.catalog.rows import Read, table_names
from oracle_refresh.oracle.identifiers import TableName

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


#: By what each view lists; of a table that several list the last one holds.
_LISTED = {
    statements.MATERIALIZED_VIEWS: MATERIALIZED_VIEW,
    statements.MATERIALIZED_VIEW_LOGS: MATERIALIZED_VIEW_LOG,
    statements.FLASHBACK_HISTORIES: HISTORY,
    statements.QUEUE_TABLES: QUEUE_TABLE,
    statements.MASTER_TABLES: MASTER_TABLE,
}


def reasons(read: Read, exclude: Collection[TableName]) -> dict[TableName, str]:
    """Why tables are left out, as far as other views than DBA_TABLES say it."""
    listed = {table: why for statement, why in _LISTED.items() for table in table_names(read(statement))}
    return listed | dict.fromkeys(exclude, EXCLUDED)


def of_queue_tables(reasons: dict[TableName, str]) -> Callable[[TableName], bool]:
    """Whether a table is one that Advanced Queuing made beside a queue table: AQ$_<queue table>_<letter>."""
    prefixes = [(table.owner, f"AQ$_{table.name}_") for table, why in reasons.items() if why == QUEUE_TABLE]
    return lambda table: any(
        table.owner == owner and table.name.startswith(prefix) for owner, prefix in prefixes
    )


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


def object_tables(read: Read, exclude: Collection[TableName]) -> Iterator[Skipped]:
    """Tables of objects and of XMLTYPE, which DBA_TABLES does not list."""
    of_xml = set(table_names(read(statements.XML_TABLES)))
    of_objects = {
        TableName(owner, name): (
            DROPPED if dropped == "YES" else NESTED_STORAGE if nested == "YES" else OBJECT_TABLE
        )
        for owner, name, nested, dropped in read(statements.OBJECT_TABLES)
    }
    for table in sorted(of_xml | set(of_objects)):
        reason = of_objects.get(table, OBJECT_TABLE)
        if reason == OBJECT_TABLE and table in of_xml:
            reason = XML_TABLE
        yield Skipped(*table, EXCLUDED if table in exclude else reason)
