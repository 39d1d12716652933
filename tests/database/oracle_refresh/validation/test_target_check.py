"""References over masked keys, statistics and what else is left, looked at in the database."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from functools import partial
from typing import Any

import pytest

from oracle_refresh.catalog import Catalogue, Table
from oracle_refresh.masking import ColumnRule, Ruleset
from oracle_refresh.masking.algorithms.email import Email
from oracle_refresh.masking.algorithms.number_mapping import NumberMapping
from oracle_refresh.masking.rules import Reference
from oracle_refresh.oracle.identifiers import TableName
from oracle_refresh.validation import aftermath
from oracle_refresh.validation.aftermath import (
    check_control_tables,
    check_recycle_bin,
    check_statistics,
    read_bounds,
)
from oracle_refresh.validation.model import Verdict
from oracle_refresh.validation.references import check_references, count_at_source
from support.samples import key, number, text


class Family:
    def __init__(self, schema: Any) -> None:
        self.connection, self.owner = schema.connection, schema.name
        with schema.server.connect() as system:
            for grant in ("SELECT_CATALOG_ROLE", "FLASHBACK ANY TABLE"):
                system.cursor().execute(f"GRANT {grant} TO {schema.name}")
        self.source = schema.connect()
        columns = (number("ID", nullable=False), text("NAME", 20), text("MAIL", 60))
        self.parent = Table(self.owner, "PARENTS", 50, 8192, 1, columns, (), (key("P", "PARENTS_PK", "ID"),))
        self.child = Table(
            *(self.owner, "CHILDREN", 50, 8192, 1),
            (number("NR", nullable=False), number("PARENT")),
            constraints=(key("P", "CHILDREN_PK", "NR"),),
        )
        self.catalogue = Catalogue((self.owner,), (self.parent, self.child))
        ids = NumberMapping()
        self.ruleset = Ruleset(
            "test",
            {
                TableName(self.owner, "PARENTS"): (
                    ColumnRule("ID", "number_mapping", "id", ids),
                    ColumnRule("MAIL", "email", "mail", Email()),
                ),
                TableName(self.owner, "CHILDREN"): (ColumnRule("PARENT", "number_mapping", "id", ids),),
            },
            "f",
        )
        self.reference = Reference(
            TableName(self.owner, "CHILDREN"),
            ("PARENT",),
            TableName(self.owner, "PARENTS"),
            ("ID",),
            "foreign key C_FK",
        )
        with self.connection.cursor() as cursor:
            cursor.execute("CREATE TABLE PARENTS (ID NUMBER, NAME VARCHAR2(20), MAIL VARCHAR2(60))")
            cursor.execute("CREATE TABLE CHILDREN (NR NUMBER, PARENT NUMBER)")
            rows = [(n, f"n{n}", f"{n}@corp.com") for n in range(50)]
            cursor.executemany("INSERT INTO PARENTS VALUES (:1, :2, :3)", rows)
            cursor.executemany("INSERT INTO CHILDREN VALUES (:1, :2)", [(n, n or None) for n in range(50)])
            cursor.execute("INSERT INTO CHILDREN VALUES (99, 77)")
            self.connection.commit()
            cursor.execute("SELECT CURRENT_SCN FROM V$DATABASE")
            (self.scn,) = cursor.fetchone()

    def change(self, *changes: str) -> None:
        with self.connection.cursor() as cursor:
            for statement in changes:
                cursor.execute(statement)
        self.connection.commit()

    def references(self) -> Any:
        declared = (self.catalogue, self.ruleset, [self.reference])
        before = dict(count_at_source(self.source, self.scn, *declared))
        (verdict,) = check_references(self.connection, *declared, of_source=before.__getitem__)
        return verdict


@pytest.fixture
def family(schema: Any) -> Iterator[Family]:
    family = Family(schema)
    family.change("UPDATE PARENTS SET ID = ID + 1000", "UPDATE CHILDREN SET PARENT = PARENT + 1000")
    yield family
    family.source.close()


def test_children_keep_their_parents(family: Family) -> None:
    verdict = family.references()
    assert verdict.holds, str(verdict)
    assert "50 children, 1 without a parent" in verdict.detail


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (
            "UPDATE CHILDREN SET PARENT = CASE PARENT WHEN 1003 THEN 1004 ELSE 1003 END "
            "WHERE PARENT IN (1003, 1004)",
            "50 children, 1 without a parent; some lead to another parent than in the source",
        ),
        (
            "UPDATE CHILDREN SET PARENT = 5 WHERE NR = 5",
            "50 children, 2 without a parent, 1 in the source",
        ),
        (
            "UPDATE CHILDREN SET PARENT = NULL WHERE NR = 99",
            "49 children, 0 without a parent, 1 in the source",
        ),
    ],
)
def test_a_child_that_leads_elsewhere(family: Family, change: str, complaint: str) -> None:
    family.change(change)
    verdict = family.references()
    assert not verdict.holds
    assert verdict.detail == complaint
    assert f"{family.owner}.CHILDREN: foreign key C_FK (PARENT)" in str(verdict)


def test_references_without_masked_columns_need_no_proof(family: Family) -> None:
    declared = (family.catalogue, Ruleset("none", {}, "f"), [family.reference])
    assert list(count_at_source(family.source, family.scn, *declared)) == []
    assert list(check_references(family.connection, *declared, of_source={}.__getitem__)) == []


def statistics(family: Family, at: dict[TableName, datetime]) -> Iterator[Verdict]:
    """As the proof of a refresh has them checked: the originals' are those of the source."""
    originals = partial(read_bounds, family.source, family.ruleset, salt="s")
    return check_statistics(family.connection, family.ruleset, at, originals, "s")


