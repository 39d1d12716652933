"""Tables that a capture does not take wholly, and tables without a key by which their rows are found again.

What a capture may take is known of tables that are prepared for instantiation, as each captured table is
(DBA_CAPTURE_PREPARED_TABLES): all tables of their schemas are looked at, since one that cannot be captured is
not always prepared. Which views know is a matter of the family: Database Reference 19c,
DBA_XSTREAM_OUT_SUPPORT_MODE, DBA_GOLDENGATE_SUPPORT_MODE, DBA_GOLDENGATE_NOT_UNIQUE, DBA_LOGSTDBY_NOT_UNIQUE;
18c, DBA_STREAMS_UNSUPPORTED.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from oracle_refresh.jsonable import Jsonable
from oracle_refresh.oracle.identifiers import TableName
from oracle_refresh.tuning.cdc import statements
from oracle_refresh.tuning.cdc.looking import look, readable
from oracle_refresh.tuning.cdc.subject import DOWNSTREAM

if TYPE_CHECKING:
    import oracledb

    from oracle_refresh.tuning.cdc.picture import Picture

#: Columns of a table are captured as far as they are supported, if the capture is told to.
ID_KEY = "ID KEY"


@dataclass(frozen=True)
class UnsupportedTable(Jsonable):
    """A table of which changes are not captured, or not all columns."""

    table: TableName
    why: str
    """`ID KEY`: key columns and those that are supported; `NONE`: no change; before 19c a reason in words."""
    prepared: bool


@dataclass(frozen=True)
class KeylessTable(Jsonable):
    """A table without a primary key and without a unique index on columns that are never NULL."""

    table: TableName
    unbounded: bool
    """Rows may differ in nothing but LONG or LOB columns, so that no condition tells them apart."""
    prepared: bool


@dataclass(frozen=True)
class Support(Jsonable):
    """What is to be known about the tables of the schemas that are captured from."""

    schemas: tuple[str, ...] = ()
    unsupported: tuple[UnsupportedTable, ...] = ()
    keyless: tuple[KeylessTable, ...] = ()
    not_read: tuple[str, ...] = ()
    """Views that are not there, or may not be read."""
    elsewhere: bool = False
    """The tables are those of another database, where this has to be asked."""


def read_support(connection: oracledb.Connection, picture: Picture) -> Support:
    """The lists for the family of views that shows the capture.

    :raises TuningError: if the database refuses for another reason than that a view is not there.
    """
    if picture.capture_name is None or picture.capture_type == DOWNSTREAM:
        return Support(elsewhere=True)
    family = next(each for each in statements.FAMILIES if each.name == picture.family)
    views = ("DBA_CAPTURE_PREPARED_TABLES", family.support, family.not_unique)
    not_read = tuple(view for view in views if not readable(connection, view))
    if views[0] in not_read:
        return Support(not_read=not_read)
    prepared = {TableName(*found) for found in look(connection, statements.PREPARED)}
    unsupported = look(connection, statements.unsupported(family)) if family.support not in not_read else ()
    keyless = look(connection, statements.not_unique(family)) if family.not_unique not in not_read else ()
    return Support(
        schemas=tuple(sorted({table.owner for table in prepared})),
        unsupported=tuple(
            UnsupportedTable(table := TableName(owner, name), str(why), table in prepared)
            for owner, name, why in unsupported
        ),
        keyless=tuple(
            KeylessTable(table := TableName(owner, name), bad == "Y", table in prepared)
            for owner, name, bad in keyless
        ),
        not_read=not_read,
    )
