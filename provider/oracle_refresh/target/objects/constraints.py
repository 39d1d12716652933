"""Puts the source's constraints on the target's tables, in the state they have on the source.

All are added ENABLE NOVALIDATE first, which guards new rows at once and reads nothing: those of some tables
at a time, then foreign keys one by one, as each locks two tables, and two sessions could wait for each
other. Then those that are validated on the source are validated, several at a time: this reads the table
without locking it. Foreign keys come last, behind the keys they refer to. What is there already is only
brought to its state, so all of it may be repeated.

Source: "constraint" in SQL Language Reference 19c; "Managing Integrity Constraints" in Administrator's Guide
19c.
"""

from __future__ import annotations

import threading
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from oracle_refresh.catalog.limits import has_parallel_execution
from oracle_refresh.catalog.model import Catalogue, Constraint, ReferencedKey, Table
from oracle_refresh.catalog.reader import read_catalogue
from oracle_refresh.jsonable import Jsonable
from oracle_refresh.oracle.errors import PlanError
from oracle_refresh.oracle.identifiers import Identifier
from oracle_refresh.oracle.session import execute
from oracle_refresh.oracle.spread import Connect, spread
from oracle_refresh.run.progress import Progress, silent
from oracle_refresh.target.objects import ddl, statements
from oracle_refresh.target.objects.keys import column_list, columns_of_keys, deferral, key_clause, named
from oracle_refresh.target.objects.metadata import run
from oracle_refresh.target.objects.sessions import waiting_for_locks
from oracle_refresh.target.objects.violations import Violation, raise_unreferable, refuse, violation

if TYPE_CHECKING:
    import oracledb

STEP = "constraints"
_DELETE_RULES = {"CASCADE": " ON DELETE CASCADE", "SET NULL": " ON DELETE SET NULL"}
# Another try was faster, or the name belongs to a constraint of another table: the dictionary says which.
_THERE = frozenset({"ORA-02264", "ORA-02275", "ORA-02260", "ORA-02261"})


@dataclass(frozen=True)
class ConstraintResult(Jsonable):
    """How many constraints were added, are validated, are disabled as on the source; `skipped`: which not."""

    added: int
    validated: int
    disabled: int
    skipped: tuple[str, ...]


@dataclass
class _Work:
    """All constraints on their way; the sessions that add and validate them share it."""

    catalogue: Catalogue
    target: oracledb.Connection
    progress: Progress
    added: int = 0
    total: int = 0
    done: int = 0
    violations: list[Violation] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def declare(self, session: oracledb.Connection, item: tuple[Table, Table]) -> None:
        """Add what one table has by itself: NOT NULLs, keys and checks.

        :param item: the table, and what the target has of it.
        """
        table, present = item
        self._not_nulls(session, table, present)
        for constraint in table.constraints:
            if constraint.type != "R" and constraint.not_null_column is None:
                self.add(session, table, present, constraint, _definition(table, constraint))
        with self.lock:
            self.advance("tables", "add")

    def _not_nulls(self, session: oracledb.Connection, table: Table, present: Table) -> None:
        """NOT NULLs of a table in one statement for each state."""
        there = {each.not_null_column for each in present.constraints if each.not_null_column}
        missing = [
            each for each in table.constraints if each.not_null_column and each.not_null_column not in there
        ]
        for state in ("", " ENABLE NOVALIDATE", " DISABLE"):
            some = [each for each in missing if _not_null_state(each) == state]
            if not some:
                continue
            try:
                if not self._modify(session, table, some, state):
                    for each in some:
                        self._modify(session, table, [each], state)
            except PlanError as error:
                found_some = [violation(session, table, each, error) for each in some]
                with self.lock:
                    self.violations += [each for each in found_some if each.count]

    def _modify(
        self, session: oracledb.Connection, table: Table, some: Collection[Constraint], state: str
    ) -> bool:
        """Make columns NOT NULL; false, with nothing done, where a key that is there has made one of them."""
        columns = ", ".join(_not_null(each) + state for each in some)
        sql = statements.MODIFY_COLUMNS.format(table=table.sql, columns=columns)
        there = run(session, sql, table.key, {"ORA-01442"})
        self._count(0 if there else len(some))
        return not there

    def add(
        self,
        session: oracledb.Connection,
        table: Table,
        present: Table,
        constraint: Constraint,
        definition: str,
    ) -> None:
        """Add the constraint unless it is there, enabled or disabled as on the source, not validated."""
        key = f"{table.key} {constraint.name}"
        same = matching(present, constraint)
        if same is None:
            state = "ENABLE NOVALIDATE" if constraint.enabled else "DISABLE NOVALIDATE"
            sql = statements.ADD_CONSTRAINT.format(table=table.sql, definition=f"{definition} {state}")
            try:
                self._count(not run(session, sql, key, _THERE))
            except PlanError as error:
                raise_unreferable(table, constraint, error)
                broken = violation(session, table, constraint, error)
                with self.lock:
                    self.violations.append(broken)
        elif same.enabled != constraint.enabled:
            run(session, _switch(table, constraint, Identifier(same.name)), key)

    def _count(self, added: int) -> None:
        with self.lock:
            self.added += added

    def validate(self, session: oracledb.Connection, item: tuple[Table, Constraint, str]) -> None:
        """Validate one constraint under the name it has on the target; a violation is counted, not raised."""
        table, constraint, name = item
        sql = validation(constraint).format(table=table.sql, name=Identifier(name).sql)
        try:
            run(session, sql, f"{table.key} {name}")
        except PlanError as error:
            broken = violation(session, table, constraint, error)
            with self.lock:
                self.violations.append(broken)
        with self.lock:
            self.advance("constraints", "validate")

    def begin(self, total: int) -> None:
        self.done, self.total = 0, total

    def advance(self, unit: str, doing: str) -> None:
        self.done += 1
        self.progress.report(self.done, self.total, unit, doing)

    def has_key(self, wanted: ReferencedKey) -> bool:
        """Whether the target has the key; outside the refresh it is the target's own, under any name."""
        if self.catalogue.table(*wanted.parent):
            return True
        there = columns_of_keys(self.target, wanted.parent)
        return set(wanted.columns) in map(set, there)


