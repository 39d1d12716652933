"""Tables of every kind: their DDL is read, they are dropped, built bare, and get their constraints back."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING

from oracle_refresh.catalog import read_catalogue
from oracle_refresh.first_contact.kinds import KINDS, Kind
from oracle_refresh.first_contact.ladder import tried
from oracle_refresh.first_contact.model import REPORT, Check, Outcome, failed, skipped
from oracle_refresh.first_contact.statements import OPTIONS
from oracle_refresh.oracle.identifiers import Identifier
from oracle_refresh.oracle.session import execute, rows
from oracle_refresh.target.objects.bare import make_bare
from oracle_refresh.target.objects.constraints import enable_constraints
from oracle_refresh.target.objects.inventory import Difference, compare
from oracle_refresh.target.objects.inventory_reader import Reader
from oracle_refresh.target.objects.metadata import SourceDdl, run

if TYPE_CHECKING:
    import oracledb

    from oracle_refresh.catalog import Table


def make_tables(target: oracledb.Connection, schema: str) -> Iterator[Check]:
    """Make a table of each kind that the database has."""
    options = dict(rows(target, OPTIONS))
    for kind in KINDS:
        name = f"CREATE TABLE {kind.name}"
        if kind.option and options.get(kind.option) != "TRUE":
            problem = f"the database has no option {kind.option}"
            yield skipped(name, "target", problem, "none is needed: such tables are not there")
        else:
            yield tried(name, partial(_make, target, schema, kind))


def _make(target: oracledb.Connection, schema: str, kind: Kind) -> None:
    execute(target, kind.create.format(schema=Identifier(schema).sql))
    _insert(target, schema, kind.name)


def rebuild(target: oracledb.Connection, schema: str) -> Iterator[Check]:
    """Build the tables of the schema anew from their own DDL, as a refresh does, and compare."""
    catalogue = read_catalogue(target, (schema,))
    before = Reader(target, catalogue).items()
    reader = SourceDdl(target)
    texts = {table.key: reader.table(table.full_name, constraints=table.iot) for table in catalogue.tables}
    indexes = [
        text
        for table in catalogue.tables
        if not table.iot
        for index in table.indexes
        for text in reader.read("INDEX", index.full_name)
    ]
    for table in sorted(catalogue.tables, key=_children_first):
        check = tried(f"bare build of {table.name}", partial(_rebuild, target, table, texts[table.key]))
        yield check
        if check.outcome is Outcome.FAILED:
            return

    def complete() -> None:
        for text in indexes:  # keys take those that are there, as in a refresh
            run(target, text, schema)
        enable_constraints(target, catalogue)

    check = tried("indexes and constraints", complete)
    yield check
    if check.outcome is Outcome.FAILED:
        return
    differences: list[Difference] = []

    def compared() -> None:
        after = Reader(target, read_catalogue(target, (schema,))).items()
        differences.extend(compare(before, after).refused)

    yield tried("inventory", compared)
    for each in differences:
        yield failed(
            f"inventory: {each.kind} {each.object_name} {each.member}".rstrip(),
            "target",
            f"{each.problem}: {each.source} became {each.target}",
            f"{REPORT}: DDL of this release does not come back as it was",
        )


def _rebuild(target: oracledb.Connection, table: Table, texts: Sequence[str]) -> None:
    run(target, f"DROP TABLE {table.sql} PURGE", table.key)
    for text in texts:
        run(target, text, table.key)
    make_bare(target, table.owner, [table])
    _insert(target, table.owner, table.name)  # makes its partition again, under another name


def _insert(target: oracledb.Connection, schema: str, name: str) -> None:
    """The row of a kind that has one, into the table of that name."""
    for kind in KINDS:
        if kind.name == name and kind.insert:
            execute(target, kind.insert.format(schema=Identifier(schema).sql))
            target.commit()


def _children_first(table: Table) -> bool:
    return not any(constraint.type == "R" for constraint in table.constraints)
