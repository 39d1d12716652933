"""Indexes: largest first, several at a time, in parallel and unlogged, and back to what the source has."""

from __future__ import annotations

import contextlib
import json
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from types import SimpleNamespace
from typing import Any
from uuid import uuid4

import oracledb
import pytest

from oracle_refresh.catalog import Table
from oracle_refresh.catalog.reader import read_catalogue
from oracle_refresh.oracle.errors import PlanError
from oracle_refresh.target.objects.build import build_tables
from oracle_refresh.target.objects.constraints import enable_constraints
from oracle_refresh.target.objects.index_origins import SourceIndexes
from oracle_refresh.target.objects.indexes import SEVERAL_SESSIONS_BYTES, IndexBuilder
from support.between import Between
from support.index_builds import build_indexes
from support.transfer import Fuse, Killed, Mortal, Run

SCHEMA = [
    'CREATE USER SHOP IDENTIFIED BY "shop"',
    "GRANT UNLIMITED TABLESPACE TO SHOP",
    "CREATE TABLE SHOP.ITEMS (ID NUMBER, CODE VARCHAR2(20) NOT NULL, KIND NUMBER, NOTE VARCHAR2(400),"
    " PRIMARY KEY (ID), CONSTRAINT ITEMS_CODE_UK UNIQUE (CODE))",
    "INSERT INTO SHOP.ITEMS SELECT LEVEL, 'C' || LEVEL, MOD(LEVEL, 7), RPAD('n' || LEVEL, 300, 'x')"
    " FROM DUAL CONNECT BY LEVEL <= 2000",
    "CREATE INDEX SHOP.ITEMS_KIND_IX ON SHOP.ITEMS (KIND) PARALLEL 2",
    "CREATE INDEX SHOP.ITEMS_NOTE_IX ON SHOP.ITEMS (NOTE) NOLOGGING",
    "CREATE INDEX SHOP.ITEMS_UPPER_IX ON SHOP.ITEMS (UPPER(CODE), KIND DESC)",
    "COMMIT",
]
SETTINGS = (
    "SELECT INDEX_NAME, TRIM(DEGREE), LOGGING, STATUS, UNIQUENESS FROM DBA_INDEXES"
    " WHERE TABLE_OWNER = 'SHOP' AND GENERATED = 'N' ORDER BY 1"
)


@pytest.fixture(scope="module")
def run(demo_source: Any, demo_target: Any) -> Iterator[Run]:
    with demo_source.system() as system, system.cursor() as cursor:
        for statement in SCHEMA:
            cursor.execute(statement)
    with demo_target.system() as system, system.cursor() as cursor:
        for statement in SCHEMA[:2]:
            cursor.execute(statement)
    with demo_source.connect() as source, demo_target.connect() as target:
        yield Run.begin(source, target, schemas=["SHOP"], index_sessions=3, degree=6)
    with demo_source.system() as system, system.cursor() as cursor:
        cursor.execute("DROP USER SHOP CASCADE")


@pytest.fixture
def filled(run: Run) -> Run:
    """The run with its table built anew and filled, without indexes."""
    again = replace(run, run_id=f"{run.run_id}_{uuid4().hex[:8]}")
    build_tables(again.source, again.target, again.catalogue, again.definition, again.ledger)
    with again.target.cursor() as cursor:
        cursor.execute(
            "INSERT INTO SHOP.ITEMS SELECT LEVEL, 'C' || LEVEL, MOD(LEVEL, 7), 'n' FROM DUAL"
            " CONNECT BY LEVEL <= 50"
        )
    again.target.commit()
    return again


def rows(connection: oracledb.Connection, sql: str) -> list[Any]:
    with connection.cursor() as cursor:
        cursor.execute(sql)
        return cursor.fetchall()


def issued(demo_target: Any) -> list[str]:
    """The statements about indexes that the target was sent."""
    lines = demo_target.server.statement_log.read_text().splitlines()
    return [entry["sql"] for entry in map(json.loads, lines) if "INDEX" in entry["sql"].upper()]


class Meeting:
    """A cursor that others wait for when it executes something."""

    def __init__(self, cursor: oracledb.Cursor, execute: Callable[..., Any]) -> None:
        self._cursor, self.execute = cursor, execute

    def __getattr__(self, name: str) -> Any:
        return getattr(self._cursor, name)

    def __setattr__(self, name: str, value: Any) -> None:
        known = name in ("_cursor", "execute")
        object.__setattr__(self if known else self._cursor, name, value)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._cursor)


class Together:
    """Sessions that go on from their first statement when each of them has come to it."""

    def __init__(self, demo_target: Any, sessions: int) -> None:
        self.demo_target, self.begun = demo_target, threading.Barrier(sessions)
        self.first: dict[int, str] = {}

    def connect(self) -> Any:
        session, together = self.demo_target.connect(), self

        class Session:
            def __enter__(self) -> Session:
                return self

            def __exit__(self, *_: object) -> None:
                session.close()

            def cursor(self) -> Any:
                cursor = session.cursor()
                if threading.current_thread() is threading.main_thread():
                    return cursor  # it is prepared there

                execute = cursor.execute

                def meet(sql: str, *binds: Any, **named: Any) -> Any:
                    created = sql.startswith("CREATE")
                    if created and together.first.setdefault(threading.get_ident(), sql) is sql:
                        together.begun.wait(120)
                    return execute(sql, *binds, **named)

                return contextlib.nullcontext(Meeting(cursor, meet))

        return Session()


