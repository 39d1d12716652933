"""Whether a ruleset fits a catalogue: types, widths, keys, and rules that come along references."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING

from oracle_refresh.errors import MaskingError
from oracle_refresh.identifiers import table_key
from oracle_refresh.masking.algorithms.base import CHARACTER_TYPES, capacity
from oracle_refresh.masking.rules import (
    ColumnRule,
    Inherited,
    InheritedRules,
    Reference,
    Ruleset,
    TableName,
    by_column,
    column_key,
)

if TYPE_CHECKING:
    from oracle_refresh.catalog import Catalogue, Column, Table

REDACTION = "[redacted]"


@dataclass(frozen=True)
class Fit:
    """What holding a ruleset against a catalogue found."""

    problems: tuple[str, ...]
    """All that keeps the ruleset from being applied, one sentence each."""
    notes: tuple[str, ...]
    """What somebody should know: tables that refer to each other in a circle."""
    inherited: InheritedRules


def check_table(table: Table, rules: tuple[ColumnRule, ...]) -> None:
    """Raise MaskingError when a rule does not fit the table: unknown column, type, width, keys."""
    if not rules:
        raise MaskingError(
            "the ruleset has no rule for this table", object_name=table.key, step="masking plan"
        )
    for rule in rules:
        column = column_of(table, rule.column)
        if column.virtual:
            raise _misfit(table, rule, "the column is virtual and follows from others: mask those")
        rule.algorithm.check(column)
        rule.algorithm.check_reads({name: column_of(table, name) for name in rule.algorithm.reads})
        for name in rule.where.columns if rule.where else ():
            column_of(table, name)
        _check_policy(table, rule, column)
        if rule.algorithm.guarantees.unique == "no":
            for constraint in table.constraints:
                if constraint.type in ("P", "U") and constraint.columns == (rule.column,):
                    raise _misfit(
                        table, rule, f"{rule.kind} is not unique, but {constraint.name} is a unique key"
                    )


def _check_policy(table: Table, rule: ColumnRule, column: Column) -> None:
    if rule.policy == "null" and not column.nullable:
        raise _misfit(table, rule, "non_conforming: null on a column that is NOT NULL")
    if rule.policy == "redact":
        if column.data_type not in CHARACTER_TYPES:
            raise _misfit(table, rule, f"non_conforming: redact masks texts, not {column.data_type}")
        if is_key(table, rule.column):
            raise _misfit(table, rule, "non_conforming: redact on a unique key")


def redaction_of(column: Column) -> str:
    """What stands for a value that does not conform: as much of it as the column holds."""
    return REDACTION[: capacity(column)[0]]


def is_key(table: Table, column: str) -> bool:
    """Whether the column alone is a primary or unique key."""
    return any(c.type in ("P", "U") and c.columns == (column,) for c in table.constraints)


def column_of(table: Table, name: str) -> Column:
    """The column; MaskingError when there is none."""
    column = table.column(name)
    if column is None:
        raise MaskingError(
            f"there is no column {name}",
            object_name=table.key,
            step="masking plan",
            remedy="correct the ruleset; names are upper case unless they were created in quotation marks",
        )
    return column


def fit(ruleset: Ruleset, catalogue: Catalogue, excluded: Collection[TableName] = ()) -> Fit:
    """Hold a ruleset against a catalogue, and spread its rules over the references.

    A rule on a key is applied to the columns that refer to it, through enabled foreign keys and the ruleset's
    declared references, without being written again. Both ends masked differently is a problem.

    :param excluded: (owner, name) of tables that are not copied by intention; their rules have no effect.
    """
    references = all_references(ruleset, catalogue)
    inherited, problems = _spread(ruleset, references, catalogue)
    whole = ruleset.inheriting(inherited.items)
    problems += [
        f"{column_key(reference.child, column)}: there is no such column"
        for reference in ruleset.references
        for table, columns in (
            (reference.child, reference.columns),
            (reference.parent, reference.parent_columns),
        )
        for column in columns
        if table not in excluded
        and ((found := catalogue.table(*table)) is None or found.column(column) is None)
    ]
    for (owner, name), rules in whole.tables.items():
        if (owner, name) in excluded:
            continue
        table = catalogue.table(owner, name)
        if table is None:
            problems.append(f"{table_key(owner, name)}: the refresh has no such table")
            continue
        for rule in rules:
            try:
                check_table(table, (rule,))
            except MaskingError as error:
                source = f" (the rule of {rule.inherited})" if rule.inherited else ""
                problems.append(f"{table.key}.{rule.column}{source}: {error}")
            if rule.algorithm.takes_masked:
                problems += [
                    f"{table.key}.{rule.column}: it is made of the masked {name}, which has no rule"
                    for name in rule.algorithm.reads
                    if name not in by_column(rules)
                ]
    for reference in references:
        for child, parent in zip(reference.columns, reference.parent_columns, strict=False):
            if _meaning(whole, reference.child, child) != _meaning(whole, reference.parent, parent):
                problems.append(
                    f"{column_key(reference.child, child)}: its {reference.name} would break: it and "
                    f"{column_key(reference.parent, parent)} are not masked by the same domain"
                )
    return Fit(tuple(problems), tuple(_cycles(references)), inherited)


def check_catalogue(
    ruleset: Ruleset, catalogue: Catalogue, excluded: Collection[TableName] = ()
) -> list[str]:
    """All that keeps a ruleset from being applied to the catalogue, one sentence each; empty when it fits."""
    return list(fit(ruleset, catalogue, excluded).problems)


def require_fit(ruleset: Ruleset, catalogue: Catalogue, excluded: Collection[TableName] = ()) -> Fit:
    """:raises MaskingError: listing everything that keeps the ruleset from being applied."""
    found = fit(ruleset, catalogue, excluded)
    if found.problems:
        raise MaskingError(
            f"the ruleset does not fit, nothing was changed: {'; '.join(found.problems)}",
            object_name=ruleset.name,
            step="masking plan",
            remedy="correct the ruleset, then clear this task",
        )
    return found


def all_references(ruleset: Ruleset, catalogue: Catalogue) -> list[Reference]:
    """The enabled foreign keys of a catalogue, and the references that the ruleset declares."""
    tables = {(table.owner, table.name) for table in catalogue.tables}
    found = []
    for table, constraint in catalogue.foreign_keys():
        key = constraint.references
        if constraint.enabled and key and (key.owner, key.table) in tables:
            name = f"foreign key {constraint.name}"
            child, parent = (table.owner, table.name), (key.owner, key.table)
            found.append(Reference(child, constraint.columns, parent, key.columns, name))
    return [*found, *ruleset.references]


def _spread(
    ruleset: Ruleset, references: list[Reference], catalogue: Catalogue
) -> tuple[InheritedRules, list[str]]:
    """Rules handed on until nothing is left to hand on; each column takes over once, so a circle ends."""
    items: list[Inherited] = []
    problems: dict[str, None] = {}
    whole, found = ruleset, True
    while found:
        found = False
        for reference in references:
            for child, parent in zip(reference.columns, reference.parent_columns, strict=False):
                rules = by_column(whole.rules(*reference.parent)).get(parent, ())
                table = catalogue.table(*reference.child)
                masked = child in by_column(whole.rules(*reference.child))
                if not rules or masked or table is None or table.column(child) is None:
                    continue
                bound = [rule for rule in rules if rule.where or rule.algorithm.reads]
                if bound:
                    problems[
                        f"{column_key(reference.child, child)}: the rule of "
                        f"{column_key(reference.parent, parent)} looks at other columns of its row, so it "
                        f"cannot follow the {reference.name}; give the key a rule by its value"
                    ] = None
                    continue
                item = Inherited(*reference.child, child, *reference.parent, parent)
                items.append(item)
                whole, found = whole.inheriting([item]), True
    return InheritedRules(tuple(items)), list(problems)


def _meaning(ruleset: Ruleset, table: TableName, column: str) -> object:
    """What decides the masked value of a column; equal for two columns that stay joined."""
    rules = by_column(ruleset.rules(*table)).get(column, ())
    return [(rule.domain, rule.settings, str(rule.where or ""), rule.algorithm.reads) for rule in rules]


def _cycles(references: list[Reference]) -> list[str]:
    """The circles of tables that refer to each other; a table's reference to itself is none."""
    parents: dict[TableName, list[TableName]] = {}
    for reference in references:
        if reference.child != reference.parent:
            parents.setdefault(reference.child, []).append(reference.parent)
    told: dict[frozenset[TableName], str] = {}
    for start in sorted(parents):
        stack: list[tuple[TableName, ...]] = [(start,)]
        seen: set[TableName] = set()
        while stack:
            path = stack.pop()
            for parent in parents.get(path[-1], ()):
                if parent == start:
                    names = " -> ".join(table_key(*table) for table in (*path, start))
                    told.setdefault(frozenset(path), f"tables refer to each other in a circle: {names}")
                elif parent not in seen:
                    seen.add(parent)
                    stack.append((*path, parent))
    return list(told.values())


def _misfit(table: Table, rule: ColumnRule, why: str) -> MaskingError:
    return MaskingError(why, object_name=f"{table.key}.{rule.column}", step="masking plan")
