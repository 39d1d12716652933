"""Takes off new tables what the import does better without: constraints, NOT NULLs too.

Whether DBMS_METADATA leaves NOT NULL out with CONSTRAINTS = FALSE is not documented ("does not include column
NOT NULL constraints" is said of the object type CONSTRAINT only), and an index-organized table is created
with all of its constraints, because it cannot be without its key. So the dictionary is asked what is there.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from oracle_refresh.catalog.model import Table
from oracle_refresh.oracle.identifiers import Identifier
from oracle_refresh.oracle.session import rows
from oracle_refresh.target.objects import statements
from oracle_refresh.target.objects.metadata import run

if TYPE_CHECKING:
    import oracledb


class _Constraint(NamedTuple):
    """As the target has it."""

    name: str
    kind: str
    condition: str | None


def make_bare(target: oracledb.Connection, owner: str, tables: Sequence[Table]) -> None:
    """Drop the constraints of tables of one schema, but for the primary key of an index-organized table.

    NOT NULL stays on the columns of such a key, on identity columns and on columns with DEFAULT ON NULL,
    which cannot be without it. May be repeated.

    :param tables: at most 1,000, the most that a list of names holds.
    """
    read = partial(rows, target, owner=owner, names=[table.name for table in tables])
    constraints, mandatory = (
        defaultdict[str, list[_Constraint]](list),
        defaultdict[str, dict[str, bool]](dict),
    )
    for name, *constraint in read(statements.CONSTRAINTS_OF):
        constraints[name].append(_Constraint(*constraint))
    for name, column, stays in read(statements.MANDATORY_COLUMNS_OF):
        mandatory[name][column] = stays == "YES"
    for table in tables:
        _make_bare(target, table, constraints[table.name], mandatory[table.name])


def _make_bare(
    target: oracledb.Connection,
    table: Table,
    constraints: Sequence[_Constraint],
    mandatory: Mapping[str, bool],
) -> None:
    """:param mandatory: whether NOT NULL has to stay, for each column that has it."""
    not_nulls = {f"{Identifier(column).sql} IS NOT NULL" for column in mandatory}
    for name, kind, condition in constraints:
        if (table.iot and kind == "P") or (kind == "C" and condition in not_nulls):
            continue
        sql = statements.DROP_CONSTRAINT.format(table=table.sql, name=Identifier(name).sql)
        run(target, sql, f"{table.key} {name}", {"ORA-02443"})
    key = table.primary_key.columns if table.iot and table.primary_key else ()
    nullable = [column for column, stays in mandatory.items() if not stays and column not in key]
    if nullable and _make_nullable(target, table, nullable):
        for column in nullable:
            _make_nullable(target, table, [column])


def _make_nullable(target: oracledb.Connection, table: Table, columns: Sequence[str]) -> bool:
    """Whether one of them was NULL already, so that none of them has been changed."""
    listed = ", ".join(f"{Identifier(column).sql} NULL" for column in columns)
    sql = statements.MODIFY_COLUMNS.format(table=table.sql, columns=listed)
    # ORA-01451: NULL already, which another try has done.
    return bool(run(target, sql, table.key, {"ORA-01451"}))
