"""Invented people and documents in bounded number. The database multiplies them with set-based statements.

Sending one row per person of a large load would take hours.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from datetime import date, timedelta
from typing import Any

from oracle_refresh.labs.data_load.profiles import LobProfile
from oracle_refresh.labs.data_load.statements import TEXT_CHARACTERS
from oracle_refresh.profiler.words import fold, people_names, word_set

#: The same people in every run: a load that is repeated loads the same.
SEED = 20_150_724
_FIRST_BIRTHDAY, _BIRTHDAYS = date(1935, 1, 1), 26_000
_STREETS = (
    *("Bridge Street", "Church Lane", "Mill Road", "Orchard Avenue", "Station Road", "Willow Close"),
    *("Bahnhofstraße", "Gartenweg", "Lindenallee", "Mühlgasse", "Rue de la Gare", "Rue des Écoles"),
    *("Calle Mayor", "Paseo del Río", "Via Roma", "Dorpsstraat", "Skolgatan", "Ulica Polna"),
)
_CITIES = (
    *("Bristol", "Chicago", "Dresden", "Eindhoven", "Göteborg", "Hamburg", "Kraków", "Leeds", "Liège"),
    *("Lyon", "Málaga", "Milano", "Nantes", "Oslo", "Porto", "Praha", "Tampere", "Toronto", "Wien", "Zürich"),
)
_COMPANIES = ("AB", "BV", "GmbH", "Inc", "Ltd", "SA")
#: One byte a character in every character set: texts have to fit into 4,000 bytes.
_WORDS = sorted(
    word_set(
        """
        account answer autumn bottle bridge carry chapter coast corner decide early engine evening field
        follow garden harbour heavy island journey kitchen ladder letter listen market measure minute
        morning mountain narrow number office paper pencil people planet quarter quiet railway report river
        season second signal silver simple station stone summer table ticket travel under valley village
        water weather window winter yellow
        """
    )
)


def people(count: int) -> Iterator[dict[str, Any]]:
    """Yield the rows of the pool of people, with ids from 0.

    Names come from each of the profiler's groups of languages in turn. Mail domains end in `.example`
    (RFC 2606). Telephone numbers are of the North American range 555-01xx, which is reserved for fiction.
    Identity numbers begin with 9, unlike social security numbers. IBANs have valid check digits.
    """
    draw = random.Random(SEED)
    given, family = people_names()["given"], people_names()["family"]
    languages = sorted(given)
    for identity in range(count):
        language = languages[identity % len(languages)]
        first, last = draw.choice(given[language]), draw.choice(family[language])
        number = f"{draw.randrange(10**8):08d}"
        account = f"{draw.randrange(10**18):018d}"
        yield {
            "id": identity,
            "first_name": first,
            "last_name": last,
            "born": _FIRST_BIRTHDAY + timedelta(days=draw.randrange(_BIRTHDAYS)),
            "street": f"{draw.choice(_STREETS)} {draw.randrange(1, 200)}",
            "postcode": f"{draw.randrange(100_000):05d}",
            "city": draw.choice(_CITIES),
            "phone": f"+1 {draw.randrange(201, 990)}-555-01{draw.randrange(100):02d}",
            # DE is 1314 in the check of ISO 7064.
            "iban": f"DE{98 - int(account + '131400') % 97:02d}{account}",
            "national_id": f"9{number[:2]}-{number[2:4]}-{number[4:]}",
            "employer": f"{draw.choice(family[language])} {draw.choice(_COMPANIES)}",
            "mail_name": re.sub(r"\W+", ".", fold(f"{first}.{last}")).lower(),
            "mail_domain": f"@{draw.choice(_WORDS)}{draw.randrange(1000)}.example",
            "text": _text(draw, TEXT_CHARACTERS),
        }


def pieces(profile: LobProfile) -> Iterator[tuple[int, bytes | str]]:
    """Id and value of each LOB that is not NULL; texts for CLOBs, bytes that do not compress for BLOBs."""
    text = "" if profile.datatype == "BLOB" else _text(random.Random(SEED), 8_000)
    for identity, length in enumerate(profile.lengths()):
        if length is None:
            continue
        if profile.datatype == "BLOB":
            yield identity, random.Random(SEED + identity).randbytes(length)
        else:
            yield identity, (text * (length // len(text) + 1))[:length]


def _text(draw: random.Random, characters: int) -> str:
    """Return sentences of so many characters, the last one cut off."""
    text = ""
    while len(text) < characters:
        text += " ".join(draw.choices(_WORDS, k=draw.randrange(8, 20))).capitalize() + ". "
    return text[:characters]