def test_statistics_hold_no_originals(family: Family) -> None:
    at = {TableName(family.owner, "PARENTS"): datetime.now() - timedelta(days=1)}

    def check(at: dict[tuple[str, str], datetime]) -> Any:
        (verdict,) = statistics(family, at)
        return verdict

    assert check(at).detail == "were never gathered"
    with family.connection.cursor() as cursor:
        cursor.callproc("DBMS_STATS.GATHER_TABLE_STATS", [family.owner, "PARENTS"])
    # Here the source's table is the target's, which was not masked.
    assert check(at).detail == "of MAIL hold 2 of the originals' bounds of its range"
    later = {table: when + timedelta(days=2) for table, when in at.items()}
    assert "are older than the masking" in check(later).detail
    assert not check(later).holds


def test_an_end_of_a_range_that_is_the_sources(family: Family, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of several columns, with what the dictionary says of them put in."""
    with family.connection.cursor() as cursor:
        cursor.callproc("DBMS_STATS.GATHER_TABLE_STATS", [family.owner, "PARENTS"])
    at = {TableName(family.owner, "PARENTS"): datetime.now() - timedelta(days=1)}
    ends = {("PARENTS", name): (datetime.now(), "AB", "CD") for name in ("ID", "MAIL")}
    monkeypatch.setattr(aftermath, "_columns", lambda *_: ends)
    (verdict,) = statistics(family, at)
    assert verdict.detail == "of MAIL hold 2 of the originals' bounds of its range"
    masked = {**ends, ("PARENTS", "MAIL"): (datetime.now(), "EF", "GH")}
    monkeypatch.setattr(aftermath, "_columns", lambda end, *_: ends if end is family.source else masked)
    (verdict,) = statistics(family, at)
    assert verdict.holds, str(verdict)
    monkeypatch.setattr(aftermath, "_columns", lambda *_: ends)
    ends["PARENTS", "ID"] = (datetime.now() - timedelta(days=9), None, None)
    (verdict,) = statistics(family, at)
    assert "of ID are older than the masking" in verdict.detail


@pytest.mark.parametrize("place", [0, 1])
def test_real_time_statistics_count_as_well(
    family: Family, place: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SQL Tuning Guide 19c, "Real-Time Statistics: Example": rows of their own beside what was gathered."""
    with family.connection.cursor() as cursor:
        cursor.callproc("DBMS_STATS.GATHER_TABLE_STATS", [family.owner, "PARENTS"])
    now = datetime.now()
    at = {TableName(family.owner, "PARENTS"): now - timedelta(days=1)}
    inner = aftermath.rows

    real_time = [now]

    def rows(connection: Any, statement: str, **binds: Any) -> list[Any]:
        if statement != aftermath.COLUMN_STATISTICS:
            return inner(connection, statement, **binds)
        if connection is family.source:
            return [("PARENTS", "MAIL", now, "AB", "CD")]
        listed: list[Any] = [("PARENTS", "MAIL", now, "EF", "GH"), ("PARENTS", "ID", None, None, None)]
        listed.insert(place, ("PARENTS", "MAIL", real_time[0], "AB", "ZZ"))
        return listed

    monkeypatch.setattr(aftermath, "rows", rows)
    for when, told in ((now, ""), (now - timedelta(days=9), "of MAIL are older than the masking; ")):
        real_time[0] = when
        (verdict,) = statistics(family, at)
        assert verdict.detail == f"{told}of MAIL hold 1 of the originals' bounds of its range"


def test_control_tables_that_were_left(family: Family) -> None:
    assert check_control_tables(family.connection, [family.owner]).holds
    assert check_recycle_bin(family.connection, [TableName(family.owner, "PARENTS")]).holds
    family.change('CREATE TABLE "REFRESH$M_LEFT" (A NUMBER)', 'CREATE TABLE "REFRESH$K_KEPT" (A NUMBER)')
    verdict = check_control_tables(family.connection, [])
    assert (verdict.holds, verdict.detail) == (False, "1 table: REFRESH$M_LEFT")
    family.change('CREATE TABLE "REFRESH$O_LEFT" (A NUMBER)', 'DROP TABLE "REFRESH$M_LEFT" PURGE')
    verdict = check_control_tables(family.connection, [family.owner])
    assert f"{family.owner}.REFRESH$O_LEFT" in verdict.detail
