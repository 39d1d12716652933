"""What a refresh reads, on the databases that are named: nothing is changed, nothing is started."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib import import_module

import oracledb
import pytest

from oracle_refresh.catalog import identify
from oracle_refresh.catalog.limits import read_limits
from oracle_refresh.catalog.reader import read_catalogue
from oracle_refresh.freeze import freeze
from oracle_refresh.identifiers import qualified
from oracle_refresh.plan_command import make_plan
from oracle_refresh.preflight_command import examine
from oracle_refresh.tuning.instance import read_instance

from .conftest import Pair

#: Modules whose statements are queries of the dictionary; lists of names stand in braces.
ROOMS = ("catalog", "preflight", "tuning")
NAMES = re.compile(r"\{(?:names|schemas)\}")


def queries() -> Iterator[tuple[str, str]]:
    """Every query of these rooms that is complete but for names, which become binds."""
    for room in ROOMS:
        module = import_module(f"oracle_refresh.{room}.statements")
        for name, text in vars(module).items():
            if name.isupper() and isinstance(text, str) and text.lstrip().startswith(("SELECT", "WITH")):
                filled = NAMES.sub(":name", text)
                if "{" not in filled:
                    yield f"{room}.{name}", filled


def test_both_ends_are_what_they_are_named(source: oracledb.Connection, target: oracledb.Connection) -> None:
    first, second = identify(source), identify(target)
    assert not first.same_database(second), "source and target are one database"
    for end in (first, second):
        assert int(end.version.split(".")[0]) >= 19, f"{end.name} has release {end.version}"


@pytest.mark.parametrize("end", ["source", "target"])
def test_every_query_of_the_dictionary_is_understood(
    end: str, source: oracledb.Connection, target: oracledb.Connection
) -> None:
    """A view or a column that this release does not have is named, all of them at once."""
    connection = source if end == "source" else target
    refused, known = {}, dict(queries())
    assert len(known) > 30
    with connection.cursor() as cursor:
        for name, text in known.items():
            try:
                cursor.parse(text)
            except oracledb.Error as error:
                refused[name] = str(error).splitlines()[0]
    assert refused == {}


def test_the_preflight_finds_nothing_that_stands_against_it(
    pair: Pair, source: oracledb.Connection, target: oracledb.Connection
) -> None:
    examined = examine(source, target, pair.definition)
    assert examined.ready, "\n".join(str(finding) for finding in examined.findings)


def test_catalogue_limits_and_instance_can_be_read(
    pair: Pair, source: oracledb.Connection, target: oracledb.Connection
) -> None:
    definition = pair.definition
    catalogue = read_catalogue(source, definition.schemas, definition.exclude_tables)
    assert catalogue.tables, f"the source holds no table of {', '.join(definition.schemas)}"
    assert read_limits(source).combined(read_limits(target)).default_degree >= 1
    assert read_instance(target).parameters


def test_a_table_can_be_read_as_of_the_scn(pair: Pair, source: oracledb.Connection) -> None:
    frozen = freeze(source)
    definition = pair.definition
    tables = read_catalogue(source, definition.schemas, definition.exclude_tables).tables
    table = min(tables, key=lambda one: one.total_bytes)
    with source.cursor() as cursor:
        cursor.execute(
            f"SELECT COUNT(*) FROM {qualified(table.owner, table.name)} AS OF SCN :scn", scn=frozen.scn
        )
        (count,) = cursor.fetchone() or (None,)
    assert count is not None


def test_a_plan_can_be_made(pair: Pair, source: oracledb.Connection, target: oracledb.Connection) -> None:
    plan, frozen = make_plan(source, target, pair.definition, "live")
    assert plan.jobs
    assert frozen.scn > 0