def large(run: Run) -> Table:
    """The table as if it were worth several sessions."""
    return replace(run.catalogue.tables[0], bytes=SEVERAL_SESSIONS_BYTES)


def test_no_session_is_opened_for_the_indexes_of_a_small_table(filled: Run) -> None:
    table = replace(large(filled), bytes=SEVERAL_SESSIONS_BYTES - 1)
    result = build_indexes(filled.source, filled.target, table, filled.definition, connect=pytest.fail)
    assert len(result.built) == 5
    assert rows(filled.target, SETTINGS) == rows(filled.source, SETTINGS)


def test_an_index_of_a_small_table_is_made_as_it_is_to_stay(filled: Run, demo_target: Any) -> None:
    table = replace(large(filled), bytes=SEVERAL_SESSIONS_BYTES - 1)
    before = len(issued(demo_target))
    build_indexes(filled.source, filled.target, table, filled.definition)
    sent = issued(demo_target)[before:]
    assert rows(filled.target, SETTINGS) == rows(filled.source, SETTINGS)
    assert not [sql for sql in sent if sql.startswith("ALTER INDEX")]
    assert len([sql for sql in sent if "FROM DBA_INDEXES" in sql]) == 1
    # One that is there may be in the mode it was built in, of a try that was killed.
    with filled.target.cursor() as cursor:
        cursor.execute("ALTER INDEX SHOP.ITEMS_NOTE_IX PARALLEL 4 LOGGING")
    assert build_indexes(filled.source, filled.target, table, filled.definition).built == ()
    assert rows(filled.target, SETTINGS) == rows(filled.source, SETTINGS)


def test_the_dictionary_is_asked_once_for_many_tables(filled: Run, demo_target: Any) -> None:
    tables = [replace(large(filled), name=name, indexes=(), bytes=0) for name in ("A", "B", "C")]
    builder = IndexBuilder(SourceIndexes(filled.source), filled.target, tables, filled.definition)
    before = len(issued(demo_target))
    assert [builder.build(table).built for table in tables] == [()] * 3
    assert len([sql for sql in issued(demo_target)[before:] if "FROM DBA_INDEXES" in sql]) == 1


def test_several_at_a_time_largest_first_and_set_back(filled: Run, demo_target: Any) -> None:
    table = large(filled)
    assert len(table.indexes) == 5
    before = len(issued(demo_target))
    told: list[float] = []
    progress = SimpleNamespace(report=lambda done, total, unit, what: told.append(done))
    together = Together(demo_target, 3)
    result = build_indexes(filled.source, filled.target, table, filled.definition, progress, together.connect)
    assert len(result.built) == 5
    assert result.ready == ()
    assert told == [1, 2, 3, 4, 5]
    assert rows(filled.target, SETTINGS) == rows(filled.source, SETTINGS)
    assert ("ITEMS_NOTE_IX", "1", "NO", "VALID", "NONUNIQUE") in rows(filled.target, SETTINGS)
    made = [sql for sql in issued(demo_target)[before:] if sql.startswith(("CREATE", "ALTER TABLE"))]
    assert len(together.first) == 3
    assert [sql for sql in together.first.values() if '"ITEMS_NOTE_IX"' in sql], "not the largest"
    assert all(sql.endswith("PARALLEL 2 NOLOGGING") for sql in made if sql.startswith("CREATE"))
    kinds = [sql.split()[0] for sql in made]
    assert kinds == ["CREATE"] * 4 + ["ALTER"], "a key is added beside an index that is built (ORA-00054)"
    again = build_indexes(filled.source, filled.target, table, filled.definition, connect=demo_target.connect)
    assert (len(again.ready), again.built) == (5, ())


def test_a_key_without_a_name_gets_one_of_the_target(filled: Run) -> None:
    """A generated name of the source may be taken on the target."""
    table = filled.catalogue.tables[0]
    key = table.primary_key
    assert key is not None
    assert key.generated
    build_indexes(filled.source, filled.target, table, filled.definition)
    enable_constraints(filled.target, filled.catalogue)
    there = read_catalogue(filled.target, ["SHOP"]).tables[0]
    assert there.primary_key is not None
    assert (there.primary_key.columns, there.primary_key.generated) == (("ID",), True)
    assert len([each for each in there.constraints if each.type in ("P", "U")]) == 2
    assert len(there.indexes) == 5
    found = rows(
        filled.target,
        "SELECT DISTINCT TRIM(DEGREE), LOGGING FROM DBA_INDEXES WHERE GENERATED = 'Y'"
        " AND TABLE_OWNER = 'SHOP' AND INDEX_TYPE <> 'LOB'",
    )
    assert found == [("1", "YES")]


