"""The statements of validation: what they read, and that they are Oracle's."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
import sqlglot

from oracle_refresh.catalog import Column, Table
from oracle_refresh.masking import ColumnRule
from oracle_refresh.masking.algorithms.date_shift import DateShift
from oracle_refresh.masking.algorithms.email import Email
from oracle_refresh.masking.algorithms.name import Name
from oracle_refresh.masking.algorithms.payment_card import PaymentCard
from oracle_refresh.masking.algorithms.phone import Phone
from oracle_refresh.masking.algorithms.redaction import Redaction
from oracle_refresh.validation import statements
from oracle_refresh.validation.copied import CopiedRows
from oracle_refresh.validation.pairing import Pairing
from support.samples import key, number, people, plain, text

EVERY_TYPE = (
    text("A", 10),
    text("B", 3, data_type="CHAR"),
    text("C", 3, data_type="NVARCHAR2"),
    number("D"),
    plain("E", "FLOAT", 22),
    plain("F", "BINARY_FLOAT", 4),
    plain("G", "BINARY_DOUBLE", 8),
    plain("H", "DATE"),
    plain("I", "TIMESTAMP(6)", 11),
    plain("J", "TIMESTAMP(6) WITH TIME ZONE", 13),
    plain("K", "TIMESTAMP(6) WITH LOCAL TIME ZONE", 11),
    plain("L", "INTERVAL DAY(2) TO SECOND(6)", 11),
    plain("M", "RAW", 16),
    plain("N", "ROWID", 10),
)


@pytest.mark.parametrize("condition", [None, "MOD(ID, 2) = 1"])
@pytest.mark.parametrize("partition", [None, "P1"])
@pytest.mark.parametrize("at_scn", [True, False])
def test_summaries_parse_as_oracle(condition: str | None, partition: str | None, at_scn: bool) -> None:
    sql = statements.summary(people(), at_scn=at_scn, condition=condition, partition=partition)
    assert sqlglot.parse_one(sql, read="oracle")
    assert ("AS OF SCN :scn" in sql) is at_scn
    assert ('PARTITION ("P1")' in sql) is (partition is not None)
    assert sql.endswith(f"WHERE {condition})") is (condition is not None)


def test_every_plain_type_is_compared() -> None:
    table = Table("APP", "T", 1, 1, 1, EVERY_TYPE)
    good, uncompared = statements.comparable(table)
    assert (good, uncompared) == (EVERY_TYPE, ())
    assert sqlglot.parse_one(statements.summary(table, at_scn=False), read="oracle")


def test_types_without_a_canonical_text_are_named() -> None:
    table = Table(
        "APP", "T", 1, 1, 1, (number("A"), plain("B", "LONG"), plain("C", "XMLTYPE"), plain("D", "BLOB"))
    )
    good, uncompared = statements.comparable(table)
    assert ([column.name for column in good], uncompared) == (["A"], ("B", "C"))


def test_no_text_of_a_row_hash_is_longer_than_a_varchar2() -> None:
    """Hashes of 150 wide columns are no 9,600 characters beside each other (ORA-01489)."""
    wide = tuple(text(f"C{n}", 1000) for n in range(150))
    sql = statements.row_hash(wide)
    innermost = sql.count("NVL2(")
    outer = sql.count("STANDARD_HASH(") - innermost
    assert (innermost, outer) == (150, 4)


def test_national_texts_grow_as_utf_8() -> None:
    """Up to three bytes for the two of a character in UTF-16 (TO_CHAR of NVARCHAR2)."""
    assert statements.width(Column("C", "NVARCHAR2", 2000, 1000, "C", None, None, True)) == 3002
    (long,) = (Column("C", "NVARCHAR2", 4000, 2000, "C", None, None, True),)
    assert "TO_CHAR" not in statements.row_hash((long,))


def test_virtual_columns_are_left_out() -> None:
    table = Table("APP", "T", 1, 1, 1, (number("A"), replace(number("B"), virtual=True)))
    assert '"B"' not in statements.summary(table, at_scn=False)


def test_masked_columns_stay_out_of_the_row_hash() -> None:
    table = Table("APP", "T", 1, 1, 1, (number("A"), text("B", 5)))
    row = CopiedRows(table, frozenset({"B"})).row
    assert '"A"' in row
    assert '"B"' not in row


def test_wide_rows_are_hashed_in_groups() -> None:
    columns = (*(text(f"C{n}", 400) for n in range(6)), text("LONG", 1000))
    sql = statements.row_hash(columns)
    assert sql.count("STANDARD_HASH") == 5  # three groups of two, the long column, and the hash over them
    assert sqlglot.parse_one(f"SELECT {sql} FROM T", read="oracle")


def test_the_key_of_a_row() -> None:
    table = people()
    assert "ID" in (statements.key_text(table) or "")
    assert statements.key_text(table, frozenset({"ID"})) is None
    unique = replace(table, constraints=(key("U", "UK", "EMAIL"),))
    assert statements.key_text(unique) is None, "a nullable unique key does not tell rows apart"
    assert statements.key_text(replace(table, constraints=())) is None


@pytest.mark.parametrize("constraints", [(), people().constraints])
def test_comparisons_parse_as_oracle(constraints: tuple[Any, ...]) -> None:
    table = replace(people(), constraints=constraints)
    rules = (
        ColumnRule("EMAIL", "email", "email", Email()),
        ColumnRule("BORN", "date_shift", "d", DateShift(-9, 9)),
        ColumnRule("FIRST_NAME", "name", "n", Name(("Ada", "Bo"))),
        ColumnRule("PHONE", "phone", "p", Phone(), policy="redact"),
        ColumnRule("NOTE", "redaction", None, Redaction("gone")),
    )
    pairing = Pairing.of(table, rules)
    asked = (
        pairing.source(),
        pairing.copied.copied(),
        pairing.copied.kept(),
        pairing.sums(),
        pairing.compare(),
    )
    for sql in (*asked, pairing.control.create, *pairing.lists.values()):
        assert sqlglot.parse_one(sql, read="oracle")
    assert "AS OF SCN :scn" in pairing.source()
    assert "AS OF SCN" not in pairing.compare()
    parallel = pairing.compare().replace("SELECT ", "SELECT /*+ PARALLEL(3) */ ", 1)
    assert pairing.compare(degree=3) == parallel
    assert list(pairing.lists) == [f"{pairing.control.name}_3"]


def test_long_masked_texts_are_hashed_before_the_key_is_put_before_them() -> None:
    """4000 bytes of text and a key are more than a VARCHAR2 holds: ORA-01489 in Oracle."""
    table = people()
    long = replace(
        table,
        columns=tuple(
            replace(column, length=4000, char_length=1000) if column.name == "REMARKS" else column
            for column in table.columns
        ),
    )
    hashed = "RAWTOHEX(STANDARD_HASH(T.\"REMARKS\", 'SHA256'))"
    rules = (ColumnRule("REMARKS", "redaction", None, Redaction("gone")),)
    assert hashed not in Pairing.of(table, rules).source()
    assert f":salt || {hashed}" in Pairing.of(long, rules).source()


def test_what_is_computed_once_is_made_of_what_was() -> None:
    """The compact number is the inner view's, its check digit the outer one's: neither is computed twice."""
    table = Table("APP", "T", 1, 1, 1, (number("A"), text("B", 30)))
    sql = Pairing.of(table, (ColumnRule("B", "payment_card", "card", PaymentCard()),)).compare()
    assert sql.count('UPPER(T."B")') == 1
    outer, inner = sql.index(" AS Z$2"), sql.index(" AS Z$1")
    assert outer < inner
    assert sqlglot.parse_one(sql, read="oracle")


@pytest.mark.parametrize("masked", [3, 400])
def test_a_row_is_sent_in_few_values(masked: int) -> None:
    columns = (number("ID"), *(text(f"C{n}", 5) for n in range(masked)))
    rules = tuple(ColumnRule(f"C{n}", "redaction", None, Redaction("gone")) for n in range(masked))
    pairing = Pairing.of(Table("APP", "T", 1, 1, 1, columns, (key("P", "PK", "ID"),)), rules)
    values = 1 + (20 + 30 + 20 * masked) // 3800
    assert pairing.control.insert.count(":") == values
    assert pairing.control.create.count(" RAW(") == values


def test_signs_are_sent_only_where_rows_differ() -> None:
    table = people()
    rules = (
        ColumnRule("EMAIL", "email", "email", Email()),
        ColumnRule("NOTE", "redaction", None, Redaction("gone")),
    )
    numbers = {paired.column.name: paired.number for paired in Pairing.of(table, rules).columns}
    sql = Pairing.of(table, rules).source()
    assert f"AS M{numbers['EMAIL']}" not in sql
    assert f"AS M{numbers['NOTE']}" in sql, "an empty document stays empty"
