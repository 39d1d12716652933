"""How many rows violate a constraint: reported by its name and the count, never by values.

After the masking a value need not be personal, but before it, and in columns without a rule, it may be.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from oracle_refresh.catalog.model import Constraint, Table
from oracle_refresh.jsonable import Jsonable
from oracle_refresh.oracle.counting import counted
from oracle_refresh.oracle.errors import PlanError, from_oracle, oracle_codes
from oracle_refresh.oracle.identifiers import Identifier
from oracle_refresh.oracle.session import scalar
from oracle_refresh.target.objects import ddl
from oracle_refresh.target.objects.keys import column_list

if TYPE_CHECKING:
    import oracledb

#: What Oracle says of rows that violate a constraint which is added, enabled or validated.
CODES = frozenset({"ORA-02298", "ORA-02293", "ORA-02437", "ORA-02299", "ORA-02296", "ORA-01449", "ORA-01452"})


@dataclass(frozen=True)
class Violation(Jsonable):
    """A constraint that does not hold. `count`: rows, or values of a key that occur more than once."""

    table: str
    constraint: str
    count: int
    what: str
    codes: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.table} {self.constraint}: {self.count} {self.what}"


def violation(
    target: oracledb.Connection, table: Table, constraint: Constraint, error: Exception
) -> Violation:
    """Count what violates a constraint that was refused with `error`.

    :raises PlanError: `error` itself, when it says something else.
    """
    codes = oracle_codes(error)
    if not CODES.intersection(codes):
        raise error
    sql, what = count_statement(table, constraint)
    try:
        count = scalar(target, sql)
    except Exception as problem:
        raise from_oracle(problem, step="constraints", object_name=table.key, kind=PlanError) from error
    return Violation(table.key, constraint.name, int(count), what, tuple(codes))


def raise_unreferable(table: Table, constraint: Constraint, error: PlanError) -> None:
    """:raises PlanError: where a foreign key's owner may not refer to a parent in another schema."""
    key = constraint.references
    if key is None or key.owner == table.owner or {"ORA-00942", "ORA-01031"}.isdisjoint(error.codes):
        return
    columns, parent = column_list(key.columns), key.parent.sql
    raise PlanError(
        f"{table.owner} may not refer to {parent} on the target: {error.message}",
        codes=error.codes,
        object_name=f"{table.key} {constraint.name}",
        step="constraints",
        remedy=f"GRANT REFERENCES ({columns}) ON {parent} TO {Identifier(table.owner).sql},"
        " then clear this task",
    ) from error


def count_statement(table: Table, constraint: Constraint) -> tuple[str, str]:
    """The query for the count, and what it counts."""
    columns = [Identifier(name).sql for name in constraint.columns]
    if constraint.not_null_column is not None:
        return f"SELECT COUNT(*) FROM {table.sql} WHERE {columns[0]} IS NULL", "rows without a value"
    if constraint.type == "C":
        held = ddl.condition(constraint.search_condition or "")
        return f"SELECT COUNT(*) FROM {table.sql} WHERE NOT ({held})", "rows do not meet the condition"
    if key := constraint.references:
        given = " AND ".join(f"T.{column} IS NOT NULL" for column in columns)
        equal = " AND ".join(
            f"P.{Identifier(referred).sql} = T.{column}"
            for referred, column in zip(key.columns, columns, strict=True)
        )
        return (
            f"SELECT COUNT(*) FROM {table.sql} T WHERE {given}"
            f" AND NOT EXISTS (SELECT 1 FROM {key.parent.sql} P WHERE {equal})"
        ), "rows without a parent"
    listed = column_list(constraint.columns)
    # A unique key takes rows whose columns are all NULL; a primary key takes no NULL at all.
    some = " OR ".join(f"{column} IS NOT NULL" for column in columns)
    where = f" WHERE {some}" if constraint.type == "U" else ""
    repeated = f"SELECT 1 AS N FROM {table.sql}{where} GROUP BY {listed} HAVING COUNT(*) > 1"
    if constraint.type == "U":
        return f"SELECT COUNT(*) FROM ({repeated})", "values occur more than once"
    empty = " OR ".join(f"{column} IS NULL" for column in columns)
    return (
        f"SELECT (SELECT COUNT(*) FROM ({repeated}))"
        f" + (SELECT COUNT(*) FROM {table.sql} WHERE {empty}) FROM DUAL",
        "values occur more than once or are NULL",
    )


def refuse(violations: Sequence[Violation]) -> None:
    """:raises PlanError: naming every constraint that does not hold, with the count."""
    if violations:
        raise PlanError(
            f"violated: {counted(len(violations), 'constraint')}: " + "; ".join(map(str, violations[:20])),
            codes=sorted({code for each in violations for code in each.codes}),
            object_name=violations[0].table,
            step="constraints",
            remedy="look for a masking rule that breaks them (keys of both tables need the same rule); a "
            "constraint that does not hold on the source either has to be NOVALIDATE there",
        )
