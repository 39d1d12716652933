"""What a job is to process.

The rows of its master table, from the catalogue (export) or the dump set (import).
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from localoracle.datapump import container, selection
from localoracle.datapump.definition import Definition
from localoracle.datapump.encryption import Seal, open_seal
from localoracle.datapump.errors import stack
from localoracle.datapump.master import SKIPPED, Row
from localoracle.datapump.metadata import collect
from localoracle.datapump.selection import PATHS, SCHEMA_ONLY, Connection, Report, TableData
from localoracle.errors import not_supported
from localoracle.instance.creation import created_with

BEFORE_DATA = ("SEQUENCE", "TABLE", "NOT_NULL", "TRUNCATE")
"""Object types that an import processes before any rows."""


@dataclass
class DumpSet:
    """The files of a finished export: `files` by number, `master` from the one file that has it."""

    guid: str
    key: bytes | None = None
    files: dict[int, Path] = field(default_factory=dict)
    master: dict[str, Any] = field(default_factory=dict)


async def check_schemas(connection: Connection, definition: Definition, report: Report) -> list[str]:
    """The schemas an export works on. Raises ORA-31631 for others' schemas without the role."""
    rows = await (await connection.execute("SELECT username FROM localoracle.users ORDER BY 1")).fetchall()
    return await selection.schemas(connection, definition, [row[0] for row in rows], report)


async def export_rows(connection: Connection, definition: Definition, report: Report) -> list[Row]:
    """Metadata rows in import order with the table data, largest first, behind the tables."""
    chosen = await check_schemas(connection, definition, report)
    tables = await selection.tables(connection, definition, chosen, report)
    available = {
        selection.path(definition, kind)
        for kind in PATHS
        if definition.mode == "SCHEMA" or kind not in SCHEMA_ONLY
    }
    if not definition.include_metadata:
        available = {selection.path(definition, "TABLE_DATA"), selection.path(definition, "TABLE")}
    paths = await selection.paths(connection, definition, available)
    data: list[Row] = []
    data_path = selection.path(definition, "TABLE_DATA")
    for table in tables if data_path in paths else []:
        if definition.data_filter("INCLUDE_ROWS", table.schema, table.name) != 0:
            data += [
                Row(0, data_path, "TABLE_DATA", item.schema, item.name, item.name, data=item)
                for item in table.data
            ]
    data.sort(key=lambda row: -row.data.bytes if row.data else 0)
    metadata = (
        await collect(connection, definition, chosen, tables, paths, report)
        if definition.include_metadata
        else []
    )
    rows = (
        [row for row in metadata if row.kind in BEFORE_DATA]
        + data
        + [row for row in metadata if row.kind not in BEFORE_DATA]
    )
    return numbered(rows)


async def open_set(definition: Definition, password: str | None) -> DumpSet:
    """All files of an import.

    Raises ORA-39002 over ORA-39059 when one of the set is missing or two sets are mixed, over ORA-39174 to
    ORA-39176 when the password is missing, not needed or wrong.
    """
    paths = [Path(item.path) for item in definition.dump_files()]
    if not paths:
        raise stack((39002,), (39059,))
    key = None
    first = await asyncio.to_thread(container.read_header, paths[0])
    here = created_with().character_set
    if here not in ("AL32UTF8", first.character_set):
        raise not_supported(f"an import from {first.character_set} into a database of {here}")
    if first.seal:
        key = await asyncio.to_thread(open_seal, Seal(**first.seal), password)
    elif password is not None:
        raise stack((39002,), (39175,))
    dumps = [await asyncio.to_thread(container.open_dump, path, key) for path in paths]
    dump_set = DumpSet(dumps[0].header.guid, key)
    for dump in dumps:
        if dump.header.guid != dump_set.guid:
            raise stack((39002,), (39059,))
        dump_set.files[dump.header.number] = dump.path
        if dump.header.has_master:
            dump_set.master = dump.directory["master"]
    if not dump_set.master or len(dump_set.files) != max(dump.header.file_count for dump in dumps):
        raise stack((39002,), (39059,))
    return dump_set


