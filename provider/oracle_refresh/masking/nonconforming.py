"""Values that do not fit their rule's format: told as patterns such as `AAA-999`, never as values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from oracle_refresh.jsonable import Jsonable
from oracle_refresh.masking.rules import Policy
from oracle_refresh.oracle.errors import MaskingError
from oracle_refresh.oracle.session import rows, scalar

if TYPE_CHECKING:
    import oracledb

    from oracle_refresh.catalog import Table
    from oracle_refresh.masking.keys import MasterKey
    from oracle_refresh.masking.plan import MaskPlan

#: Patterns that are told per column; the counts are always of all.
TOLD = 10


@dataclass(frozen=True)
class Pattern(Jsonable):
    """How many rows and values look like this: 9 is a digit, A and a are letters, ? is anything else."""

    pattern: str
    rows: int
    values: int


@dataclass(frozen=True)
class NonConforming(Jsonable):
    """The values of one column that do not fit, and what became of them."""

    column: str
    rows: int
    values: int
    policy: Policy
    patterns: tuple[Pattern, ...]

    def __str__(self) -> str:
        told = ", ".join(f"{each.pattern} ({each.rows} rows)" for each in self.patterns)
        return f"{self.column}: {self.values} distinct values in {self.rows} rows do not conform: {told}"


def require_conforming(
    connection: oracledb.Connection,
    table: Table,
    plan: MaskPlan,
    key: MasterKey,
    counted: Mapping[int, list[tuple[Any, ...]]] | None = None,
) -> tuple[NonConforming, ...]:
    """What does not conform and has a policy for that.

    :param counted: what statements of `plan.conformity` gave that have run already; the others do not count.

    :raises MaskingError: naming the patterns of all columns whose rule says `fail`; nothing is changed yet.
    """
    misfits = [
        _told(each.column, each.policy, rows(connection, each.patterns))
        for each in plan.maps
        if scalar(connection, each.check)
    ]
    for number, each in enumerate(plan.conformity):
        if counted is None:
            patterns = rows(connection, each.statement.sql, **each.statement.resolve(key))
        else:
            patterns = counted.get(number, [])
        if patterns:
            misfits.append(_told(each.column, each.policy, patterns))
    failed = [each for each in misfits if each.policy == "fail"]
    if failed:
        raise MaskingError(
            "; ".join(map(str, failed)),
            object_name=table.key,
            step="mask",
            remedy="correct the data, choose another algorithm, or say `non_conforming: null` or `redact`",
        )
    return tuple(misfits)


def _told(column: str, policy: Policy, counted: Iterable[tuple[Any, ...]]) -> NonConforming:
    patterns = [Pattern(str(pattern or ""), int(rows), int(values)) for pattern, rows, values in counted]
    return NonConforming(
        column,
        sum(each.rows for each in patterns),
        sum(each.values for each in patterns),
        policy,
        tuple(patterns[:TOLD]),
    )
