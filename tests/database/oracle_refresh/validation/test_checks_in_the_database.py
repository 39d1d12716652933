"""Comparison of a table with itself as of an earlier SCN: the source is the past, the target is now."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from oracle_refresh.catalog import Table
from oracle_refresh.masking import ColumnRule, MasterKey, Ruleset, mask_table
from oracle_refresh.oracle.errors import ValidationError
from oracle_refresh.run.ledger import Ledger
from oracle_refresh.validation import Shard, TableCheck, require, verify_copy, verify_masked
from support.copies import ROWS, RULES, Copies
from support.samples import SECRET, key, number, people, plain, text


@pytest.fixture
def copies(schema: Any) -> Iterator[Copies]:
    copies = Copies(schema)
    yield copies
    copies.source.close()


def test_an_equal_copy(copies: Copies) -> None:
    check = verify_copy(copies.source, copies.connection, copies.scn, copies.table)
    assert (check.verdict, check.differences, check.rows_source) == ("equal", (), ROWS)
    body, clob = check.lobs
    filled = [row[8] for row in map(copies.row, range(ROWS)) if row[8]]
    assert body.bytes == sum(map(len, filled))
    assert body.count >= len(filled)
    assert body.checksum_source == body.checksum_target != "0-0"
    assert clob.bytes == sum(len(row[9]) for row in map(copies.row, range(ROWS)) if row[9])


@pytest.mark.parametrize(
    ("statement", "complaint"),
    [
        ("DELETE FROM THINGS WHERE ID = 5", "120 rows, the target 119"),
        ("UPDATE THINGS SET LABEL = 'x' WHERE ID = 5", "differ in some rows"),
        ("UPDATE THINGS SET LABEL = NULL WHERE ID = 5", "differ in some rows"),
        ("UPDATE THINGS SET AMOUNT = AMOUNT + 0.01 WHERE ID = 6", "differ in some rows"),
        ("UPDATE THINGS SET MADE = MADE + 1/86400 WHERE ID = 5", "differ in some rows"),
        ("UPDATE THINGS SET TOKEN = HEXTORAW('00') WHERE ID = 5", "differ in some rows"),
        ("UPDATE THINGS SET RATING = RATING * 1.0000000001 WHERE ID = 5", "differ in some rows"),
        (
            "UPDATE THINGS SET LABEL = (CASE ID WHEN 7 THEN 'Läbel 8' ELSE 'Läbel 7' END) WHERE ID IN (7, 8)",
            "differ",
        ),
        ("UPDATE THINGS SET BODY = HEXTORAW('00') WHERE ID = 2", "BODY: "),
        ("UPDATE THINGS SET BODY = NULL WHERE ID = 2", "BODY: "),
        (
            "UPDATE THINGS SET TEXT = REPLACE(TEXT, 'long', 'lang') WHERE ID = 7",
            "TEXT: the contents of LOBs differ",
        ),
    ],
)
def test_every_difference_is_found(copies: Copies, statement: str, complaint: str) -> None:
    copies.change(statement)
    check = verify_copy(copies.source, copies.connection, copies.scn, copies.table)
    assert check.verdict == "different"
    assert complaint in check.differences[0]


def test_floats_are_compared_by_their_bytes(copies: Copies) -> None:
    columns = (number("ID", nullable=False), plain("D", "BINARY_DOUBLE", 8), plain("F", "BINARY_FLOAT", 4))
    keys = (key("P", "FLOATS_PK", "ID"),)
    table = Table(copies.table.owner, "FLOATS", 5, 8192, 1, columns, constraints=keys)
    copies.change("CREATE TABLE FLOATS (ID NUMBER PRIMARY KEY, D BINARY_DOUBLE, F BINARY_FLOAT)")
    copies.change("INSERT INTO FLOATS VALUES (1, BINARY_DOUBLE_NAN, BINARY_FLOAT_INFINITY)")
    copies.change("INSERT INTO FLOATS VALUES (2, -BINARY_DOUBLE_INFINITY, BINARY_FLOAT_NAN)")
    copies.change("INSERT INTO FLOATS VALUES (3, 1e-310d, 1e-40f)")
    copies.change("INSERT INTO FLOATS VALUES (4, 0.1d, 0.1f)")
    copies.change("INSERT INTO FLOATS VALUES (5, 0, 1e30f)")
    with copies.connection.cursor() as cursor:
        (scn,) = cursor.execute("SELECT CURRENT_SCN FROM V$DATABASE").fetchone()

        def differs(column: str, row: int, value: str) -> bool:
            cursor.execute(f"UPDATE FLOATS SET {column} = {value} WHERE ID = {row}")
            check = verify_copy(copies.source, copies.connection, scn, table)
            copies.connection.rollback()
            return check.verdict == "different"

        assert not differs("D", 5, "-D")  # -0 is coerced to +0
        assert not differs("D", 1, "BINARY_DOUBLE_INFINITY - BINARY_DOUBLE_INFINITY")
        assert differs("D", 1, "BINARY_DOUBLE_INFINITY")
        assert differs("F", 1, "-F")
        assert differs("D", 2, "BINARY_DOUBLE_NAN")
        assert differs("D", 3, "2e-310d")
        assert differs("F", 3, "0")
        assert differs("D", 4, "0.10000000000000002d")
        assert differs("F", 5, "NULL")


def test_lobs_swapped_between_rows_are_found(copies: Copies) -> None:
    copies.change(
        "UPDATE THINGS T SET BODY = (SELECT S.BODY FROM THINGS S WHERE S.ID = DECODE(T.ID, 2, 6, 2)) "
        "WHERE ID IN (2, 6)"
    )
    check = verify_copy(copies.source, copies.connection, copies.scn, copies.table)
    assert check.differences == ("BODY: the contents of LOBs differ",)


def test_a_temporary_table_is_not_read(copies: Copies) -> None:
    table = replace(copies.table, name="NOT_THERE", temporary=True)
    copy = verify_copy(copies.source, copies.connection, copies.scn, table)
    masked = verify_masked(copies.source, copies.connection, copies.scn, table, (), copy=copy)
    assert (copy.verdict, copy.rows_source, masked.verdict) == ("equal", 0, "equal")


def test_an_scn_that_is_gone(copies: Copies) -> None:
    with pytest.raises(ValidationError) as caught:
        verify_copy(copies.source, copies.connection, 1, copies.table)
    assert set(caught.value.codes) & {"ORA-01555", "ORA-08181"}


def mask(copies: Copies, rules: tuple[ColumnRule, ...] = RULES) -> None:
    ruleset = Ruleset("test", {(copies.table.owner, copies.table.name): rules}, "f")
    ledger = Ledger(copies.connection, "run")
    mask_table(copies.table, ruleset, MasterKey(SECRET), ledger)


@pytest.mark.parametrize("with_copy", [True, False])
def test_a_masked_table(copies: Copies, with_copy: bool) -> None:
    copy = verify_copy(copies.source, copies.connection, copies.scn, copies.table)
    mask(copies)
    check = verify_masked(
        copies.source,
        copies.connection,
        copies.scn,
        copies.table,
        RULES,
        copy=copy if with_copy else None,
    )
    assert (check.verdict, check.differences) == ("masked", ())
    amount, label = check.masked
    assert (amount.column, amount.count) == ("AMOUNT", 0)
    assert (label.count, label.compared, label.changed_share) == (100, 100, 1.0)
    assert (label.leaked, label.misfits, amount.emptied) == (0, 0, 96)
    assert [lob.column for lob in check.lobs] == ["BODY", "TEXT"]
    after = verify_copy(copies.source, copies.connection, copies.scn, copies.table)
    assert after.verdict == "different"


@pytest.mark.parametrize(
    ("statement", "complaint"),
    [
        (
            "UPDATE THINGS SET LABEL = 'Läbel 5' WHERE ID = 5",
            "LABEL: 1 of 100 compared values are the originals",
        ),
        ("UPDATE THINGS SET LABEL = NULL WHERE ID = 5", "LABEL: 1 values became NULL"),
        ("UPDATE THINGS SET CODE = 'x' WHERE ID = 5", "1 rows differ outside LOBs and masks"),
        ("UPDATE THINGS SET BODY = HEXTORAW('00') WHERE ID = 2", "BODY: "),
    ],
)
def test_what_is_wrong_after_masking(copies: Copies, statement: str, complaint: str) -> None:
    copy = verify_copy(copies.source, copies.connection, copies.scn, copies.table)
    mask(copies)
    copies.change(statement)
    check = verify_masked(copies.source, copies.connection, copies.scn, copies.table, RULES, copy=copy)
    assert check.verdict == "different"
    assert any(complaint in difference for difference in check.differences)


def test_a_table_that_was_not_masked_at_all(copies: Copies) -> None:
    check = verify_masked(copies.source, copies.connection, copies.scn, copies.table, RULES)
    assert "LABEL: 100 of 100 compared values are the originals" in check.differences
    assert "LABEL: 100 values are originals of the source" in check.differences


def test_a_table_without_a_key(copies: Copies) -> None:
    table = replace(copies.table, constraints=())
    mask(copies)
    check = verify_masked(copies.source, copies.connection, copies.scn, table, RULES)
    assert (check.verdict, check.masked[1].compared) == ("masked", 100)


def test_a_table_without_rules_is_compared_with_the_copy(copies: Copies) -> None:
    copy = verify_copy(copies.source, copies.connection, copies.scn, copies.table)
    check = verify_masked(copies.source, copies.connection, copies.scn, copies.table, (), copy=copy)
    assert (check.verdict, check.masked) == ("equal", ())
    copies.change("UPDATE THINGS SET CODE = 'x' WHERE ID = 5")
    check = verify_masked(copies.source, copies.connection, copies.scn, copies.table, (), copy=copy)
    assert check.verdict == "different"


def test_people_parse(copies: Copies) -> None:
    """The sample table of the other tests has no rows here, but its statements run."""
    with pytest.raises(ValidationError) as caught:
        verify_copy(copies.source, copies.connection, copies.scn, people(copies.schema.name))
    assert caught.value.codes[0] == "ORA-00942"


def shards_of(copies: Copies, *conditions: str) -> tuple[Shard, ...]:
    """Shards that did what they had to, by what the table holds now."""
    with copies.connection.cursor() as cursor:
        found = []
        for number, condition in enumerate(conditions, 1):
            cursor.execute(f"SELECT COUNT(*) FROM THINGS WHERE {condition}")
            (rows,) = cursor.fetchone()
            found.append(Shard(f"S{number:03d}", condition, (), rows, rows))
    return tuple(found)


THREE = [f"MOD(DBMS_ROWID.ROWID_BLOCK_NUMBER(ROWID), 3) = {remainder}" for remainder in range(3)]
HASHES = [f"ORA_HASH(ID, 4294967295, 0) - 3 * TRUNC(ORA_HASH(ID, 4294967295, 0) / 3) = {n}" for n in range(3)]


def ranges(copies: Copies) -> list[str]:
    with copies.connection.cursor() as cursor:
        cursor.execute("SELECT MAX(ROWIDTOCHAR(ROWID)) FROM THINGS WHERE ID < 40")
        (middle,) = cursor.fetchone()
    return [f"ROWID <= CHARTOROWID('{middle}')", f"ROWID > CHARTOROWID('{middle}')"]


@pytest.mark.parametrize("scheme", ["blocks", "hashes", "ranges"])
def test_each_shard_is_proven_in_the_same_pass(copies: Copies, scheme: str) -> None:
    conditions = {"blocks": THREE, "hashes": HASHES, "ranges": ranges(copies)}[scheme]
    shards = shards_of(copies, *conditions)
    check = verify_copy(copies.source, copies.connection, copies.scn, copies.table, shards=shards)
    assert (check.verdict, check.differences) == ("equal", ())
    assert [(shard.job, shard.at_scn) for shard in check.shards] == [(s.job, s.exported) for s in shards]
    assert sum(shard.at_scn for shard in check.shards) == ROWS
    assert TableCheck.from_json(check.to_json()) == check


def test_a_row_lost_by_one_shard_names_it(copies: Copies) -> None:
    first, second, *rest = shards_of(copies, *HASHES)
    lost = replace(second, exported=second.exported - 1, loaded=second.exported - 1)
    copies.change(f"DELETE FROM THINGS WHERE {HASHES[1]} AND ROWNUM = 1")
    check = verify_copy(
        copies.source, copies.connection, copies.scn, copies.table, shards=(first, lost, *rest)
    )
    assert check.verdict == "different"
    assert (
        f"shard S002: {second.exported} rows at the SCN, {lost.exported} exported, {lost.loaded} loaded"
        in check.differences
    )
    with pytest.raises(ValidationError, match="read the logs of S002, then start a new run"):
        require(check)


def test_a_shard_that_was_loaded_twice_is_suspected(copies: Copies) -> None:
    shards = shards_of(copies, "ID < 20", "ID >= 20")
    with copies.connection.cursor() as cursor:
        cursor.execute("ALTER TABLE THINGS DROP PRIMARY KEY")
        cursor.execute("INSERT INTO THINGS SELECT * FROM THINGS WHERE ID < 20")
    copies.connection.commit()
    check = verify_copy(copies.source, copies.connection, copies.scn, copies.table, shards=shards)
    assert "the target has 20 rows more than its shards brought, as many as shard S001 brought" in (
        check.differences
    )


def test_wrong_predicates_do_not_cover_the_table(copies: Copies) -> None:
    """Each shard moved what its predicate says, and yet rows were left out, or moved twice."""
    for conditions, covered in ((["ID < 20", "ID > 20"], 119), (["ID <= 20", "ID >= 20"], 121)):
        check = verify_copy(
            copies.source, copies.connection, copies.scn, copies.table, shards=shards_of(copies, *conditions)
        )
        assert f"the shards cover {covered} rows, the source has 120" in check.differences
        assert check.verdict == "different"


def test_a_job_over_a_database_link_has_no_export_and_no_load_is_no_proof(copies: Copies) -> None:
    whole = Shard("W001", loaded=ROWS)
    check = verify_copy(copies.source, copies.connection, copies.scn, copies.table, shards=[whole])
    assert (check.verdict, check.shards[0].at_scn) == ("equal", ROWS)
    unknown = verify_copy(
        copies.source, copies.connection, copies.scn, copies.table, shards=[replace(whole, loaded=None)]
    )
    assert unknown.differences == ("shard W001: nothing tells how many rows were loaded",)


def test_shards_of_partitions(schema: Any) -> None:
    with schema.server.sys() as system:
        system.cursor().execute(f"GRANT EXECUTE ON SYS.DBMS_CRYPTO TO {schema.name}")
        system.cursor().execute(f"GRANT SELECT_CATALOG_ROLE TO {schema.name}")
        system.cursor().execute(f"GRANT FLASHBACK ANY TABLE TO {schema.name}")
    with schema.connection.cursor() as cursor:
        cursor.execute(
            "CREATE TABLE PARTS (ID NUMBER(12) NOT NULL, N VARCHAR2(10)) PARTITION BY RANGE (ID)"
            " (PARTITION P1 VALUES LESS THAN (10), PARTITION P2 VALUES LESS THAN (30),"
            ' PARTITION "P 3" VALUES LESS THAN (MAXVALUE))'
        )
        cursor.executemany("INSERT INTO PARTS VALUES (:1, 'x')", [(n,) for n in range(60)])
        schema.connection.commit()
        cursor.execute("SELECT CURRENT_SCN FROM V$DATABASE")
        (scn,) = cursor.fetchone()
    table = Table(schema.name, "PARTS", 60, 8192, 1, (number("ID", nullable=False), text("N", 10)), (), ())
    shards = (
        Shard("S001", None, ("P1", "P 3"), 40, 40),
        Shard("S002", "MOD(ID, 2) = 0", ("P2",), 10, 10),
        Shard("S003", "MOD(ID, 2) = 1", ("P2",), 10, 9),
    )
    with schema.connect() as source:
        check = verify_copy(source, schema.connection, scn, table, shards=shards)
    assert [shard.at_scn for shard in check.shards] == [40, 10, 10]
    assert "shard S003: 10 rows at the SCN, 10 exported, 9 loaded" in check.differences
