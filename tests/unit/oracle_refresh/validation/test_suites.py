"""What generated suites promise, how they are merged with own ones, and a suite that is none."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from oracle_refresh.masking import ColumnRule
from oracle_refresh.masking.algorithms.constant import Constant
from oracle_refresh.masking.algorithms.iban import Iban
from oracle_refresh.masking.algorithms.min_max import MinMax
from oracle_refresh.masking.algorithms.name import Name
from oracle_refresh.masking.algorithms.null import Null
from oracle_refresh.masking.algorithms.payment_card import PaymentCard
from oracle_refresh.masking.algorithms.phone import Phone
from oracle_refresh.masking.algorithms.secure_lookup import SecureLookup
from oracle_refresh.oracle.errors import ValidationError
from oracle_refresh.validation.model import MaskedCheck, TableCheck
from oracle_refresh.validation.suite_files import SuiteDefinition, merged, own_suites
from oracle_refresh.validation.suite_queries import ROWS_QUERY
from oracle_refresh.validation.suites import suite_of
from support import leaking
from support.samples import number, plain, text


def test_ones_own_take_the_place_of_generated_ones() -> None:
    own = SuiteDefinition.model_validate(
        {
            "name": "own",
            "tables": {"app.t": [{"type": "expect_column_values_to_be_unique", "column": "a"}]},
        }
    )
    made = [
        {"type": "expect_column_values_to_be_unique", "column": "A", "meta": {"rule": "email"}},
        {"type": "expect_column_values_to_be_unique", "column": "B", "meta": {"rule": "email"}},
        {"type": ROWS_QUERY, "unexpected_rows_query": "SELECT 1 FROM {batch}", "meta": {"rule": "iban"}},
    ]
    whole = merged("all", [own], {"APP.T": made, "APP.S": made[:1]})
    assert [(each.about, each.meta) for each in whole.tables["APP.T"]] == [
        (("expect_column_values_to_be_unique", "A"), {}),
        (("expect_column_values_to_be_unique", "B"), {"rule": "email"}),
        ((ROWS_QUERY, None), {"rule": "iban"}),
    ]
    assert len(whole.tables["APP.S"]) == 1


def test_what_each_rule_promises() -> None:
    """The kinds of expectations, without a database."""
    table = leaking.table_of(
        *(text("A", 30), text("B", 30), number("C", 9), text("D", 30), text("E", 40), text("F", 30)),
        *(plain("G", "DATE"), text("H", 9, data_type="CHAR"), text("I", 40)),
    )
    rules = (
        ColumnRule("A", "secure_lookup", "a", SecureLookup(tuple(f"n{n}" for n in range(2000)))),
        ColumnRule("B", "name", "b", Name(("O'Neil", "Eve", "Zoë"))),
        ColumnRule("C", "min_max", None, MinMax(1, 5)),
        ColumnRule("D", "null", None, Null()),
        ColumnRule("E", "iban", "e", Iban()),
        ColumnRule("F", "payment_card", "f", PaymentCard()),
        ColumnRule("G", "constant", None, Constant(date(2000, 1, 1))),
        ColumnRule("H", "constant", None, Constant("x")),
        ColumnRule("I", "phone", "i", Phone(), policy="redact"),
    )
    counted = {
        "A": {"distinct": None}, "B": {"count": 60}, "C": {}, "D": {"count": 0}, "E": {"distinct": 100},
        "F": {"distinct": 40, "valid": 100}, "G": {}, "H": {}, "I": {},
    }  # fmt: skip
    checks = tuple(
        MaskedCheck(name, **{"count": 100, "compared": 100, "unchanged": 0, **more})  # type: ignore[arg-type]
        for name, more in counted.items()
    )
    check = TableCheck("APP", "T", 100, 100, "1-1", "1-1", (), checks, (), (), "masked", 1.0)
    suite = suite_of(table, rules, check)
    assert suite is not None
    made = suite.expectations
    kinds: dict[str, list[str]] = {}
    for each in made:
        name = each.get("column") or each.get("description", "-")[:1]
        kinds.setdefault(name, []).append(each["type"].removeprefix("expect_column_values_to_"))
    assert kinds == {
        "-": ["expect_table_row_count_to_equal"],
        "A": ["not_be_null", ROWS_QUERY],
        "B": ["not_be_null", ROWS_QUERY],
        "C": ["not_be_null", "be_between"],
        "D": ["be_null"],
        "E": ["not_be_null", "be_unique", ROWS_QUERY],
        "F": ["not_be_null", "expect_column_unique_value_count_to_be_between", ROWS_QUERY, ROWS_QUERY],
        "G": ["not_be_null", ROWS_QUERY],
        "H": ["not_be_null", ROWS_QUERY],
        "I": ["not_be_null", ROWS_QUERY],
    }
    assert next(each for each in made if each.get("column") == "B")["mostly"] == 0.6
    queries = {
        each["description"]: each["unexpected_rows_query"] for each in made if each["type"] == ROWS_QUERY
    }
    assert "('O''NEIL', 'EVE', UPPER('Zoë'))" in queries["B: values are what name makes"]
    assert "[redacted]" in queries["I: values are what phone makes"]
    for query in queries.values():
        assert query.format(batch="app.t")  # every brace is doubled
        assert ":" not in query.replace("\\:", "")  # no word is taken for a bind


def test_a_suite_that_is_not_one(tmp_path: Path) -> None:
    (tmp_path / "bad.yaml").write_text("name: [")
    with pytest.raises(ValidationError, match="not valid YAML"):
        own_suites(tmp_path)
