"""The invented records around people: keys are keys, references lead somewhere, numbers pass their checks."""

from __future__ import annotations

import random

import pytest
from stdnum import iban, luhn
from stdnum.de import idnr
from stdnum.es import dni
from stdnum.fr import nir
from stdnum.nl import bsn

from localoracle.demo import numbers
from localoracle.demo.business import AWKWARD, Business
from localoracle.demo.people import CUSTOMERS, People

SCALE = 0.05
TABLES = (
    *("addresses", "identity_documents", "cards", "suppliers", "invoices"),
    *("transfers", "tickets", "logins", "dependants"),
)


@pytest.fixture(scope="module")
def business() -> Business:
    return Business(People(SCALE))


@pytest.fixture(scope="module")
def again() -> Business:
    return Business(People(SCALE))


@pytest.mark.parametrize("table", TABLES)
def test_rows_are_the_same_every_time_and_their_keys_differ(
    business: Business, again: Business, table: str
) -> None:
    rows = list(getattr(business, table)())
    assert rows == list(getattr(again, table)())
    assert len({row[0] for row in rows}) == len(rows) > 50


def test_foreign_keys_lead_to_a_row(business: Business) -> None:
    emails = {row[3] for row in People(SCALE).customers()}
    cards = {row[1] for row in business.cards()}
    codes = {row[0] for row in business.suppliers()}
    tickets = list(business.tickets())
    assert {row[1] for row in tickets} <= emails
    assert {row[2] for row in tickets} - {None} <= cards
    assert {row[1] for row in business.invoices()} <= codes
    assert all(1 <= row[1] <= CUSTOMERS * SCALE for row in business.addresses())


def test_names_of_many_scripts_and_gaps(business: Business) -> None:
    names = {row[3] for row in business.addresses()}
    assert any("一" <= char <= "鿿" for name in names for char in name)
    assert any("À" <= char <= "ſ" for name in names for char in name)
    assert any(name != name.strip() for name in names)
    assert None in {row[4] for row in business.addresses()}


def test_numbers_have_right_check_digits() -> None:
    draw = random.Random(1)
    validators = {"DE": idnr, "ES": dni, "FR": nir, "NL": bsn}
    for _ in range(200):
        for country in numbers.IBAN_COUNTRIES:
            assert iban.is_valid(numbers.iban(country, draw), check_country=False)
        for country, validator in validators.items():
            assert validator.is_valid(numbers.national_id(country, draw)), country
    assert all(luhn.is_valid(numbers.card(number).replace(" ", "")) for number in range(1, 500))


def test_numbers_of_a_counter_do_not_repeat() -> None:
    for make in (numbers.card, numbers.supplier_code, lambda number: numbers.document_number("DE", number)):
        made = [make(number) for number in range(1, 50_001)]
        assert len(set(made)) == len(made)


def test_awkward_names_come(business: Business) -> None:
    assert len(set(AWKWARD) & {row[2] for row in business.transfers()}) >= 3
