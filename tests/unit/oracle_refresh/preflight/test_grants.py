"""What grants.sql grants, beside what the statements take and what the users of the stand-in's demo have."""

from __future__ import annotations

import re
from importlib import resources
from pathlib import Path
from typing import Any

import pytest

from oracle_refresh.preflight.requirements import target_objects, target_requirements
from support.privileges import granted, needed, templates
from support.transfer import demo

ROOT = Path(__file__).parents[4]
PROVIDER = ROOT / "provider" / "oracle_refresh"
ENDS = ("source", "target")
GRANTS = dict(
    zip(ENDS, (ROOT / "include" / "sql" / "grants.sql").read_text().split("-- On the TARGET"), strict=True)
)
#: The quota of the source's user is written into CREATE USER.
QUOTA = {"UNLIMITED TABLESPACE"}
UPDATE = "UPDATE ANY TABLE"


@pytest.mark.parametrize("end", ENDS)
def test_the_demos_users_have_these_grants_and_the_optional_ones(end: str) -> None:
    """So whatever runs on the stand-in, runs with them."""
    script = resources.files("localoracle.demo").joinpath(f"users_{end}.sql").read_text()
    optional = granted(GRANTS[end], optional=True)
    assert granted(script) - QUOTA == (granted(GRANTS[end]) | optional) - QUOTA
    assert optional.isdisjoint(granted(GRANTS[end]))
    objects = r"^GRANT (\w+(?:, \w+)*) ON ([\w. $]+?) TO"
    assert set(re.findall(objects, script, re.MULTILINE)) == set(
        re.findall(objects, GRANTS[end], re.MULTILINE)
    )


@pytest.mark.parametrize(
    ("sql", "privileges"),
    [
        ('CREATE TABLE "REFRESH$RUN" (A NUMBER)', {"CREATE TABLE"}),
        ('CREATE TABLE "APP"."T" (A NUMBER)', {"CREATE ANY TABLE"}),
        ('CREATE UNIQUE INDEX "APP"."I" ON "APP"."T" ("A")', {"CREATE ANY INDEX"}),
        (
            'CREATE OR REPLACE FORCE EDITIONABLE VIEW "APP"."V" ("A") AS SELECT 1 FROM DUAL',
            {"CREATE ANY VIEW", "DROP ANY VIEW"},
        ),
        ("CREATE OR REPLACE FUNCTION APP.F RETURN NUMBER AS BEGIN RETURN 1; END;", {"CREATE ANY PROCEDURE"}),
        ('TRUNCATE TABLE "APP"."T"', {"DROP ANY TABLE"}),
        ('SELECT A FROM "APP"."T" T AS OF SCN :scn', {"SELECT ANY TABLE", "FLASHBACK ANY TABLE"}),
        ("SELECT S_NAME FROM SYS.DBFS$_STORES", set()),
        ("SELECT 1 FROM DBA_TABLES T JOIN V$DATABASE D ON 1 = 1", {"SELECT_CATALOG_ROLE"}),
        (
            'MERGE INTO "APP"."T" G USING S ON (1 = 1) WHEN MATCHED THEN UPDATE SET A = 1',
            {"UPDATE ANY TABLE"},
        ),
        ('GRANT SELECT ON "APP"."T" TO "R"', {"GRANT ANY OBJECT PRIVILEGE"}),
        ('UPDATE "REFRESH$RUN" SET A = 1', set()),
        ("begin DBMS_STATS.GATHER_TABLE_STATS(ownname => :1); end;", {"ANALYZE ANY"}),
        ("ALTER SYSTEM KILL SESSION '1,2'", {"ALTER SYSTEM"}),
    ],
)
def test_what_a_statement_takes_is_told_by_its_text(sql: str, privileges: set[str]) -> None:
    assert needed(sql) == privileges


def test_every_grant_to_change_rows_and_objects_has_a_statement() -> None:
    """Those of DDL that the source dictates come with the log of a run (system/whole_refresh)."""
    dictated = ("CREATE ANY ", "DROP ANY VIEW", "SELECT ANY TABLE")
    wanted = {name for name in granted(GRANTS["target"]) if " ANY " in name and not name.startswith(dictated)}
    assert len(wanted) > 8
    for text in templates(PROVIDER):
        wanted -= needed(text)
        if not wanted:
            break
    assert wanted == set(), "no statement takes it"


@pytest.mark.parametrize(
    ("store", "transport", "more"),
    [
        ("FS", "stream", set()),
        ({"name": "FS", "tablespace": "T"}, "stream", set()),
        ({"name": "FS", "tablespace": "T", "create_tablespace": {}}, "stream", {"CREATE TABLESPACE"}),
        ({"name": "FS", "tablespace": "T", "create_tablespace": {}, "keep": False}, "auto",
         {"CREATE TABLESPACE", "DROP TABLESPACE"}),
        ({"name": "FS", "tablespace": "T", "create_tablespace": {}, "keep": False}, "shared", {"-"}),
    ],
)  # fmt: skip
def test_a_store_that_the_run_makes_needs_more(store: Any, transport: str, more: set[str]) -> None:
    staging = demo().staging.model_dump(mode="json") | {"store": store, "transport": transport}
    wanted = {requirement.any_of[0] for requirement in target_requirements(demo(staging=staging))}
    usual = {requirement.any_of[0] for requirement in target_requirements(demo())}
    assert wanted == (usual - {"DBFS_ROLE"} if more == {"-"} else usual | more)


def test_rows_over_a_database_link_need_neither_store_nor_file_transfer() -> None:
    """As on managed databases, which have no DBFS."""
    staging = demo().staging.model_dump(mode="json") | {"transport": "file_transfer", "database_link": "L"}
    linked = {"transport": "network_link", "database_link": "L"}
    for definition in (demo(datapump=linked), demo(datapump=linked, staging=staging)):
        assert ("DBFS_ROLE",) not in {need.any_of for need in target_requirements(definition)}
        assert "DBMS_FILE_TRANSFER" not in {need.object_name for need in target_objects(definition)}
