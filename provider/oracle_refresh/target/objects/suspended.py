"""What stands in the way while a database is masked where it is: triggers would fire, keys and checks would
meet rows that are masked beside rows that are not, and indexes would be changed entry by entry.

What has to be there again is what was planned (`plan.storage.planned_catalogue`): what is recorded besides is
how indexes are, and of those that are dropped how they are made. It is recorded before the first of them is
dropped, and no statement here does harm when it is repeated, so a killed task goes on. Nothing is dropped but
indexes: constraints and triggers stay, disabled, where everybody sees them.

Sources: SQL Language Reference 19c, ALTER TABLE (enable_disable_clause), ALTER TRIGGER, DROP INDEX;
Administrator's Guide 19c, "Managing Integrity Constraints".
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from oracle_refresh.catalog.model import Catalogue, Constraint, Index, Table, Trigger
from oracle_refresh.jsonable import Jsonable
from oracle_refresh.oracle.errors import PlanError
from oracle_refresh.oracle.identifiers import Identifier, ObjectName, TableName
from oracle_refresh.run.documents import WHOLE, Documents, Fact
from oracle_refresh.run.kind import Kind
from oracle_refresh.run.progress import Progress, silent
from oracle_refresh.target.objects import statements
from oracle_refresh.target.objects.index_states import IndexState, index_states
from oracle_refresh.target.objects.metadata import SourceDdl, run

if TYPE_CHECKING:
    import oracledb

    from oracle_refresh.masking.rules import Ruleset

# Gone already: by a killed try.
_NO_INDEX = frozenset({"ORA-01418"})


@dataclass(frozen=True)
class Suspension(Jsonable):
    """What a run has suspended, as OWNER.NAME; constraints follow the key of their table."""

    triggers: tuple[str, ...]
    constraints: tuple[str, ...]
    indexes: tuple[str, ...]


@dataclass(frozen=True)
class IndexBefore(Jsonable):
    """An index of a table that is masked, as it was before.

    :ivar ddl: as DBMS_METADATA wrote it; nothing of an index that stays.
    """

    owner: str
    name: str
    table_owner: str
    table_name: str
    ddl: tuple[str, ...]
    state: IndexState

    @property
    def full_name(self) -> ObjectName:
        return ObjectName(self.owner, self.name)

    @property
    def table(self) -> TableName:
        return TableName(self.table_owner, self.table_name)


SUSPENSION: Kind[Suspension] = Kind("suspension", Suspension)
#: Former releases recorded those only that are dropped.
INDEX_BEFORE: Kind[IndexBefore] = Kind("suspended index", IndexBefore)


@dataclass(frozen=True)
class InTheWay:
    """What is to be suspended. Pure.

    :ivar masked: the tables that rules name.
    :ivar constraints: foreign keys first: no key can be disabled while one refers to it (ORA-02297).
    """

    masked: tuple[Table, ...]
    triggers: tuple[Trigger, ...]
    constraints: tuple[tuple[Table, Constraint], ...]
    indexes: tuple[tuple[Table, Index], ...]

    @classmethod
    def of(cls, catalogue: Catalogue, ruleset: Ruleset) -> InTheWay:
        masked = {
            table.full_name: {rule.column for rule in ruleset.rules(*table.full_name)}
            for table in catalogue.tables
        }
        tables = [table for table in catalogue.tables if masked[table.full_name]]
        indexes = tuple(
            (table, index)
            for table in tables
            for index in table.indexes
            if not index.type.endswith("DOMAIN") and _holds(index, masked[table.full_name])
        )
        dropped = {index.full_name for _, index in indexes}
        keys = {
            (table.full_name, frozenset(constraint.columns))
            for table in tables
            for constraint in table.constraints
            if constraint.type in ("P", "U") and _enforced_by(constraint, dropped)
        }
        constraints = [
            (table, constraint)
            for table in catalogue.tables
            for constraint in table.constraints
            if _meets(table, constraint, masked) or _stands_on(table, constraint, keys)
        ]
        constraints.sort(key=lambda item: item[1].type != "R")
        return cls(
            tuple(tables),
            tuple(each for each in catalogue.triggers if each.enabled and masked.get(each.on)),
            tuple(constraints),
            indexes,
        )


def _meets(table: Table, constraint: Constraint, masked: dict[TableName, set[str]]) -> bool:
    """Whether the constraint looks at masked values. A NOT NULL does not: no rule leaves NULL behind it. One
    that is DISABLE VALIDATE lets nobody change any row of its table (ORA-25128)."""
    if not constraint.enabled:
        return constraint.validated and bool(masked[table.full_name])
    if constraint.not_null_column is not None:
        return False
    if constraint.type == "P" and table.iot:  # it cannot be disabled (ORA-25188), and is masked at once
        return False
    key = constraint.references
    parent = masked.get(key.parent, set()) if key is not None else set()
    return not masked[table.full_name].isdisjoint(constraint.columns) or (
        key is not None and not parent.isdisjoint(key.columns)
    )


def _enforced_by(constraint: Constraint, indexes: set[ObjectName]) -> bool:
    owner, name = constraint.index_owner, constraint.index_name
    return owner is not None and name is not None and ObjectName(owner, name) in indexes


def _stands_on(table: Table, constraint: Constraint, keys: set[tuple[TableName, frozenset[str]]]) -> bool:
    """Whether it is one of the keys whose index is dropped (ORA-02429), or refers to one."""
    if not constraint.enabled or (constraint.type == "P" and table.iot):
        return False
    key = constraint.references
    if key is not None:
        return (key.parent, frozenset(key.columns)) in keys
    return constraint.type in ("P", "U") and (table.full_name, frozenset(constraint.columns)) in keys


def _holds(index: Index, masked: set[str]) -> bool:
    """Whether the index holds masked values, or what is computed of them."""
    return index.joins or any(
        column.expression is not None or column.name in masked for column in index.columns
    )


def require_usable_keys(target: oracledb.Connection, catalogue: Catalogue, ruleset: Ruleset) -> None:
    """Pass where each key that `suspend` disables can be enabled again. Changes nothing.

    :raises PlanError: naming keys whose index is unusable (ORA-14063).
    """
    keys = [item for item in InTheWay.of(catalogue, ruleset).constraints if item[1].type in ("P", "U")]
    states = index_states(target, list({table.key: table for table, _ in keys}.values()))
    broken = [
        f"{table.key} {key.name}"
        for table, key in keys
        if any(
            state.broken and (name.owner, name.name) == (key.index_owner, key.index_name)
            for name, state in states[table.full_name].items()
        )
    ]
    if broken:
        raise PlanError(
            f"the index of the key is unusable, so that nobody can enable it again: {', '.join(broken[:10])}",
            codes=("ORA-14063",),
            step="suspend",
            remedy="rebuild the index (ALTER INDEX ... REBUILD), then clear this task: nothing is masked",
        )


def suspend(
    target: oracledb.Connection,
    catalogue: Catalogue,
    ruleset: Ruleset,
    documents: Documents,
    progress: Progress = silent,
) -> Suspension:
    """Disable triggers and constraints and drop indexes that are in the way. DDL commits; may be repeated.

    :param catalogue: as it was planned, when nothing was suspended.
    :raises PlanError: if DDL fails.
    """
    found = InTheWay.of(catalogue, ruleset)
    suspension = documents.find(SUSPENSION, WHOLE)
    if suspension is None:
        suspension = Suspension(
            tuple(trigger.key for trigger in found.triggers),
            tuple(f"{table.key} {constraint.name}" for table, constraint in found.constraints),
            tuple(index.key for _, index in found.indexes),
        )
        documents.keep_all(
            [
                Fact(SUSPENSION, WHOLE, suspension),
                *(Fact(INDEX_BEFORE, each.full_name.key, each) for each in _record(target, found)),
            ]
        )
    todo = list(_statements(found))
    for number, (sql, key, tolerated) in enumerate(todo, 1):
        run(target, sql, key, tolerated)
        progress.report(number, len(todo), "objects", "suspend")
    return suspension


def _record(target: oracledb.Connection, found: InTheWay) -> Iterator[IndexBefore]:
    reader, dropped = SourceDdl(target, in_place=True), {index.full_name for _, index in found.indexes}
    for table, states in index_states(target, found.masked, sized=True).items():
        for name, state in states.items():
            ddl = tuple(reader.read("INDEX", name)) if name in dropped else ()
            yield IndexBefore(name.owner, name.name, table.owner, table.name, ddl, state)


def _statements(found: InTheWay) -> Iterator[tuple[str, str, frozenset[str]]]:
    """Each with the object that it is about, and the codes that say that it is done."""
    for trigger in found.triggers:
        yield statements.DISABLE_TRIGGER.format(trigger=trigger.sql), trigger.key, frozenset()
    for table, constraint in found.constraints:
        key = constraint.type in ("P", "U") and constraint.enabled
        disable = statements.DISABLE_KEY if key else statements.DISABLE
        sql = disable.format(table=table.sql, name=Identifier(constraint.name).sql)
        yield sql, f"{table.key} {constraint.name}", frozenset()
    for _, index in found.indexes:
        yield statements.DROP_INDEX.format(index=index.sql), index.key, _NO_INDEX


def enable_triggers(target: oracledb.Connection, catalogue: Catalogue, ruleset: Ruleset) -> tuple[str, ...]:
    """Enable what `suspend` has disabled of the triggers; their keys. May be repeated."""
    triggers = InTheWay.of(catalogue, ruleset).triggers
    for trigger in triggers:
        run(target, statements.ENABLE_TRIGGER.format(trigger=trigger.sql), trigger.key)
    return tuple(trigger.key for trigger in triggers)
