"""What the room of objects sends while it builds the target from the source's DDL."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from hypothesis import strategies as st

from oracle_refresh.catalog import Catalogue, Table
from oracle_refresh.catalog import statements as catalog
from oracle_refresh.oracle.errors import PlanError
from oracle_refresh.oracle.identifiers import Identifier
from oracle_refresh.run.ledger import Ledger
from oracle_refresh.target.objects import statements
from oracle_refresh.target.objects.build import build_tables
from oracle_refresh.target.objects.compile import compile_invalid
from oracle_refresh.target.objects.constraints import enable_constraints
from oracle_refresh.target.objects.dependents import build_dependents
from oracle_refresh.target.objects.grants import PRIVILEGES, grant_references
from oracle_refresh.target.objects.statistics import gather_statistics
from oracle_refresh.target.objects.violations import count_statement
from support.generated.columns import NAMES
from support.generated.recording import Recording, Row
from support.generated.sent import Sent
from support.generated.source_ddl import SourceDdl
from support.index_builds import build_indexes
from support.planner_tables import definition

_TEXTS = ("what is 'in' it", "line\none; two", "--", ":b1", "Größe & Co")
_COLUMN_PRIVILEGES = ("INSERT", "UPDATE", "REFERENCES")


def objects(catalogue: Catalogue, draw: st.DrawFn) -> Iterator[Sent]:
    """All stages of the room for a catalogue, on a target with nothing, or with the bare tables."""
    written = SourceDdl(catalogue, draw)
    source = Recording(catalogue, True, answers=_of_source(catalogue, draw), ddl=written)
    mapped = {"USERS": draw(NAMES.filter(_plain))} if draw(st.booleans()) else {}
    lobs = draw(st.sampled_from(["default", "securefile", "basicfile", "no_change"]))
    wish = definition(
        schemas=[Identifier(schema).written for schema in catalogue.schemas],
        storage={"tablespaces": mapped, "lob_storage": lobs},
        prepare=draw(st.sampled_from(["replace_objects", "truncate"])),
        degree=draw(st.integers(1, 8)),
    )
    present = draw(st.booleans())
    for stage in (_tables, _indexes, _constraints, _dependents, _statistics):
        there = catalogue if present or stage is not _tables else Catalogue(catalogue.schemas, ())
        target = Recording(there, stage is _tables, answers=_of_target(catalogue, draw, present), ddl=written)
        stage(source, target, catalogue, wish)
        yield from (Sent("objects", "target", *each) for each in target.sent)
    yield from (Sent("objects", "source", *each) for each in source.sent)
    for table in catalogue.tables:
        for constraint in table.constraints:
            yield Sent("objects", "target", count_statement(table, constraint)[0], frozenset())


def _plain(name: str) -> bool:
    return Identifier(name).written == name


def _tables(source: Any, target: Any, catalogue: Catalogue, wish: Any) -> None:
    build_tables(source, target, catalogue, wish, Ledger(target, "run-1"))


def _indexes(source: Any, target: Any, catalogue: Catalogue, wish: Any) -> None:
    everything = target.answers
    for table in catalogue.tables:
        own = {(index.owner, index.name) for index in table.indexes}
        states = [row for row in everything[statements.INDEXES_OF] if row[:2] in own]
        target.answers = {**everything, statements.INDEXES_OF: states}
        try:
            build_indexes(source, target, table, wish)
        except PlanError as refused:  # its answers stay the same, whatever is rebuilt
            if not refused.message.startswith("unusable on the target"):
                raise


def _constraints(source: Any, target: Any, catalogue: Catalogue, _: Any) -> None:
    grant_references(source, target, catalogue)
    enable_constraints(target, catalogue)


def _dependents(source: Any, target: Any, catalogue: Catalogue, _: Any) -> None:
    build_dependents(source, target, catalogue)
    compile_invalid(target, catalogue.schemas)


def _statistics(_: Any, target: Any, catalogue: Catalogue, wish: Any) -> None:
    gather_statistics(target, catalogue, Ledger(target, "run-1"), degree=wish.degree)


def _of_source(catalogue: Catalogue, draw: st.DrawFn) -> dict[str, list[Row]]:
    kinds = ("SYNONYM", "PROCEDURE", "FUNCTION", "PACKAGE", "TYPE")
    named = draw(st.lists(NAMES, max_size=3, unique=True))
    owner = catalogue.schemas[0]
    units = [(owner, f"{name[:60]} U", draw(st.sampled_from(kinds))) for name in named]
    degrees = ("1", "4", "DEFAULT")
    states: list[Row] = [
        (index.owner, index.name, draw(st.sampled_from(degrees)), "NO", "VALID", 1, table.name)
        for table in catalogue.tables
        for index in table.indexes
    ]
    commented = [(table.name, draw(st.sampled_from(_TEXTS))) for table in catalogue.tables]
    return {
        statements.OBJECTS_OF: [*units],
        statements.INDEXES_OF: states,
        statements.SIZED_INDEXES_OF: states,
        statements.TABLE_COMMENTS: list(commented),
        statements.COLUMN_COMMENTS: [
            (table.name, column.name, draw(st.sampled_from(_TEXTS)))
            for table in catalogue.tables
            for column in table.columns
        ],
        statements.GRANTS: [_grant(table, draw) for table in catalogue.tables],
        statements.COLUMN_GRANTS: [
            (table.owner, table.name, column.name, "READER", draw(st.sampled_from(_COLUMN_PRIVILEGES)), "NO")
            for table in catalogue.tables
            for column in table.columns
        ],
        statements.TABLESPACES_OF_TABLES: [(each.owner, each.name, "USERS") for each in catalogue.tables],
        statements.TABLESPACES_OF_LOBS: [
            (each.owner, each.name, lob.column, "USERS") for each in catalogue.tables for lob in each.lobs
        ],
        statements.TYPED_COLUMNS: [
            (table.owner, table.name, owner, name) for table in catalogue.tables for _, name, _ in units
        ],
    }


def _grant(table: Table, draw: st.DrawFn) -> Row:
    privilege = draw(st.sampled_from(sorted(PRIVILEGES - {"EXECUTE", "UNDER", "KEEP SEQUENCE"})))
    grantee = draw(st.sampled_from(["PUBLIC", "READER", "app reader"]))
    return table.owner, table.name, grantee, privilege, draw(st.sampled_from(["YES", "NO"]))


def _of_target(catalogue: Catalogue, draw: st.DrawFn, present: bool) -> dict[str, list[Row]]:
    tables: list[Row] = [(each.owner, each.name, "TABLE") for each in catalogue.tables]
    there = [(table, index) for table in catalogue.tables if not table.temporary for index in table.indexes]
    unusable = present and draw(st.booleans())
    states: list[Row] = [
        (each.owner, each.name, "8", "NO", "N/A" if each.partitioned else "UNUSABLE", 0, table.name)
        for table, each in there
    ]
    return {
        statements.OBJECTS_OF: tables if present else [],
        statements.USERS: [("READER",), ("app reader",)],
        statements.ROLES: [("DBA",)],
        statements.SESSION_USER: [("REFRESH_TARGET",)],
        statements.CONSTRAINTS_OF: [
            (each.name, *constraint)
            for each in catalogue.tables
            for constraint in (("A_FK", "R", None), ("A_CK", "C", '"A" > 1'), ("A_PK", "P", None))
        ],
        statements.MANDATORY_COLUMNS_OF: [
            (each.name, *column)
            for each in catalogue.tables
            for column in (("A", "NO"), ("b c", "NO"), ("ID", "YES"))
        ],
        statements.INDEXES_OF: states if unusable else [],
        statements.RECORDED_GRANTS: [
            (each.owner, each.name, "READER", "NO", "SELECT", None) for each in catalogue.tables
        ],
        statements.INVALID_OBJECTS: [
            (catalogue.schemas[0], draw(NAMES), kind) for kind in statements.COMPILE
        ],
        catalog.PARALLEL_OPTION: [("TRUE",)],
    }
