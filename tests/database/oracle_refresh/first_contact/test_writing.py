"""The throwaway schema: everything in it passes, and nothing is left, whatever happens."""

from __future__ import annotations

import oracledb
import pytest

from oracle_refresh.first_contact import throwaway as room
from oracle_refresh.first_contact.built import RUN
from oracle_refresh.first_contact.throwaway import SCHEMA, throwaway
from oracle_refresh.masking.control import stem
from oracle_refresh.oracle.errors import PreflightError
from oracle_refresh.oracle.identifiers import TableName
from support.demo import DemoDatabase
from support.held_objects import held


def test_what_fails_leaves_nothing(target: oracledb.Connection) -> None:
    before = held(target)
    with pytest.raises(oracledb.DatabaseError, match="ORA-01476"), throwaway(target) as schema:
        target.cursor().execute(f'CREATE TABLE "{schema}".T AS SELECT 1 / (1 - ROWNUM) AS A FROM DUAL')
    assert held(target) == before


@pytest.mark.slow
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
