"""Constraints come back in the state of the source; what does not hold is counted, never shown."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any
from uuid import uuid4

import pytest

from oracle_refresh.oracle.errors import PlanError
from oracle_refresh.target.objects.build import build_tables
from oracle_refresh.target.objects.constraints import ConstraintResult, enable_constraints
from oracle_refresh.target.objects.violations import count_statement
from support.between import Between
from support.index_builds import build_indexes
from support.transfer import Fuse, Killed, Mortal, Run

SCHEMA = [
    'CREATE USER LAW IDENTIFIED BY "law"',
    "GRANT UNLIMITED TABLESPACE TO LAW",
    "CREATE TABLE LAW.PARENTS (ID NUMBER NOT NULL, CODE VARCHAR2(20) CONSTRAINT PARENTS_CODE_NN NOT NULL,"
    " SIZE_OF NUMBER, NOTE VARCHAR2(30), PRIMARY KEY (ID), CONSTRAINT PARENTS_CODE_UK UNIQUE (CODE),"
    " CHECK (SIZE_OF > 0), CONSTRAINT PARENTS_NOTE_CK CHECK (NOTE <> 'no'))",
    "CREATE TABLE LAW.CHILDREN (ID NUMBER, PARENT_ID NUMBER, OTHER_ID NUMBER, CODE VARCHAR2(20))",
    "ALTER TABLE LAW.PARENTS ADD CONSTRAINT PARENTS_LATE_CK CHECK (SIZE_OF < 100) ENABLE NOVALIDATE",
    "ALTER TABLE LAW.PARENTS ADD CHECK (SIZE_OF < 90) ENABLE NOVALIDATE",
    "ALTER TABLE LAW.PARENTS ADD CONSTRAINT PARENTS_OFF_CK CHECK (SIZE_OF < 2) DISABLE NOVALIDATE",
    "ALTER TABLE LAW.CHILDREN ADD CONSTRAINT CHILDREN_PK PRIMARY KEY (ID) RELY DISABLE NOVALIDATE",
    "ALTER TABLE LAW.CHILDREN ADD CONSTRAINT CHILDREN_CODE_UK UNIQUE (CODE) DEFERRABLE INITIALLY DEFERRED",
    "ALTER TABLE LAW.CHILDREN MODIFY (CODE NOT NULL ENABLE NOVALIDATE)",
    "ALTER TABLE LAW.CHILDREN ADD FOREIGN KEY (PARENT_ID) REFERENCES LAW.PARENTS (ID) ON DELETE CASCADE",
    "ALTER TABLE LAW.CHILDREN ADD CONSTRAINT CHILDREN_OTHER_FK FOREIGN KEY (OTHER_ID)"
    " REFERENCES LAW.PARENTS (ID) DEFERRABLE INITIALLY DEFERRED",
    "ALTER TABLE LAW.CHILDREN ADD CONSTRAINT CHILDREN_OFF_FK FOREIGN KEY (CODE)"
    " REFERENCES LAW.PARENTS (CODE) DISABLE NOVALIDATE",
]
STATES = """\
SELECT C.TABLE_NAME, C.CONSTRAINT_TYPE, CASE C.GENERATED WHEN 'USER NAME' THEN C.CONSTRAINT_NAME END,
       C.SEARCH_CONDITION_VC, C.DELETE_RULE, C.STATUS, C.VALIDATED, C.DEFERRABLE, C.DEFERRED, C.RELY
