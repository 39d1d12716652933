"""What DDL is let through to the target, and how it is split and trimmed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracle_refresh.oracle.errors import PlanError
from oracle_refresh.target.objects import ddl

TABLE = 'CREATE TABLE "APP"."T" ("A" NUMBER, "B" VARCHAR2(10) DEFAULT \'x;y\')'
TRIGGER = """\
CREATE OR REPLACE EDITIONABLE TRIGGER "APP"."T_BI"
BEFORE INSERT ON "APP"."T" FOR EACH ROW
BEGIN
  :NEW.A := 1; -- it's fine
END;
/
ALTER TRIGGER "APP"."T_BI" ENABLE;
"""


def test_split_by_terminators() -> None:
    text = f"\n  {TABLE};\n\n  COMMENT ON TABLE \"APP\".\"T\" IS 'it''s; here';\n"
    assert ddl.split(text) == [TABLE, "COMMENT ON TABLE \"APP\".\"T\" IS 'it''s; here'"]
    assert ddl.split(TABLE) == [TABLE]
    assert ddl.split(TABLE + "\n/\n") == [TABLE]
    assert ddl.split("  \n ") == []


@pytest.mark.parametrize("name", ['"APP"."T"', "app.t", '"TABLE" . "T"'])
def test_a_table_is_made_in_another_schema(name: str) -> None:
    made = ddl.in_schema(
        f"CREATE GLOBAL TEMPORARY TABLE {name} (A VARCHAR2(9) DEFAULT '\"APP\".x')", "REFRESH$D"
    )
    assert ddl.target(made) == ddl.Target("CREATE TABLE", "REFRESH$D", "T")
    assert made.endswith("DEFAULT '\"APP\".x')")


def test_split_plsql_at_its_slash() -> None:
    first, second = ddl.split(TRIGGER)
    assert first.endswith("END;")
    assert second == 'ALTER TRIGGER "APP"."T_BI" ENABLE'
    assert ddl.guard(first, {"CREATE TRIGGER"}, {"APP"}, "T_BI").name == "T_BI"


@pytest.mark.parametrize(
    ("sql", "kind", "owner", "name"),
    [
        (TABLE, "CREATE TABLE", "APP", "T"),
        ('CREATE GLOBAL TEMPORARY TABLE "A"."b" (X NUMBER)', "CREATE TABLE", "A", "b"),
        ("create /* c */ unique index app.ix on app.t (a)", "CREATE INDEX", "APP", "IX"),
        (
            'CREATE OR REPLACE FORCE EDITIONABLE VIEW "A"."V" ("X") AS SELECT 1 FROM DUAL',
            "CREATE VIEW",
            "A",
            "V",
        ),
        (
            'CREATE OR REPLACE EDITIONABLE PACKAGE BODY "A"."P" AS N NUMBER; END;',
            "CREATE PACKAGE BODY",
            "A",
            "P",
        ),
        ('CREATE OR REPLACE EDITIONABLE TYPE "A"."BODY" IS TABLE OF NUMBER', "CREATE TYPE", "A", "BODY"),
        ('COMMENT ON COLUMN "A"."T"."C" IS \'x\'', "COMMENT ON COLUMN", "A", "T"),
        ('GRANT SELECT ON "A"."T" TO "R"', "GRANT", "A", "T"),
        ('ALTER TABLE "A"."T" ADD PRIMARY KEY ("X")', "ALTER TABLE", "A", "T"),
    ],
)
def test_target(sql: str, kind: str, owner: str, name: str) -> None:
    assert ddl.target(sql) == ddl.Target(kind, owner, name)


@pytest.mark.parametrize(
    "sql",
    [
        'CREATE TABLE "OTHER"."T" ("A" NUMBER)',
        'CREATE TABLE "T" ("A" NUMBER)',
        'CREATE TABLE /* "APP". */ "OTHER"."T" ("A" NUMBER)',
        TABLE + '; DROP TABLE "APP"."U"',
        'DROP TABLE "APP"."T"',
        "GRANT DBA TO APP",
        'CREATE USER "APP" IDENTIFIED BY x',
        "BEGIN NULL; END;",
        'CREATE TABLE "APP"."T" ("A" VARCHAR2(3) DEFAULT \'open)',
        'CREATE TABLE "APP"."T" /* open',
        "",
    ],
)
def test_refused(sql: str) -> None:
    with pytest.raises(PlanError):
        ddl.guard(sql, {"CREATE TABLE", "CREATE INDEX"}, {"APP"})


def test_another_object_of_the_same_schema_is_refused() -> None:
    with pytest.raises(PlanError, match="instead of"):
        ddl.guard(TABLE, {"CREATE TABLE"}, {"APP"}, "U")


@pytest.mark.parametrize(
    ("clauses", "left"),
    [
        (" NOLOGGING PARALLEL 8", ""),
        (" LOCAL\n  PARALLEL", " LOCAL"),
        ("", ""),
        (" NOLOGGING\n  PARALLEL 4 INVISIBLE", " INVISIBLE"),
        (" REVERSE PARALLEL INVISIBLE LOGGING", " REVERSE INVISIBLE"),
        (' LOCAL (PARTITION "P" NOLOGGING) PARALLEL 2', ' LOCAL (PARTITION "P" NOLOGGING)'),
    ],
)
def test_clauses_are_taken_out_wherever_they_stand(clauses: str, left: str) -> None:
    index = 'CREATE INDEX "A"."I" ON "A"."T" ("PARALLEL")'
    physical = {"PARALLEL", "NOPARALLEL", "LOGGING", "NOLOGGING"}
    assert ddl.without_clauses(index + clauses, physical) == index + left


IDENTITY = (
    'CREATE TABLE "A"."T" ("START" NUMBER, "ID" NUMBER GENERATED ALWAYS AS IDENTITY MINVALUE 1'
    " MAXVALUE {high} INCREMENT BY {step} START WITH {start} CACHE 20 NOORDER {cycle} NOKEEP NOSCALE NOT NULL"
    " ENABLE,"
    ' "N" NUMBER DEFAULT 7)'
)


@pytest.mark.parametrize(
    ("high", "step", "start", "cycle", "begun"),
    [
        (99, 1, 7, "NOCYCLE", 7),
        (99, 1, 100, "NOCYCLE", 99),
        (99, 1, 100, "CYCLE", 1),
        (99, -1, 0, "NOCYCLE", 1),
        (99, -1, -1, "CYCLE", 99),
    ],
)
def test_identities_begin_within_their_bounds(
    high: int, step: int, start: int, cycle: str, begun: int
) -> None:
    """Behind them it would be ORA-04008, as of any sequence."""
    told = {"high": high, "step": step, "cycle": cycle}
    sql = IDENTITY.format(start=start, **told)
    assert ddl.identities_within_bounds(sql) == IDENTITY.format(start=begun, **told)


def test_what_is_no_identity_stays_as_it_is() -> None:
    assert ddl.identities_within_bounds(TABLE) == TABLE


@pytest.mark.parametrize("text", ["STATUS IN ('A', ')')", "(a > 0) OR (b = 'x;')", "a = q'[)]'"])
def test_conditions(text: str) -> None:
    assert ddl.condition(text) == text


@pytest.mark.parametrize(
    "text", ["1=1) ENABLE; DROP TABLE x --", "a > 0)", "(a > 0", "a = 'x", "a > 0 -- c", "a;b"]
)
def test_conditions_that_would_break_out(text: str) -> None:
    with pytest.raises(PlanError):
        ddl.condition(text)


words = st.text("abcAB'\";-/*()q[] \n", max_size=30)


@given(words)
def test_a_guarded_statement_holds_no_second_one(tail: str) -> None:
    """Whatever follows: it is refused, or every semicolon in it is inside a literal, name or comment."""
    sql = f'CREATE TABLE "APP"."T" ("A" NUMBER) {tail}'
    try:
        ddl.guard(sql, {"CREATE TABLE"}, {"APP"})
    except PlanError:
        return
    assert all(token.text != ";" for token in ddl.tokens(sql) if token.kind == "symbol")


@given(words)
def test_a_condition_stays_between_its_parentheses(text: str) -> None:
    try:
        ddl.condition(text)
    except PlanError:
        return
    wrapped = list(ddl.tokens(f"({text})"))
    depth, closed = 0, []
    for number, token in enumerate(wrapped):
        if token.kind == "symbol":
            depth += {"(": 1, ")": -1}.get(token.text, 0)
            closed += [number] if depth == 0 else []
    assert closed == [len(wrapped) - 1]


def test_a_sequence_can_begin_elsewhere() -> None:
    assert ddl.starting_at('CREATE SEQUENCE "A"."S" MAXVALUE 10 START WITH 11 NOCACHE', 10) == (
        'CREATE SEQUENCE "A"."S" MAXVALUE 10 START WITH 10 NOCACHE'
    )
    assert ddl.starting_at('CREATE SEQUENCE "A"."S" START WITH -11 INCREMENT BY -1', -10) == (
        'CREATE SEQUENCE "A"."S" START WITH -10 INCREMENT BY -1'
    )
    with pytest.raises(PlanError, match="START WITH is missing"):
        ddl.starting_at('CREATE SEQUENCE "A"."S"', 1)


def test_parentheses_end_where_their_last_one_is_closed() -> None:
    sql = 'CREATE INDEX "A"."I" ON "A"."T" (F("X"), \')\') LOCAL'
    assert sql[ddl.end_of_columns(sql) :] == " LOCAL"
    with pytest.raises(PlanError, match="not closed"):
        ddl.end_of_columns('CREATE INDEX "A"."I" ON "A"."T" (F("X")')
