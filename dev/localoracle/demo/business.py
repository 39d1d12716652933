"""Invented records around customers and employees: addresses, identity documents, cards, suppliers and so on.

People of many countries: names with accents and in other scripts, numbers with blanks and hyphens, and the
values that break naive masking, such as apostrophes, capitals, blanks at the end, and NULL.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from itertools import islice

from localoracle.demo import numbers
from localoracle.demo.people import ACCOUNTS, CUSTOMERS, EMPLOYEES, SEED, People, Row, moment
from localoracle.demo.pools import LOCALES

ADDRESSES, IDENTITY_DOCUMENTS, CARDS, SUPPLIERS, INVOICES = 20_000, 12_000, 15_000, 1_500, 15_000
TRANSFERS, TICKETS, LOGINS, DEPENDANTS = 20_000, 8_000, 25_000, 3_000
"""Rows at scale 1."""

_COUNTRIES = tuple(LOCALES)
#: Names that occur, and that simple rules trip over.
AWKWARD = (
    "Siobhán O'Brien",
    "JEAN-LUC D'ARTAGNAN",
    "Björk ",
    "Mary  Ann Smith",
    "von der Heide, Jürgen",
    "Ng",
    "李 X.",
)


class Business:
    """Rows of the tables around people. Every method yields the same rows whenever it is called."""

    def __init__(self, people: People) -> None:
        self._people, self._count, self._pools = people, people.count, people.pools

    def _name(self, draw: random.Random, country: str | None = None) -> Sequence[str]:
        """First and last name: half of them of the United States, unless a country is given."""
        if country is None and draw.random() < 0.5:
            return draw.choice(self._pools.first_names), draw.choice(self._pools.last_names)
        return draw.choice(self._pools.names[country or draw.choice(_COUNTRIES)])

    def _full_name(self, draw: random.Random, country: str | None = None) -> str:
        if draw.random() < 0.01:
            return draw.choice(AWKWARD)
        first, last = self._name(draw, country)
        return f"{first} {last}"

    def _customer(self, draw: random.Random) -> int:
        return draw.randrange(1, self._count(CUSTOMERS) + 1)

    def addresses(self) -> Iterator[Row]:
        draw = random.Random(SEED + 10)
        for number in range(1, self._count(ADDRESSES) + 1):
            country = draw.choice(_COUNTRIES)
            street, city, postcode = draw.choice(self._pools.places[country])
            unknown = draw.random() < 0.03
            yield (
                number,
                self._customer(draw),
                draw.choice(("DELIVERY", "INVOICE")),
                self._full_name(draw, country),
                None if unknown else street,
                None if unknown else city,
                None if unknown or draw.random() < 0.05 else postcode,
                country,
            )

    def identity_documents(self) -> Iterator[Row]:
        draw = random.Random(SEED + 11)
        for number in range(1, self._count(IDENTITY_DOCUMENTS) + 1):
            country = draw.choice(("US", "ES", "FR", "NL", "DE"))
            issued = datetime(2012, 1, 1) + timedelta(days=draw.randrange(5_000))
            yield (
                numbers.document_number(country, number),
                self._customer(draw),
                draw.choice(("PASSPORT", "ID_CARD")),
                country,
                self._full_name(draw, None if country == "US" else country),
                numbers.national_id(country, draw) if draw.random() > 0.1 else None,
                issued,
                issued + timedelta(days=3_652) if draw.random() > 0.02 else None,
            )

    def cards(self) -> Iterator[Row]:
        draw = random.Random(SEED + 12)
        for number in range(1, self._count(CARDS) + 1):
            yield (
                number,
                numbers.card(number),
                self._customer(draw),
                self._full_name(draw).upper() if draw.random() > 0.05 else None,
                f"{draw.randrange(1000):03d}" if draw.random() > 0.3 else None,
                datetime(2026, 1, 1) + timedelta(days=draw.randrange(1_500)),
                draw.choice((100, 500, 2_000, 5_000, 10_000, 250_000)),
            )

    def suppliers(self) -> Iterator[Row]:
        draw = random.Random(SEED + 13)
        for number in range(1, self._count(SUPPLIERS) + 1):
            first, last = self._name(draw, "DE")
            country = draw.choice(("DE", "FR", "NL"))
            yield (
                numbers.supplier_code(number),
                draw.choice(self._pools.companies),
                f"{first} {last}" if draw.random() > 0.1 else None,
                f"office{number}@{draw.choice(self._pools.domains)}" if draw.random() > 0.1 else None,
                f"+49 {draw.randrange(30, 990)} {draw.randrange(10**5, 10**8)}"
                if draw.random() > 0.1
                else None,
                numbers.iban(country, draw) if draw.random() > 0.1 else None,
                f"{country}{(number * 7_919_113) % 10**9:09d}",
            )

    def invoices(self) -> Iterator[Row]:
        draw = random.Random(SEED + 14)
        for number in range(1, self._count(INVOICES) + 1):
            yield (
                number,
                numbers.supplier_code(draw.randrange(1, self._count(SUPPLIERS) + 1)),
                draw.choices(("EUR", "USD", "GBP"), (80, 15, 5))[0],
                draw.randrange(1_000, 9_000_000) / 100,
                numbers.iban(draw.choice(("DE", "FR", "NL")), draw) if draw.random() > 0.2 else None,
                datetime(2024, 1, 1) + timedelta(days=draw.randrange(900)),
            )

    def transfers(self) -> Iterator[Row]:
        draw = random.Random(SEED + 15)
        for number in range(1, self._count(TRANSFERS) + 1):
            name = self._full_name(draw)
            yield (
                number,
                draw.randrange(1, self._count(ACCOUNTS) + 1),
                name,
                numbers.iban(draw.choice(numbers.IBAN_COUNTRIES), draw) if draw.random() > 0.1 else None,
                f"Invoice {draw.randrange(10**6)}, thank you {name}" if draw.random() > 0.3 else None,
                draw.randrange(100, 2_000_000) / 100,
                moment(draw, datetime(2023, 1, 1), 1400),
            )

    def tickets(self) -> Iterator[Row]:
        draw = random.Random(SEED + 16)
        emails = [row[3] for row in islice(self._people.customers(), self._count(TICKETS))]
        for number in range(1, self._count(TICKETS) + 1):
            email, name = draw.choice(emails), self._full_name(draw)
            card = numbers.card(draw.randrange(1, self._count(CARDS) + 1)) if draw.random() < 0.3 else None
            first = draw.choice(("Please call", "My name is", "I am", "Regards from"))
            message = f"{first} {name}. {draw.choice(self._pools.sentences)}"
            if email:
                message += f" Answer to {email} or +1-555-{draw.randrange(10**7):07d}."
            if card:
                message += f" The card is {card}."
            yield (
                number,
                email,
                card,
                draw.randrange(1, self._count(EMPLOYEES) + 1),
                f"{draw.choice(('Card', 'Account', 'Invoice'))} of {name}",
                message if draw.random() > 0.05 else None,
            )

    def logins(self) -> Iterator[Row]:
        draw = random.Random(SEED + 17)
        emails = [row[3] for row in islice(self._people.customers(), self._count(TICKETS)) if row[3]]
        for number in range(1, self._count(LOGINS) + 1):
            yield (
                number,
                # Letter case is what people type.
                draw.choice(emails) if draw.random() < 0.9 else draw.choice(emails).upper(),
                draw.choice(self._pools.addresses),
                "Y" if draw.random() < 0.95 else "N",
                moment(draw, datetime(2026, 1, 1), 300),
            )

    def dependants(self) -> Iterator[Row]:
        draw = random.Random(SEED + 18)
        for number in range(1, self._count(DEPENDANTS) + 1):
            first, last = self._name(draw)
            yield (
                number,
                draw.randrange(1, self._count(EMPLOYEES) + 1),
                first,
                last,
                datetime(1960, 1, 1) + timedelta(days=draw.randrange(23_000))
                if draw.random() > 0.1
                else None,
                10**9 + (number * 982_451_653) % 10**9 if draw.random() > 0.1 else None,
            )
