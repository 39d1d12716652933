"""The master table: the state of a job in its owner's schema, named like the job.

One row holds the definition, one row each table data object and each metadata object. The row of a
table data object changes in the transaction that moves its data, so a restarted job knows exactly
what is done. Column names are those that published queries on kept master tables use.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import psycopg
from psycopg import sql

from localoracle.datapump.definition import Definition
from localoracle.datapump.selection import TableData

Connection = psycopg.AsyncConnection[Any]

READY, DONE, SKIPPED = "R", "D", "S"

_COLUMNS = (
    '"PROCESS_ORDER" numeric PRIMARY KEY, "OBJECT_TYPE_PATH" varchar(200), "OBJECT_TYPE" '
    'varchar(30), "OBJECT_SCHEMA" varchar(128),'
    ' "OBJECT_NAME" varchar(4000), "PARTITION_NAME" varchar(128), "BASE_OBJECT_NAME" varchar(128), '
    '"PROCESSING_STATE" varchar(1),'
    ' "COMPLETED_ROWS" numeric, "DUMP_LENGTH" numeric, "ELAPSED_TIME" numeric, "XML_TEXT" text'
)
_JOB_ROW = -1


@dataclass
class Row:
    """A metadata object (`ddl`) or a table data object (`data`) of the job."""

    order: int
    path: str
    kind: str
    schema: str
    name: str
    base: str | None
    state: str = READY
    ddl: str = ""
    data: TableData | None = None


class Master:
    """The master table of one job."""

    def __init__(self, owner: str, name: str) -> None:
        self._table = sql.Identifier(owner, name)
        self._owner = owner

    async def create(self, connection: Connection, definition: Definition) -> None:
        """Create it with the job's row. Raises psycopg.errors.DuplicateTable and others of PostgreSQL."""
        async with connection.transaction():
            await connection.execute(sql.SQL("CREATE TABLE {} ({})").format(self._table, sql.SQL(_COLUMNS)))
            await connection.execute(
                sql.SQL("ALTER TABLE {} OWNER TO {}").format(self._table, sql.Identifier(self._owner))
            )
            await connection.execute(
                sql.SQL(
                    'INSERT INTO {} ("PROCESS_ORDER", "OBJECT_TYPE", "XML_TEXT") VALUES (%s, %s, %s)'
                ).format(self._table),
                [_JOB_ROW, "JOB", definition.to_json()],
            )

    async def save_definition(self, connection: Connection, definition: Definition) -> None:
        await connection.execute(
            sql.SQL('UPDATE {} SET "XML_TEXT" = %s WHERE "PROCESS_ORDER" = %s').format(self._table),
            [definition.to_json(), _JOB_ROW],
        )

    async def definition(self, connection: Connection) -> Definition | None:
        """The definition; None when there is no such table or it is not a master table."""
        try:
            row = await (
                await connection.execute(
                    sql.SQL('SELECT "XML_TEXT" FROM {} WHERE "PROCESS_ORDER" = %s').format(self._table),
                    [_JOB_ROW],
                )
            ).fetchone()
        except (
            psycopg.errors.UndefinedTable,
            psycopg.errors.UndefinedColumn,
            psycopg.errors.InvalidSchemaName,
        ):
            return None
        return Definition.from_json(row[0]) if row else None

    async def add(self, connection: Connection, rows: list[Row]) -> None:
        """Insert what the job is to process, in one transaction."""
        statement = sql.SQL(
            'INSERT INTO {} ("PROCESS_ORDER", "OBJECT_TYPE_PATH", "OBJECT_TYPE", "OBJECT_SCHEMA", '
            '"OBJECT_NAME", "PARTITION_NAME",'
            ' "BASE_OBJECT_NAME", "PROCESSING_STATE", "XML_TEXT") VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s)'
        ).format(self._table)
        async with connection.transaction(), connection.cursor() as cursor:
            await cursor.executemany(
                statement,
                [
                    (
                        row.order,
                        row.path,
                        row.kind,
                        row.schema,
                        row.name,
                        row.data.partition if row.data else None,
                        row.base,
                        row.state,
                        json.dumps(row.data.to_json()) if row.data else row.ddl,
                    )
                    for row in rows
                ],
            )

    async def rows(self, connection: Connection) -> list[Row]:
        """Everything the job processes, in order."""
        stored = await (
            await connection.execute(
                sql.SQL(
                    'SELECT "PROCESS_ORDER"::int, "OBJECT_TYPE_PATH", "OBJECT_TYPE", '
                    '"OBJECT_SCHEMA", "OBJECT_NAME", "BASE_OBJECT_NAME",'
                    ' "PROCESSING_STATE", "XML_TEXT" FROM {} WHERE "PROCESS_ORDER" >= 0 ORDER BY 1'
                ).format(self._table)
            )
        ).fetchall()
        rows = []
        for *head, text in stored:
            row = Row(*head)
            if row.kind == "TABLE_DATA":
                row.data = TableData(**json.loads(text))
            else:
                row.ddl = text
            rows.append(row)
        return rows

    async def mark(self, connection: Connection, row: Row, seconds: float) -> None:
        """Record a row's state in the caller's transaction."""
        data = row.data
        await connection.execute(
            sql.SQL(
                'UPDATE {} SET "PROCESSING_STATE" = %s, "COMPLETED_ROWS" = %s, "DUMP_LENGTH" = %s, '
                '"ELAPSED_TIME" = %s, "XML_TEXT" = %s'
                ' WHERE "PROCESS_ORDER" = %s'
            ).format(self._table),
            [
                row.state,
                data.rows if data else None,
                sum(piece[2] for piece in data.pieces) if data else None,
                round(seconds, 3),
                json.dumps(data.to_json()) if data else row.ddl,
                row.order,
            ],
        )

    async def drop(self, connection: Connection) -> None:
        await connection.execute(sql.SQL("DROP TABLE IF EXISTS {}").format(self._table))
