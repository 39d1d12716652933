"""Invented people, accounts and payments: pools of names, combined by a seeded generator."""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

from localoracle.demo import numbers, pools
from localoracle.demo.draws import Draws, Moments, blocks, dates

SEED = pools.SEED
CUSTOMERS, ACCOUNTS, ORDERS, PAYMENTS, EMPLOYEES = 60_000, 90_000, 250_000, 250_000, 2_000
"""Rows at scale 1."""

Row = tuple[Any, ...]


class People:
    """Rows of the APP tables at one scale. Every method yields the same rows whenever it is called."""

    def __init__(self, scale: float) -> None:
        self.pools = pools.load()
        self._scale = scale

    def count(self, rows: int) -> int:
        return max(1, round(rows * self._scale))

    def countries(self) -> Iterator[Row]:
        yield from sorted(self.pools.countries.items())

    def customers(self) -> Iterator[Row]:
        draws, own = Draws(SEED + 1), self.pools
        codes, births = sorted(own.countries), dates(datetime(1935, 1, 1), 26_000)
        created = Moments(draws, datetime(2019, 1, 1), 2500)
        for begin, rows in blocks(self.count(CUSTOMERS)):
            ids = range(begin, begin + rows)
            first, last = draws.of(rows, own.first_names), draws.of(rows, own.last_names)
            emails = [
                f"{first}.{last}{number}@{domain}".lower()
                for first, last, number, domain in zip(
                    first, last, ids, draws.of(rows, own.domains), strict=True
                )
            ]
            phones = draws.texts(rows, "+1-{}-{}-{:04d}", (200, 999), (200, 999), (0, 10_000))
            national_ids = draws.texts(rows, "{:03d}-{:02d}-{:04d}", (1, 900), (1, 100), (1, 10_000))
            remarks = [
                f"{sentence} Call {first} {last}."
                for sentence, first, last in zip(draws.of(rows, own.sentences), first, last, strict=True)
            ]
            yield from zip(
                ids,
                first,
                last,
                draws.some(0.97, emails),
                draws.some(0.9, phones),
                draws.of(rows, births),
                draws.some(0.95, national_ids),
                draws.of(rows, own.streets),
                draws.of(rows, own.cities),
                draws.texts(rows, "{:05d}", (0, 100_000)),
                draws.either(0.8, ["US"] * rows, draws.of(rows, codes)),
                draws.of(rows, "A" * 90 + "C" * 7 + "S" * 3),
                draws.some(0.3, remarks),
                created.draw(rows),
                strict=True,
            )

    def accounts(self) -> Iterator[Row]:
        draws, opened = Draws(SEED + 2), dates(datetime(2015, 1, 1), 4_000)
        for begin, rows in blocks(self.count(ACCOUNTS)):
            halves = draws.numbers(rows, 0, 10**9), draws.numbers(rows, 0, 10**9)
            yield from zip(
                range(begin, begin + rows),
                draws.numbers(rows, 1, self.count(CUSTOMERS) + 1),
                [iban(high * 10**9 + low) for high, low in zip(*halves, strict=True)],
                [cents / 100 for cents in draws.numbers(rows, -50_000, 5_000_000)],
                draws.of(rows, opened),
                strict=True,
            )

    def orders(self) -> Iterator[Row]:
        draws = Draws(SEED + 3)
        ordered = Moments(draws, datetime(2023, 1, 1), 4 * 365, fraction=False)
        states = ["NEW"] * 5 + ["PAID"] * 25 + ["SHIPPED"] * 65 + ["RETURNED"] * 5
        for begin, rows in blocks(self.count(ORDERS)):
            yield from zip(
                range(begin, begin + rows),
                ordered.draw(rows),
                draws.numbers(rows, 1, self.count(CUSTOMERS) + 1),
                [cents / 100 for cents in draws.numbers(rows, 100, 900_000)],
                draws.of(rows, states),
                draws.some(0.25, draws.of(rows, self.pools.sentences)),
                strict=True,
            )

    def payments(self) -> Iterator[Row]:
        draws, own = Draws(SEED + 4), self.pools
        paid = Moments(draws, datetime(2023, 1, 1), 1400)
        for begin, rows in blocks(self.count(PAYMENTS)):
            carded = draws.of(rows, (True, True, True, True, False))
            cards = zip(carded, draws.numbers(rows, 0, 10**7), draws.numbers(rows, 0, 10**7), strict=True)
            holders = zip(
                carded, draws.of(rows, own.first_names), draws.of(rows, own.last_names), strict=True
            )
            yield from zip(
                range(begin, begin + rows),
                draws.numbers(rows, 1, self.count(ACCOUNTS) + 1),
                [
                    numbers.card_number(high * 10**7 + low) if has_card else None
                    for has_card, high, low in cards
                ],
                [f"{first} {last}" if has_card else None for has_card, first, last in holders],
                [cents / 100 for cents in draws.numbers(rows, 100, 300_000)],
                paid.draw(rows),
                draws.bytes(rows, 16),
                strict=True,
            )

    def employees(self) -> Iterator[Row]:
        draw = random.Random(SEED + 5)
        for number in range(1, self.count(EMPLOYEES) + 1):
            first, last = draw.choice(self.pools.first_names), draw.choice(self.pools.last_names)
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
    account = seed % 10**18
    # D and E count as 13 and 14, behind the account and before two zeros.
    return f"DE{98 - (account * 10**6 + 131_400) % 97:02d}{account:018d}"
