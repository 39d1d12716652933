"""What Oracle lets nobody change is refused before anything is loaded, each with its remedy."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from oracle_refresh.catalog import Catalogue, Column, Table
from oracle_refresh.masking import ColumnRule, Ruleset, check_table, compile_table, fit, statements
from oracle_refresh.masking.algorithms import ALGORITHMS
from oracle_refresh.masking.algorithms.constant import Constant
from oracle_refresh.masking.algorithms.email import Email
from oracle_refresh.masking.algorithms.name import Name
from oracle_refresh.masking.algorithms.null import Null
from oracle_refresh.masking.algorithms.numeric_noise import NumericNoise
from oracle_refresh.masking.algorithms.phone import Phone
from oracle_refresh.masking.algorithms.protocol import Algorithm
from oracle_refresh.masking.changeable import tables_whose_rows_move
from oracle_refresh.masking.conditions import Condition
from oracle_refresh.oracle.errors import MaskingError
from oracle_refresh.oracle.identifiers import TableName
from support.samples import key, number, plain, text

PLAIN = Table("APP", "T", 1, 1, 1, (number("ID", nullable=False), text("NAME", 20)))


def rule(column: str, algorithm: Algorithm, where: str | None = None) -> ColumnRule:
    domain = "d" if algorithm.keyed else None
    condition = Condition.parse(where) if where else None
    return ColumnRule(column, algorithm.kind, domain, algorithm, condition)


def with_column(column: Column) -> Table:
    return replace(PLAIN, columns=(*PLAIN.columns, column))


IN_PARTS = replace(PLAIN, partition_columns=("NAME",))
OBJECT = replace(plain("ADDRESS", "ADDRESS_T", 1), type_owner="APP")


@pytest.mark.parametrize(
    ("table", "masked", "complaint"),
    [
        (with_column(replace(text("V", 9), virtual=True)), rule("V", Phone()), "virtual"),
        (
            with_column(replace(number("N"), identity=True, always_generated=True)),
            rule("N", Null()),
            "ORA-32796",
        ),
        (IN_PARTS, rule("NAME", Phone()), "ORA-14402"),
        (replace(PLAIN, iot=True), rule("ID", NumericNoise(percent=5, subject="ID")), "UROWID"),
        (with_column(plain("L", "LONG", 0)), rule("L", Null(), "ID > 1"), "ORA-00997"),
        (with_column(plain("J", "JSON", 8200)), rule("J", Null(), "ID > 1"), "ORA-00932"),
        (with_column(OBJECT), rule("ADDRESS", Null(), "ID > 1"), "ORA-00932"),
        (with_column(plain("F", "BFILE", 530)), rule("F", Null(), "ID > 1"), "ORA-00932"),
    ],
)
def test_refused(table: Table, masked: ColumnRule, complaint: str) -> None:
    with pytest.raises(MaskingError, match=complaint) as refused:
        check_table(table, (masked,))
    assert refused.value.remedy


@pytest.mark.parametrize(
    ("table", "masked"),
    [
        (with_column(replace(number("N"), identity=True)), rule("N", Null())),
        (replace(IN_PARTS, may_change_partition=True), rule("NAME", Phone())),
        (replace(PLAIN, partition_columns=("ID",)), rule("NAME", Phone())),
        (replace(PLAIN, iot=True), rule("NAME", Phone())),
        (with_column(plain("L", "LONG", 0)), rule("L", Null())),
        (with_column(OBJECT), rule("ADDRESS", Null())),
    ],
)
def test_taken(table: Table, masked: ColumnRule) -> None:
    check_table(table, (masked,))


@pytest.mark.parametrize("beside", [(), (rule("NAME", Phone()),)])
def test_null_is_no_expression(beside: tuple[ColumnRule, ...]) -> None:
    """As the result of a CASE, or of an inner query, it would be a text (ORA-00932)."""
    plan = compile_table(with_column(OBJECT), (rule("ADDRESS", Null()), *beside), "run")
    assert 'G."ADDRESS" = NULL' in plan.apply.sql or '"ADDRESS" = NULL\n' in plan.apply.sql
    assert "NULL AS M" not in plan.apply.sql


def problems(table: Table, *rules: ColumnRule) -> list[tuple[str, str]]:
    ruleset = Ruleset("r", {TableName(table.owner, table.name): rules}, "f")
    return [(each.code, each.remedy) for each in fit(ruleset, Catalogue(("APP",), (table,))).problems]


def test_a_misfit_names_what_would_fit() -> None:
    ((code, remedy),) = problems(PLAIN, rule("NAME", Email()))
    assert code == "RULE_DOES_NOT_FIT"
    assert "character_mapping" in remedy
    assert "email" not in remedy.split("without further parameters")[1]


def test_what_would_fit_a_key_is_unique() -> None:
    names = Name(("Anna", "Bert"))
    ((_, remedy),) = problems(replace(PLAIN, constraints=(key("U", "T_UK", "NAME"),)), rule("NAME", names))
    fitting = remedy.split("without further parameters")[1]
    assert "character_mapping" in fitting
    kinds = re.findall(r"[a-z_]+", fitting.removesuffix(" would fit"))
    assert all(ALGORITHMS[kind]().guarantees.unique != "no" or ALGORITHMS[kind]().empties for kind in kinds)


def test_nothing_else_fits_what_cannot_be_changed() -> None:
    ((_, remedy),) = problems(IN_PARTS, rule("NAME", Phone()))
    assert "would fit" not in remedy


def test_rules_of_a_temporary_table_are_refused() -> None:
    ((code, remedy),) = problems(replace(PLAIN, temporary=True), rule("NAME", Phone()))
    assert (code, remedy) == ("RULE_DOES_NOT_FIT", "remove its rules from the ruleset")


def test_a_schema_that_the_definition_does_not_name() -> None:
    elsewhere = replace(PLAIN, owner="HR")
    ruleset = Ruleset("r", {TableName("HR", "T"): (rule("NAME", Phone()),)}, "f")
    (found,) = fit(ruleset, Catalogue(("APP",), (PLAIN,))).problems
    assert found.code == "MASKED_SCHEMA_NOT_REFRESHED"
    assert "add HR to `schemas`" in found.remedy
    assert fit(ruleset, Catalogue(("HR",), (elsewhere,))).problems == ()


def test_a_text_for_a_national_column_is_converted() -> None:
    """Beside the column's own value, or in a COALESCE, VARCHAR2 would be refused (ORA-12704)."""
    table = with_column(text("N", 20, data_type="NVARCHAR2"))
    plan = compile_table(table, (rule("N", Constant("x"), "ID > 1"),), "run")
    assert 'THEN TO_NCHAR(:b1) END ELSE T."N" END' in plan.apply.sql
    refused = statements.refusing('TO_NCHAR("M")', 'T."N"', national=True)
    assert "TO_CHAR(" not in refused


def test_rows_move_where_what_decides_their_partition_is_masked() -> None:
    moving = replace(IN_PARTS, may_change_partition=True)
    catalogue = Catalogue(("APP",), (moving, replace(moving, name="OTHER")))
    masked = {TableName("APP", "T"): (rule("NAME", Phone()),), ("APP", "OTHER"): (rule("ID", Null()),)}
    assert tables_whose_rows_move(catalogue, Ruleset("r", masked, "f")) == {("APP", "T")}
