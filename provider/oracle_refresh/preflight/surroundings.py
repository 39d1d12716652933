"""What a database is like, as far as a refresh from or to it depends on that: read once, judged in `fit`.

Source: Database Reference 19c, the view named in each statement.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from oracle_refresh.definition import TargetDefinition
from oracle_refresh.jsonable import Jsonable
from oracle_refresh.oracle.session import rows, scalar
from oracle_refresh.preflight import statements

if TYPE_CHECKING:
    import oracledb


@dataclass(frozen=True)
class Surroundings(Jsonable):
    """Facts of one end. Sizes are bytes."""

    version: str
    edition: str
    character_set: str
    national_character_set: str
    time_zone_file: int
    settings: dict[str, str | None] = field(hash=False)
    """Initialization parameters as V$PARAMETER shows them."""
    options: dict[str, bool] = field(hash=False)
    left: dict[str, int | None] = field(hash=False)
    """Processes and sessions that may still be started; None: there is no limit."""
    broken_components: tuple[str, ...]
    dbfs: bool
    """Whether the packages of the DBFS are installed."""

    def number(self, name: str) -> int | None:
        value = self.settings.get(name)
        return int(value) if value is not None and value.isdigit() else None


@dataclass(frozen=True)
class Contents(Jsonable):
    """What the schemas of a definition hold at one end, and where. Sizes are bytes."""

    owned: dict[str, int] = field(hash=False)
    """By schema."""
    tablespaces: dict[str, str] = field(hash=False)
    """Default tablespace by schema."""
    room: dict[str, int] = field(hash=False)
    """By tablespace: what is free, and what its files may still grow by."""
    partitioned_tables: int = 0
    zoned_columns: int = 0
    """Columns of type TIMESTAMP WITH TIME ZONE."""
    long_columns: int = 0
    """Columns that only MAX_STRING_SIZE = EXTENDED allows."""
    bigfile: tuple[str, ...] = ()
    """Tablespaces of one large file."""


def read_surroundings(connection: oracledb.Connection) -> Surroundings:
    """Read the facts. Changes nothing; needs SELECT_CATALOG_ROLE."""
    ((version, edition),) = rows(connection, statements.INSTANCE)
    characters = dict(rows(connection, statements.CHARACTER_SETS))
    return Surroundings(
        version=version,
        edition=edition,
        character_set=characters["NLS_CHARACTERSET"],
        national_character_set=characters["NLS_NCHAR_CHARACTERSET"],
        time_zone_file=int(scalar(connection, statements.TIME_ZONE_FILE)),
        settings=dict(rows(connection, statements.SETTINGS)),
        options={name: value == "TRUE" for name, value in rows(connection, statements.OPTIONS)},
        left={
            name: int(limit) - int(used) if limit.strip().isdigit() else None
            for name, used, limit in rows(connection, statements.RESOURCES)
        },
        broken_components=tuple(
            f"{name} ({status})" for name, status in rows(connection, statements.COMPONENTS)
        ),
        dbfs=bool(scalar(connection, statements.DBFS_PACKAGES)),
    )


def read_contents(connection: oracledb.Connection, definition: TargetDefinition) -> Contents:
    """Read what the definition's schemas hold. Changes nothing; needs SELECT_CATALOG_ROLE."""
    schemas = definition.schemas
    room = Counter({name: int(size) for name, size in rows(connection, statements.GROWTH)})
    room.update({name: int(size) for name, size in rows(connection, statements.FREE)})
    ((zoned, long),) = rows(connection, statements.SPECIAL_COLUMNS, names=schemas)
    return Contents(
        owned={owner: int(size) for owner, size in rows(connection, statements.OWNED_BYTES, names=schemas)},
        tablespaces=dict(rows(connection, statements.DEFAULT_TABLESPACES, names=schemas)),
        room=dict(room),
        partitioned_tables=int(scalar(connection, statements.PARTITIONED, names=schemas)),
        zoned_columns=int(zoned),
        long_columns=int(long),
        bigfile=tuple(str(name) for (name,) in rows(connection, statements.BIGFILE)),
    )
