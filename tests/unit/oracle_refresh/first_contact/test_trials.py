"""Which rules the ladder tries on made-up values: every algorithm there is, and every rule of a ruleset."""

from __future__ import annotations

from dataclasses import replace

import pytest

from oracle_refresh.catalog import Table
from oracle_refresh.first_contact.samples import SAMPLES, Sample
from oracle_refresh.first_contact.trials import VALUES, Trial, of_table, trial_of
from oracle_refresh.masking import ColumnRule, MasterKey
from oracle_refresh.masking.algorithms import ALGORITHMS
from oracle_refresh.masking.algorithms.email import Email
from oracle_refresh.masking.algorithms.iban import Iban
from oracle_refresh.masking.algorithms.keep import Keep
from oracle_refresh.masking.algorithms.mapping import PoolMapping
from oracle_refresh.masking.algorithms.name import Name
from oracle_refresh.masking.algorithms.national_id import NationalId
from oracle_refresh.masking.composites import COMPOSITES
from oracle_refresh.masking.fit import check_table
from support.samples import SECRET, number, plain, text

KEY = MasterKey(SECRET)
NAMES = ("Anna", "Bert", "Cleo")


def made(sample: Sample) -> Trial:
    trial = trial_of("S", "T", sample, KEY)
    assert isinstance(trial, Trial), trial
    return trial


def test_no_algorithm_is_left_out() -> None:
    kinds = {rule.kind for sample in SAMPLES for rule in sample.rules}
    assert kinds == set(ALGORITHMS)
    assert {sample.name for sample in SAMPLES} >= set(COMPOSITES)


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.name)
def test_every_algorithm_has_a_thousand_values_that_differ(sample: Sample) -> None:
    trial = made(sample)
    check_table(trial.table, trial.rules)
    assert len(trial.rows) == VALUES
    for place, column in enumerate(trial.table.columns):
        if column.name in {rule.column for rule in trial.rules}:
            assert len({row[place] for row in trial.rows}) == VALUES
    assert all(len(values) == VALUES for values in trial.expected(KEY).values())


def test_rules_that_read_each_others_columns_are_tried_together() -> None:
    table = Table(
        *("APP", "PEOPLE", 1, 1, 1),
        (text("FIRST", 20), text("LAST", 20), text("MAIL", 60), text("IBAN", 34), text("CODE", 20)),
    )
    rules = (
        ColumnRule("MAIL", "email", "m", Email(local="names", first_name="FIRST", last_name="LAST")),
        ColumnRule("FIRST", "name", "f", Name(NAMES)),
        ColumnRule("LAST", "name", "l", Name(NAMES)),
        ColumnRule("IBAN", "iban", "i", Iban()),
        ColumnRule("CODE", "national_id", "us", NationalId("us")),
        ColumnRule("CODE", "keep", None, Keep()),
    )
    tried = list(of_table(table, rules))
    assert [[rule.column for rule in sample.rules] for sample in tried] == [
        ["MAIL", "FIRST", "LAST"],
        ["IBAN"],
        ["CODE"],
        ["CODE"],
    ]
    assert [sample.rules[0].kind for sample in tried[2:]] == ["national_id", "keep"]
    trial = made(tried[0])
    expected = trial.expected(KEY)
    assert expected["MAIL"][0].partition(".")[0] == expected["FIRST"][0].lower()


def test_what_no_value_is_made_for_is_told() -> None:
    raw = Sample("x", (plain("V", "RAW", 16),), (ColumnRule("V", "keep", None, Keep()),))
    assert trial_of("S", "T", raw, KEY) == "no values are made up for the type of V (RAW)"
    narrow = Sample("x", (text("V", 5),), (ColumnRule("V", "iban", "d", Iban()),))
    assert trial_of("S", "T", narrow, KEY) == "no made-up value conforms to the rule"


def test_a_short_pool_takes_fewer_values_and_keeps_none_of_them() -> None:
    pool = PoolMapping(tuple(f"Firm {n}" for n in range(300)), keep=True)
    trial = made(Sample("x", (text("V", 30),), (ColumnRule("V", "mapping", "d", pool),)))
    assert len(trial.rows) == 250
    assert trial.rules[0].algorithm == replace(pool, keep=False)


def test_narrow_columns_have_the_values_that_they_have_room_for() -> None:
    trial = made(Sample("x", (number("V", 1),), (ColumnRule("V", "keep", None, Keep()),)))
    assert {int(value) for _, value in trial.rows} == set(range(10))
