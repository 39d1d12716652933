"""LINEITEM into tables: from the store through an external table, and by rows through this process."""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import datetime
from decimal import Decimal
from itertools import islice
from typing import TYPE_CHECKING, Any

from oracle_refresh.labs.store import lineitem, statements
from oracle_refresh.labs.store.matrix import READ_FILE, open_content
from oracle_refresh.labs.store.model import Calibration, Phase
from oracle_refresh.labs.store.plan import STEP
from oracle_refresh.oracle.errors import StagingError
from oracle_refresh.oracle.identifiers import Identifier
from oracle_refresh.oracle.session import execute, execute_tolerating, scalar
from oracle_refresh.target.objects.statements import WAIT_FOR_LOCKS

if TYPE_CHECKING:
    import oracledb

#: Rows of one array insert.
BATCH = 1000
LOADED, INSERTED, IMPORTED, EXTERNAL = "LINEITEM", "INSERTED", "IMPORTED", "EXTERNAL"
#: The plain insert ends after so many seconds: only its rate counts, and it is slow.
MOST_SECONDS = 5.0


def table_name(plan: Calibration, what: str) -> str:
    """A control table of the run, in the schema of the refresh's user."""
    return f"REFRESH$CAL_{plan.mark}_{what}".upper()


def load_external(connection: oracledb.Connection, plan: Calibration, generated: Phase) -> Phase:
    """Load all flat files by one direct-path insert from an external table. Commits; makes its table anew.

    :param generated: the files, with their bytes and rows.
    :raises StagingError: if another number of rows arrives.
    """
    external, table = (Identifier(table_name(plan, what)).sql for what in (EXTERNAL, LOADED))
    for name in (EXTERNAL, LOADED):
        drop_table(connection, table_name(plan, name))
    names = lineitem.names(plan)
    create_external = statements.CREATE_EXTERNAL.format(
        table=external,
        directory=Identifier(plan.directory).sql,
        locations=", ".join(f"'{name}'" for name in names),
        degree=len(names),
    )
    execute(connection, create_external)
    execute(connection, statements.CREATE_TABLE.format(table=table))
    began = time.monotonic()
    execute(connection, statements.LOAD.format(table=table, external=external))
    connection.commit()
    seconds = time.monotonic() - began
    loaded = scalar(connection, statements.ROWS.format(table=table))
    if loaded != generated.items:
        raise StagingError(
            f"{loaded} rows were loaded of {generated.items} that were generated",
            object_name=plan.directory,
            step=STEP,
        )
    return Phase("load external table", seconds, generated.bytes, loaded, "INSERT /*+ APPEND */ ... SELECT")


def insert_rows(connection: oracledb.Connection, plan: Calibration) -> Phase:
    """Insert the rows of the first file by arrays, for some seconds at most. Makes its table anew."""
    name = table_name(plan, INSERTED)
    drop_table(connection, name)
    table = Identifier(name).sql
    rows = size = 0
    with connection.cursor() as cursor:
        cursor.execute(statements.CREATE_TABLE.format(table=table))
        insert = statements.INSERT.format(table=table)
        began = time.monotonic()
        lines = _lines(connection, f"{plan.mount}/{lineitem.names(plan)[0]}")
        while (batch := list(islice(lines, BATCH))) and time.monotonic() - began < MOST_SECONDS:
            cursor.executemany(insert, [list(_values(line)) for line in batch])
            rows += len(batch)
            size += sum(map(len, batch))
        connection.commit()
        seconds = time.monotonic() - began
    return Phase("insert rows", seconds, size, rows, f"arrays of {BATCH:,} rows through this process")


def _lines(connection: oracledb.Connection, path: str) -> Iterator[bytes]:
    """The records of a flat file, with their delimiters."""
    content = open_content(connection, READ_FILE, path)
    offset, rest = 0, b""
    while data := content.read(offset + 1, lineitem.PIECE_BYTES):
        offset += len(data)
        *whole, rest = (rest + data).splitlines(keepends=True)
        yield from whole
    if rest:
        yield rest


def _values(line: bytes) -> Iterator[Any]:
    fields = line.decode().split("|")
    for (_, kind, _), field in zip(statements.LINEITEM, fields, strict=False):
        if kind.startswith("NUMBER"):
            yield Decimal(field.replace(",", "."))
        elif kind == "DATE":
            yield datetime.fromisoformat(field)
        else:
            yield field


def drop_table(connection: oracledb.Connection, name: str) -> None:
    """Drop a control table if it is there. DDL commits. It waits for the session of a killed task, which may
    be at its last statement still."""
    execute(connection, WAIT_FOR_LOCKS)
    statement = statements.DROP_TABLE.format(table=Identifier(name).sql)
    execute_tolerating(connection, {"ORA-00942"}, statement)
