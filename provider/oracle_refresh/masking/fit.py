"""Whether a ruleset fits a catalogue: types, widths, keys, and rules that come along references."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from oracle_refresh.masking.algorithms import ALGORITHMS
from oracle_refresh.masking.algorithms.base import CHARACTER_TYPES, capacity
from oracle_refresh.masking.changeable import changeable, misfit, require_changeable
from oracle_refresh.masking.rules import (
    ColumnRule,
    Inherited,
    InheritedRules,
    Reference,
    Ruleset,
    by_column,
    column_key,
)
from oracle_refresh.masking.unique_keys import UniqueKey, endangered, unique_keys
from oracle_refresh.oracle.errors import MaskingError
from oracle_refresh.oracle.identifiers import Identifier, TableName

if TYPE_CHECKING:
    from oracle_refresh.catalog import Catalogue, Column, Table

REDACTION = "[redacted]"
_NAMES = "correct the ruleset; names are upper case unless they were created in quotation marks"


#: Codes of problems, as findings of the preflight have them.
Code = Literal[
    "MASKED_SCHEMA_NOT_REFRESHED", "UNKNOWN_MASKED_COLUMN", "RULE_DOES_NOT_FIT", "REFERENCE_WOULD_BREAK"
]


@dataclass(frozen=True)
class Problem:
    """One reason why a ruleset cannot be applied."""

    code: Code
    message: str
    remedy: str

    def __str__(self) -> str:
        return f"{self.message} ({self.remedy})"


@dataclass(frozen=True)
class Fit:
    """What holding a ruleset against a catalogue found."""

    problems: tuple[Problem, ...]
    """All that keeps the ruleset from being applied."""
    notes: tuple[str, ...]
    """What somebody should know: tables that refer to each other in a circle."""
    inherited: InheritedRules


def check_table(table: Table, rules: tuple[ColumnRule, ...]) -> None:
    """Raise MaskingError when a rule does not fit the table: unknown column, type, width, keys, and columns
    that Oracle lets nobody change."""
    if not rules:
        raise MaskingError(
            "the ruleset has no rule for this table", object_name=table.key, step="masking plan"
        )
    for rule in rules:
        column = column_of(table, rule.column)
        require_changeable(table, rule, column)
        rule.algorithm.check(column)
        rule.algorithm.check_reads({name: column_of(table, name) for name in rule.algorithm.reads})
        for name in rule.where.columns if rule.where else ():
            column_of(table, name)
        _check_policy(table, rule, column)
        _require_unique(table, rule, (key for key in endangered(table, rule) if len(key.columns) == 1))


def check_rule(table: Table, rule: ColumnRule) -> None:
    """Check one rule, and that it makes no rows equal in keys of several columns. The masking itself proves
    such keys by their rows."""
    check_table(table, (rule,))
    _require_unique(table, rule, endangered(table, rule))


def _require_unique(table: Table, rule: ColumnRule, keys: Iterator[UniqueKey]) -> None:
    for key in keys:
        raise misfit(
            table,
            rule,
            f"{rule.kind} is not unique, but {key.name} is a unique {key.kind} ({key.text})",
            "choose an algorithm that keeps different values different",
        )


def _check_policy(table: Table, rule: ColumnRule, column: Column) -> None:
    other = "let values that do not conform fail the masking (`non_conforming: fail`), or redact them"
    if rule.policy == "null" and not column.nullable:
        raise misfit(table, rule, "non_conforming: null on a column that is NOT NULL", other)
    if rule.policy == "redact":
        other = "let values that do not conform fail the masking (`non_conforming: fail`), or become NULL"
        if column.data_type not in CHARACTER_TYPES:
            raise misfit(table, rule, f"non_conforming: redact masks texts, not {column.data_type}", other)
        if is_key(table, rule.column):
            raise misfit(table, rule, "non_conforming: redact on a unique key", other)


def redaction_of(column: Column) -> str:
    """What stands for a value that does not conform: as much of it as the column holds."""
    return REDACTION[: capacity(column)[0]]


def is_key(table: Table, column: str) -> bool:
    """Whether the column alone is a primary or unique key, or has a unique index."""
    return any(key.plain and key.columns == {column} for key in unique_keys(table))


def column_of(table: Table, name: str) -> Column:
    """The column; MaskingError when there is none."""
    column = table.column(name)
    if column is None:
        raise MaskingError(
            f"there is no column {name}",
            object_name=table.key,
            step="masking plan",
            remedy=_NAMES,
        )
    return column


def fit(ruleset: Ruleset, catalogue: Catalogue, excluded: Collection[tuple[str, str]] = ()) -> Fit:
    """Hold a ruleset against a catalogue, and spread its rules over the references.

    A rule on a key is applied to the columns that refer to it, through enabled foreign keys and the ruleset's
    declared references, without being written again. Both ends masked differently is a problem.

    :param excluded: (owner, name) of tables that are not copied by intention; their rules have no effect.
    """
    references = all_references(ruleset, catalogue)
    inherited, problems = _spread(ruleset, references, catalogue)
    whole = ruleset.inheriting(inherited.items)
    problems += [
        Problem(
            "UNKNOWN_MASKED_COLUMN", f"{column_key(reference.child, column)}: there is no such column", _NAMES
        )
        for reference in ruleset.references
        for table, columns in (
            (reference.child, reference.columns),
            (reference.parent, reference.parent_columns),
        )
        for column in columns
        if table not in excluded
        and ((referred := catalogue.table(*table)) is None or referred.column(column) is None)
    ]
    for name, rules in whole.tables.items():
        if name in excluded:
            continue
        table = catalogue.table(*name)
        if table is None:
            problems.append(_no_table(catalogue, name))
            continue
        if table.temporary:
            problems.append(
                Problem(
                    "RULE_DOES_NOT_FIT",
                    f"{table.key} has rules, but is a temporary table: its rows belong to sessions",
                    "remove its rules from the ruleset",
                )
            )
            continue
        for rule in rules:
            problems += _of_rule(table, rule)
            if rule.algorithm.takes_masked:
                problems += [
                    Problem(
                        "RULE_DOES_NOT_FIT",
                        f"{table.key}.{rule.column}: it is made of the masked {name}, which has no rule",
                        f"give {name} a rule",
                    )
                    for name in rule.algorithm.reads
                    if name not in by_column(rules)
                ]
    for reference in references:
        for child, parent in zip(reference.columns, reference.parent_columns, strict=False):
            if _meaning(whole, reference.child, child) != _meaning(whole, reference.parent, parent):
                problems.append(
                    Problem(
                        "REFERENCE_WOULD_BREAK",
                        f"{column_key(reference.child, child)}: its {reference.name} would break: it and "
                        f"{column_key(reference.parent, parent)} are not masked by the same domain",
                        "remove the rule of the column that refers: it takes over that of the key",
                    )
                )
    return Fit(tuple(problems), tuple(_cycles(references)), inherited)


def _no_table(catalogue: Catalogue, table: TableName) -> Problem:
    """Why there are rules for a table that the refresh does not have."""
    key = table.key
    if table.owner not in catalogue.schemas:
        schema = Identifier(table.owner).written
        return Problem(
            "MASKED_SCHEMA_NOT_REFRESHED",
            f"{key} has rules, but the definition does not refresh the schema {schema}",
            f"add {schema} to `schemas` of the definition, or remove the rules from the ruleset",
        )
    for skipped in catalogue.skipped:
        if (skipped.owner, skipped.name) == table:
            return Problem(
                "UNKNOWN_MASKED_COLUMN",
                f"{key} has rules, but is not copied: {skipped.reason}",
                "remove its rules from the ruleset",
            )
    return Problem("UNKNOWN_MASKED_COLUMN", f"{key}: the refresh has no such table", _NAMES)


def _of_rule(table: Table, rule: ColumnRule) -> list[Problem]:
    """Why a rule does not fit its table, and what would."""
    try:
        check_rule(table, rule)
    except MaskingError as error:
        source = f" (the rule of {rule.inherited})" if rule.inherited else ""
        column = table.column(rule.column)
        remedy = error.remedy or "choose another algorithm, or sign an exemption for the column"
        if column is not None and changeable(table, column):
            remedy = "; ".join([remedy, *_others_that_fit(table, rule)])
        message = f"{table.key}.{rule.column}{source}: {error.message}"
        return [Problem("RULE_DOES_NOT_FIT" if column else "UNKNOWN_MASKED_COLUMN", message, remedy)]
    return []


def _others_that_fit(table: Table, rule: ColumnRule) -> list[str]:
    """The algorithms that mask the column without further parameters."""
    kinds = []
    for kind, algorithm in sorted(ALGORITHMS.items()):
        try:
            other = replace(rule, kind=kind, algorithm=algorithm(), policy="fail")
            check_rule(table, other)
        except (TypeError, ValueError, MaskingError):
            continue
        if algorithm.masks and kind != rule.kind:
            kinds.append(kind)
    return [f"without further parameters {', '.join(kinds)} would fit"] if kinds else []


def require_fit(ruleset: Ruleset, catalogue: Catalogue, excluded: Collection[tuple[str, str]] = ()) -> Fit:
    """:raises MaskingError: listing everything that keeps the ruleset from being applied."""
    result = fit(ruleset, catalogue, excluded)
    if result.problems:
        raise MaskingError(
            f"the ruleset does not fit, nothing was changed: {'; '.join(map(str, result.problems))}",
            object_name=ruleset.name,
            step="masking plan",
            remedy="correct the ruleset, then clear this task",
        )
    return result


def all_references(ruleset: Ruleset, catalogue: Catalogue) -> list[Reference]:
    """The enabled foreign keys of a catalogue, and the references that the ruleset declares."""
    tables = {(table.owner, table.name) for table in catalogue.tables}
    references = []
    for table, constraint in catalogue.foreign_keys():
        key = constraint.references
        if constraint.enabled and key and (key.owner, key.table) in tables:
            name = f"foreign key {constraint.name}"
            child, parent = TableName(table.owner, table.name), TableName(key.owner, key.table)
            references.append(Reference(child, constraint.columns, parent, key.columns, name))
    return [*references, *ruleset.references]


def _spread(
    ruleset: Ruleset, references: list[Reference], catalogue: Catalogue
) -> tuple[InheritedRules, list[Problem]]:
    """Rules handed on until nothing is left to hand on; each column takes over once, so a circle ends."""
    items: list[Inherited] = []
    problems: dict[Problem, None] = {}
    whole, changed = ruleset, True
    while changed:
        changed = False
        for reference in references:
            for child, parent in zip(reference.columns, reference.parent_columns, strict=False):
                rules = by_column(whole.rules(*reference.parent)).get(parent, ())
                table = catalogue.table(*reference.child)
                masked = child in by_column(whole.rules(*reference.child))
                if not rules or masked or table is None or table.column(child) is None:
                    continue
                bound = [rule for rule in rules if rule.where or rule.algorithm.reads]
                if bound:
                    message = (
                        f"{column_key(reference.child, child)}: the rule of "
                        f"{column_key(reference.parent, parent)} looks at other columns of its row, so it "
                        f"cannot follow the {reference.name}"
                    )
                    problems[
                        Problem("REFERENCE_WOULD_BREAK", message, "give the key a rule by its value")
                    ] = None
                    continue
                item = Inherited(*reference.child, child, *reference.parent, parent)
                items.append(item)
                whole, changed = whole.inheriting([item]), True
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
                    names = " -> ".join(table.key for table in (*path, start))
                    told.setdefault(frozenset(path), f"tables refer to each other in a circle: {names}")
                elif parent not in seen:
                    seen.add(parent)
                    stack.append((*path, parent))
    return list(told.values())
