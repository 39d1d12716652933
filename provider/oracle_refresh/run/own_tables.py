"""The refresh's own tables that outlive runs, in the schema of the target's refresh user: how one that an
older version has left is brought up, and when it is refused.

No table says which version has made it, and none needs to: its columns tell. A column that came with a later
version is added, with a value for the rows that are there. A table that lacks any other column, or demands a
value for a column that this version does not know, is not what this version works with: nothing is changed
then, and the error names the columns (docs/how-to/upgrade.md).
"""

from __future__ import annotations

import logging
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from oracle_refresh.oracle import session
from oracle_refresh.oracle.errors import PreflightError

if TYPE_CHECKING:
    import oracledb

log = logging.getLogger(__name__)

#: Those that take a row without a value: the ones that may be NULL or have a default (Database Reference 19c,
#: ALL_TAB_COLUMNS).
COLUMNS = """\
SELECT COLUMN_NAME, CASE WHEN NULLABLE = 'Y' OR DEFAULT_LENGTH IS NOT NULL THEN 1 ELSE 0 END
FROM USER_TAB_COLUMNS WHERE TABLE_NAME = :name"""
_COLUMN = re.compile(r"^  (?!CONSTRAINT )([A-Z_]+) ", re.MULTILINE)


@dataclass(frozen=True)
class OwnTable:
    """
    :ivar create: its CREATE TABLE, a line for each column.
    :ivar added: the columns that tables of older versions may lack, each with its ALTER TABLE.
    """

    name: str
    create: str
    added: Mapping[str, str] = field(default_factory=dict)

    @property
    def columns(self) -> tuple[str, ...]:
        return tuple(_COLUMN.findall(self.create))

    def upgrade(self, found: Mapping[str, bool]) -> tuple[str, ...]:
        """The statements that make a table with these columns one of this version.

        :param found: of each column, whether a row may come without a value for it.
        :raises PreflightError: if there are none.
        """
        missing = [column for column in self.columns if column not in found]
        lacking = [column for column in missing if column not in self.added]
        demanded = [column for column in found if column not in self.columns and not found[column]]
        reasons = [
            f"{what} {', '.join(columns)}"
            for what, columns in (("it has no", lacking), ("it demands a value for", demanded))
            if columns
        ]
        if reasons:
            raise PreflightError(
                f"the table {self.name} was made by another version, which this one does not work with:"
                f" {'; '.join(reasons)}",
                object_name=self.name,
                step="own tables",
                remedy="go on with the version that made it, or, when no run is under way, nothing is tuned"
                f' and the target is released, DROP TABLE "{self.name}": the next run makes it anew',
            )
        return tuple(self.added[column] for column in missing)

    def is_current(self, connection: oracledb.Connection) -> bool:
        """Whether the table is there and this version can read it; it only reads.

        :raises PreflightError: as `ensure`.
        """
        found = self._found(connection)
        return bool(found) and not self.upgrade(found)

    def _found(self, connection: oracledb.Connection) -> dict[str, bool]:
        columns = session.rows(connection, COLUMNS, name=self.name)
        return {str(name): bool(optional) for name, optional in columns}

    def ensure(self, connection: oracledb.Connection) -> None:
        """Make the table if it is not there, and bring up one that an older version has made. DDL: commits
        what the connection has pending.

        :raises PreflightError: if it is a table that this version does not work with.
        """
        found = self._found(connection)
        if not found:
            # ORA-00955: another task was faster.
            session.execute_tolerating(connection, {"ORA-00955"}, self.create)
            return
        for statement in self.upgrade(found):
            log.info("the table %s of an older version is brought up: %s", self.name, statement)
            # ORA-01430: another task was faster.
            session.execute_tolerating(connection, {"ORA-01430"}, statement)
