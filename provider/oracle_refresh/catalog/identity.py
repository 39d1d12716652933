"""Which database a connection leads to. Source: Database Reference 19c, V$DATABASE and V$INSTANCE."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from oracle_refresh.catalog import statements
from oracle_refresh.jsonable import Jsonable
from oracle_refresh.oracle.session import rows

if TYPE_CHECKING:
    import oracledb


@dataclass(frozen=True)
class DatabaseIdentity(Jsonable):
    """What identifies a database. `con_dbid` is that of the pluggable database, or the DBID."""

    dbid: int
    con_dbid: int
    name: str
    db_unique_name: str
    service: str
    container: str | None
    host: str | None
    version: str
    open_mode: str
    database_role: str
    user: str

    @property
    def names(self) -> tuple[str, ...]:
        """Every name this database goes by, without repetition."""
        given = (self.name, self.db_unique_name, self.service, self.container)
        return tuple(dict.fromkeys(name for name in given if name))

    def same_database(self, other: DatabaseIdentity) -> bool:
        """Whether both are one database: the same DBID, or the same unique name and service on one host.

        A clone that kept the DBID of its origin counts as the same: nothing distinguishes it reliably.
        """
        if self.con_dbid == other.con_dbid:
            return True
        return self._address == other._address

    @property
    def _address(self) -> tuple[str, str, str | None]:
        return self.db_unique_name.upper(), self.service.upper(), self.host


def identify(connection: oracledb.Connection) -> DatabaseIdentity:
    """Read the identity of the database behind a connection. Needs SELECT on V$DATABASE and V$INSTANCE."""
    ((dbid, con_dbid, name, unique_name, *rest),) = rows(connection, statements.IDENTITY)
    open_mode, role, host, version, service, container, user = rest
    return DatabaseIdentity(
        dbid=int(dbid),
        con_dbid=int(dbid if con_dbid is None else con_dbid),
        name=name,
        db_unique_name=unique_name or name,
        service=service or "",
        container=container,
        host=host,
        version=version,
        open_mode=open_mode,
        database_role=role,
        user=user,
    )
