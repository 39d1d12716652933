"""All steps from an empty target to a complete copy, and all of them once more."""

from __future__ import annotations

from dataclasses import replace

import oracledb
import pytest

from oracle_refresh.catalog.model import Catalogue, Constraint
from oracle_refresh.catalog.reader import read_catalogue
from oracle_refresh.dbfs.store import clean_run, file_bytes
from oracle_refresh.oracle.errors import PlanError
from oracle_refresh.target.objects.build import build_tables
from oracle_refresh.target.objects.constraints import enable_constraints
from oracle_refresh.target.objects.dependents import build_dependents
from oracle_refresh.target.objects.statistics import gather_statistics
from support.demo import FEWER_TABLES
from support.index_builds import build_indexes
from support.transfer import Run, count


def build(run: Run) -> object:
    return build_tables(run.source, run.target, run.catalogue, run.definition, run.ledger)


def shape(constraint: Constraint) -> tuple[object, ...]:
    name = None if constraint.generated else constraint.name
    return name, constraint.type, constraint.columns, constraint.enabled, constraint.validated


def compared(catalogue: Catalogue) -> dict[str, object]:
    """What has to be equal on both ends when everything is done."""
    return {
        table.key: (
            [
                (column.name, column.data_type, column.char_length, column.nullable)
                for column in table.columns
            ],
            sorted(map(str, map(shape, table.constraints))),
            sorted((index.name, index.unique, index.constraint) for index in table.indexes),
            sorted((trigger.name, trigger.enabled) for trigger in table.triggers),
            [partition.name for partition in table.partitions],
            table.iot,
        )
        for table in catalogue.tables
    }


@pytest.fixture(scope="module")
def run(demo_source, demo_target):  # type: ignore[no-untyped-def]
    with demo_source.connect() as source, demo_target.connect() as target:
        yield Run.begin(source, target, lob_shard_min_bytes=200_000, max_shards=3, degree=4, **FEWER_TABLES)


def test_tables_are_built_bare(run: Run) -> None:
    result = build(run)
    assert len(result.created) == len(run.catalogue.tables)
    built = read_catalogue(run.target, run.definition.schemas)
    assert [table.key for table in built.tables] == [table.key for table in run.catalogue.tables]
    assert not [trigger for table in built.tables for trigger in table.triggers]
    for table in built.tables:
        assert not [each for each in table.constraints if each.type == "R"]
        assert table.iot or not table.indexes


def test_rows_are_moved(run: Run) -> None:
    assert len(run.plan.shards) >= 2
    for job in run.plan.jobs:
        dump_set = run.export(job)
        staged = run.stage(dump_set)
        result = run.load(job, staged)
        assert result.rows == dump_set.rows
        assert replace(run.export(job), seconds=dump_set.seconds) == dump_set
        assert run.stage(dump_set).files == staged.files
        assert run.load(job, staged) == result
    for table in run.catalogue.tables:
        assert count(run.target, table.sql) == count(run.source, table.sql), table.key


def test_build_again_touches_nothing(run: Run) -> None:
    result = build(run)
    assert (result.created, result.truncated) == ((), ())
    assert count(run.target, '"TEST"."TESTTABLE"') > 0


def test_indexes_constraints_dependents_statistics(run: Run) -> None:
    for _ in range(2):
        for table in run.catalogue.tables:
            build_indexes(run.source, run.target, table, run.definition)
        enable_constraints(run.target, run.catalogue)
        made = build_dependents(run.source, run.target, run.catalogue)
        assert made.skipped == ()
    assert gather_statistics(run.target, run.catalogue, run.ledger) == len(run.catalogue.tables)
    built = read_catalogue(run.target, run.definition.schemas)
    wanted, found = compared(run.catalogue), compared(built)
    for key, expected in wanted.items():
        assert found[key] == expected, key
    assert built.views == run.catalogue.views
    with run.target.cursor() as cursor:
        cursor.execute(
            "SELECT INDEX_NAME FROM DBA_INDEXES WHERE TABLE_OWNER IN ('APP', 'DOCS', 'TEST')"
            " AND (TRIM(DEGREE) <> '1' OR LOGGING = 'NO') AND INDEX_TYPE <> 'LOB'"
        )
        assert cursor.fetchall() == []
        cursor.execute("SELECT COUNT(*) FROM APP.CUSTOMER_BALANCES")
        assert cursor.fetchone()[0] > 0
        cursor.execute(
            "SELECT COUNT(*) FROM DBA_TAB_PRIVS WHERE GRANTEE = 'APP_READER' AND TABLE_NAME = 'CUSTOMERS'"
        )
        assert cursor.fetchone()[0] == 2


