"""National texts, LONGs, invisible columns, generated values and partition keys, in the database."""

from __future__ import annotations

from typing import Any

import oracledb
import pytest

from oracle_refresh.catalog import Table, read_catalogue
from oracle_refresh.masking import ColumnRule, MasterKey, Ruleset, mask_table
from oracle_refresh.masking.algorithms.character_mapping import CharacterMapping
from oracle_refresh.masking.algorithms.constant import Constant
from oracle_refresh.masking.algorithms.email import Email
from oracle_refresh.masking.algorithms.free_text import FreeText
from oracle_refresh.masking.algorithms.name import Name
from oracle_refresh.masking.algorithms.null import Null
from oracle_refresh.masking.algorithms.numeric_noise import NumericNoise
from oracle_refresh.masking.algorithms.phone import Phone
from oracle_refresh.masking.algorithms.protocol import Algorithm
from oracle_refresh.masking.conditions import Condition
from oracle_refresh.masking.run import Options
from oracle_refresh.masking.strategy import StrategyKind
from oracle_refresh.oracle.errors import MaskingError
from oracle_refresh.run.ledger import Ledger
from support.samples import SECRET

KEY = MasterKey(SECRET)


def rule(
    column: str, algorithm: Algorithm, where: str | None = None, policy: Any = "fail", domain: str = "d"
) -> ColumnRule:
    condition = Condition.parse(where) if where else None
    return ColumnRule(
        column, algorithm.kind, domain if algorithm.keyed else None, algorithm, condition, policy
    )


class Made:
    """A schema with one table, read as a refresh reads it."""

    def __init__(self, schema: Any, *statements: str) -> None:
        self.connection: oracledb.Connection = schema.connection
        with schema.server.connect() as system:
            system.cursor().execute(f"GRANT SELECT_CATALOG_ROLE TO {schema.name}")
        with self.connection.cursor() as cursor:
            for statement in statements:
                cursor.execute(statement)
        self.connection.commit()
        (self.table,) = read_catalogue(self.connection, (schema.name,)).tables

    def mask(
        self, *rules: ColumnRule, strategy: StrategyKind | None = None, table: Table | None = None
    ) -> None:
        found = table or self.table
        ruleset = Ruleset("test", {(found.owner, found.name): rules}, "f")
        options = Options(strategy=strategy)
        mask_table(found, ruleset, KEY, Ledger(self.connection, "run"), options=options)

    def read(self, sql: str) -> list[tuple[Any, ...]]:
        with self.connection.cursor() as cursor:
            return cursor.execute(sql).fetchall()


@pytest.mark.slow
@pytest.mark.parametrize("strategy", ["in_place", "chunks", "rewrite"])
def test_national_texts(schema: Any, strategy: StrategyKind) -> None:
    """Beside the column's own value a VARCHAR2 would be refused in a CASE (ORA-12704)."""
    made = Made(
        schema,
        "CREATE TABLE T (ID NUMBER, A NVARCHAR2(40), B NVARCHAR2(40), C NVARCHAR2(40), D NCHAR(8),"
        " E NVARCHAR2(80), F NVARCHAR2(40))",
        "INSERT INTO T VALUES (1, N'Zoë', N'Ana 12', N'+31 20 1234567', N'AB12', N'z@x.nl', N'Zoë 1')",
        "INSERT INTO T VALUES (2, N'Łukasz', N'Bob 34', N'nothing', N'CD34', N'l@x.pl', N'Ł 2')",
        "INSERT INTO T VALUES (3, NULL, NULL, NULL, NULL, NULL, NULL)",
    )
    names = Name(("Anna", "Bert"))
    made.mask(
        rule("A", names, "ID = 1", domain="n"),
        rule("A", Constant("someone"), "ID = 2"),
        rule("B", CharacterMapping(), "ID <> 2", domain="b"),
        rule("C", Phone(), "ID < 3", "redact", "c"),
        rule("D", CharacterMapping(), domain="b"),
        rule("E", Email(), domain="e"),
        rule("F", FreeText(words=("ana",))),
        strategy=strategy,
    )
    rows = made.read("SELECT A, B, C, D, E, F FROM T ORDER BY ID")
    assert rows[0][0] == names.mask(KEY.domain("n"), "Zoë")
    assert rows[1][0] == "someone"
    assert rows[0][1] == CharacterMapping().mask(KEY.domain("b"), "Ana 12")
    assert rows[1][1] == "Bob 34"
    assert rows[0][2] == Phone().mask(KEY.domain("c"), "+31 20 1234567")
    assert rows[1][2] == "[redacted]"
    assert rows[1][3].rstrip() == CharacterMapping().mask(KEY.domain("b"), "CD34")
    assert rows[0][4] == Email().mask(KEY.domain("e"), "z@x.nl")
    assert rows[1][5] == "* *"
    assert rows[2] == (None,) * 6


@pytest.mark.slow
def test_a_national_text_that_does_not_conform_ends_a_rewrite(schema: Any) -> None:
    made = Made(
        schema,
        "CREATE TABLE T (ID NUMBER, A NVARCHAR2(40))",
        "INSERT INTO T VALUES (1, N'----')",
        "INSERT INTO T SELECT LEVEL, N'x' || LEVEL FROM DUAL CONNECT BY LEVEL <= 30",
    )
    with pytest.raises(MaskingError, match="conform"):
        made.mask(rule("A", CharacterMapping(), domain="a"), strategy="rewrite")


