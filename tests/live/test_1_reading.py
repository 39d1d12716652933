"""What a refresh reads, on the databases that are named: nothing is changed, nothing is started."""

from __future__ import annotations

import oracledb

from oracle_refresh.catalog import identify
from oracle_refresh.catalog.limits import read_limits
from oracle_refresh.catalog.reader import read_catalogue
from oracle_refresh.experience.informed_plan import plan_refresh
from oracle_refresh.first_contact.model import Outcome
from oracle_refresh.first_contact.parsing import parse_statements
from oracle_refresh.preflight.examination import examine
from oracle_refresh.run.freeze import freeze
from oracle_refresh.tuning.instance import read_instance

from .conftest import Pair


def test_both_ends_are_what_they_are_named(source: oracledb.Connection, target: oracledb.Connection) -> None:
    first, second = identify(source), identify(target)
    assert not first.same_database(second), "source and target are one database"
    for end in (first, second):
        assert int(end.version.split(".")[0]) >= 19, f"{end.name} has release {end.version}"


def test_every_statement_is_understood(
    pair: Pair, source: oracledb.Connection, target: oracledb.Connection
) -> None:
    """The second step of the ladder: what this release refuses is named, all of it at once."""
    checks = parse_statements(source, target, pair.definition)
    assert len(checks) > 500
    assert [check for check in checks if check.outcome is Outcome.FAILED] == []


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
    limits = read_limits(source).combined(read_limits(target))
    assert min(limits.wished_degree, limits.jobs_at_once) >= 1
    assert read_instance(target).parameters


def test_a_table_can_be_read_as_of_the_scn(pair: Pair, source: oracledb.Connection) -> None:
    frozen = freeze(source)
    definition = pair.definition
    tables = read_catalogue(source, definition.schemas, definition.exclude_tables).tables
    table = min(tables, key=lambda one: one.total_bytes)
    with source.cursor() as cursor:
        cursor.execute(f"SELECT COUNT(*) FROM {table.sql} AS OF SCN :scn", scn=frozen.scn)
        (count,) = cursor.fetchone() or (None,)
    assert count is not None


def test_a_plan_can_be_made(pair: Pair, source: oracledb.Connection, target: oracledb.Connection) -> None:
    frozen = freeze(source)
    assert frozen.scn > 0
    assert plan_refresh(source, target, pair.definition, frozen, "live").plan.jobs