def test_a_unique_index_over_duplicates_is_told(run: Run) -> None:
    table = run.catalogue.table("APP", "CUSTOMERS")
    assert table is not None
    with run.target.cursor() as cursor:
        cursor.execute("ALTER TABLE APP.CUSTOMERS DROP CONSTRAINT CUSTOMERS_EMAIL_UK CASCADE DROP INDEX")
        cursor.execute("UPDATE APP.CUSTOMERS SET EMAIL = 'same@example.org' WHERE ROWNUM <= 2")
        run.target.commit()
    with pytest.raises(PlanError) as caught:
        build_indexes(run.source, run.target, table, run.definition)
    assert "ORA-01452" in caught.value.codes


@pytest.mark.parametrize("prepare", ["fail_if_present", "truncate", "replace_objects"])
def test_prepare_modes_over_a_filled_target(
    source: oracledb.Connection, target: oracledb.Connection, prepare: str, run: Run
) -> None:
    with target.cursor() as cursor:
        cursor.execute("SELECT COUNT(*) FROM DBA_TABLES WHERE OWNER = 'APP' AND TABLE_NAME = 'KEPT'")
        if not cursor.fetchone()[0]:
            cursor.execute("CREATE TABLE APP.KEPT (A NUMBER)")
        if prepare == "truncate":  # what is READ ONLY cannot be emptied (ORA-12081)
            cursor.execute("ALTER TABLE TEST.TESTTABLE READ ONLY")
    again = Run.begin(source, target, prepare=prepare, **FEWER_TABLES)
    before = count(target, '"TEST"."TESTTABLE"')
    if prepare == "fail_if_present":
        with pytest.raises(PlanError, match="already"):
            build_only_demo(again)
        assert count(target, '"TEST"."TESTTABLE"') == before > 0
    else:
        result = build_only_demo(again)
        assert (len(result.created), len(result.truncated))[prepare == "truncate"] == len(
            again.catalogue.tables
        )
        assert count(target, '"TEST"."TESTTABLE"') == 0
    assert count(target, "APP.KEPT") == 0


def build_only_demo(run: Run):  # type: ignore[no-untyped-def]
    return build_tables(run.source, run.target, run.catalogue, run.definition, run.ledger)


def test_truncate_refuses_other_columns_before_anything_is_changed(
    source: oracledb.Connection, target: oracledb.Connection
) -> None:
    again = Run.begin(source, target, prepare="truncate", **FEWER_TABLES)
    with target.cursor() as cursor:
        cursor.execute("ALTER TABLE TEST.TESTTABLE ADD (FURTHER NUMBER)")
        cursor.execute("INSERT INTO APP.COUNTRIES (COUNTRY_CODE, NAME) VALUES ('XX', 'Elsewhere')")
        target.commit()
    with pytest.raises(PlanError, match="columns differ"):
        build_only_demo(again)
    assert count(target, "APP.COUNTRIES") == 1


def test_the_stage_is_cleaned(run: Run) -> None:
    names = [run.export(job).files[0].name for job in run.plan.jobs]
    paths = [f"{run.definition.staging.mount}/{name}" for name in names]
    assert all(file_bytes(run.target, path) for path in paths)
    for _ in range(2):
        clean_run(run.target, run.definition, run.run_id, [job.dump_file for job in run.plan.jobs])
        assert not any(file_bytes(run.target, path) for path in paths)
