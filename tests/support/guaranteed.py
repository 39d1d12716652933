"""Every algorithm with as many different originals as its claims need, for the tests of guarantees.

Run as a program it masks the first of them and prints what came out, as another process of a refresh does.
"""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any, get_args

from oracle_refresh.first_contact.originals import days, documents
from oracle_refresh.masking import MasterKey
from oracle_refresh.masking.algorithms import Algorithm
from oracle_refresh.masking.algorithms.binary_lookup import BinaryLookup
from oracle_refresh.masking.algorithms.character_mapping import CharacterMapping
from oracle_refresh.masking.algorithms.constant import Constant
from oracle_refresh.masking.algorithms.date_shift import DateShift
from oracle_refresh.masking.algorithms.decomposition import Decomposition, Part
from oracle_refresh.masking.algorithms.email import Email
from oracle_refresh.masking.algorithms.free_text import FreeText
from oracle_refresh.masking.algorithms.full_name import FullName
from oracle_refresh.masking.algorithms.iban import Iban
from oracle_refresh.masking.algorithms.keep import Keep
from oracle_refresh.masking.algorithms.mapping import PoolMapping
from oracle_refresh.masking.algorithms.min_max import MinMax
from oracle_refresh.masking.algorithms.name import Name
from oracle_refresh.masking.algorithms.national_id import Country, NationalId
from oracle_refresh.masking.algorithms.null import Null
from oracle_refresh.masking.algorithms.number_mapping import NumberMapping
from oracle_refresh.masking.algorithms.numeric_noise import NumericNoise
from oracle_refresh.masking.algorithms.payment_card import PaymentCard
from oracle_refresh.masking.algorithms.phone import Phone
from oracle_refresh.masking.algorithms.record_lookup import RecordLookup
from oracle_refresh.masking.algorithms.redaction import Redaction
from oracle_refresh.masking.algorithms.samples import LETTERS, TEXT, numbers
from oracle_refresh.masking.algorithms.secure_lookup import SecureLookup
from oracle_refresh.masking.algorithms.segment_mapping import SegmentMapping
from oracle_refresh.masking.records import Document, Records
from support.samples import SECRET

COUNT = 100_000
"""For permutations: a random function would let about five of so many among 10**9 values collide."""
FEWER = 10_000
"""For claims that hold value by value, and for further settings of a permutation."""
NAMES = tuple(f"Name{n}" for n in range(500))
PLACES = Records(("city", "postcode"), tuple((f"City {n}", f"{n:05d}") for n in range(300)))
DOCUMENTS = tuple(Document(f"{n}.pdf", str(n), b"%PDF-1.4 " + str(n).encode()) for n in range(9))


def _amounts() -> Iterator[Decimal]:
    """With two decimal places."""
    return (Decimal(n * 37) / 100 for n in itertools.count(1))


@dataclass(frozen=True)
class Case:
    """An algorithm and how its originals are made, unless they are its own; `others` are what it reads of the
    row beside them."""

    name: str
    algorithm: Algorithm
    make: Callable[[], Iterator[Any]] | None = None
    others: Callable[[Any], tuple[Any, ...]] = lambda value: ()
    count: int = FEWER

    def originals(self, count: int) -> list[Any]:
        made = self.make() if self.make else self.algorithm.originals(TEXT)
        return list(itertools.islice(made, count))

    def masked(self, originals: list[Any], secret: bytes = SECRET) -> list[Any]:
        """What the reference makes of them, one by one or as a column."""
        key = MasterKey(secret).domain(self.name)
        return self.algorithm.mask_column(key, [(each, *self.others(each)) for each in originals])


def _segments() -> Iterator[str]:
    return (f"{n % 100:02d}-{LETTERS[n % 23]}{LETTERS[n % 19]}{n // 100:04d}" for n in itertools.count())


def _whole_numbers() -> Iterator[int]:
    return itertools.chain(range(-500, 50_000), range(10**9, 10**12, 7919 * 997))


PART = Decomposition(
    (Part("[A-Z]{2}-"), Part("[0-9]+", CharacterMapping()), Part("/[A-Z]*", SecureLookup(("/X", "/Y"))))
)
POOL = tuple(f"Entry {n}" for n in range(FEWER))

CASES = (
    Case("character_mapping", CharacterMapping(1, 1), lambda: numbers("a{:09d}z"), count=COUNT),
    Case("secure_lookup", SecureLookup(NAMES), lambda: numbers("Person {}")),
    Case("name", Name(NAMES)),
    Case("full_name", FullName(NAMES, NAMES)),
    Case("email", Email(), count=COUNT),
    Case("payment_card", PaymentCard(), count=COUNT),
    Case("payment_card 8", PaymentCard(8), lambda: numbers("55001111{:09d}")),
    Case("phone", Phone(), count=COUNT),
    Case("iban", Iban(), count=COUNT),
    *(
        Case(f"national_id {country}", NationalId(country), count=COUNT if country == "us" else FEWER)
        for country in get_args(Country)
    ),
    Case("segment_mapping", SegmentMapping(("99", "-", "AA", "9999")), _segments, count=COUNT),
    Case(
        "chained segments",
        SegmentMapping(("999", "999", "999"), chained=True),
        lambda: numbers("{:09d}"),
    ),
    Case("regex", PART, lambda: numbers("AB-{:09d}/Q")),
    Case("free_text", FreeText(("see", "order")), lambda: numbers("see order {}, Peter!")),
    Case("number_mapping", NumberMapping(), _whole_numbers, count=COUNT),
    Case("numeric_noise", NumericNoise(20, "S"), _amounts, lambda value: (str(value),)),
    Case("min_max", MinMax(100, 5000), lambda: itertools.count(-1000)),
    Case("min_max date", MinMax(date(1950, 1, 1), date(1980, 1, 1)), days),
    Case("date_shift", DateShift(-90, 90), days, lambda value: (str(value.day),)),
    Case("fixed date_shift", DateShift(30, 30), days),
    Case("binary_lookup", BinaryLookup(DOCUMENTS, "S"), documents, lambda value: (value.decode(),)),
    Case("mapping", PoolMapping(POOL), lambda: numbers("Firm {}")),
    Case("record_lookup", RecordLookup(PLACES, 1, ("CITY",)), lambda: numbers("Town {}"), lambda v: (v,)),
    Case("constant", Constant("gone"), lambda: numbers("{}")),
    Case("redaction", Redaction("[removed]"), lambda: numbers("{}")),
    Case("null", Null(), lambda: numbers("{}")),
    Case("keep", Keep(), lambda: numbers("{}")),
)


def sample_digest(count: int = 200) -> str:
    """One text for what all algorithms make of their first originals."""
    found = [(case.name, case.masked(case.originals(count))) for case in CASES]
    return hashlib.sha256(repr(found).encode()).hexdigest()


if __name__ == "__main__":
    print(sample_digest())