def enable_constraints(
    target: oracledb.Connection,
    catalogue: Catalogue,
    progress: Progress = silent,
    sessions: int = 1,
    connect: Connect | None = None,
    degree: int | None = None,
) -> ConstraintResult:
    """Add what is missing and bring every constraint to the source's state.

    :param catalogue: the source's; tables that the target lacks are an error.
    :param sessions: to how many tables constraints are added at a time, and how many are validated, each in
        a session that `connect` opens.
    :param degree: parallel processes of all these together, where the target has parallel execution.
    :raises PlanError: if a constraint cannot be added, or does not hold. All that do not hold are named with
        the number of violations, after all others are in their state.
    """
    there = read_catalogue(target, catalogue.schemas, ())
    work = _Work(catalogue, target, progress)
    connect = waiting_for_locks(connect)
    pairs = [(table, _on_target(there, table)) for table in catalogue.tables]
    work.begin(len(pairs))
    spread(target, pairs, work.declare, sessions, connect)
    skipped = []
    for table, constraint in catalogue.foreign_keys():
        key = constraint.references
        if key is None or not work.has_key(key):
            missing = "its key" if key is None else f"{key.owner}.{key.table} ({', '.join(key.columns)})"
            skipped.append(f"{table.key} {constraint.name}: {missing} is not there")
        else:
            work.add(target, table, _on_target(there, table), constraint, _foreign_key(constraint, key))
    refuse(work.violations)
    there = read_catalogue(target, catalogue.schemas, ())
    todo = list(_to_validate(catalogue, there, skipped))
    work.begin(len(todo))
    todo.sort(key=lambda item: -item[0].total_bytes)
    forced = _force_parallel(connect, target, max(1, (degree or 4 * sessions) // sessions))
    for foreign in (False, True):
        some = [item for item in todo if (item[1].type == "R") == foreign]
        spread(target, some, work.validate, sessions, forced)
    refuse(work.violations)
    wanted = [each for table in catalogue.tables for each in table.constraints]
    return ConstraintResult(
        work.added,
        sum(each.enabled and each.validated for each in wanted) - len(skipped),
        sum(not each.enabled for each in wanted),
        tuple(skipped),
    )


def matching(present: Table, wanted: Constraint) -> Constraint | None:
    """The constraint as the target has it: by name, or by meaning where the name is generated."""
    for each in present.constraints:
        if each.type != wanted.type:
            continue
        if not wanted.generated:
            if each.name == wanted.name:
                return each
        elif each.generated and (each.columns, each.search_condition, each.references) == (
            wanted.columns,
            wanted.search_condition,
            wanted.references,
        ):
            return each
    return None


def validation(constraint: Constraint) -> str:
    """What validates a constraint; one that is disabled stays so, and no row can be changed from then on
    (constraint_state, "DISABLE VALIDATE"; ORA-25128)."""
    return statements.VALIDATE if constraint.enabled else statements.DISABLE_VALIDATE


def not_null_first(table: Table, columns: Collection[str]) -> list[str]:
    """The explicit NOT NULLs of the columns of a key, for a MODIFY before the key is added."""
    return [
        _not_null(each) + _not_null_state(each)
        for each in table.constraints
        if each.not_null_column is not None and each.not_null_column in columns
    ]


def _to_validate(
    catalogue: Catalogue, there: Catalogue, skipped: Iterable[str]
) -> Iterator[tuple[Table, Constraint, str]]:
    """What is not validated yet, with the name it has on the target; refuses what could not be added."""
    left_out = {text.split(":", 1)[0] for text in skipped}
    for table in catalogue.tables:
        present = _on_target(there, table)
        for constraint in table.constraints:
            key = f"{table.key} {constraint.name}"
            if key in left_out or constraint.not_null_column is not None:
                continue
            same = matching(present, constraint)
            if same is None:
                raise PlanError(
                    "the name belongs to a constraint of another table of the target, or the table has "
                    "such a constraint under another name",
                    codes=("ORA-02264",),
                    object_name=key,
                    step=STEP,
                    remedy="rename or drop that constraint, then clear this task",
                )
            if constraint.validated and not same.validated:
                yield table, constraint, same.name


def _force_parallel(connect: Connect | None, target: oracledb.Connection, degree: int) -> Connect | None:
    """Sessions whose queries run in parallel; the query that validates a constraint is one of them."""
    if connect is None or degree < 2:
        return connect
    if not has_parallel_execution(target):
        return connect

    @contextmanager
    def forced() -> Iterator[oracledb.Connection]:
        with connect() as session:
            execute(session, statements.FORCE_PARALLEL.format(degree=degree))
            yield session

    return forced


def _on_target(there: Catalogue, table: Table) -> Table:
    present = there.table(*table.full_name)
    if present is None:
        raise PlanError(
            "the target has no such table", codes=("ORA-00942",), object_name=table.key, step=STEP
        )
    return present


def _not_null(constraint: Constraint) -> str:
    return f"{Identifier(constraint.not_null_column or '').sql} {named(constraint)}NOT NULL"


def _not_null_state(constraint: Constraint) -> str:
    if not constraint.enabled:
        return " DISABLE"
    return "" if constraint.validated else " ENABLE NOVALIDATE"


def _definition(table: Table, constraint: Constraint) -> str:
    """A primary key, unique key or check, without its state."""
    rely = " RELY" if constraint.rely else ""
    if constraint.type == "C":
        condition = ddl.condition(constraint.search_condition or "")
        return f"{named(constraint)}CHECK ({condition}){deferral(constraint)}{rely}"
    return " ".join(filter(None, (f"{key_clause(constraint)}{rely}", _using(table, constraint))))


def _switch(table: Table, constraint: Constraint, name: Identifier) -> str:
    """What enables or disables a constraint that is there, under the name that it has there."""
    using = _using(table, constraint)
    if using:
        return statements.ENABLE_KEY.format(table=table.sql, name=name.sql, using=using)
    change = statements.ENABLE if constraint.enabled else statements.DISABLE
    return change.format(table=table.sql, name=name.sql)


def _using(table: Table, constraint: Constraint) -> str:
    """The index of a key that has one by another's leave; a key with a generated name makes its own."""
    index = next((each for each in table.indexes if each.name == constraint.index_name), None)
    if index is None or not constraint.enabled:
        return ""
    return f"USING INDEX {index.sql}"


def _foreign_key(constraint: Constraint, key: ReferencedKey) -> str:
    rule = _DELETE_RULES.get(constraint.delete_rule or "", "")
    return (
        f"{named(constraint)}FOREIGN KEY ({column_list(constraint.columns)})"
        f" REFERENCES {key.parent.sql} ({column_list(key.columns)}){rule}{deferral(constraint)}"
        f"{' RELY' if constraint.rely else ''}"
    )
