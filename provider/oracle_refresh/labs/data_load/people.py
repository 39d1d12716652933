"""Invented people and documents in bounded number; the database makes rows of them set by set.

Faker per row would take hours for the rows of a large load, and so would sending them.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from datetime import date
from itertools import cycle
from typing import Any

from oracle_refresh.labs.data_load.model import STEP
from oracle_refresh.labs.data_load.profiles import LobProfile
from oracle_refresh.labs.data_load.statements import TEXT_CHARACTERS
from oracle_refresh.oracle.errors import PreflightError

#: The same people in every run: a load that is repeated loads the same.
SEED = 20_150_724


def people(number: int, locales: Sequence[str]) -> Iterator[dict[str, Any]]:
    """Rows of the pool of people, ids from 0; no mail address of theirs leads anywhere (RFC 2606)."""
    from faker import Faker

    fakes = []
    for place, locale in enumerate(locales):
        fake = Faker(locale)
        fake.seed_instance(SEED + place)
        fakes.append(fake)
    # One byte per character whatever the people's language: all of it has to fit into 4,000 bytes.
    filler = Faker("en_US")
    filler.seed_instance(SEED)
    for identity, fake in zip(range(number), cycle(fakes), strict=False):
        first, last = fake.first_name()[:60], fake.last_name()[:60]
        yield {
            "id": identity,
            "first_name": first,
            "last_name": last,
            "born": fake.date_between_dates(date(1935, 1, 1), date(2007, 1, 1)),
            "street": fake.street_address()[:120],
            "postcode": fake.postcode()[:20],
            "city": fake.city()[:80],
            "phone": fake.phone_number()[:40],
            "iban": fake.iban()[:34],
            "national_id": fake.ssn()[:20],
            "employer": fake.company()[:120],
            "mail_name": re.sub(r"\W+", ".", f"{first}.{last}").lower()[:120],
            "mail_domain": f"@{fake.domain_word()[:70]}.example",
            "text": _text(filler, TEXT_CHARACTERS),
        }


def require_people(locales: Sequence[str]) -> None:
    """Whether there are people of every locale.

    :raises PreflightError: with the first of which there are none.
    """
    for locale in locales:
        try:
            next(people(1, (locale,)))
        except AttributeError as error:
            raise PreflightError(
                f"Faker makes no people of this locale: {error}",
                object_name=locale,
                step=STEP,
                remedy="correct people.locales in the definition of the load: en_US, de_DE, ja_JP ...",
            ) from error


def pieces(profile: LobProfile) -> Iterator[tuple[int, bytes | str]]:
    """Id and value of each LOB that is not NULL; texts for CLOBs, bytes that do not compress for BLOBs."""
    text = "" if profile.datatype == "BLOB" else _sentences()
    for identity, length in enumerate(profile.lengths()):
        if length is None:
            continue
        if profile.datatype == "BLOB":
            yield identity, random.Random(SEED + identity).randbytes(length)
        else:
            yield identity, (text * (length // len(text) + 1))[:length]


def _sentences() -> str:
    from faker import Faker

    fake = Faker("en_US")
    fake.seed_instance(SEED)
    return "\n".join(fake.paragraph(12) for _ in range(100)) + "\n"


def _text(fake: Any, characters: int) -> str:
    sentences = " ".join(fake.sentence(14) for _ in range(characters // 40))
    return sentences[:characters].ljust(characters, ".")