@pytest.mark.parametrize("beside", [False, True])
def test_longs_become_null(schema: Any, beside: bool) -> None:
    made = Made(
        schema, "CREATE TABLE T (ID NUMBER, C VARCHAR2(20), L LONG)", "INSERT INTO T VALUES (1, '12', 'x')"
    )
    made.mask(rule("L", Null()), *([rule("C", Phone(), policy="null")] if beside else []))
    assert made.read("SELECT L FROM T") == [(None,)]


def test_long_free_texts(schema: Any) -> None:
    """The signs around words that stay would make a text of 4,000 bytes too long (ORA-01489)."""
    made = Made(schema, "CREATE TABLE T (ID NUMBER, C VARCHAR2(4000), N NVARCHAR2(2000))")
    text, short = "a b " * 1000, "a ł " * 500
    with made.connection.cursor() as cursor:
        cursor.setinputsizes(None, oracledb.DB_TYPE_NVARCHAR)
        cursor.execute("INSERT INTO T VALUES (1, :1, :2)", [text, short])
    made.connection.commit()
    words = FreeText(words=("a",))
    made.mask(rule("C", words), rule("N", words))
    assert made.read("SELECT C, N FROM T") == [(text.replace("b", "*"), short.replace("ł", "*"))]


def test_invisible_columns_are_masked(schema: Any) -> None:
    made = Made(
        schema,
        "CREATE TABLE T (ID NUMBER, C VARCHAR2(20) INVISIBLE)",
        "INSERT INTO T (ID, C) VALUES (1, '1234567')",
    )
    made.mask(rule("C", Phone()))
    assert made.read("SELECT C FROM T") == [(Phone().mask(KEY.domain("d"), "1234567"),)]


@pytest.mark.parametrize(
    ("ddl", "masked", "complaint"),
    [
        (
            "CREATE TABLE T (ID NUMBER GENERATED ALWAYS AS IDENTITY, C NUMBER)",
            rule("ID", Null()),
            "ORA-32796",
        ),
        (
            "CREATE TABLE T (C VARCHAR2(9), D NUMBER) PARTITION BY LIST (C) (PARTITION P VALUES (DEFAULT))",
            rule("C", Phone()),
            "ORA-14402",
        ),
        (
            "CREATE TABLE T (ID NUMBER PRIMARY KEY, C NUMBER) ORGANIZATION INDEX",
            rule("C", NumericNoise(percent=5, subject="ID")),
            "UROWID",
        ),
    ],
)
def test_what_cannot_be_changed_is_known_from_the_catalogue(
    schema: Any, ddl: str, masked: ColumnRule, complaint: str
) -> None:
    made = Made(schema, ddl)
    with pytest.raises(MaskingError, match=complaint):
        made.mask(masked)


@pytest.mark.slow
def test_partition_keys_with_row_movement(schema: Any) -> None:
    made = Made(
        schema,
        "CREATE TABLE T (C VARCHAR2(20), D NUMBER) PARTITION BY HASH (C) PARTITIONS 4 ENABLE ROW MOVEMENT",
        *(f"INSERT INTO T VALUES ('12345{n}', {n})" for n in range(10, 30)),
    )
    made.mask(rule("C", Phone()))
    rows = made.read("SELECT C, D FROM T")
    assert {(Phone().mask(KEY.domain("d"), f"12345{n}"), n) for n in range(10, 30)} == set(rows)


@pytest.mark.slow
def test_index_organized_tables_are_masked_in_place(schema: Any) -> None:
    made = Made(
        schema,
        "CREATE TABLE T (C VARCHAR2(20) PRIMARY KEY, D VARCHAR2(20)) ORGANIZATION INDEX",
        *(f"INSERT INTO T VALUES ('12345{n}', '6789{n}')" for n in range(10, 30)),
    )
    for strategy in ("chunks", "rewrite"):  # by addresses: no ROWID column takes theirs
        with pytest.raises(ValueError, match="index-organized"):
            made.mask(rule("C", Phone()), strategy=strategy)  # type: ignore[arg-type]
    made.mask(rule("C", Phone()), rule("D", Phone()))
    masked = {
        tuple(Phone().mask(KEY.domain("d"), f"{head}{n}") for head in ("12345", "6789"))
        for n in range(10, 30)
    }
    assert set(made.read("SELECT C, D FROM T")) == masked


@pytest.mark.slow
def test_a_table_with_a_named_lob_segment_is_not_rewritten(schema: Any) -> None:
    """Its DDL names the segment, and the table that has it is still there (ORA-00955)."""
    made = Made(
        schema,
        "CREATE TABLE T (C VARCHAR2(20), D CLOB) LOB (D) STORE AS SECUREFILE T_DOCUMENTS",
        "INSERT INTO T VALUES ('1234567', 'x')",
    )
    with pytest.raises(ValueError, match="LOB segment with a name of its own T_DOCUMENTS"):
        made.mask(rule("C", Phone()), strategy="rewrite")


def test_a_table_with_a_named_log_group_is_not_rewritten(schema: Any) -> None:
    """Its DDL names the group, and the table that has it is still there (ORA-30567)."""
    made = Made(
        schema,
        "CREATE TABLE T (ID NUMBER, C VARCHAR2(20))",
        "ALTER TABLE T ADD SUPPLEMENTAL LOG GROUP T_CHANGES (ID) ALWAYS",
        "INSERT INTO T VALUES (1, '1234567')",
    )
    with pytest.raises(ValueError, match="supplemental log group T_CHANGES"):
        made.mask(rule("C", Phone()), strategy="rewrite")
