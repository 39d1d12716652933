"""Units of PL/SQL, types and synonyms of the source that the target lacks: made, never replaced.

Some come before the tables: a column's type, a function that a virtual column or an index is computed with
(CREATE TABLE and CREATE INDEX in SQL Language Reference 19c: they have to exist and be valid, ORA-00904).
All others come last, with views and triggers (`dependents.py`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable
from functools import partial
from typing import TYPE_CHECKING

from oracle_refresh.catalog.model import Catalogue
from oracle_refresh.catalog.rows import grouped
from oracle_refresh.oracle.identifiers import ObjectName, TableName
from oracle_refresh.oracle.session import rows
from oracle_refresh.target.objects import ddl, statements
from oracle_refresh.target.objects.grants import Grant, Grantees, read_grantees, read_grants, run_grants
from oracle_refresh.target.objects.metadata import SourceDdl, names_of, run

if TYPE_CHECKING:
    import oracledb

ROUTINES = ("PROCEDURE", "FUNCTION", "PACKAGE", "TYPE")
#: Kind and name of an object.
Unit = tuple[str, ObjectName]
# A view over something that is not there (yet); 24344 is a success with compilation errors.
_INVALID = frozenset({"ORA-24344"})
_LATER = _INVALID | frozenset({"ORA-00942", "ORA-00904", "ORA-01031", "ORA-04063", "ORA-01720"})


def build_needed_units(
    source: oracledb.Connection, target: oracledb.Connection, catalogue: Catalogue
) -> list[Unit]:
    """Make what tables and indexes are computed with or hold, as far as the target lacks it; what was made.

    What cannot be made here is tried again with all others, when the tables are there.

    :raises PlanError: if DDL is refused or fails otherwise.
    """
    missing, routines = missing_units(source, target, catalogue)
    needed = _needed(source, catalogue, routines)
    wanted = [(kind, name) for kind, name in missing if name in needed and kind in ROUTINES]
    if not wanted:
        return []
    reader, skipped = SourceDdl(source), list[str]()
    grantees = read_grantees(target)
    granted = [
        each
        for each in read_grants(source, catalogue.schemas, {name for _, name in wanted})
        if grantees.refusal(each.grantee) is None
    ]
    passed_on = PassedOn(target, granted, grantees, skipped)
    texts = {each: reader.read(*each) for each in wanted}
    return create_in_rounds(target, texts, skipped, passed_on.grant)


def _needed(
    source: oracledb.Connection, catalogue: Catalogue, routines: Collection[ObjectName]
) -> set[ObjectName]:
    """The routines that columns and indexes of the tables name, and those that these stand on."""
    read = partial(rows, source, names=catalogue.schemas)
    tables = {table.full_name for table in catalogue.tables}
    needed: set[ObjectName] = set()
    for owner, table, type_owner, type_name in read(statements.TYPED_COLUMNS):
        if TableName(owner, table) in tables:
            needed.add(ObjectName(type_owner, type_name))
    for statement in (statements.COMPUTED_COLUMNS, statements.COMPUTED_INDEXES):
        for owner, table, expression in read(statement):
            if TableName(owner, table) in tables:
                needed |= called(str(expression or ""), owner, routines)
    stands_on = grouped(ObjectName, read(statements.UNIT_SOURCES))
    needed &= set(routines)
    while more := {ObjectName(*on) for each in needed for on in stands_on[each]} & set(routines) - needed:
        needed |= more
    return needed


def called(expression: str, owner: str, routines: Iterable[ObjectName]) -> set[ObjectName]:
    """The routines that an expression of the dictionary may call: with their owner's name, or as its own."""
    words = [token.text for token in ddl.tokens(expression) if token.kind in ("word", "name")]
    return {each for each in routines if each.name in words and (each.owner == owner or each.owner in words)}


def missing_units(
    source: oracledb.Connection, target: oracledb.Connection, catalogue: Catalogue
) -> tuple[list[Unit], set[ObjectName]]:
    """Synonyms and routines of the source that the target lacks, and all routines that both have or get."""
    there = {name for _, name in _objects(target, statements.OBJECTS_OF, catalogue)}
    units = [
        unit
        for unit in _objects(source, statements.OBJECTS_OF, catalogue)
        if unit[0] in (*ROUTINES, "SYNONYM")
    ]
    missing = [(kind, name) for kind, name in units if name not in there]
    return missing, {name for kind, name in units if kind in ROUTINES}


def _objects(connection: oracledb.Connection, statement: str, catalogue: Catalogue) -> list[Unit]:
    objects = rows(connection, statement, names=catalogue.schemas)
    return [(kind, ObjectName(owner, name)) for owner, name, kind in objects]


def bodies_left(
    reader: SourceDdl, target: oracledb.Connection, catalogue: Catalogue
) -> dict[Unit, list[str]]:
    """CREATE of the bodies that a killed try has left out: the target has the specification, and no body.

    A specification that differs from the source's is the target's own, and its body no business of ours.
    """
    there = _objects(target, statements.BODIES_OF, catalogue)
    specified = _objects(target, statements.OBJECTS_OF, catalogue)
    of_target = SourceDdl(target)
    left: dict[Unit, list[str]] = {}
    for body in _objects(reader.connection, statements.BODIES_OF, catalogue):
        unit = (body[0].removesuffix(" BODY"), body[1])
        if body in there or unit not in specified:
            continue
        specification, *rest = reader.read(*unit)
        if of_target.read(*unit)[0] == specification:
            left[unit] = rest
    return left


class PassedOn:
    """The grants on what is created in rounds: what is created after it may need them."""

    def __init__(
        self,
        target: oracledb.Connection,
        grants: Collection[Grant],
        grantees: Grantees,
        skipped: list[str],
    ) -> None:
        self.target = target
        self.grantees = grantees
        self.skipped = skipped
        self.waiting: dict[ObjectName, list[Grant]] = defaultdict(list)
        for each in grants:
            self.waiting[each.on].append(each)
        self.count = 0

    def grant(self, name: ObjectName) -> None:
        """Once for each object."""
        waiting = self.waiting.pop(name, [])
        self.count += len(run_grants(self.target, waiting, self.grantees, self.skipped))


def create_in_rounds(
    target: oracledb.Connection,
    waiting: dict[Unit, list[str]],
    skipped: list[str],
    created: Callable[[ObjectName], None],
) -> list[Unit]:
    """Create objects in rounds, because one may stand on another; a round without success ends it.

    :param created: called with the name of what is there, with compilation errors or without.
    """
    made: list[Unit] = []
    problems: dict[Unit, frozenset[str]] = {}
    while waiting:
        for each, texts in waiting.items():
            kind, name = each
            kinds = {f"CREATE {kind}", f"CREATE {kind} BODY", f"ALTER {kind}"}
            problems[each] = frozenset()
            with names_of(target, name.owner):
                for statement in texts:
                    ddl.guard(statement, kinds, {name.owner}, name.name)
                    problems[each] |= run(target, statement, name.key, _LATER)
            if problems[each] <= _INVALID:
                created(name)
        done = [each for each in waiting if not problems[each]]
        made += done
        for each in done:
            del waiting[each]
        if not done:
            break
    for kind, name in waiting:
        skipped.append(f"{kind.lower()} {name.key}: {', '.join(sorted(problems[kind, name]))}")
    return made
