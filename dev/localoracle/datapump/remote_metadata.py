"""Metadata of an import over a database link: DBMS_METADATA and the catalogue at the other end."""

from __future__ import annotations

import re
from typing import Any

from localoracle.datapump import selection
from localoracle.datapump.definition import Definition
from localoracle.datapump.master import Row
from localoracle.datapump.metadata import statements_of
from localoracle.datapump.remote import Remote
from localoracle.datapump.selection import Connection, Report, Table
from localoracle.errors import OracleError
from localoracle.instance.links import LOST
from localoracle.tasks import in_thread

# Names of what depends on a table, in import order: kind, and the query with owner and table as binds.
_DEPENDENTS = (
    (
        "INDEX",
        "SELECT I.INDEX_NAME FROM {0}_INDEXES I WHERE I.TABLE_OWNER = :1 AND I.TABLE_NAME = :2"
        " AND I.INDEX_TYPE NOT IN ('LOB', 'IOT - TOP') AND NOT EXISTS (SELECT 1 FROM {0}_CONSTRAINTS C"
        " WHERE C.OWNER = I.TABLE_OWNER AND C.TABLE_NAME = I.TABLE_NAME"
        " AND C.CONSTRAINT_TYPE IN ('P', 'U') AND C.INDEX_NAME = I.INDEX_NAME) ORDER BY 1",
    ),
    (
        "CONSTRAINT",
        "SELECT CONSTRAINT_NAME, CONSTRAINT_TYPE, SEARCH_CONDITION_VC FROM {0}_CONSTRAINTS WHERE OWNER = :1"
        " AND TABLE_NAME = :2 AND CONSTRAINT_TYPE IN ('P', 'U', 'C')"
        " ORDER BY DECODE(CONSTRAINT_TYPE, 'C', 1, 0), 1",
    ),
    (
        "REF_CONSTRAINT",
        "SELECT CONSTRAINT_NAME FROM {0}_CONSTRAINTS WHERE OWNER = :1 AND TABLE_NAME = :2"
        " AND CONSTRAINT_TYPE = 'R' ORDER BY 1",
    ),
    (
        "TRIGGER",
        "SELECT TRIGGER_NAME FROM {0}_TRIGGERS WHERE TABLE_OWNER = :1 AND TABLE_NAME = :2 ORDER BY 1",
    ),
)
_CHECKS = (
    "SELECT CONSTRAINT_NAME, SEARCH_CONDITION_VC FROM {0}_CONSTRAINTS WHERE OWNER = :1 AND TABLE_NAME = :2"
    " AND CONSTRAINT_TYPE = 'C' ORDER BY 1"
)
_NOT_NULL = re.compile(r'"(?:[^"])+" IS NOT NULL')


