"""Queries over a database link that read nothing here: they run as a whole at the other end.

SELECT ... FROM owner.table@link, joins of several tables of the same link, synonyms for such tables. What
would have to be put together from both ends is refused. LOBs cannot be selected over a link (ORA-22992).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import oracledb

from localoracle.errors import OracleError, not_supported
from localoracle.instance import links
from localoracle.instance.links import Link, remote_errors
from localoracle.postgres.parameters import materialize
from localoracle.session.result import Result
from localoracle.session.schema_names import RemoteObject
from localoracle.sql.query import linked_tables
from localoracle.sql.query.linked_tables import NamedTable
from localoracle.tasks import in_thread, undisturbed
from localoracle.values import Column, DataType, OracleType, Value

if TYPE_CHECKING:
    from localoracle.session.session import Session

_ROWS = 200
_TYPES = {
    oracledb.DB_TYPE_NUMBER: OracleType.NUMBER,
    oracledb.DB_TYPE_VARCHAR: OracleType.VARCHAR2,
    oracledb.DB_TYPE_NVARCHAR: OracleType.VARCHAR2,
    oracledb.DB_TYPE_CHAR: OracleType.CHAR,
    oracledb.DB_TYPE_NCHAR: OracleType.CHAR,
    oracledb.DB_TYPE_DATE: OracleType.DATE,
    oracledb.DB_TYPE_TIMESTAMP: OracleType.TIMESTAMP,
    oracledb.DB_TYPE_RAW: OracleType.RAW,
    oracledb.DB_TYPE_LONG: OracleType.LONG,
    oracledb.DB_TYPE_LONG_RAW: OracleType.LONG_RAW,
    oracledb.DB_TYPE_BINARY_DOUBLE: OracleType.BINARY_DOUBLE,
    oracledb.DB_TYPE_BINARY_FLOAT: OracleType.BINARY_FLOAT,
}
_NATIONAL = (oracledb.DB_TYPE_NVARCHAR, oracledb.DB_TYPE_NCHAR)
_LOBS = (oracledb.DB_TYPE_CLOB, oracledb.DB_TYPE_NCLOB, oracledb.DB_TYPE_BLOB, oracledb.DB_TYPE_BFILE)
_DRIVERS_TYPES = {
    OracleType.NUMBER: oracledb.DB_TYPE_NUMBER,
    OracleType.DATE: oracledb.DB_TYPE_DATE,
    OracleType.TIMESTAMP: oracledb.DB_TYPE_TIMESTAMP,
    OracleType.RAW: oracledb.DB_TYPE_RAW,
}


@dataclass(frozen=True)
class RemoteQuery:
    """A query as the other end of `link` gets it."""

    link: str
    sql: str


async def recognized(session: Session, sql: str) -> RemoteQuery | None:
    """The query, if every table in it is at the other end of one link; None when it names no such table.

    Raises ORA-03001 for what names a link in any other way.
    """
    if not linked_tables.is_query(sql):
        if linked_tables.names_link(sql):
            raise not_supported("a database link in a statement that is no query")
        return None
    tree, named = linked_tables.named(sql)
    remote = [(table, await _object(session, table)) for table in named]
    linked = [(table, target) for table, target in remote if target is not None]
    if not linked:
        return None
    if len({target.link for _, target in linked}) > 1:
        raise not_supported("a query over several database links")
    link = linked[0][1].link
    if len(linked) < len(remote):
        raise not_supported(f"a query over database link {link} together with tables that are here")
    if programs := linked_tables.session_functions(sql) + linked_tables.local_programs(tree):
        raise not_supported(f"{programs[0]} in a query over database link {link}")
    synonyms = [table for table, _ in linked if table.link is None]
    if synonyms and linked_tables.qualifies_with_owner(tree):
        raise not_supported(f"owner.{synonyms[0].name}.column of a synonym over a database link")
    return RemoteQuery(link, linked_tables.as_there(sql, linked).rstrip().removesuffix(";"))


async def _object(session: Session, table: NamedTable) -> RemoteObject | None:
    if table.link is not None:
        return RemoteObject(table.owner, table.name, table.link)
    return await session.database.remote_synonyms.find(session, table.owner, table.name)


async def run(session: Session, query: RemoteQuery, values: Sequence[Value]) -> Result:
    """Run it; rows are fetched as they are wanted. Raises what links.connect raises, ORA-22992 for LOBs."""
    arguments = [_argument(value, await materialize(value.value)) for value in values]
    connections = links.opened(session)
    link, connection = await connections.acquire(session.user, query.link)

    def execute() -> tuple[oracledb.Cursor, list[Column]]:
        with remote_errors(link):
            cursor = connection.cursor()
            cursor.arraysize = cursor.prefetchrows = _ROWS
            cursor.outputtypehandler = _numbers_as_text
            bound = [cursor.var(kind) if value is None else value for kind, value in arguments]
            cursor.execute(query.sql, bound)
            return cursor, [_column(described) for described in cursor.description or ()]

    try:
        cursor, columns = await links.remotely(connection, execute)
    except OracleError as error:
        if error.code in links.LOST:
            await connections.close(query.link)
        raise
    return RemoteResult(link, connection, cursor, columns)


class RemoteResult(Result):
    """Rows that are fetched over the link."""

    def __init__(
        self, link: Link, connection: oracledb.Connection, cursor: oracledb.Cursor, columns: list[Column]
    ) -> None:
        super().__init__(verb="SELECT", columns=columns)
        self._link = link
        self._connection = connection
        self._cursor: oracledb.Cursor | None = cursor

    @property
    def exhausted(self) -> bool:
        return super().exhausted and self._cursor is None

    async def fetch_raw(self, count: int) -> list[tuple[Any, ...]]:
        rows = await super().fetch_raw(count)
        while len(rows) < count and self._cursor is not None:
            self._rows, self._position = await self._more(self._cursor), 0
            if not self._rows:
                await self._close_cursor()
            rows += await super().fetch_raw(count - len(rows))
        return rows

    async def _more(self, cursor: oracledb.Cursor) -> list[tuple[Any, ...]]:
        def fetch() -> list[tuple[Any, ...]]:
            with remote_errors(self._link):
                return list(cursor.fetchmany(_ROWS))

        return await links.remotely(self._connection, fetch)

    async def close(self) -> None:
        await super().close()
        await self._close_cursor()

    async def _close_cursor(self) -> None:
        cursor, self._cursor = self._cursor, None
        if cursor is not None:
            await undisturbed(in_thread(lambda: links.quietly_close(cursor)))


def _argument(value: Value, content: Any) -> tuple[Any, Any]:
    return _DRIVERS_TYPES.get(value.datatype.type, oracledb.DB_TYPE_VARCHAR), content


def _column(described: oracledb.FetchInfo) -> Column:
    if described.type_code in _LOBS:
        raise OracleError(22992, "cannot use LOB locators selected from remote tables")
    kind = _TYPES.get(described.type_code)
    if kind is None:
        raise not_supported(f"columns of type {described.type_code.name} over a database link")
    national = described.type_code in _NATIONAL
    if kind is OracleType.NUMBER:
        precision, scale = described.precision or 0, described.scale if described.scale is not None else -127
        return Column(described.name, DataType(kind, 22, precision, scale), bool(described.null_ok))
    return Column(
        described.name,
        DataType(kind, described.internal_size or 0, national=national),
        bool(described.null_ok),
    )


def _numbers_as_text(cursor: oracledb.Cursor, metadata: oracledb.FetchInfo) -> Any:
    if metadata.type_code is oracledb.DB_TYPE_NUMBER:
        return cursor.var(oracledb.DB_TYPE_VARCHAR, arraysize=cursor.arraysize)
    return None
