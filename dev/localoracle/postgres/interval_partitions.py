"""Partitions that an interval-partitioned table gets when a row asks for one.

PostgreSQL refuses such a row; the partition is made, and the statement done again. As in Oracle it stays when
the transaction is rolled back. Source: SQL Language Reference 19c, CREATE TABLE, INTERVAL Clause.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import psycopg

from localoracle.errors import OracleError, not_supported
from localoracle.postgres.errors import oracle_error

if TYPE_CHECKING:
    from localoracle.session.session import Session

NO_PARTITION = 14400
"""The code of a row that no partition takes."""
_KEY = re.compile(r"Partition key of the failing row contains \([^()]*\) = \((.*)\)\.")
_OF_INTERVALS = (
    "SELECT c.oid::int8 FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace"
    " WHERE n.nspname = %s AND c.relname = %s AND localoracle.attribute(c.oid, 0, 'interval') IS NOT NULL"
)
_ADD = "SELECT ora.add_interval_partition(%s::int8::oid::regclass, %s, %s)"


async def add_missing(session: Session, error: OracleError) -> bool:
    """Make the partition that a row did not find; False where there are no intervals, or the key is NULL.

    Raises OracleError, ORA-03001 where PostgreSQL hides the key from a user who may not read the table.
    """
    key = _missing(error)
    if key is None or not (tables := await session.database.system(_OF_INTERVALS, key[:2])):
        return False
    if key[2] is None:
        raise not_supported("a new interval partition for a user who may not read the table")
    try:
        await session.database.system(_ADD, [tables[0][0], key[2], False])
    except psycopg.errors.LockNotAvailable:
        # The transaction's own locks may be in the way: then it is made inside it.
        await session.pg_system(_ADD, [tables[0][0], key[2], True], write=True)
    except psycopg.Error as refused:
        raise oracle_error(refused) from refused
    return True


async def add_missing_to_load(connection: psycopg.AsyncConnection[Any], error: OracleError) -> bool:
    """The same for a superuser's connection whose transaction has ended with the error."""
    key = _missing(error)
    if key is None:
        return False
    table = await (await connection.execute(_OF_INTERVALS, key[:2])).fetchone()
    if table is None:
        return False
    try:
        await connection.execute(_ADD, [table[0], key[2], True])
    except psycopg.Error as refused:
        raise oracle_error(refused) from refused
    return True


def _missing(error: OracleError) -> tuple[str | None, str | None, str | None] | None:
    """Schema, table and key (as PostgreSQL prints it) of the row that no partition takes; None where there is
    no such row or its key is NULL."""
    cause = error.__cause__
    if error.code != NO_PARTITION or not isinstance(cause, psycopg.Error):
        return None
    key = _KEY.search(cause.diag.message_detail or "")
    if key is not None and key[1] == "null":
        return None
    return cause.diag.schema_name, cause.diag.table_name, key[1] if key else None
