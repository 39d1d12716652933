"""The shards of a plan, counted by the database itself."""

from __future__ import annotations

import oracledb

from oracle_refresh.catalog import read_catalogue
from oracle_refresh.catalog.limits import read_limits
from oracle_refresh.plan import build_plan
from oracle_refresh.run.freeze import freeze
from support.planner_tables import definition


def test_the_shards_of_a_table_hold_every_row_once(source: oracledb.Connection) -> None:
    schemas = ("APP", "DOCS", "TEST")
    catalogue = read_catalogue(source, schemas)
    smallest = min(table.total_bytes for table in catalogue.tables if table.lobs)
    wish = definition(schemas=list(schemas), degree=8, lob_shard_min_bytes=smallest // 4)
    plan = build_plan(catalogue, wish, read_limits(source), freeze(source), "run")
    assert len(plan.shards) >= 4
    assert {table.key for table in plan.tables if table.treatment == "shards"} == {
        "DOCS.DOCUMENTS",
        "TEST.TESTTABLE",
    }
    with source.cursor() as cursor:
        for table in catalogue.tables:
            if plan.table(table.key).treatment != "shards":
                continue
            cursor.execute(f"SELECT COUNT(*) FROM {table.sql}")
            (rows,) = cursor.fetchone() or (0,)
            counts = []
            for job in plan.shards:
                if job.table_keys == (table.key,):
                    cursor.execute(f"SELECT COUNT(*) FROM {table.sql} KU$ WHERE {job.predicate}")
                    counts += cursor.fetchone() or ()
            assert sum(counts) == rows
            assert max(counts) < rows
