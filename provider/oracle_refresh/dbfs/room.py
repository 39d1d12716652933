"""Whether the dump files of a run, or a calibration, have room in the tablespace of the store."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from oracle_refresh.dbfs import statements
from oracle_refresh.jsonable import Jsonable
from oracle_refresh.oracle.errors import StagingError
from oracle_refresh.oracle.identifiers import Identifier
from oracle_refresh.oracle.session import row, scalar

if TYPE_CHECKING:
    import oracledb

STEP = "stage"
MEGABYTE = 1 << 20


@dataclass(frozen=True)
class Room(Jsonable):
    """What a tablespace still takes, in bytes.

    `free` lies in its files, `growth` is what they may grow by (AUTOEXTEND), as far as the volumes below
    let them; `quota` is what is left of the user's quota, None where it is unlimited.
    """

    tablespace: str
    free: int
    growth: int
    quota: int | None

    @property
    def bytes(self) -> int:
        most = self.free + self.growth
        return most if self.quota is None else min(most, self.quota)


def read_room(connection: oracledb.Connection, tablespace: str) -> Room:
    """Source: DBA_FREE_SPACE, DBA_DATA_FILES, USER_TS_QUOTAS, SESSION_PRIVS (Database Reference 19c)."""
    free, growth = (
        int(scalar(connection, statement, name=tablespace))
        for statement in (statements.FREE_BYTES, statements.GROWTH_BYTES)
    )
    unlimited = scalar(connection, statements.UNLIMITED)
    used, most = row(connection, statements.QUOTA, name=tablespace) or (0, 0)
    return Room(tablespace, free, growth, None if unlimited or most < 0 else max(int(most - used), 0))


def require_room(
    room: Room,
    needed: int,
    what: str = "the dump files need",
    instead: str = "datapump.compression in the definition, or fewer tables",
) -> None:
    """Whether so many bytes have room. Pure.

    :param what: what needs them.
    :param instead: what would need less.
    :raises StagingError: naming what is missing: quota, files, or room to grow.
    """
    if room.bytes >= needed:
        return
    name = Identifier(room.tablespace)
    short = -(-(needed - room.bytes) // MEGABYTE)
    if room.quota is not None and room.quota < needed <= room.free + room.growth:
        remedy = f"ALTER USER ... QUOTA UNLIMITED ON {name.sql}"
    else:
        remedy = (
            f"ALTER TABLESPACE {name.sql} ADD DATAFILE SIZE {short}M, for a bigfile tablespace RESIZE or"
            f" AUTOEXTEND ON; or {instead}"
        )
    raise StagingError(
        f"{what} about {needed / MEGABYTE:,.0f} MB, the tablespace {name.written} takes"
        f" {room.bytes / MEGABYTE:,.0f} MB more",
        object_name=room.tablespace,
        step=STEP,
        remedy=remedy,
    )
