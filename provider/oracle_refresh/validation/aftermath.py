"""What is left of the originals beside the tables: statistics, recycle bin, control tables, dump files.

Sources: Database Reference 19c, DBA_TAB_STATISTICS, DBA_TAB_COL_STATISTICS (LOW_VALUE and HIGH_VALUE hold
values of the column), DBA_RECYCLEBIN.
"""

from __future__ import annotations

import secrets
from collections.abc import Collection, Iterator, Mapping
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from oracle_refresh.masking.rules import by_column
from oracle_refresh.oracle.identifiers import table_key
from oracle_refresh.validation.model import Verdict
from oracle_refresh.validation.promises import no_original

if TYPE_CHECKING:
    import oracledb

    from oracle_refresh.masking.rules import Ruleset

TABLE_STATISTICS = """\
SELECT TABLE_NAME, LAST_ANALYZED FROM DBA_TAB_STATISTICS WHERE OWNER = :owner AND PARTITION_NAME IS NULL"""
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


def check_statistics(
    source: oracledb.Connection,
    target: oracledb.Connection,
    ruleset: Ruleset,
    masked_at: Mapping[tuple[str, str], datetime],
) -> Iterator[Verdict]:
    """One verdict for each masked table: gathered after its masking, no end of the source's ranges kept.

    :param masked_at: the masked tables, and when each was masked by the target's clock.
    """
    salt = secrets.token_hex(16)
    for owner in sorted({owner for owner, _ in masked_at}):
        with target.cursor() as cursor:
            tables = {str(name): at for name, at in cursor.execute(TABLE_STATISTICS, owner=owner)}
        after, before = (_columns(connection, owner, salt) for connection in (target, source))
        for (schema, name), at in sorted(masked_at.items()):
            if schema != owner:
                continue
            wrong = []
            gathered = tables.get(name)
            if gathered is None:
                wrong.append("were never gathered")
            elif gathered + _SECOND < at:
                wrong.append("are older than the masking")
            for column, rules in by_column(ruleset.rules(owner, name)).items():
                found = after.get((name, column))
                if found is None:
                    continue
                if found[0] is not None and found[0] + _SECOND < at:
                    wrong.append(f"of {column} are older than the masking")
                ends = {end for end in found[1:] if end} & {*before.get((name, column), ())[1:]}
                if ends and no_original(rules):
                    wrong.append(f"of {column} hold {len(ends)} of the source's ends of its range")
            detail = "; ".join(wrong) or f"gathered {gathered:%Y-%m-%d %H:%M:%S}"
            yield Verdict("statistics", table_key(owner, name), "optimizer statistics", not wrong, detail)


def check_recycle_bin(target: oracledb.Connection, tables: Collection[tuple[str, str]]) -> Verdict:
    """That no dropped table of a refreshed schema can be brought back."""
    found = []
    with target.cursor() as cursor:
        for owner in sorted({owner for owner, _ in tables}):
            found += [table_key(*row) for row in cursor.execute(RECYCLED, owner=owner)]
    detail = f"{len(found)} tables: {', '.join(sorted(found)[:10])}" if found else "no table"
    return Verdict("recycle bin", "-", "dropped tables of the refreshed schemas", not found, detail)


def check_control_tables(target: oracledb.Connection) -> Verdict:
    """That lookups, maps and other tables of the masking are gone; maps that a rule keeps are told."""
    with target.cursor() as cursor:
        found = [str(name) for (name,) in cursor.execute(CONTROL_TABLES)]
    detail = f"{len(found)} tables: {', '.join(found[:10])}" if found else "all dropped"
    return Verdict("control tables", "-", "lookups, maps and hashes of the masking", not found, detail)


def _columns(
    connection: oracledb.Connection, owner: str, salt: str
) -> dict[tuple[str, str], tuple[datetime | None, str | None, str | None]]:
    with connection.cursor() as cursor:
        cursor.execute(COLUMN_STATISTICS, owner=owner, salt=salt)
        return {(str(table), str(column)): (at, low, high) for table, column, at, low, high in cursor}
