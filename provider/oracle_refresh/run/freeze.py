"""The SCN of a refresh: one number for all shards, the bulk job and the validation.

Source: Database Reference 19c, V$DATABASE.CURRENT_SCN; SQL Language Reference 19c, flashback_query_clause.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from oracle_refresh.catalog.identity import DatabaseIdentity, identify
from oracle_refresh.jsonable import Jsonable
from oracle_refresh.oracle import session
from oracle_refresh.oracle.errors import PlanError
from oracle_refresh.run.kind import Kind

if TYPE_CHECKING:
    import oracledb

CURRENT_SCN = "SELECT CURRENT_SCN, SYSTIMESTAMP FROM V$DATABASE"


@dataclass(frozen=True)
class Frozen(Jsonable):
    """The moment of the source that the target becomes a copy of. `taken_at` is the source's clock."""

    scn: int
    taken_at: datetime
    source: DatabaseIdentity


FROZEN: Kind[Frozen] = Kind("frozen", Frozen)


def freeze(connection: oracledb.Connection) -> Frozen:
    """Take the source's current SCN. What was committed before this call is part of the refresh.

    :raises PlanError: if the database gives no SCN, as when it is mounted but not open.
    """
    source = identify(connection)
    row = session.row(connection, CURRENT_SCN)
    if row is None or row[0] is None:
        raise PlanError(
            f"the source has no current SCN; its open mode is {source.open_mode}",
            object_name=source.db_unique_name,
            step="freeze",
            remedy="open the source database",
        )
    return Frozen(scn=int(row[0]), taken_at=row[1], source=source)
