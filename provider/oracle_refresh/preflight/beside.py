"""What stands against setting the target's tables aside (`prepare: beside`).

Sources: Error Messages 19c, ORA-26563, ORA-30567 and ORA-02264; SQL Language Reference 19c, ALTER TABLE,
"RENAME TO", which renames neither LOB segments nor the tables that hold nested ones, and
"supplemental_table_logging", which adds and drops log groups, and renames none; Database Reference 19c, the
views named.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING

from oracle_refresh.definition import Prepare
from oracle_refresh.oracle.findings import Finding, error
from oracle_refresh.oracle.identifiers import Identifier, TableName
from oracle_refresh.oracle.session import rows
from oracle_refresh.preflight import statements
from oracle_refresh.target.former.statements import CONSTRAINTS

if TYPE_CHECKING:
    from oracle_refresh.preflight.databases import Databases

REMEDY = "let `prepare` of the definition replace the tables"


def check_beside(both: Databases) -> Iterator[Finding]:
    """Whether tables cannot be renamed, or hold what keeps a name that the new ones need."""
    if both.refresh.prepare is not Prepare.BESIDE:
        return
    schemas = both.definition.schemas
    refreshed = {table.full_name for table in both.catalogue.tables}
    logged = set(rows(both.target.connection, statements.LOGGED, names=schemas))
    yield from (
        error(
            "CANNOT_BE_SET_ASIDE",
            f"{table.key} of the target has a materialized view log and cannot be renamed (ORA-26563)",
            f"let a DBA drop the log and create it again after the refresh, or {REMEDY}",
            f"DROP MATERIALIZED VIEW LOG ON {table.sql}",
        )
        for table in sorted(refreshed)
        if table in logged
    )
    for statement, what in (
        (statements.NAMED_LOBS, "LOB segment"),
        (statements.NESTED_STORAGE, "table of nested rows"),
    ):
        wanted = {(row[0], row[2]) for row in rows(both.source.connection, statement, names=schemas)}
        for owner, name, segment in rows(both.target.connection, statement, names=schemas):
            table = TableName(owner, name)
            if table in refreshed and (owner, segment) in wanted:
                yield error(
                    "CANNOT_BE_SET_ASIDE",
                    f"the {what} {TableName(owner, segment).key} of {table.key} keeps its name when the table"
                    " is renamed, and the new one needs it (ORA-00955)",
                    f"exclude the table, or {REMEDY}",
                )
    yield from _log_groups(both, refreshed)


def _log_groups(both: Databases, refreshed: Collection[TableName]) -> Iterator[Finding]:
    """A table's DDL names its log groups, which share their names with the constraints of a schema."""
    schemas = both.definition.schemas
    kept = [
        (TableName(owner, name), group)
        for owner, name, group in rows(both.target.connection, statements.LOG_GROUPS, names=schemas)
        if (owner, name) in refreshed
    ]
    if not kept:
        return
    wanted = {
        (owner, name): code
        for statement, code in ((CONSTRAINTS, "ORA-02264"), (statements.LOG_GROUPS, "ORA-30567"))
        for owner, _, name in rows(both.source.connection, statement, names=schemas)
    }
    for table, group in kept:
        if code := wanted.get((table.owner, group)):
            yield error(
                "CANNOT_BE_SET_ASIDE",
                f"the supplemental log group {Identifier(group).written} of {table.key} keeps its name when"
                f" the table is renamed, and the new one needs it ({code})",
                "let a DBA drop the group, which the former table lacks then where it is put back, or"
                f" {REMEDY}",
                f"ALTER TABLE {table.sql} DROP SUPPLEMENTAL LOG GROUP {Identifier(group).sql}",
            )