FROM DBA_CONSTRAINTS C WHERE C.OWNER = 'LAW' ORDER BY 1, 2, 3, 4, 5"""


@pytest.fixture(scope="module")
def ends(demo_source: Any, demo_target: Any) -> Iterator[Run]:
    for database, statements in ((demo_source, SCHEMA), (demo_target, SCHEMA[:2])):
        with database.system() as system, system.cursor() as cursor:
            for statement in statements:
                cursor.execute(statement)
    with demo_source.connect() as source, demo_target.connect() as target:
        yield Run.begin(source, target, schemas=["LAW"])
    with demo_source.system() as system, system.cursor() as cursor:
        cursor.execute("DROP USER LAW CASCADE")


@pytest.fixture
def run(ends: Run) -> Run:
    """A run whose tables are built anew, with rows that satisfy everything; no index, no constraint yet."""
    made = replace(ends, run_id=f"test__{uuid4().hex[:12]}")
    build_tables(made.source, made.target, made.catalogue, made.definition, made.ledger)
    change(
        made,
        "INSERT INTO LAW.PARENTS SELECT LEVEL, 'C' || LEVEL, LEVEL, 'x' FROM DUAL CONNECT BY LEVEL <= 30",
        "INSERT INTO LAW.CHILDREN SELECT LEVEL, MOD(LEVEL, 30) + 1, 1, 'D' || LEVEL FROM DUAL"
        " CONNECT BY LEVEL <= 60",
    )
    return made


def change(run: Run, *statements: str) -> None:
    with run.target.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)
    run.target.commit()


def states(connection: Any) -> list[Any]:
    with connection.cursor() as cursor:
        cursor.execute(STATES)
        return cursor.fetchall()


def finish(run: Run, connect: Any = None) -> ConstraintResult:
    for table in run.catalogue.tables:
        build_indexes(run.source, run.target, table, run.definition)
    return enable_constraints(run.target, run.catalogue, sessions=3, connect=connect)


def test_every_state_of_the_source_is_reached(run: Run, demo_target: Any) -> None:
    assert states(run.target) == []
    result = finish(run, demo_target.connect)
    expected = states(run.source)
    assert len(expected) == 15
    assert states(run.target) == expected
    assert {row[9] for row in expected} == {"RELY", None}
    assert {row[5:7] for row in expected} == {
        ("ENABLED", "VALIDATED"),
        ("ENABLED", "NOT VALIDATED"),
        ("DISABLED", "NOT VALIDATED"),
    }
    again = finish(run, demo_target.connect)
    assert again.added == 0
    assert replace(result, added=0) == again
    assert states(run.target) == expected


def test_they_are_added_novalidate_and_foreign_keys_are_validated_last(run: Run, demo_target: Any) -> None:
    before = len(demo_target.server.statement_log.read_text().splitlines())
    finish(run, demo_target.connect)
    lines = demo_target.server.statement_log.read_text().splitlines()[before:]
    sent = [entry["sql"] for entry in map(json.loads, lines)]
    added = [sql for sql in sent if " ADD CONSTRAINT " in sql or " ADD CHECK" in sql or " ADD FOREIGN" in sql]
    assert all(sql.endswith("NOVALIDATE") for sql in added)
    validated = [sql for sql in sent if sql.endswith(" VALIDATE") and " MODIFY CONSTRAINT " in sql]
    assert len(validated) >= 4
    foreign = [number for number, sql in enumerate(validated) if '"LAW"."CHILDREN"' in sql]
    assert foreign[-1] == len(validated) - 1
    assert any("FORCE PARALLEL QUERY" in sql for sql in sent) == any("PARALLEL" in sql for sql in sent)


@pytest.mark.parametrize(
    ("damage", "complaint", "code"),
    [
        ("UPDATE LAW.CHILDREN SET PARENT_ID = 4711 WHERE ID <= 7", "7 rows without a parent", "ORA-02298"),
        ("UPDATE LAW.PARENTS SET NOTE = 'no' WHERE ID <= 3", "3 rows do not meet", "ORA-02293"),
        ("UPDATE LAW.PARENTS SET CODE = NULL WHERE ID IN (1, 2)", "2 rows without a value", "ORA-02296"),
        ("UPDATE LAW.CHILDREN SET CODE = 'D1' WHERE ID <= 4", "1 values occur more than once", "ORA-02299"),
    ],
)
def test_what_does_not_hold_is_counted_and_everything_else_done(
    run: Run, demo_target: Any, damage: str, complaint: str, code: str
) -> None:
    if "CHILDREN SET CODE" in damage:
        # No index of the source's is built over the duplicates: the key makes its own.
        table = run.catalogue.table("LAW", "CHILDREN")
        assert table is not None
        bare = replace(table, indexes=())
        others = [each for each in run.catalogue.tables if each.name != "CHILDREN"]
        run.__dict__["catalogue"] = replace(run.catalogue, tables=(bare, *others))
    change(run, damage)
    with pytest.raises(PlanError) as caught:
        finish(run, demo_target.connect)
    assert complaint in str(caught.value)
    assert code in caught.value.codes
    assert not [value for value in ("4711", "'no'", "D1") if value in str(caught.value)]


@pytest.mark.slow
def test_all_violations_are_told_at_once_and_mended_ones_validated(run: Run, demo_target: Any) -> None:
    change(
        run,
        "UPDATE LAW.PARENTS SET NOTE = 'no' WHERE ID = 9",
        "UPDATE LAW.CHILDREN SET OTHER_ID = -1 WHERE ID < 5",
    )
    with pytest.raises(PlanError, match="violated: 2 constraints: ") as caught:
        finish(run, demo_target.connect)
    assert "LAW.PARENTS PARENTS_NOTE_CK: 1 rows" in str(caught.value)
    assert "LAW.CHILDREN CHILDREN_OTHER_FK: 4 rows without a parent" in str(caught.value)
    change(run, "UPDATE LAW.PARENTS SET NOTE = 'yes' WHERE ID = 9")
    with pytest.raises(PlanError, match="violated: 1 constraint: "):
        finish(run, demo_target.connect)
    change(run, "UPDATE LAW.CHILDREN SET OTHER_ID = NULL WHERE ID < 5")
    finish(run, demo_target.connect)
    assert states(run.target) == states(run.source)


def test_violations_of_every_kind_are_counted(run: Run) -> None:
    """An aggregate beside a scalar subquery would be ORA-00937."""
    change(
        run,
        "INSERT INTO LAW.PARENTS VALUES (1, 'D1', 1, 'x')",
        "INSERT INTO LAW.PARENTS VALUES (NULL, 'D1', -1, 'no')",
        "INSERT INTO LAW.CHILDREN VALUES (99, 99, 99, NULL)",
    )
    counts: dict[tuple[str, str], int] = {}
    with run.target.cursor() as cursor:
        for table in run.catalogue.tables:
            for constraint in table.constraints:
                cursor.execute(count_statement(table, constraint)[0])
                (counts[table.name, constraint.type + "".join(constraint.columns)],) = cursor.fetchone() or (
                    0,
                )
    assert counts["PARENTS", "PID"] == 2, "one value twice, one NULL"
    assert counts["PARENTS", "UCODE"] == 1
    assert counts["PARENTS", "CNOTE"] == 1
    assert counts["CHILDREN", "CCODE"] == 1
    assert counts["CHILDREN", "RPARENT_ID"] == counts["CHILDREN", "ROTHER_ID"] == 1


def test_a_column_that_is_not_null_already_leaves_out_no_other(run: Run) -> None:
    """A key makes its columns NOT NULL without such a constraint; one statement is for all columns."""
    change(run, "ALTER TABLE LAW.PARENTS ADD PRIMARY KEY (ID)")
    finish(run)
    expected = [row for row in states(run.source) if row[3] != '"ID" IS NOT NULL']
    assert len(expected) == 14
    assert states(run.target) == expected


@pytest.mark.slow
def test_killed_anywhere_and_repeated(run: Run) -> None:
    for table in run.catalogue.tables:
        build_indexes(run.source, run.target, table, run.definition)
    deaths = 0
    for calls in range(2, 300, 4):
        try:
            enable_constraints(Mortal(run.target, Fuse(calls)), run.catalogue)
            break
        except Killed:
            deaths += 1
    assert deaths > 4
    assert states(run.target) == states(run.source)


def taken(connection: Any, name: str) -> Any:
    """A connection on which a constraint's name belongs to another table."""

    def refuse(sql: str) -> None:
        if f'ADD CONSTRAINT "{name}"' in sql:
            raise RuntimeError("ORA-02264: name already used by an existing constraint")

    return Between(connection, refuse)


def test_a_name_that_is_taken_is_refused(run: Run) -> None:
    with pytest.raises(PlanError, match="belongs to a constraint of another table") as caught:
        finish(replace(run, target=taken(run.target, "PARENTS_NOTE_CK")))
    assert caught.value.object_name == "LAW.PARENTS PARENTS_NOTE_CK"