def test_killed_anywhere_and_repeated(filled: Run) -> None:
    table = filled.catalogue.tables[0]
    deaths = 0
    for calls in range(4, 200, 3):
        fuse = Fuse(calls)
        try:
            build_indexes(Mortal(filled.source, fuse), Mortal(filled.target, fuse), table, filled.definition)
            break
        except Killed:
            deaths += 1
            # The schema that the dead session was set to is gone with it.
            filled.target.cursor().execute("ALTER SESSION SET CURRENT_SCHEMA = REFRESH_TARGET")
    assert deaths > 3
    assert rows(filled.target, SETTINGS) == rows(filled.source, SETTINGS)


def beside(connection: Any, words: dict[str, str | None]) -> Any:
    """A connection before whose statements another session has just run the same, or what is given."""

    def run(sql: str) -> None:
        for word in [word for word in words if word in sql and sql.startswith(("CREATE", "ALTER"))]:
            connection.cursor().execute(words.pop(word) or sql)

    return Between(connection, run)


def test_what_the_session_of_a_killed_task_has_built_meanwhile_serves(filled: Run) -> None:
    table = filled.catalogue.tables[0]
    words: dict[str, str | None] = {"ITEMS_KIND_IX": None, "PRIMARY KEY": None}
    target = beside(filled.target, words)
    result = build_indexes(filled.source, target, table, filled.definition)
    assert (len(result.built), words) == (5, {})
    assert rows(filled.target, SETTINGS) == rows(filled.source, SETTINGS)


def test_an_index_of_another_table_does_not_serve(filled: Run) -> None:
    with filled.target.cursor() as cursor:
        cursor.execute("CREATE TABLE SHOP.OTHERS (N NUMBER)")
    words: dict[str, str | None] = {"ITEMS_KIND_IX": 'CREATE INDEX "SHOP"."ITEMS_KIND_IX" ON SHOP.OTHERS (N)'}
    target = beside(filled.target, words)
    try:
        with pytest.raises(PlanError) as caught:
            build_indexes(filled.source, target, filled.catalogue.tables[0], filled.definition)
    finally:
        with filled.target.cursor() as cursor:
            cursor.execute("DROP TABLE SHOP.OTHERS PURGE")
    assert "ORA-00955" in caught.value.codes


def test_an_unusable_index_is_rebuilt(filled: Run) -> None:
    table = filled.catalogue.tables[0]
    build_indexes(filled.source, filled.target, table, filled.definition)
    with filled.target.cursor() as cursor:
        cursor.execute("ALTER INDEX SHOP.ITEMS_KIND_IX UNUSABLE")
    assert ("ITEMS_KIND_IX", "2", "YES", "UNUSABLE", "NONUNIQUE") in rows(filled.target, SETTINGS)
    result = build_indexes(filled.source, filled.target, table, filled.definition)
    assert result.rebuilt == ("SHOP.ITEMS_KIND_IX",)
    assert rows(filled.target, SETTINGS) == rows(filled.source, SETTINGS)


def test_an_index_that_is_unusable_on_the_source_is_left_so(filled: Run, demo_source: Any) -> None:
    table = filled.catalogue.tables[0]
    build_indexes(filled.source, filled.target, table, filled.definition)
    with demo_source.system() as system, system.cursor() as cursor, filled.target.cursor() as there:
        cursor.execute("ALTER INDEX SHOP.ITEMS_KIND_IX UNUSABLE")
        there.execute("ALTER INDEX SHOP.ITEMS_KIND_IX UNUSABLE")
        try:
            assert build_indexes(filled.source, filled.target, table, filled.definition).rebuilt == ()
        finally:
            cursor.execute("ALTER INDEX SHOP.ITEMS_KIND_IX REBUILD")


def test_standard_edition_builds_without_parallel(
    filled: Run, demo_target: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("oracle_refresh.catalog.statements.PARALLEL_OPTION", "SELECT 'FALSE' FROM DUAL")
    before = len(issued(demo_target))
    build_indexes(
        filled.source,
        filled.target,
        large(filled),
        filled.definition,
        connect=demo_target.connect,
    )
    made = [sql for sql in issued(demo_target)[before:] if sql.startswith("CREATE")]
    assert len(made) == 4
    assert not [sql for sql in made if " PARALLEL" in sql]


def test_the_first_error_ends_it_and_leaves_nothing_in_parallel_mode(filled: Run, demo_target: Any) -> None:
    with filled.target.cursor() as cursor:
        cursor.execute("UPDATE SHOP.ITEMS SET CODE = 'same'")
    filled.target.commit()
    with pytest.raises(PlanError) as caught:
        build_indexes(
            filled.source,
            filled.target,
            large(filled),
            filled.definition,
            connect=demo_target.connect,
        )
    assert "ORA-01452" in caught.value.codes
    here = dict.fromkeys(rows(filled.source, SETTINGS))
    assert set(rows(filled.target, SETTINGS)) <= set(here)
