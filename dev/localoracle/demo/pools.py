"""Names, places and words that the demo's rows are combined of: rendered once from Faker (MIT licence).

`python -m localoracle.demo.pools` renders them again into pools.json. To make them takes longer than to fill
a tenth of the demo, and another version of Faker would make other data.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from importlib import resources
from pathlib import Path

SEED = 20261121
LOCALES = {
    "DE": "de_DE",
    "FR": "fr_FR",
    "ES": "es_ES",
    "PL": "pl_PL",
    "NL": "nl_NL",
    "JP": "ja_JP",
    "CN": "zh_CN",
}
_FILE = "pools.json"


@dataclass
class Pools:
    """Of the United States where no country is said."""

    first_names: list[str]
    last_names: list[str]
    streets: list[str]
    cities: list[str]
    sentences: list[str]
    domains: list[str]
    countries: dict[str, str]
    """Name by code."""
    names: dict[str, list[list[str]]]
    """First and last name, by the codes of LOCALES."""
    places: dict[str, list[list[str]]]
    """Street, city and postcode, by the codes of LOCALES."""
    companies: list[str]
    addresses: list[str]
    """Of the internet protocol, version 4 and 6."""


def load() -> Pools:
    return Pools(**json.loads(resources.files("localoracle.demo").joinpath(_FILE).read_text("utf-8")))


def render() -> Pools:
    from faker import Faker
    from faker.providers.date_time import Provider

    fake = Faker("en_US")
    fake.seed_instance(SEED)
    first_names = sorted({fake.first_name() for _ in range(2000)})
    last_names = sorted({fake.last_name() for _ in range(3000)})
    streets = [fake.street_address() for _ in range(2000)]
    cities = sorted({fake.city() for _ in range(1500)})
    sentences = [fake.sentence(8) for _ in range(1000)]
    # Names below .example belong to nobody (RFC 2606): no mail can ever leave a test.
    domains = sorted({f"{fake.domain_word()}.example" for _ in range(250)})
    names, places = {}, {}
    for country, locale in LOCALES.items():
        local = Faker(locale)
        local.seed_instance(SEED)
        names[country] = [[local.first_name(), local.last_name()] for _ in range(300)]
        places[country] = [[local.street_address(), local.city(), local.postcode()[:12]] for _ in range(150)]
    fake = Faker("en_US")
    fake.seed_instance(SEED + 1)
    return Pools(
        first_names,
        last_names,
        streets,
        cities,
        sentences,
        domains,
        {country.alpha_2_code: country.name for country in Provider.countries},
        names,
        places,
        sorted({fake.company() for _ in range(900)}),
        [fake.ipv4_public() for _ in range(2000)] + [fake.ipv6() for _ in range(200)],
    )


if __name__ == "__main__":
    text = json.dumps(asdict(render()), ensure_ascii=False, indent=0)
    Path(__file__).with_name(_FILE).write_text(text + "\n", "utf-8")
