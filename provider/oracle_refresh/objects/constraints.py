"""Puts the source's constraints on the target's tables, in the state they have on the source.

Keys and checks come first, then foreign keys: added ENABLE NOVALIDATE, which guards new rows at once and
takes no time, then validated, which reads without locking the table. What is there already is only brought to
its state. Source: "constraint" in SQL Language Reference 19c.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from oracle_refresh.catalog.model import Catalogue, Constraint, Table
from oracle_refresh.catalog.reader import read_catalogue
from oracle_refresh.errors import PlanError
from oracle_refresh.identifiers import Identifier, qualified
from oracle_refresh.jsonable import Jsonable
from oracle_refresh.objects import ddl, statements
from oracle_refresh.objects.metadata import run
from oracle_refresh.progress import Progress, silent

if TYPE_CHECKING:
    import oracledb

_DELETE_RULES = {"CASCADE": " ON DELETE CASCADE", "SET NULL": " ON DELETE SET NULL"}


@dataclass(frozen=True)
class ConstraintResult(Jsonable):
    """How many constraints were added, are validated, are disabled as on the source; `skipped`: which not."""

    added: int
    validated: int
    disabled: int
    skipped: tuple[str, ...]


@dataclass
class _Counts:
    added: int = 0
    validated: int = 0
    disabled: int = 0


def enable_constraints(
    target: oracledb.Connection, catalogue: Catalogue, progress: Progress = silent
) -> ConstraintResult:
    """Add what is missing and bring every constraint to the source's state.

    :param catalogue: the source's; tables that the target lacks are an error.
    :raises PlanError: if a constraint cannot be added or validated (ORA-02298, ORA-02437, ORA-02293).
    """
    there = read_catalogue(target, catalogue.schemas, ())
    counts = _Counts()
    for number, table in enumerate(catalogue.tables, 1):
        found = _on_target(there, table)
        _not_null(target, table, counts)
        for constraint in table.constraints:
            if constraint.type != "R" and constraint.not_null_column is None:
                _apply(target, table, found, constraint, _definition(table, constraint), counts)
        progress.report(number, len(catalogue.tables), "tables", "constraints")
    skipped = []
    foreign = list(catalogue.foreign_keys())
    for number, (table, constraint) in enumerate(foreign, 1):
        reference = _reference(target, catalogue, constraint)
        if reference is None:
            missing = f"{constraint.ref_owner}.{constraint.ref_constraint}"
            skipped.append(f"{table.key} {constraint.name}: {missing} is not there")
            continue
        definition = _foreign_key(constraint, *reference)
        _apply(target, table, _on_target(there, table), constraint, definition, counts)
        progress.report(number, len(foreign), "foreign keys", "constraints")
    return ConstraintResult(counts.added, counts.validated, counts.disabled, tuple(skipped))


def _on_target(there: Catalogue, table: Table) -> Table:
    found = there.table(table.owner, table.name)
    if found is None:
        raise PlanError(
            "the target has no such table", codes=("ORA-00942",), object_name=table.key, step="constraints"
        )
    return found


def _not_null(target: oracledb.Connection, table: Table, counts: _Counts) -> None:
    """NOT NULLs in one statement, so that the table is read once."""
    with target.cursor() as cursor:
        cursor.execute(statements.NULLABLE_COLUMNS_OF, owner=table.owner, name=table.name)
        nullable = {str(name) for (name,) in cursor}
    wanted = []
    for constraint in table.constraints:
        column = constraint.not_null_column
        if column in nullable and constraint.enabled:
            named = "" if constraint.generated else f"CONSTRAINT {Identifier(constraint.name).sql} "
            wanted.append(f"{Identifier(column or '').sql} {named}NOT NULL")
    if wanted:
        run(target, statements.MODIFY_COLUMNS.format(table=table.sql, columns=", ".join(wanted)), table.key)
        counts.added += len(wanted)


def _apply(
    target: oracledb.Connection,
    table: Table,
    found: Table,
    constraint: Constraint,
    definition: str,
    counts: _Counts,
) -> None:
    """Add the constraint unless it is there, then enable or disable, then validate, as far as it needs."""
    same = next((each for each in found.constraints if _same(each, constraint)), None)
    key = f"{table.key} {constraint.name}"
    state = "ENABLE" if constraint.enabled else "DISABLE"
    # Keys and checks are read once, while they are added; foreign keys are validated in a second step.
    at_once = constraint.validated and constraint.enabled and constraint.type != "R"
    if same is None:
        text = f"{definition} {state} {'VALIDATE' if at_once else 'NOVALIDATE'}"
        # 2264, 2275, 2260: another try was faster.
        codes = run(
            target,
            statements.ADD_CONSTRAINT.format(table=table.sql, definition=text),
            key,
            {"ORA-02264", "ORA-02275", "ORA-02260"},
        )
        counts.added += not codes
        enabled, validated = constraint.enabled, at_once
    else:
        enabled, validated = same.enabled, same.validated
    name = Identifier(same.name if same else constraint.name).sql
    if enabled != constraint.enabled:
        change = statements.ENABLE if constraint.enabled else statements.DISABLE
        run(target, change.format(table=table.sql, name=name), key)
    if constraint.enabled and constraint.validated:
        if not validated:
            run(target, statements.VALIDATE.format(table=table.sql, name=name), key)
        counts.validated += 1
    counts.disabled += not constraint.enabled


def _same(there: Constraint, wanted: Constraint) -> bool:
    """Whether the target has this constraint: by name, or by meaning where the name is generated."""
    if there.type != wanted.type:
        return False
    if not wanted.generated:
        return there.name == wanted.name
    return (there.columns, there.search_condition, there.ref_owner) == (
        wanted.columns,
        wanted.search_condition,
        wanted.ref_owner,
    )


def _definition(table: Table, constraint: Constraint) -> str:
    """A primary key, unique key or check, without its state."""
    named = "" if constraint.generated else f"CONSTRAINT {Identifier(constraint.name).sql} "
    deferrable = " DEFERRABLE" if constraint.deferrable else ""
    if constraint.type == "C":
        return f"{named}CHECK ({ddl.condition(constraint.search_condition or '')}){deferrable}"
    word = "PRIMARY KEY" if constraint.type == "P" else "UNIQUE"
    using = ""
    index = next((each for each in table.indexes if each.name == constraint.index_name), None)
    if index is not None and constraint.enabled:
        using = f" USING INDEX {qualified(index.owner, index.name)}"
    return f"{named}{word} ({_columns(constraint.columns)}){deferrable}{using}"


def _foreign_key(constraint: Constraint, owner: str, name: str, columns: tuple[str, ...]) -> str:
    named = "" if constraint.generated else f"CONSTRAINT {Identifier(constraint.name).sql} "
    deferrable = " DEFERRABLE" if constraint.deferrable else ""
    rule = _DELETE_RULES.get(constraint.delete_rule or "", "")
    return (
        f"{named}FOREIGN KEY ({_columns(constraint.columns)})"
        f" REFERENCES {qualified(owner, name)} ({_columns(columns)}){rule}{deferrable}"
    )


def _reference(
    target: oracledb.Connection, catalogue: Catalogue, constraint: Constraint
) -> tuple[str, str, tuple[str, ...]] | None:
    """Owner, table and columns of the referenced key; outside the refresh it is the target's own."""
    for table in catalogue.tables:
        for key in table.constraints:
            if (table.owner, key.name) == (constraint.ref_owner, constraint.ref_constraint):
                return table.owner, table.name, key.columns
    with target.cursor() as cursor:
        cursor.execute(statements.KEY_COLUMNS, owner=constraint.ref_owner, name=constraint.ref_constraint)
        rows = cursor.fetchall()
    if not rows:
        return None
    return str(constraint.ref_owner), str(rows[0][0]), tuple(str(column) for _, column in rows)


def _columns(names: Iterable[str]) -> str:
    return ", ".join(Identifier(name).sql for name in names)
