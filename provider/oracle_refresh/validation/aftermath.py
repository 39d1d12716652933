"""What is left of the originals beside the tables: statistics, recycle bin, control tables, dump files.

Real-time statistics, which 19c gathers as rows are changed (on engineered systems and in Oracle's clouds:
Database Licensing Information), stand in the dictionary as rows of their own beside the others (NOTES:
STATS_ON_CONVENTIONAL_DML). That a lock prevents them is not documented. So all rows of a table and a column
count: the oldest time, and the ends of all ranges.

Sources: Database Reference 19c, DBA_TAB_STATISTICS, DBA_TAB_COL_STATISTICS (LOW_VALUE and HIGH_VALUE hold
values of the column), DBA_RECYCLEBIN; SQL Tuning Guide 19c, "Real-Time Statistics".
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from oracle_refresh.jsonable import Jsonable
from oracle_refresh.masking.rules import by_column
from oracle_refresh.masking.statements import COPIES
from oracle_refresh.oracle.counting import counted, some
from oracle_refresh.oracle.identifiers import TableName
from oracle_refresh.oracle.session import rows
from oracle_refresh.run.kind import Kind
from oracle_refresh.validation.model import Verdict
from oracle_refresh.validation.promises import no_original

if TYPE_CHECKING:
    import oracledb

    from oracle_refresh.masking.rules import Ruleset

TABLE_STATISTICS = """\
SELECT TABLE_NAME, MIN(LAST_ANALYZED) FROM DBA_TAB_STATISTICS
WHERE OWNER = :owner AND PARTITION_NAME IS NULL GROUP BY TABLE_NAME"""
COLUMN_STATISTICS = """\
SELECT TABLE_NAME, COLUMN_NAME, LAST_ANALYZED,
  CASE WHEN LOW_VALUE IS NOT NULL THEN RAWTOHEX(STANDARD_HASH(:salt || RAWTOHEX(LOW_VALUE), 'SHA256')) END,
  CASE WHEN HIGH_VALUE IS NOT NULL THEN RAWTOHEX(STANDARD_HASH(:salt || RAWTOHEX(HIGH_VALUE), 'SHA256')) END
FROM DBA_TAB_COL_STATISTICS WHERE OWNER = :owner"""
RECYCLED = "SELECT OWNER, ORIGINAL_NAME FROM DBA_RECYCLEBIN WHERE OWNER = :owner AND TYPE = 'TABLE'"
#: All of the refresh user's own tables but those that are meant to stay.
CONTROL_TABLES = """\
SELECT TABLE_NAME FROM USER_TABLES WHERE TABLE_NAME LIKE 'REFRESH$_!_%' ESCAPE '!'
  AND TABLE_NAME NOT LIKE 'REFRESH$K!_%' ESCAPE '!' ORDER BY TABLE_NAME"""
#: DATE has no fractions of a second.
_SECOND = timedelta(seconds=1)


@dataclass(frozen=True)
class Bounds(Jsonable):
    """The ends of the ranges of an owner's columns, by table and column, hashed under a salt."""

    columns: dict[str, dict[str, tuple[str, ...]]]

    def of(self, table: str, column: str) -> frozenset[str]:
        return frozenset(self.columns.get(table, {}).get(column, ()))


#: By owner: of a clone, before it was masked.
BOUNDS: Kind[Bounds] = Kind("bounds", Bounds)


def read_bounds(connection: oracledb.Connection, ruleset: Ruleset, owner: str, salt: str) -> Bounds:
    """Of the columns that have rules.

    :param salt: without which nobody finds out what was hashed.
    """
    bounds: dict[str, dict[str, tuple[str, ...]]] = {}
    for (table, column), (_, *ends) in _columns(connection, owner, salt).items():
        if any(rule.column == column for rule in ruleset.rules(owner, table)):
            bounds.setdefault(table, {})[column] = tuple(end for end in ends if end)
    return Bounds(bounds)


def check_statistics(
    target: oracledb.Connection,
    ruleset: Ruleset,
    masked_at: Mapping[TableName, datetime],
    originals: Callable[[str], Bounds],
    salt: str,
) -> Iterator[Verdict]:
    """One verdict for each masked table: gathered after its masking, no end of the originals' ranges kept.

    :param masked_at: the masked tables, and when each was masked by the target's clock.
    :param originals: of an owner, before the masking.
    :param salt: that they are hashed with.
    """
    for owner in sorted({table.owner for table in masked_at}):
        tables = dict(rows(target, TABLE_STATISTICS, owner=owner))
        after, before = _columns(target, owner, salt), originals(owner)
        for table, at in sorted(masked_at.items()):
            if table.owner != owner:
                continue
            wrong = []
            gathered = tables.get(table.name)
            if gathered is None:
                wrong.append("were never gathered")
            elif gathered + _SECOND < at:
                wrong.append("are older than the masking")
            for column, rules in by_column(ruleset.rules(*table)).items():
                if (table.name, column) not in after:
                    continue
                analyzed, *bounds = after[table.name, column]
                if analyzed is not None and analyzed + _SECOND < at:
                    wrong.append(f"of {column} are older than the masking")
                kept = before.of(table.name, column).intersection(filter(None, bounds))
                if kept and no_original(rules):
                    wrong.append(f"of {column} hold {len(kept)} of the originals' bounds of its range")
            detail = "; ".join(wrong) or f"gathered {gathered:%Y-%m-%d %H:%M:%S}"
            yield Verdict("statistics", table.key, "optimizer statistics", not wrong, detail)


def check_recycle_bin(target: oracledb.Connection, tables: Collection[TableName]) -> Verdict:
    """That no dropped table of a refreshed schema can be brought back."""
    owners = sorted({table.owner for table in tables})
    names = sorted(TableName(*name).key for owner in owners for name in rows(target, RECYCLED, owner=owner))
    return _none_left("recycle bin", "dropped tables of the refreshed schemas", names, "no table")


def check_control_tables(target: oracledb.Connection, schemas: Sequence[str]) -> Verdict:
    """That lookups, maps and other tables of the masking are gone, and copies of tables in these schemas.
    Maps that a rule keeps may stay."""
    names = [str(name) for (name,) in rows(target, CONTROL_TABLES)]
    names += [TableName(*table).key for table in rows(target, COPIES) if table[0] in schemas]
    return _none_left("control tables", "lookups, maps and hashes of the masking", names, "all dropped")


def _none_left(kind: str, what: str, names: Sequence[str], none: str) -> Verdict:
    detail = f"{counted(len(names), 'table')}: {some(names)}" if names else none
    return Verdict(kind, "-", what, not names, detail)


def _columns(
    connection: oracledb.Connection, owner: str, salt: str
) -> dict[tuple[str, str], tuple[datetime | None, *tuple[str | None, ...]]]:
    """When those of a column were gathered, at first, and the ends of its ranges."""
    found: dict[tuple[str, str], tuple[datetime | None, *tuple[str | None, ...]]] = {}
    for table, column, at, *ends in rows(connection, COLUMN_STATISTICS, owner=owner, salt=salt):
        before, *others = found.get((table, column), (at,))
        first = min((when for when in (before, at) if when is not None), default=None)
        found[table, column] = (first, *others, *ends)
    return found
