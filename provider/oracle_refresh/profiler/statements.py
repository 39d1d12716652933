"""Statements of the profiler. Sources: Database Reference 19c, DBA_COL_COMMENTS; SQL Language Reference 19c,
sample_clause, row_limiting_clause and Datetime Format Models; PL/SQL Packages Reference 19c, DBMS_LOB.SUBSTR.

`{names}` stands for the schemas (`session.rows`): one statement reads all at once.
"""

from __future__ import annotations

from collections.abc import Sequence

from oracle_refresh.catalog.model import Column, Table
from oracle_refresh.oracle.identifiers import Identifier
from oracle_refresh.profiler.content import BEGINNING

#: Dates are fetched as text: python-oracledb has no dates before Christ (ValueError), and its thin mode no
#: time zone regions (DPY-3022). Years after Christ begin with a blank, years before with a minus sign.
MOMENT = "SYYYY-MM-DD HH24:MI:SS"

COMMENTS = """\
SELECT C.OWNER, C.TABLE_NAME, C.COLUMN_NAME, C.COMMENTS
FROM DBA_COL_COMMENTS C
WHERE C.OWNER IN ({names}) AND C.COMMENTS IS NOT NULL"""


def sample(table: Table, columns: Sequence[Column], percent: float) -> str:
    """One query for a bounded look at a table; bind `wanted` is the number of rows.

    The sample has a seed: a profile that is made again of the same data judges by the same rows.

    :param percent: share of the table's blocks to read, 100 for a look from its beginning.
    """
    some = f" SAMPLE BLOCK ({percent:.6f}) SEED (1)" if percent < 100 else ""
    chosen = ", ".join(map(beginning, columns))
    return f"SELECT {chosen} FROM {table.sql}{some} T FETCH FIRST :wanted ROWS ONLY"


def beginning(column: Column) -> str:
    """The value of a column, a date as text, or the first characters or bytes where it may be long."""
    reference = f"T.{Identifier(column.name).sql}"
    if column.is_datetime:
        return f"TO_CHAR({reference}, '{MOMENT}')"
    if column.is_lob:
        return f"DBMS_LOB.SUBSTR({reference}, {BEGINNING}, 1)"
    if column.is_character and column.length > BEGINNING:
        return f"SUBSTR({reference}, 1, {BEGINNING})"
    return reference
