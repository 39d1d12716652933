"""Whether masked values meet the check constraints of their tables, before anything is masked.

The database decides, not a copy of its rules: a query over bound values counts those that the condition
refuses. The values are all that an algorithm can give, where it lists them; else the masked values of some
rows of the source, by a key that masks nothing else. No value is logged.

Sources: SQL Language Reference 19c, constraint (CHECK: a row that makes the condition unknown meets it),
CAST.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from oracle_refresh.masking.fit import check_table, fit, redaction_of
from oracle_refresh.masking.keys import MasterKey
from oracle_refresh.masking.preview import masked_sample
from oracle_refresh.oracle.errors import MaskingError, PlanError, oracle_codes, overall_disposition
from oracle_refresh.oracle.findings import Finding, error, warning
from oracle_refresh.oracle.identifiers import Identifier
from oracle_refresh.oracle.session import rows
from oracle_refresh.preflight.databases import Databases
from oracle_refresh.target.objects import ddl

if TYPE_CHECKING:
    from oracle_refresh.catalog import Column, Constraint, Table
    from oracle_refresh.masking.rules import ColumnRule, Ruleset

#: Rows of the source whose masked values are tried.
SAMPLED = 100
#: Values of one statement.
AT_ONCE = 200
#: Masks the sample, whose values are compared and dropped.
UNKEPT = MasterKey(bytes(32))
_TYPES = {
    "VARCHAR2": "VARCHAR2(4000)", "NVARCHAR2": "NVARCHAR2(2000)", "NUMBER": "NUMBER", "FLOAT": "NUMBER",
    "DATE": "DATE", "RAW": "RAW(2000)", "BINARY_FLOAT": "BINARY_FLOAT", "BINARY_DOUBLE": "BINARY_DOUBLE",
}  # fmt: skip
#: Bytes of a text that is bound; longer ones are not tried.
_LONGEST = 4000

_Row = Mapping[str, Any]


class _NotEvaluated(Exception):
    """Why a condition cannot be tried."""


def check_conditions(both: Databases) -> Iterator[Finding]:
    """An error per check constraint that refuses values of a rule, a warning per one that cannot be tried."""
    ruleset = with_inherited(both)
    if ruleset is None:
        return
    for table in both.catalogue.tables:
        rules = ruleset.rules(*table.full_name)
        masked = {rule.column for rule in rules}
        concerned = [
            constraint
            for constraint in table.constraints
            if constraint.type == "C"
            and constraint.validated  # what is not validated at the source is not at the target either
            and constraint.not_null_column is None
            and masked.intersection(constraint.columns)
        ]
        if concerned and fits(table, rules):
            for constraint in concerned:
                yield from _check(both, table, constraint, rules)


def with_inherited(both: Databases) -> Ruleset | None:
    """Return the ruleset with the rules that columns take over from the keys that they refer to."""
    if both.ruleset is None:
        return None
    inherited = fit(both.ruleset, both.catalogue, both.definition.exclude_tables).inherited
    return both.ruleset.inheriting(inherited.items)


def fits(table: Table, rules: tuple[ColumnRule, ...]) -> bool:
    """Return whether the rules can be applied. If not, another check has a finding for it."""
    ruled = {rule.column for rule in rules}
    if not all(ruled.issuperset(_masked_reads(rule)) for rule in rules):
        return False
    try:
        check_table(table, rules)
    except MaskingError:
        return False
    return not table.temporary


def reason_of(problem: Exception) -> str:
    """Return why a sample could not be tried: codes or the error's type, as its message may quote a value.

    :raises Exception: `problem` if it may pass, or has another cause than the database or a value that the
        driver cannot fetch, such as a date before Christ (ValueError).
    """
    codes = oracle_codes(problem)
    if overall_disposition(codes) == "retry" or not (codes or isinstance(problem, ValueError)):
        raise problem
    return ", ".join(codes) or type(problem).__name__


def _check(
    both: Databases, table: Table, constraint: Constraint, rules: Sequence[ColumnRule]
) -> Iterator[Finding]:
    concerned = [rule for rule in rules if rule.column in constraint.columns]
    named = ", ".join(f"{rule.column} ({rule.kind})" for rule in concerned)
    condition = " ".join((constraint.search_condition or "").split())
    what = f"check constraint {constraint.name} of {table.key}, {condition}"
    try:
        tried = _values(both, table, constraint, rules)
        refused = sum(_refused(both, table, constraint, part) for part in _parts(tried))
    except (_NotEvaluated, MaskingError, PlanError) as problem:
        reason = problem.message if isinstance(problem, MaskingError | PlanError) else str(problem)
    except Exception as problem:
        reason = reason_of(problem)
    else:
        if refused:
            yield error(
                "RULE_DOES_NOT_FIT",
                f"{what}: it refuses {refused} of {len(tried)} masked values of {named}",
                "give the rule values that meet the condition, or choose another algorithm",
            )
        return
    yield warning(
        "CHECK_NOT_EVALUATED",
        f"{what} was not evaluated for masked values of {named}: {reason}",
        "compare the condition with what the rule gives: a refused value ends the run (ORA-02290, ORA-02293)",
    )


def _values(both: Databases, table: Table, constraint: Constraint, rules: Sequence[ColumnRule]) -> list[_Row]:
    """What the condition is tried with, one value for each of its columns."""
    columns = constraint.columns
    for name in columns:
        if value_type(table.column(name)) is None:
            raise _NotEvaluated(f"the type of {name}")
    if len(columns) == 1:
        own = [rule for rule in rules if rule.column == columns[0]]
        listed = [value for rule in own for value in (*rule.algorithm.outputs(), *_redacted(table, rule))]
        if listed and all(rule.algorithm.outputs() for rule in own):
            return [{columns[0]: value} for value in listed]
    needed, grown = set(columns), True
    while grown:
        reads = {name for rule in rules if rule.column in needed for name in _masked_reads(rule)}
        grown = not reads <= needed
        needed |= reads
    chosen = tuple(rule for rule in rules if rule.column in needed)
    beside = [name for name in columns if all(rule.column != name for rule in chosen)]
    sample = masked_sample(both.source.connection, table, chosen, UNKEPT, SAMPLED, beside)
    if any(name not in row for row in sample for name in columns):
        raise _NotEvaluated("a value follows from all rows of its column")
    return [row for row in sample if all(_short(row[name]) for name in columns)]


def _masked_reads(rule: ColumnRule) -> tuple[str, ...]:
    return rule.algorithm.reads if rule.algorithm.takes_masked else ()


def _redacted(table: Table, rule: ColumnRule) -> tuple[str, ...]:
    column = table.column(rule.column)
    return (redaction_of(column),) if rule.policy == "redact" and column is not None else ()


def _refused(both: Databases, table: Table, constraint: Constraint, values: Sequence[_Row]) -> int:
    """How many of some rows the condition refuses."""
    binds: dict[str, Any] = {}
    selects = []
    for row, value in enumerate(values):
        parts = []
        for place, name in enumerate(constraint.columns):
            bind = f"b{row}_{place}"
            binds[bind] = value[name]
            parts.append(f"{_cast(table.column(name), f':{bind}')} AS {Identifier(name).sql}")
        selects.append(f"SELECT {', '.join(parts)} FROM DUAL")
    condition = ddl.condition(constraint.search_condition or "")
    sql = f"SELECT COUNT(*) FROM ({' UNION ALL '.join(selects)}) WHERE NOT ({condition}\n)"
    ((refused,),) = rows(both.source.connection, sql, **binds)
    return int(refused)


def _parts(values: Sequence[_Row]) -> Iterator[Sequence[_Row]]:
    return (values[start : start + AT_ONCE] for start in range(0, len(values), AT_ONCE))


def value_type(column: Column | None) -> str | None:
    """Return the type of a column's values in a query; None for types that are not tried."""
    if column is None or column.virtual:
        return None
    if column.data_type in ("CHAR", "NCHAR"):
        return f"{column.data_type}({column.char_length or column.length})"
    if column.data_type in ("CLOB", "NCLOB"):
        return column.data_type
    if column.data_type.startswith("TIMESTAMP") and "ZONE" not in column.data_type:
        return "TIMESTAMP"
    return _TYPES.get(column.data_type.partition("(")[0])


def _cast(column: Column | None, bind: str) -> str:
    kind = str(value_type(column))
    return f"TO_{kind}({bind})" if kind.endswith("CLOB") else f"CAST({bind} AS {kind})"


def _short(value: Any) -> bool:
    return not isinstance(value, str) or len(value.encode()) <= _LONGEST
