"""Which table data objects and which metadata a job is about.

The catalogue seen through the job's filters.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, field
from typing import Any

import psycopg
from psycopg import sql

from localoracle.datapump.definition import Definition, MetadataFilter
from localoracle.datapump.errors import stack
from localoracle.errors import OracleError
from localoracle.sql import translate

Connection = psycopg.AsyncConnection[Any]
Report = Callable[[OracleError], None]
"""Takes an error that the job survives: it is logged and counted."""

# Object type -> path below the mode's root, in the order in which an import needs them.
PATHS = {
    "SEQUENCE": "SEQUENCE/SEQUENCE",
    "TABLE": "TABLE/TABLE",
    "NOT_NULL": "TABLE/TABLE",
    "TABLE_DATA": "TABLE/TABLE_DATA",
    "OBJECT_GRANT": "TABLE/GRANT/OWNER_GRANT/OBJECT_GRANT",
    "COMMENT": "TABLE/COMMENT",
    "INDEX": "TABLE/INDEX/INDEX",
    "CONSTRAINT": "TABLE/CONSTRAINT/CONSTRAINT",
    "REF_CONSTRAINT": "TABLE/CONSTRAINT/REF_CONSTRAINT",
    "TRIGGER": "TABLE/TRIGGER",
    "VIEW": "VIEW/VIEW",
    "VIEW_GRANT": "VIEW/GRANT/OWNER_GRANT/OBJECT_GRANT",
}
_LOB_TYPES = {"ora.blob", "ora.clob", "ora.nclob"}
SCHEMA_ONLY = {"SEQUENCE", "VIEW", "VIEW_GRANT"}


@dataclass
class TableData:
    """One table data object.

    A table, or one partition of it. `bytes` is the estimate, then what was written.
    """

    schema: str
    name: str
    partition: str | None
    relation: int
    columns: list[list[str]]
    """Name and PostgreSQL type of each column, in order."""
    bytes: int
    lobs: list[str] = field(default_factory=list)
    rows: int = 0
    codec: str = ""
    encrypted: bool = False
    pieces: list[list[Any]] = field(default_factory=list)
    """path (in a finished dump: file number), offset, length, checksum."""

    def title(self) -> str:
        name = f'"{self.schema}"."{self.name}"'
        return f'{name}:"{self.partition}"' if self.partition else name

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


@dataclass
class Table:
    """A table of the catalogue; `data` are its table data objects."""

    schema: str
    name: str
    oid: int
    temporary: bool
    data: list[TableData] = field(default_factory=list)


def path(definition: Definition, kind: str) -> str:
    """The object path of an export as logs show it, e.g. TABLE_EXPORT/TABLE/TABLE_DATA."""
    return f"{definition.mode}_EXPORT/{PATHS[kind]}"


async def matching(connection: Connection, names: Iterable[str], expression: str) -> set[str]:
    """The names for which `name <expression>` holds; the expression is Oracle SQL, e.g. `IN ('A','B')`.

    Raises what the translation raises (a syntax error is ORA-009xx).
    """
    statement = translate(f"SELECT NAME FROM KU$NAMES WHERE NAME {expression}", ())
    listing = sql.SQL('WITH "KU$NAMES" ("NAME") AS (SELECT unnest({}::text[])::varchar(4000)) {}')
    rows = await (
        await connection.execute(listing.format(sql.Literal(list(names)), sql.SQL(literal(statement.sql[0]))))
    ).fetchall()
    return {row[0] for row in rows}


def literal(text: str) -> Any:
    """A statement without parameters for psycopg, which reads no placeholders when none are passed."""
    return text


def listed(value: str) -> list[str]:
    """The elements of a list filter, `'HR','OE'`. Raises ORA-39001."""
    if not re.fullmatch(r"\s*'(?:[^']|'')+'\s*(?:,\s*'(?:[^']|'')+'\s*)*", value):
        raise stack((39001,), (39071, "NAME_LIST", value))
    return [item.replace("''", "'") for item in re.findall(r"'((?:[^']|'')+)'", value)]


async def schemas(
    connection: Connection, definition: Definition, existing: list[str], report: Report
) -> list[str]:
    """The schemas that the filters choose among those that exist.

    A listed one that does not exist is reported (ORA-39165).

    Raises ORA-31631 over ORA-39109 for another's schema without the role.
    """
    filters = _filters(definition, "SCHEMA")
    chosen = await _chosen(connection, filters, existing, lambda name: report(stack((39165, name))))
    if chosen is None:
        chosen = set(existing) if definition.mode == "FULL" else {definition.owner} & set(existing)
    if definition.mode == "TABLE" and len(chosen) > 1:
        raise stack((39001,), (39071, "SCHEMA_EXPR", "table mode works on one schema"))
    if not definition.privileged and chosen - {definition.owner}:
        raise stack((31631,), (39109,))
    return sorted(chosen)


async def paths(connection: Connection, definition: Definition, available: set[str]) -> set[str]:
    """The object paths that the path filters leave."""
    names = {part for whole in available for part in _partial_paths(whole)}
    left = set(available)
    for item in definition.metadata_filters:
        if "_PATH_" not in item.name:
            continue
        if item.name.endswith("_LIST"):
            matched = names.intersection(listed(item.value))
        else:
            matched = await matching(connection, names, item.value)
        hit = {whole for whole in left if matched.intersection(_partial_paths(whole))}
        left = hit if item.name.startswith("INCLUDE") else left - hit
    return left


async def named(
    connection: Connection,
    definition: Definition,
    names: list[str],
    whole_path: str,
    report: Report,
    schema: str = "",
) -> set[str]:
    """The names of the objects at one path that NAME_EXPR and NAME_LIST leave.

    Absent listed ones are reported (ORA-39166).
    """
    filters = [item for item in _filters(definition, "NAME") if _applies(definition, item, whole_path)]
    chosen = await _chosen(
        connection, filters, names, lambda name: report(stack((39166, f"{schema}.{name}")))
    )
    return set(names) if chosen is None else chosen


async def tables(
    connection: Connection, definition: Definition, chosen: list[str], report: Report
) -> list[Table]:
    """The tables of the chosen schemas that the name filters leave, with their data objects."""
    rows = await (
        await connection.execute(
            "SELECT n.nspname, c.relname, c.oid::int8, localoracle.attribute(c.oid, 0, 'temporary') "
            "IS NOT NULL"
            " FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace"
            " WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND n.nspname = ANY(%s)"
            " AND (n.nspname, c.relname) NOT IN (SELECT owner_name, job_name FROM localoracle.datapump_jobs)"
            " ORDER BY 1, 2",
            [chosen],
        )
    ).fetchall()
    whole_path = path(definition, "TABLE")
    wanted = await named(
        connection, definition, [row[1] for row in rows], whole_path, report, chosen[0] if chosen else ""
    )
    tables = [Table(*row) for row in rows if row[1] in wanted]
    for table in tables:
        if not table.temporary:
            table.data = await _data(connection, definition, table)
    return tables


async def partitions(
    connection: Connection, definition: Definition, schema: str, table: str, names: list[str]
) -> set[str]:
    """The partitions of a table that PARTITION_EXPR and PARTITION_LIST leave."""
    left = set(names)
    expression = definition.data_filter("PARTITION_EXPR", schema, table)
    if expression is not None:
        left &= await matching(connection, left, expression)
    wanted = definition.data_filter("PARTITION_LIST", schema, table)
    if wanted is not None:
        left &= set(listed(wanted))
    return left


async def _data(connection: Connection, definition: Definition, table: Table) -> list[TableData]:
    rows = await (
        await connection.execute(
            "SELECT t.relid::oid::int8, localoracle.attribute(t.relid, 0, 'partition_name'), "
            "pg_table_size(t.relid)"
            " FROM pg_partition_tree(%(oid)s::oid::regclass) t WHERE t.isleaf"
            " UNION ALL SELECT %(oid)s, NULL, pg_table_size(%(oid)s::oid::regclass)"
            " WHERE NOT EXISTS (SELECT FROM pg_partitioned_table WHERE partrelid = %(oid)s::oid)"
            " AND NOT EXISTS (SELECT FROM pg_partition_tree(%(oid)s::oid::regclass)) ORDER BY 2",
            {"oid": table.oid},
        )
    ).fetchall()
    columns = await columns_of(connection, table.oid)
    lobs = await (
        await connection.execute(
            "SELECT a.attname FROM localoracle.object_attributes x"
            " JOIN pg_attribute a ON a.attrelid = x.relation AND a.attnum = x.column_number"
            " WHERE x.relation = %s::oid AND x.attribute = 'securefile'",
            [table.oid],
        )
    ).fetchall()
    wanted = await partitions(
        connection, definition, table.schema, table.name, [row[1] for row in rows if row[1]]
    )
    # The attribute is kept only where the table's definition speaks about a LOB's storage.
    names = {row[0] for row in lobs} | {name for name, kind in columns if kind in _LOB_TYPES}
    return [
        TableData(table.schema, table.name, part, oid, columns, size, sorted(names))
        for oid, part, size in rows
        if part is None or part in wanted
    ]


async def columns_of(connection: Connection, oid: int) -> list[list[str]]:
    rows = await (
        await connection.execute(
            # The bare type's qualified name: format_type() depends on the search path, and its `character`
            # would be character(1) in a cast.
            # For CHAR the length is included: it decides whether values have the blanks that they need.
            "SELECT a.attname, format('%%I.%%I', n.nspname, t.typname)"
            " || CASE WHEN t.typname = 'bpchar' AND a.atttypmod > 4 THEN format('(%%s)', a.atttypmod - 4)"
            " ELSE '' END FROM pg_attribute a"
            " JOIN pg_type t ON t.oid = a.atttypid JOIN pg_namespace n ON n.oid = t.typnamespace"
            " WHERE a.attrelid = %s::oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''"
            " ORDER BY a.attnum",
            [oid],
        )
    ).fetchall()
    return [list(row) for row in rows]


def _filters(definition: Definition, prefix: str) -> list[MetadataFilter]:
    kinds = (f"{prefix}_EXPR", f"{prefix}_LIST", f"EXCLUDE_{prefix}_EXPR")
    return [item for item in definition.metadata_filters if item.name in kinds]


async def _chosen(
    connection: Connection,
    filters: list[MetadataFilter],
    names: list[str],
    report_absent: Callable[[str], None],
) -> set[str] | None:
    """What the filters leave of the names; None when there are no filters."""
    if not filters:
        return None
    left = set(names)
    for item in filters:
        if item.name.endswith("_LIST"):
            elements = listed(item.value)
            for absent in [element for element in elements if element not in names]:
                report_absent(absent)
            left &= set(elements)
        else:
            matched = await matching(connection, left, item.value)
            left = left - matched if item.name.startswith("EXCLUDE") else left & matched
    return left


def _applies(definition: Definition, item: MetadataFilter, whole_path: str) -> bool:
    if item.object_path is None:
        return definition.mode == "TABLE" and whole_path.endswith("/TABLE/TABLE")
    # Names are those of the objects at the path's end: TABLE does not choose the indexes of tables.
    same_kind = item.object_path.rpartition("/")[2] == whole_path.rpartition("/")[2]
    return same_kind and item.object_path in _partial_paths(whole_path)


def _partial_paths(whole: str) -> set[str]:
    """Every run of steps of a path, without the bare root: what a path filter may name."""
    steps = whole.split("/")
    runs = {"/".join(steps[a:b]) for a in range(len(steps)) for b in range(a + 1, len(steps) + 1)}
    return runs - {steps[0]}
