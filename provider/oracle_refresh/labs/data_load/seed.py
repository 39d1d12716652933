"""The seed schema: pools of people and LOBs, and the table that all schemas are copied from.

Safe to repeat: whatever a killed try has left of the schema is dropped first.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TYPE_CHECKING, Any

from oracle_refresh.labs.data_load import statements
from oracle_refresh.labs.data_load.definition import LoadDefinition
from oracle_refresh.labs.data_load.load import SCHEMAS, bytes_of
from oracle_refresh.labs.data_load.model import STEP, Seed, Work
from oracle_refresh.labs.data_load.people import people, pieces
from oracle_refresh.oracle.errors import DataLoadError
from oracle_refresh.oracle.identifiers import Identifier, TableName
from oracle_refresh.oracle.session import execute, translated

if TYPE_CHECKING:
    import oracledb

    from oracle_refresh.run.documents import Documents

#: Rows that are sent at once; LOBs of at most so many bytes.
BATCH_ROWS, BATCH_BYTES = 500, 8 << 20


def make_seed(documents: Documents, work: Work, definition: LoadDefinition) -> Seed:
    """Make the seed schema anew. DDL commits.

    :returns: what one session took for the seed table, without the pools.
    :raises PreflightError: if a schema of that name is somebody else's.
    :raises DataLoadError: if the database refuses a statement.
    """
    connection, schema = documents.connection, work.seed_schema
    SCHEMAS.make(documents, schema, work.tablespace)
    with translated(STEP, schema, DataLoadError):
        with connection.cursor() as cursor:
            _fill_people(cursor, work, definition)
            _fill_pieces(cursor, work)
        connection.commit()
        began, before = time.monotonic(), bytes_of(connection, schema)
        execute(connection, statements.create_seed(work, definition.seed_degree, definition.people.number))
        seconds = time.monotonic() - began
        execute(connection, statements.GATHER, owner=Identifier(schema).sql, name=statements.SEED)
        return Seed(seconds, work.rows, bytes_of(connection, schema) - before)


def _fill_people(cursor: oracledb.Cursor, work: Work, definition: LoadDefinition) -> None:
    table = TableName(work.seed_schema, statements.PEOPLE).sql
    cursor.execute(statements.CREATE_PEOPLE.format(table=table))
    insert = statements.INSERT_PERSON.format(table=table)
    for rows in _slices(people(definition.people.number), BATCH_ROWS):
        cursor.executemany(insert, rows)


def _fill_pieces(cursor: oracledb.Cursor, work: Work) -> None:
    import oracledb

    profile = work.lobs
    if not profile.datatype:
        return
    table = TableName(work.seed_schema, statements.PIECES).sql
    cursor.execute(statements.CREATE_PIECES.format(table=table, datatype=profile.datatype))
    insert = statements.INSERT_PIECE.format(table=table)
    cursor.setinputsizes(doc=oracledb.DB_TYPE_BLOB if profile.datatype == "BLOB" else oracledb.DB_TYPE_CLOB)
    waiting: list[dict[str, Any]] = []
    size = 0
    for identity, value in pieces(profile):
        if waiting and size + len(value) > BATCH_BYTES:
            cursor.executemany(insert, waiting)
            waiting, size = [], 0
        waiting.append({"id": identity, "doc": value})
        size += len(value)
    if waiting:
        cursor.executemany(insert, waiting)


def _slices(rows: Iterable[dict[str, Any]], size: int) -> Iterator[list[dict[str, Any]]]:
    iterator = iter(rows)
    while taken := list(islice(iterator, size)):
        yield taken
