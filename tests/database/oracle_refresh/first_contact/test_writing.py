"""The throwaway schema: everything in it passes, and nothing is left, whatever happens."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import oracledb
import pytest

from oracle_refresh.definition import RefreshDefinition, load_definition
from oracle_refresh.first_contact import throwaway as room
from oracle_refresh.first_contact.built import RUN
from oracle_refresh.first_contact.model import Outcome
from oracle_refresh.first_contact.samples import SAMPLES
from oracle_refresh.first_contact.throwaway import SCHEMA, throwaway
from oracle_refresh.first_contact.writing import try_in_throwaway_schema
from oracle_refresh.masking.control import stem
from oracle_refresh.oracle.errors import PreflightError
from oracle_refresh.oracle.identifiers import TableName
from support.demo import DemoDatabase

RULES = """\
name: first
lookups: {names: names.csv, places: places.csv}
tables:
  APP.EMPLOYEES:
    FIRST_NAME: {algorithm: name, lookup: names, domain: first}
    EMAIL: {algorithm: email, domain: email}
    HIRE_DATE:
      {algorithm: date_shift, domain: employee, subject: EMPLOYEE_ID, minimum_days: -60, maximum_days: 60}
  APP.ADDRESSES:
    "CITY, POSTCODE": {algorithm: place, lookup: places, domain: place}
  APP.TICKETS:
    MESSAGE: {algorithm: free_text, words: [my, name, is]}
  APP.ACCOUNTS:
    IBAN: {algorithm: iban, domain: iban}
    BALANCE: {algorithm: numeric_noise, domain: balance, percent: 20, subject: ACCOUNT_ID}
"""


def definition(folder: Path) -> RefreshDefinition:
    (folder / "names.csv").write_text("NAME\nAnna\nBert\nCleo\nDora\n", encoding="utf-8")
    (folder / "places.csv").write_text("CITY,POSTCODE\nUlm,89073\nLyon,69001\n", encoding="utf-8")
    (folder / "rules.yaml").write_text(RULES, encoding="utf-8")
    demo = load_definition(Path(__file__).parents[4] / "include" / "refreshes" / "demo.yaml").to_json()
    ruleset = {**demo["masking"], "ruleset": str(folder / "rules.yaml")}
    return RefreshDefinition.from_json({**demo, "schemas": ["APP"], "masking": ruleset, "expectations": None})


def held(target: oracledb.Connection) -> list[tuple[Any, ...]]:
    """Users, and objects with their owners."""
    with target.cursor() as cursor:
        cursor.execute("SELECT USERNAME, 'USER', USERNAME FROM DBA_USERS")
        users = cursor.fetchall()
        cursor.execute("SELECT OWNER, OBJECT_TYPE, OBJECT_NAME FROM DBA_OBJECTS")
        return sorted([*users, *cursor.fetchall()])


def test_all_of_it_passes_and_nothing_is_left(
    source: oracledb.Connection, target: oracledb.Connection, tmp_path: Path
) -> None:
    before = held(target)
    checks = try_in_throwaway_schema(source, target, definition(tmp_path))
    assert [check for check in checks if check.outcome is Outcome.FAILED] == []
    passed = " ".join(check.name for check in checks if check.outcome is Outcome.PASSED)
    for name in (
        "bare build of ORGANIZED",
        "bare build of DAYS",
        "bare build of HASHES",
        "inventory",
        "LOB hashes",
        "rowids",
        "history",
        "exotics: a table with PCTFREE",
        *(f"algorithm: {sample.name}, 1000 values" for sample in SAMPLES),
        "masking: record_lookup of APP.ADDRESSES.CITY, POSTCODE, 1000 values",
        "masking: free_text of APP.TICKETS.MESSAGE, 1000 values",
        "masking: numeric_noise of APP.ACCOUNTS.BALANCE, 1000 values",
    ):
        assert name in passed
    skipped = [check for check in checks if check.outcome is Outcome.SKIPPED]
    assert [check.name for check in skipped] == [
        "exotics: a table of objects",
        "exotics: a table of XMLTYPE",
        "exotics: a table partitioned by reference",
    ]
    reasons = [(check.problem or "").removeprefix("it cannot be made: ") for check in skipped]
    unknown = ("object tables", "object tables", "PARTITION BY REFERENCE")
    assert reasons == [f"ORA-03001: unimplemented feature: {what}" for what in unknown]
    assert held(target) == before


def test_what_fails_leaves_nothing(target: oracledb.Connection) -> None:
    before = held(target)
    with pytest.raises(oracledb.DatabaseError, match="ORA-01476"), throwaway(target) as schema:
        target.cursor().execute(f'CREATE TABLE "{schema}".T AS SELECT 1 / (1 - ROWNUM) AS A FROM DUAL')
    assert held(target) == before


def test_the_next_run_removes_what_a_killed_one_has_left(
    demo_target: DemoDatabase, target: oracledb.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = held(target)
    with demo_target.connect() as first, monkeypatch.context() as dead:
        for tidying in ("_forget", "_drop_control_tables"):
            dead.setattr(room, tidying, lambda *_: None)
        dead.setattr(room.OwnSchemas, "drop", lambda *_: False)
        with throwaway(first) as schema, first.cursor() as cursor:
            cursor.execute(f'CREATE TABLE "{schema}".T (A NUMBER)')
            cursor.execute(f'CREATE TABLE "REFRESH$M_{stem(RUN, TableName(schema, "T").key)}_1" (A NUMBER)')
            cursor.execute('CREATE TABLE "REFRESH$M_0123456789AB_1" (A NUMBER)')
    assert SCHEMA in {name for name, *_ in held(target)}
    with throwaway(target):
        pass
    with target.cursor() as cursor:  # the map of a refresh that is at work
        cursor.execute('DROP TABLE "REFRESH$M_0123456789AB_1" PURGE')
    assert held(target) == before


def test_a_schema_of_that_name_that_is_somebody_elses_stays(
    demo_target: DemoDatabase, target: oracledb.Connection
) -> None:
    before = held(target)
    with demo_target.system() as system, system.cursor() as cursor:
        cursor.execute(f'CREATE USER "{SCHEMA}" NO AUTHENTICATION')
        try:
            with pytest.raises(PreflightError, match="not the first contact's own"), throwaway(target):
                pass
            cursor.execute("SELECT COUNT(*) FROM DBA_USERS WHERE USERNAME = :name", name=SCHEMA)
            assert cursor.fetchone() == (1,)
        finally:
            cursor.execute(f'DROP USER "{SCHEMA}" CASCADE')
    assert held(target) == before
