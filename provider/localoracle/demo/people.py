"""Invented people, accounts and payments: pools of names from Faker, combined by a seeded generator.

Faker per row would take minutes; a pool of names and a generator make a row in microseconds, and the
same rows every time.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

from localoracle.demo import numbers

SEED = 20261121
CUSTOMERS, ACCOUNTS, ORDERS, PAYMENTS, EMPLOYEES = 60_000, 90_000, 250_000, 250_000, 2_000
"""Rows at scale 1."""

Row = tuple[Any, ...]


class People:
    """Rows of the APP tables at one scale. Every method yields the same rows whenever it is called."""

    def __init__(self, scale: float) -> None:
        from faker import Faker
        from faker.providers.date_time import Provider

        fake = Faker("en_US")
        fake.seed_instance(SEED)
        self.first_names = sorted({fake.first_name() for _ in range(2000)})
        self.last_names = sorted({fake.last_name() for _ in range(3000)})
        self.streets = [fake.street_address() for _ in range(2000)]
        self.cities = sorted({fake.city() for _ in range(1500)})
        self.sentences = [fake.sentence(8) for _ in range(1000)]
        # Names below .example belong to nobody (RFC 2606): no mail can ever leave a test.
        self.domains = sorted({f"{fake.domain_word()}.example" for _ in range(250)})
        self._countries = {country.alpha_2_code: country.name for country in Provider.countries}
        self._scale = scale

    def count(self, rows: int) -> int:
        return max(1, round(rows * self._scale))

    def countries(self) -> Iterator[Row]:
        yield from sorted(self._countries.items())

    def customers(self) -> Iterator[Row]:
        draw = random.Random(SEED + 1)
        codes = sorted(self._countries)
        for number in range(1, self.count(CUSTOMERS) + 1):
            first, last = draw.choice(self.first_names), draw.choice(self.last_names)
            email = f"{first}.{last}{number}@{draw.choice(self.domains)}".lower()
            yield (
                number,
                first,
                last,
                email if draw.random() > 0.03 else None,
                f"+1-{draw.randrange(200, 999)}-{draw.randrange(200, 999)}-{draw.randrange(10000):04d}"
                if draw.random() > 0.1
                else None,
                datetime(1935, 1, 1) + timedelta(days=draw.randrange(26_000)),
                f"{draw.randrange(1, 900):03d}-{draw.randrange(1, 100):02d}-{draw.randrange(1, 10000):04d}"
                if draw.random() > 0.05
                else None,
                draw.choice(self.streets),
                draw.choice(self.cities),
                f"{draw.randrange(100_000):05d}",
                "US" if draw.random() < 0.8 else draw.choice(codes),
                draw.choices("ACS", (90, 7, 3))[0],
                f"{draw.choice(self.sentences)} Call {first} {last}." if draw.random() < 0.3 else None,
                moment(draw, datetime(2019, 1, 1), 2500),
            )

    def accounts(self) -> Iterator[Row]:
        draw = random.Random(SEED + 2)
        customers = self.count(CUSTOMERS)
        for number in range(1, self.count(ACCOUNTS) + 1):
            yield (
                number,
                draw.randrange(1, customers + 1),
                iban(draw.randrange(10**18)),
                draw.randrange(-50_000, 5_000_000) / 100,
                datetime(2015, 1, 1) + timedelta(days=draw.randrange(4_000)),
            )

    def orders(self) -> Iterator[Row]:
        draw = random.Random(SEED + 3)
        customers = self.count(CUSTOMERS)
        states = ("NEW", "PAID", "SHIPPED", "RETURNED")
        for number in range(1, self.count(ORDERS) + 1):
            yield (
                number,
                (datetime(2023, 1, 1) + timedelta(seconds=draw.randrange(4 * 365 * 86_400))),
                draw.randrange(1, customers + 1),
                draw.randrange(100, 900_000) / 100,
                draw.choices(states, (5, 25, 65, 5))[0],
                draw.choice(self.sentences) if draw.random() < 0.25 else None,
            )

    def payments(self) -> Iterator[Row]:
        draw = random.Random(SEED + 4)
        accounts = self.count(ACCOUNTS)
        for number in range(1, self.count(PAYMENTS) + 1):
            carded = draw.random() < 0.8
            yield (
                number,
                draw.randrange(1, accounts + 1),
                numbers.card_number(draw.randrange(10**14)) if carded else None,
                f"{draw.choice(self.first_names)} {draw.choice(self.last_names)}" if carded else None,
                draw.randrange(100, 300_000) / 100,
                moment(draw, datetime(2023, 1, 1), 1400),
                draw.randbytes(16),
            )

    def employees(self) -> Iterator[Row]:
        draw = random.Random(SEED + 5)
        for number in range(1, self.count(EMPLOYEES) + 1):
            first, last = draw.choice(self.first_names), draw.choice(self.last_names)
            yield (
                number,
                first,
                last,
                f"{first}.{last}.{number}@example.com".lower(),
                datetime(2005, 1, 1) + timedelta(days=draw.randrange(7_500)),
                draw.randrange(2_500_000, 25_000_000) / 100,
                round(draw.random() * 5, 3) if draw.random() > 0.1 else None,
                # The first is nobody's report; the others report to somebody before them.
                None if number == 1 else draw.randrange(1, min(number, 200)),
            )


def moment(draw: random.Random, start: datetime, days: int) -> datetime:
    """A time within that many days, to the microsecond."""
    return start + timedelta(microseconds=draw.randrange(days * 86_400_000_000))


def iban(seed: int) -> str:
    """A German IBAN (22 characters) with valid check digits."""
    return numbers.with_check_digits("DE", f"{seed % 10**18:018d}")
