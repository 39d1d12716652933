"""Optimizer statistics of the refreshed tables.

Source: DBMS_STATS in PL/SQL Packages and Types Reference 19c.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from oracle_refresh.catalog.model import Catalogue
from oracle_refresh.oracle.errors import PlanError
from oracle_refresh.oracle.identifiers import Identifier
from oracle_refresh.oracle.session import translated
from oracle_refresh.run.progress import Progress, silent
from oracle_refresh.target.objects import statements

if TYPE_CHECKING:
    import oracledb


def gather_statistics(
    target: oracledb.Connection, catalogue: Catalogue, progress: Progress = silent, degree: int | None = None
) -> int:
    """Gather statistics of tables and their indexes; the number of tables.

    :param degree: parallel processes; None leaves it to the table's own.
    :raises PlanError: if one cannot be analysed (ANALYZE ANY is needed).
    """
    tables = catalogue.tables
    for number, table in enumerate(tables, 1):
        # Unquoted names are folded to capitals (DBMS_STATS, "Operational Notes").
        keywords: dict[str, object] = {
            "ownname": Identifier(table.owner).sql,
            "tabname": Identifier(table.name).sql,
            "cascade": True,
        }
        if degree is not None:
            keywords["degree"] = degree
        with translated("statistics", table.key, PlanError), target.cursor() as cursor:
            cursor.callproc(statements.GATHER_TABLE_STATS, [], keywords)
        progress.report(number, len(tables), "tables", "statistics")
    return len(tables)
