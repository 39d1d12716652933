"""Masked numbers are right by somebody else's validators, and stay apart."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable
from types import ModuleType

import pytest
import stdnum.de.idnr
import stdnum.es.dni
import stdnum.es.nie
import stdnum.fr.nir
import stdnum.iban
import stdnum.it.codicefiscale
import stdnum.luhn
import stdnum.nl.bsn
import stdnum.us.ssn

from oracle_refresh.masking.algorithms import Algorithm
from oracle_refresh.masking.algorithms.iban import Iban
from oracle_refresh.masking.algorithms.identity_numbers import _arrangement, _rank
from oracle_refresh.masking.algorithms.national_id import NationalId
from oracle_refresh.masking.algorithms.number_mapping import NumberMapping
from oracle_refresh.masking.algorithms.payment_card import PaymentCard
from oracle_refresh.masking.keys import MasterKey
from support.masking_values import IDENTITY_NUMBERS, cards, ibans
from support.samples import SECRET

KEY = MasterKey(SECRET).domain("test")
VALIDATED: list[tuple[str, ModuleType]] = [
    ("de", stdnum.de.idnr),
    ("es", stdnum.es.dni),
    ("es", stdnum.es.nie),
    ("fr", stdnum.fr.nir),
    ("it", stdnum.it.codicefiscale),
    ("nl", stdnum.nl.bsn),
    ("us", stdnum.us.ssn),
]


def walk(algorithm: Algorithm, start: str, count: int) -> list[str]:
    """A number, its masked one, the masked one's masked one, and so on: all of the same format."""
    found = [start]
    while len(found) < count:
        found.append(algorithm.mask(KEY, found[-1]))
    return found


@pytest.mark.parametrize(
    ("country", "validator"), VALIDATED, ids=lambda value: getattr(value, "__name__", value)
)
def test_masked_numbers_are_right(country: str, validator: ModuleType) -> None:
    algorithm = NationalId(country)  # type: ignore[arg-type]
    starts = [
        value for value in IDENTITY_NUMBERS[country] if validator.is_valid(value) and value == value.upper()
    ]
    assert starts
    for start in starts:
        chain = walk(algorithm, start, 150)
        assert [value for value in chain if not validator.is_valid(value)] == []
        assert all(one != other for one, other in itertools.pairwise(chain))
        assert all(len(value) == len(start) for value in chain)


def test_check_letters_of_codice_fiscale() -> None:
    """The date in the middle is kept and the year permuted, so only the check letter is certain."""
    for value in walk(NationalId("it"), "RCCMNL83S18D969H", 150):
        assert stdnum.it.codicefiscale.calc_check_digit(value[:-1]) == value[-1]


def test_keys_of_french_numbers() -> None:
    for value in walk(NationalId("fr"), "255081416802538", 150):
        assert stdnum.fr.nir.calc_check_digits(value[:-2]) == value[-2:]


@pytest.mark.parametrize(
    "start", [value for value in ibans() if stdnum.iban.is_valid(value) and value.isupper()]
)
def test_masked_ibans_have_right_check_digits(start: str) -> None:
    for value in walk(Iban(), start, 50):
        assert stdnum.iban.is_valid(value, check_country=False)
        assert value[:2] == start[:2]


@pytest.mark.parametrize(
    "start", [value for value in cards() if 11 < sum(map(str.isdigit, value)) < 20 and "x" not in value]
)
@pytest.mark.parametrize("kept", [6, 8])
def test_cards_keep_their_luhn_verdict_and_issuer(start: str, kept: int) -> None:
    def digits(value: str) -> str:
        return "".join(filter(str.isdigit, value))

    valid = stdnum.luhn.is_valid(digits(start))
    for value in walk(PaymentCard(kept), start, 30):  # type: ignore[arg-type]
        assert stdnum.luhn.is_valid(digits(value)) == valid
        assert digits(value)[:kept] == digits(start)[:kept]


def random_ssn(some: random.Random) -> str:
    area = some.choice([*range(1, 666), *range(667, 900)])
    return f"{area:03d}{some.randint(1, 99):02d}{some.randint(1, 9999):04d}"


def random_dni(some: random.Random) -> str:
    number = some.randrange(10**8)
    return f"{number:08d}{'TRWAGMYFPDXBNJZSQVHLCKE'[number % 23]}"


def random_card(some: random.Random) -> str:
    body = f"4{some.randrange(10**14):014d}"
    return body + stdnum.luhn.calc_check_digit(body)


@pytest.mark.parametrize(
    ("algorithm", "make"),
    [(NationalId("us"), random_ssn), (NationalId("es"), random_dni), (PaymentCard(), random_card)],
)
def test_numbers_stay_apart(algorithm: Algorithm, make: Callable[[random.Random], str]) -> None:
    some = random.Random(1)
    values = {make(some) for _ in range(4000)}
    masked = {value: algorithm.mask(KEY, value) for value in values}
    assert len(set(masked.values())) == len(values)
    assert all(value != other for value, other in masked.items())


def test_arrangements_are_ranked_one_to_one() -> None:
    for rank in (0, 1, 12345, 9 * 362880 - 1, *random.Random(2).sample(range(9 * 362880), 300)):
        assert _rank(_arrangement(rank)) == rank


def test_small_numbers_are_a_permutation() -> None:
    for low, high in ((0, 10), (10, 100), (100, 1000), (-99, -9)):
        values = list(range(low, high))
        masked = [NumberMapping().mask(KEY, value) for value in values]
        assert sorted(masked) == values  # type: ignore[type-var]
        assert all(one != other for one, other in zip(values, masked, strict=True))
