"""Units of PL/SQL, types and synonyms of the source that the target lacks: made, never replaced.

Some come before the tables: a column's type, a function that a virtual column or an index is computed with
(CREATE TABLE and CREATE INDEX in SQL Language Reference 19c: they have to exist and be valid, ORA-00904).
All others come last, with views and triggers (`dependents.py`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable
from typing import TYPE_CHECKING

from oracle_refresh.catalog.model import Catalogue
from oracle_refresh.oracle.identifiers import table_key
from oracle_refresh.target.objects import ddl, statements
from oracle_refresh.target.objects.grants import Grant, Grantees, read_grantees, read_grants, run_grants
from oracle_refresh.target.objects.metadata import SourceDdl, names_of, run, select

if TYPE_CHECKING:
    import oracledb

ROUTINES = ("PROCEDURE", "FUNCTION", "PACKAGE", "TYPE")
#: Kind, owner and name of an object.
Named = tuple[str, str, str]
Key = tuple[str, str]
# A view over something that is not there (yet); 24344 is a success with compilation errors.
_INVALID = frozenset({"ORA-24344"})
_LATER = _INVALID | frozenset({"ORA-00942", "ORA-00904", "ORA-01031", "ORA-04063", "ORA-01720"})


def build_needed_units(
    source: oracledb.Connection, target: oracledb.Connection, catalogue: Catalogue
) -> list[Named]:
    """Make what tables and indexes are computed with or hold, as far as the target lacks it; what was made.

    What cannot be made here is tried again with all others, when the tables are there.

    :raises PlanError: if DDL is refused or fails otherwise.
    """
    missing, routines = missing_units(source, target, catalogue)
    needed = _needed(source, catalogue, routines)
    wanted = [each for each in missing if each[1:] in needed and each[0] in ROUTINES]
    if not wanted:
        return []
    reader, skipped = SourceDdl(source), list[str]()
    grantees = read_grantees(target)
    granted = [
        each
        for each in read_grants(source, catalogue.schemas, {each[1:] for each in wanted})
        if grantees.refusal(each.grantee) is None
    ]
    passed_on = PassedOn(target, granted, grantees, skipped)
    texts = {each: reader.routine(*each) for each in wanted}
    return create_in_rounds(target, texts, skipped, passed_on.grant)


def _needed(source: oracledb.Connection, catalogue: Catalogue, routines: Collection[Key]) -> set[Key]:
    """The routines that columns and indexes of the tables name, and those that these stand on."""
    tables = {(table.owner, table.name) for table in catalogue.tables}
    found: set[Key] = set()
    for owner, table, type_owner, type_name in select(source, statements.TYPED_COLUMNS, catalogue.schemas):
        if (owner, table) in tables:
            found.add((type_owner, type_name))
    for statement in (statements.COMPUTED_COLUMNS, statements.COMPUTED_INDEXES):
        for owner, table, expression in select(source, statement, catalogue.schemas):
            if (owner, table) in tables:
                found |= called(str(expression or ""), owner, routines)
    stands_on: dict[Key, set[Key]] = defaultdict(set)
    for owner, name, on_owner, on_name in select(source, statements.UNIT_SOURCES, catalogue.schemas):
        stands_on[owner, name].add((on_owner, on_name))
    found &= set(routines)
    while more := {on for each in found for on in stands_on[each]} & set(routines) - found:
        found |= more
    return found


def called(expression: str, owner: str, routines: Iterable[Key]) -> set[Key]:
    """The routines that an expression of the dictionary may call: with their owner's name, or as its own."""
    words = [token.text for token in ddl.tokens(expression) if token.kind in ("word", "name")]
    return {(of, name) for of, name in routines if name in words and (of == owner or of in words)}


def missing_units(
    source: oracledb.Connection, target: oracledb.Connection, catalogue: Catalogue
) -> tuple[dict[Named, str], set[tuple[str, str]]]:
    """Synonyms and routines of the source that the target lacks, and all routines that both have or get."""
    there = {row[:2] for row in select(target, statements.OBJECTS_OF, catalogue.schemas)}
    wanted, routines = {}, set()
    for owner, name, kind in select(source, statements.OBJECTS_OF, catalogue.schemas):
        if kind in ROUTINES:
            routines.add((owner, name))
        if kind in (*ROUTINES, "SYNONYM") and (owner, name) not in there:
            wanted[kind, owner, name] = kind
    return wanted, routines


def bodies_left(
    reader: SourceDdl, target: oracledb.Connection, catalogue: Catalogue
) -> dict[Named, list[str]]:
    """CREATE of the bodies that a killed try has left out: the target has the specification, and no body.

    A specification that differs from the source's is the target's own, and its body no business of ours.
    """
    there = set(select(target, statements.BODIES_OF, catalogue.schemas))
    specified = set(select(target, statements.OBJECTS_OF, catalogue.schemas))
    made = SourceDdl(target)
    found: dict[Named, list[str]] = {}
    for body in select(reader.connection, statements.BODIES_OF, catalogue.schemas):
        owner, name, kind = body[0], body[1], body[2].removesuffix(" BODY")
        if body in there or (owner, name, kind) not in specified:
            continue
        specification, *rest = reader.routine(kind, owner, name)
        if made.routine(kind, owner, name)[0] == specification:
            found[kind, owner, name] = rest
    return found


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
        self.waiting: dict[tuple[str, str], list[Grant]] = {}
        for each in grants:
            self.waiting.setdefault((each.owner, each.name), []).append(each)
        self.count = 0

    def grant(self, owner: str, name: str) -> None:
        """Once for each object."""
        found = self.waiting.pop((owner, name), [])
        self.count += len(run_grants(self.target, found, self.grantees, self.skipped))


def create_in_rounds(
    target: oracledb.Connection,
    waiting: dict[Named, list[str]],
    skipped: list[str],
    created: Callable[[str, str], None],
) -> list[Named]:
    """Create objects in rounds, because one may stand on another; a round without success ends it.

    :param created: called with owner and name of what is there, with compilation errors or without.
    """
    made: list[Named] = []
    problems: dict[Named, frozenset[str]] = {}
    while waiting:
        for each in list(waiting):
            kind, owner, name = each
            problems[each] = frozenset()
            with names_of(target, owner):
                for statement in waiting[each]:
                    ddl.guard(
                        statement, {f"CREATE {kind}", f"CREATE {kind} BODY", f"ALTER {kind}"}, {owner}, name
                    )
                    problems[each] |= run(target, statement, table_key(owner, name), _LATER)
            if problems[each] <= _INVALID:
                created(owner, name)
        done = [each for each in waiting if not problems[each]]
        made += done
        for each in done:
            del waiting[each]
        if not done:
            break
    for kind, owner, name in waiting:
        listed = ", ".join(sorted(problems[kind, owner, name]))
        skipped.append(f"{kind.lower()} {table_key(owner, name)}: {listed}")
    return made