class RemoteMetadata:
    """Collects the metadata rows of one job."""

    def __init__(
        self, connection: Connection, definition: Definition, remote: Remote, report: Report
    ) -> None:
        self._connection = connection
        self._definition = definition
        self._remote = remote
        self._report = report
        self._rows: list[Row] = []

    async def collect(self, schemas: list[str], tables: list[Table], paths: set[str]) -> list[Row]:
        """Rows in import order. What DBMS_METADATA cannot describe is reported and left out."""
        scope = self._remote.scope
        definition = self._definition

        def wanted(kind: str) -> bool:
            return selection.path(definition, kind) in paths

        if wanted("SEQUENCE"):
            await self._of_schemas(
                "SEQUENCE",
                f"SELECT SEQUENCE_NAME FROM {scope}_SEQUENCES WHERE SEQUENCE_OWNER = :1"
                " AND SEQUENCE_NAME NOT LIKE 'ISEQ$$%' ORDER BY 1",
                schemas,
            )
        for table in tables if wanted("TABLE") else []:
            await self._add("TABLE", table.name, table.schema, table.name)
        for table in tables if wanted("NOT_NULL") else []:
            for name, condition in await self._ask(_CHECKS.format(scope), table.schema, table.name):
                if _NOT_NULL.fullmatch(condition or ""):
                    await self._add("NOT_NULL", name, table.schema, table.name)
        for table in tables if wanted("OBJECT_GRANT") else []:
            await self._grants("OBJECT_GRANT", table.schema, table.name)
        for table in tables if wanted("COMMENT") else []:
            await self._comments(table.schema, table.name)
        for kind, query in _DEPENDENTS:
            for table in tables if wanted(kind) else []:
                await self._dependents(kind, query.format(scope), table)
        if wanted("VIEW"):
            views = await self._of_schemas(
                "VIEW", f"SELECT VIEW_NAME FROM {scope}_VIEWS WHERE OWNER = :1 ORDER BY 1", schemas
            )
            for schema, name in views if wanted("VIEW_GRANT") else []:
                await self._grants("VIEW_GRANT", schema, name)
        return self._rows

    async def _dependents(self, kind: str, query: str, table: Table) -> None:
        """Add what depends on a table and is not part of it, as far as the filters leave it."""
        rows = await self._ask(query, table.schema, table.name)
        names = [
            name
            for name, *rest in rows
            if not (rest and rest[0] == "C" and _NOT_NULL.fullmatch(rest[1] or ""))
        ]
        path = selection.path(self._definition, kind)
        left = await selection.named(self._connection, self._definition, names, path, lambda _: None)
        for name in names:
            if name in left:
                await self._add(kind, name, table.schema, table.name)

    async def _ask(self, query: str, *values: Any) -> list[tuple[Any, ...]]:
        return await in_thread(lambda: self._remote.query(query, *values))

    async def _of_schemas(self, kind: str, query: str, schemas: list[str]) -> list[tuple[str, str]]:
        """Add the objects of a kind that the filters leave; (schema, name) of each."""
        added = []
        for schema in schemas:
            names = [row[0] for row in await self._ask(query, schema)]
            path = selection.path(self._definition, kind)
            left = await selection.named(
                self._connection, self._definition, names, path, self._report, schema
            )
            for name in (name for name in names if name in left):
                await self._add(kind, name, schema, None)
                added.append((schema, name))
        return added

    async def _add(self, kind: str, name: str, schema: str, base: str | None) -> None:
        try:
            described = "CONSTRAINT" if kind == "NOT_NULL" else kind
            ddl = await in_thread(lambda: self._remote.ddl(described, name, schema))
        except OracleError as error:
            if error.code in LOST:
                raise
            self._report(error)
            return
        path = selection.path(self._definition, kind)
        self._rows.extend(
            Row(0, path, kind, schema, name, base, ddl=text) for text in statements_of(kind, ddl)
        )

    async def _grants(self, kind: str, schema: str, name: str) -> None:
        owner = "OWNER" if self._remote.scope == "DBA" else "TABLE_SCHEMA"
        for privilege, grantee, grantable in await self._ask(
            f"SELECT PRIVILEGE, GRANTEE, GRANTABLE FROM {self._remote.scope}_TAB_PRIVS"
            f" WHERE {owner} = :1 AND TABLE_NAME = :2 ORDER BY GRANTEE, PRIVILEGE",
            schema,
            name,
        ):
            option = " WITH GRANT OPTION" if grantable == "YES" else ""
            self._statement(
                kind, schema, name, f'GRANT {privilege} ON "{schema}"."{name}" TO "{grantee}"{option}'
            )

    async def _comments(self, schema: str, name: str) -> None:
        scope = self._remote.scope
        among = "WHERE OWNER = :1 AND TABLE_NAME = :2 AND COMMENTS IS NOT NULL"
        for (text,) in await self._ask(f"SELECT COMMENTS FROM {scope}_TAB_COMMENTS {among}", schema, name):
            self._comment("TABLE", schema, name, "", text)
        for column, text in await self._ask(
            f"SELECT COLUMN_NAME, COMMENTS FROM {scope}_COL_COMMENTS {among} ORDER BY 1", schema, name
        ):
            self._comment("COLUMN", schema, name, f'."{column}"', text)

    def _comment(self, on: str, schema: str, name: str, column: str, text: str) -> None:
        quoted = text.replace("'", "''")
        self._statement(
            "COMMENT", schema, name, f'COMMENT ON {on} "{schema}"."{name}"{column} IS \'{quoted}\''
        )

    def _statement(self, kind: str, schema: str, name: str, ddl: str) -> None:
        path = selection.path(self._definition, kind)
        self._rows.append(Row(0, path, kind, schema, name, name, ddl=ddl))
