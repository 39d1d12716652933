"""The other end of a job's database link, as the link's user may see it.

Everything is read with documented views and packages through the driver; calls block, threads make them.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import oracledb

from localoracle.instance import links
from localoracle.instance.config import Instance
from localoracle.instance.links import Link, remote_errors

# A session as data is moved in: what depends on the time zone comes as UTC, archived rows come as well.
_SESSION = ("ALTER SESSION SET TIME_ZONE = '+00:00'", "ALTER SESSION SET ROW ARCHIVAL VISIBILITY = ALL")
_TRANSFORMS = """BEGIN
  DBMS_METADATA.SET_TRANSFORM_PARAM(DBMS_METADATA.SESSION_TRANSFORM, 'CONSTRAINTS', FALSE);
  DBMS_METADATA.SET_TRANSFORM_PARAM(DBMS_METADATA.SESSION_TRANSFORM, 'REF_CONSTRAINTS', FALSE);
END;"""
_ROLE = "DATAPUMP_EXP_FULL_DATABASE"


class Remote:
    """Connections over one link, and questions about the catalogue at its other end."""

    def __init__(self, instance: Instance, link: Link) -> None:
        self.link = link
        self._instance = instance
        self._idle: list[oracledb.Connection] = []
        self._scope = ""

    def acquire(self) -> oracledb.Connection:
        """A connection for one thread alone. Raises what links.connect raises."""
        while self._idle:
            connection = self._idle.pop()
            try:
                connection.ping()
            except (oracledb.Error, OSError):
                links.quietly_close(connection)
            else:
                return connection
        connection = links.connect(self._instance, self.link)
        try:
            with remote_errors(self.link), connection.cursor() as cursor:
                for statement in _SESSION:
                    cursor.execute(statement)
        except BaseException:
            links.quietly_close(connection)
            raise
        return connection

    def release(self, connection: oracledb.Connection, *, usable: bool) -> None:
        if usable:
            self._idle.append(connection)
        else:
            links.quietly_close(connection)

    def close(self) -> None:
        while self._idle:
            links.quietly_close(self._idle.pop())

    def query(self, statement: str, *values: Any) -> list[tuple[Any, ...]]:
        """All rows of a small query, CLOBs as strings."""
        connection = self.acquire()
        usable = False
        try:
            with remote_errors(self.link), connection.cursor() as cursor:
                cursor.execute(statement, values)
                rows = [
                    tuple(value.read() if isinstance(value, oracledb.LOB) else value for value in row)
                    for row in cursor
                ]
            usable = True
        finally:
            self.release(connection, usable=usable)
        return rows

    @property
    def privileged(self) -> bool:
        """Whether the link's user has DATAPUMP_EXP_FULL_DATABASE."""
        return bool(self.query("SELECT ROLE FROM SESSION_ROLES WHERE ROLE = :1", _ROLE))

    @property
    def scope(self) -> str:
        """DBA for who sees the whole catalogue, ALL for others."""
        if not self._scope:
            self._scope = "DBA" if self.privileged else "ALL"
        return self._scope

    def schemas(self) -> list[str]:
        return [row[0] for row in self.query("SELECT USERNAME FROM ALL_USERS ORDER BY USERNAME")]

    def tables(self, schemas: list[str]) -> list[tuple[str, str, bool]]:
        """Owner, name and whether it is temporary, without the master tables of Data Pump jobs."""
        jobs = "DBA_DATAPUMP_JOBS" if self.scope == "DBA" else "USER_DATAPUMP_JOBS"
        owner = "OWNER_NAME" if self.scope == "DBA" else "USER"
        masters = set(self.query(f"SELECT {owner}, JOB_NAME FROM {jobs}"))
        rows = self.query(
            f"SELECT OWNER, TABLE_NAME, TEMPORARY FROM {self.scope}_TABLES"
            f" WHERE OWNER IN ({_places(schemas)}) AND NESTED = 'NO' AND IOT_NAME IS NULL ORDER BY 1, 2",
            *schemas,
        )
        return [(row[0], row[1], row[2] == "Y") for row in rows if (row[0], row[1]) not in masters]

    def columns(self, schemas: list[str]) -> dict[tuple[str, str], list[list[str]]]:
        """(owner, table) -> name and data type of the columns that hold data, in order."""
        rows = self.query(
            f"SELECT OWNER, TABLE_NAME, COLUMN_NAME, DATA_TYPE FROM {self.scope}_TAB_COLS"
            f" WHERE OWNER IN ({_places(schemas)}) AND VIRTUAL_COLUMN = 'NO'"
            " AND (USER_GENERATED = 'YES' OR COLUMN_NAME = 'ORA_ARCHIVE_STATE')"
            " ORDER BY OWNER, TABLE_NAME, INTERNAL_COLUMN_ID",
            *schemas,
        )
        columns: dict[tuple[str, str], list[list[str]]] = {}
        for owner, table, column, kind in rows:
            columns.setdefault((owner, table), []).append([column, kind])
        return columns

    def partitions(self, schemas: list[str]) -> dict[tuple[str, str], list[str]]:
        rows = self.query(
            f"SELECT TABLE_OWNER, TABLE_NAME, PARTITION_NAME FROM {self.scope}_TAB_PARTITIONS"
            f" WHERE TABLE_OWNER IN ({_places(schemas)}) ORDER BY 1, 2, PARTITION_POSITION",
            *schemas,
        )
        partitions: dict[tuple[str, str], list[str]] = {}
        for owner, table, partition in rows:
            partitions.setdefault((owner, table), []).append(partition)
        return partitions

    def sizes(self, schemas: list[str]) -> dict[tuple[str, str, str | None], int]:
        """(owner, table, partition) -> bytes of the segments, LOBs included: the estimate by BLOCKS.

        A user without the catalogue sees the sizes of its own tables only.
        """
        if self.scope == "DBA":
            segments, lobs, owner = "DBA_SEGMENTS", "DBA_LOBS", "OWNER"
        else:
            segments, lobs, owner = "USER_SEGMENTS", "USER_LOBS", "USER"
        among = f"{owner} IN ({_places(schemas)})"
        sizes = {
            (row[0], row[1], row[2]): int(row[3])
            for row in self.query(
                f"SELECT {owner}, SEGMENT_NAME, PARTITION_NAME, BYTES FROM {segments}"
                f" WHERE {among} AND SEGMENT_TYPE IN ('TABLE', 'TABLE PARTITION')",
                *schemas,
            )
        }
        parts: dict[tuple[str, str], list[str | None]] = {}
        for key in sizes:
            parts.setdefault(key[:2], []).append(key[2])
        joined = f"L.{owner} = S.{owner} AND " if owner == "OWNER" else ""
        user = "L.OWNER" if owner == "OWNER" else "USER"
        rows = self.query(
            f"SELECT {user}, L.TABLE_NAME, SUM(S.BYTES) FROM {lobs} L, {segments} S"
            f" WHERE {user} IN ({_places(schemas)}) AND {joined}S.SEGMENT_NAME = L.SEGMENT_NAME"
            f" GROUP BY {user}, L.TABLE_NAME",
            *schemas,
        )
        for schema, table, amount in rows:
            of_table = parts.get((schema, table), [])
            for part in of_table:
                sizes[schema, table, part] += int(amount) // len(of_table)
        return sizes

    def ddl(self, kind: str, name: str, schema: str) -> str:
        """DBMS_METADATA.GET_DDL, tables without constraints. Raises what it raises, e.g. ORA-31603."""
        connection = self.acquire()
        usable = False
        try:
            with remote_errors(self.link), connection.cursor() as cursor:
                if kind == "TABLE":
                    cursor.execute(_TRANSFORMS)
                cursor.execute("SELECT DBMS_METADATA.GET_DDL(:1, :2, :3) FROM DUAL", [kind, name, schema])
                row = cursor.fetchone()
                text = "" if row is None or row[0] is None else str(row[0])
                if kind == "TABLE":
                    cursor.execute(
                        "BEGIN DBMS_METADATA.SET_TRANSFORM_PARAM("
                        "DBMS_METADATA.SESSION_TRANSFORM, 'DEFAULT', TRUE); END;"
                    )
            usable = True
        finally:
            self.release(connection, usable=usable)
        return text.strip()


def _places(values: Iterable[str]) -> str:
    return ", ".join(f":{number}" for number, _ in enumerate(values, 1)) or "NULL"
