from __future__ import annotations

from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from localoracle.demo import documents, pools
from localoracle.demo.numbers import card_number
from localoracle.demo.people import People, iban


@pytest.fixture(scope="module")
def people():
    return People(0.02)


@given(st.integers(0, 10**14 - 1))
def test_card_numbers_pass_luhn(seed):
    number = card_number(seed)
    digits = [int(digit) for digit in reversed(number)]
    doubled = [sum(divmod(2 * digit, 10)) for digit in digits[1::2]]
    assert len(number) == 16
    assert (sum(digits[::2]) + sum(doubled)) % 10 == 0


@given(st.integers(0, 10**18 - 1))
def test_ibans_have_valid_check_digits(seed):
    number = iban(seed)
    rearranged = number[4:] + number[:4]
    assert len(number) == 22
    assert int("".join(str(int(letter, 36)) for letter in rearranged)) % 97 == 1


def test_the_same_rows_every_time(people):
    again = People(0.02)
    for table in ("customers", "accounts", "orders", "payments", "employees"):
        assert list(islice(getattr(people, table)(), 50)) == list(islice(getattr(again, table)(), 50))


def test_references_hold(people):
    customers = list(people.customers())
    accounts = list(people.accounts())
    assert len(customers) == 1200
    assert {row[1] for row in accounts} <= {row[0] for row in customers}
    assert {row[1] for row in people.payments()} <= {row[0] for row in accounts}
    assert {row[10] for row in customers} <= {code for code, _ in people.countries()}
    seen = set()
    for row in people.employees():
        assert row[7] is None or row[7] in seen
        seen.add(row[0])


def test_emails_are_unique_and_lead_nowhere(people):
    emails = [row[3] for row in people.customers()]
    given_emails = [email for email in emails if email]
    assert len(set(given_emails)) == len(given_emails) < len(emails)
    assert all(email.endswith(".example") for email in given_emails)


def test_columns_are_wide_enough(people):
    widths = {1: 60, 2: 60, 3: 120, 4: 40, 6: 20, 7: 120, 8: 80, 9: 12, 12: 1000}
    for row in people.customers():
        for place, width in widths.items():
            assert row[place] is None or 0 < len(row[place]) <= width


def test_the_distribution_of_the_study():
    lengths = [len(payload) if payload else 0 for _, _, payload in documents.test_table(1)]
    filled = [length for length in lengths if length]
    assert len(lengths) == 25_000
    assert 1 - len(filled) / len(lengths) == pytest.approx(0.641, abs=0.01)
    assert sum(length <= 4000 for length in filled) / len(lengths) == pytest.approx(0.031, abs=0.005)
    assert sum(filled) / len(filled) == pytest.approx(7389, rel=0.01)
    assert max(filled) == 8000


def test_documents_are_files_of_the_installation():
    rows = list(documents.documents(0.02, ["a.example"]))
    assert sum(len(row[4] or b"") + len(row[5] or "") for row in rows) >= 0.02 * documents.DOCUMENT_BYTES
    for _, path, kind, _, body, text, _ in rows:
        assert 0 < len(path) <= 1000
        assert len(kind) <= 80
        if text is not None:
            assert text.encode() == body
            assert len(body) <= documents.MAXIMUM_TEXT


@pytest.mark.slow
def test_the_pools_are_what_faker_makes():
    assert pools.load() == pools.render()