async def import_rows(
    connection: Connection, definition: Definition, dump: DumpSet, report: Report
) -> list[Row]:
    """What of the dump set the filters leave. Rows that TABLE_EXISTS_ACTION=TRUNCATE empties come first."""
    rows = [
        Row(
            0,
            raw["path"],
            raw["kind"],
            raw["schema"],
            raw["name"],
            raw["base"],
            ddl=raw.get("ddl", ""),
            data=TableData(**raw["data"]) if "data" in raw else None,
        )
        for raw in dump.master["rows"]
    ]
    present = sorted({row.schema for row in rows})
    if not definition.privileged and any(schema != definition.owner for schema in present):
        report(stack((39154,)))
        present = [schema for schema in present if schema == definition.owner]
    chosen = await selection.schemas(connection, definition, present, report)
    rows = [row for row in rows if row.schema in chosen]
    paths = await selection.paths(connection, definition, {row.path for row in rows})
    rows = [row for row in rows if row.path in paths]
    rows = await _named(connection, definition, rows, chosen, report)
    if not definition.include_metadata:
        rows = [row for row in rows if row.data is not None]
    left = []
    for row in rows:
        if row.data is not None and definition.data_filter("INCLUDE_ROWS", row.schema, row.name) == 0:
            continue
        if row.data is not None and row.data.partition is not None:
            names = [row.data.partition]
            if not await selection.partitions(connection, definition, row.schema, row.name, names):
                continue
        left.append(row)
    return numbered(left if definition.include_metadata else emptied(definition, left))


def emptied(definition: Definition, rows: list[Row]) -> list[Row]:
    """The rows behind those that TABLE_EXISTS_ACTION=TRUNCATE empties first."""
    if definition.table_exists_action != "TRUNCATE":
        return rows
    tables = {(row.schema, row.name): row.path for row in rows if row.data is not None}
    return [Row(0, path, "TRUNCATE", schema, name, name) for (schema, name), path in tables.items()] + rows


async def _named(
    connection: Connection, definition: Definition, rows: list[Row], chosen: list[str], report: Report
) -> list[Row]:
    """Name filters on tables take their dependents along."""
    left = []
    for schema in chosen:
        of_schema = [row for row in rows if row.schema == schema]
        tables = sorted({row.base or row.name for row in of_schema if row.base or row.kind == "TABLE"})
        table_path = next(
            (row.path for row in of_schema if row.kind == "TABLE"), f"{definition.mode}_EXPORT/TABLE/TABLE"
        )
        wanted = await selection.named(connection, definition, tables, table_path, report, schema)
        free: dict[str, set[str]] = {}
        for row in of_schema:
            if row.base is None and row.path not in free:
                names = [other.name for other in of_schema if other.path == row.path]
                free[row.path] = await selection.named(
                    connection, definition, names, row.path, report, schema
                )
        for row in of_schema:
            if row.base is None:
                keep = row.name in free[row.path]
            else:
                keep = row.base in wanted and await _own_name(connection, definition, row)
            if keep:
                left.append(row)
    return left


async def _own_name(connection: Connection, definition: Definition, row: Row) -> bool:
    """Whether the filters leave the name of what depends on a table: an index, a constraint, a trigger."""
    if row.data is not None or row.kind == "TABLE":
        return True
    return bool(await selection.named(connection, definition, [row.name], row.path, lambda _: None))


def skip_dependents(rows: list[Row], table: Row, *, data: bool) -> list[Row]:
    """Mark the metadata (with `data` also the rows) that hang on a table that existed before.

    The changed rows.
    """
    changed = []
    for row in rows:
        if (
            row is not table
            and row.schema == table.schema
            and row.base == table.name
            and (data or row.data is None)
        ):
            row.state = SKIPPED
            changed.append(row)
    return changed


def numbered(rows: list[Row]) -> list[Row]:
    for order, row in enumerate(rows):
        row.order = order
    return rows
