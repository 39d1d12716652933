"""Every session speaks one language and sees all rows, whatever the instance speaks and applications see.

A session takes language, territory and the sign of decimals from the instance (NLS_LANGUAGE, NLS_TERRITORY),
thin clients have no NLS_LANG. Data Pump writes its log in the language of the session that opens the job,
numbers and dates become text by its territory, and comparisons follow NLS_COMP and NLS_SORT: Database
Globalization Support Guide, "Setting Up a Globalization Support Environment".

Of a table with row archival a session sees the active rows only, unless it asks for all of them: archived
ones would neither be counted nor masked. VLDB and Partitioning Guide 19c, "Using In-Database Archiving"; SQL
Language Reference 19c, ALTER SESSION.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import oracledb

# In this order: language and territory set the others.
STATEMENTS = (
    "ALTER SESSION SET NLS_LANGUAGE = AMERICAN NLS_TERRITORY = AMERICA",
    "ALTER SESSION SET NLS_COMP = BINARY NLS_SORT = BINARY",
    "ALTER SESSION SET ROW ARCHIVAL VISIBILITY = ALL",
)


def settle(connection: oracledb.Connection) -> oracledb.Connection:
    """The same connection, its session being American and seeing archived rows."""
    with connection.cursor() as cursor:
        for statement in STATEMENTS:
            cursor.execute(statement)
    return connection


def client_of(run_id: str) -> str:
    """What V$SESSION.CLIENT_IDENTIFIER shows of a run's sessions, at most 64 bytes: its id where that fits.

    Source: Database Reference 19c, V$SESSION; PL/SQL Packages and Types Reference 19c, DBMS_SESSION,
    SET_IDENTIFIER.
    """
    return run_id if len(run_id.encode()) <= 64 else hashlib.sha256(run_id.encode()).hexdigest()
