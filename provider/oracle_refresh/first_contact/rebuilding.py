"""Tables of every kind: their DDL is read, they are dropped, built bare, and get their constraints back."""

from __future__ import annotations

from collections.abc import Iterator
from time import monotonic
from typing import TYPE_CHECKING

from oracle_refresh.catalog import read_catalogue
from oracle_refresh.first_contact.kinds import KINDS
from oracle_refresh.first_contact.ladder import failure
from oracle_refresh.first_contact.model import Check, Outcome
from oracle_refresh.first_contact.statements import OPTIONS
from oracle_refresh.oracle.errors import RefreshError
from oracle_refresh.oracle.identifiers import Identifier
from oracle_refresh.oracle.session import execute, rows
from oracle_refresh.target.objects.bare import make_bare
from oracle_refresh.target.objects.constraints import enable_constraints
from oracle_refresh.target.objects.inventory import compare
from oracle_refresh.target.objects.inventory_reader import Reader
from oracle_refresh.target.objects.metadata import SourceDdl, run

if TYPE_CHECKING:
    import oracledb

    from oracle_refresh.catalog import Table


def make_tables(target: oracledb.Connection, schema: str) -> Iterator[Check]:
    """Make a table of each kind that the database has."""
    import oracledb

    options = dict(rows(target, OPTIONS))
    for kind in KINDS:
        name = f"CREATE TABLE {kind.name}"
        if kind.option and options.get(kind.option) != "TRUE":
            why = f"the database has no option {kind.option}"
            yield Check(
                name,
                "target",
                Outcome.SKIPPED,
                problem=why,
                remedy="none is needed: such tables are not there",
            )
            continue
        started = monotonic()
        try:
            execute(target, kind.create.format(schema=Identifier(schema).sql))
            _insert(target, schema, kind.name)
            yield Check(name, "target", Outcome.PASSED, monotonic() - started)
        except oracledb.Error as error:
            yield failure(name, error, monotonic() - started)


def rebuild(target: oracledb.Connection, schema: str) -> Iterator[Check]:
    """Build the tables of the schema anew from their own DDL, as a refresh does; what differs is told."""
    import oracledb

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
        started, name = monotonic(), f"bare build of {table.name}"
        try:
            run(target, f"DROP TABLE {table.sql} PURGE", table.key)
            for text in texts[table.key]:
                run(target, text, table.key)
            make_bare(target, table)
            _insert(target, schema, table.name)  # makes its partition again, under another name
            yield Check(name, "target", Outcome.PASSED, monotonic() - started)
        except (RefreshError, oracledb.Error) as error:
            yield failure(name, error, monotonic() - started)
            return
    started = monotonic()
    try:
        for text in indexes:  # keys take those that are there, as in a refresh
            run(target, text, schema)
        enable_constraints(target, catalogue)
        yield Check("indexes and constraints", "target", Outcome.PASSED, monotonic() - started)
        compared = compare(before, Reader(target, read_catalogue(target, (schema,))).items())
    except (RefreshError, oracledb.Error) as error:
        yield failure("indexes, constraints and inventory", error, monotonic() - started)
        return
    yield Check("inventory", "target", Outcome.PASSED)
    for one in compared.refused:
        yield Check(
            f"inventory: {one.kind} {one.object_name} {one.member}".rstrip(),
            "target",
            Outcome.FAILED,
            problem=f"{one.problem}: {one.source} became {one.target}",
            remedy="attach the bundle to a bug report: DDL of this release does not come back as it was",
        )


def _insert(target: oracledb.Connection, schema: str, name: str) -> None:
    """The row of a kind that has one, into the table of that name."""
    for kind in KINDS:
        if kind.name == name and kind.insert:
            execute(target, kind.insert.format(schema=Identifier(schema).sql))
            target.commit()


def _children_first(table: Table) -> bool:
    return not any(constraint.type == "R" for constraint in table.constraints)
