"""Given names and family names as people bear them, from Faker's word lists (MIT licence).

Loaded once, when the first value is looked at: the lists of two dozen locales take about a fifth of a second.
"""

from __future__ import annotations

import importlib
import unicodedata
from functools import cache


def word_set(text: str) -> frozenset[str]:
    return frozenset(text.split())


LOCALES = sorted(
    word_set(
        """
        cs_CZ da_DK de_AT de_DE en_GB en_IN en_US es_ES es_MX fi_FI fr_FR hr_HR hu_HU it_IT nl_NL no_NO pl_PL
        pt_BR pt_PT sk_SK sv_SE tr_TR
        """
    )
)

#: Names that are ordinary words first: colours, months, weekdays, compass points, trades, states.
ORDINARY = word_set(
    """
    APRIL MAY JUNE AUGUST MONDAY SUNDAY FRIDAY BLACK WHITE GREEN BROWN GRAY GREY BLUE RED GOLD SILVER
    ROSE VIOLET AMBER RUBY PEARL JADE OLIVE NORTH SOUTH EAST WEST LAKE PORT NEW OLD YOUNG LONG SHORT
    SMALL BIG HIGH LOW GOOD BEST PRICE PARK STREET FIELD WOOD STONE HILL RIVER RIVERS BANKS BANK CASE
    CHASE CROSS DAY KING QUEEN KNIGHT POPE BISHOP PAGE READ BOOKER COOK BAKER MILLER CARTER MASON FISHER
    HUNTER PARKER PORTER TAYLOR TURNER POTTER SUMMER WINTER AUTUMN SPRING FROST SNOW RAIN HOPE FAITH
    GRACE JOY CHARITY MARK BILL ROB DREW CHANCE LIGHT DARK STRONG POWER POWERS MARKS NUMBER OPEN CLOSED
    ACTIVE NONE TEST DEMO GROUP CLOUD SCHNEIDER KLEIN GROSS NEU LANG KURZ SCHWARZ WEISS BRAUN ROTH ROUGE
    BLANC PETIT GRAND CHINA PARIS LONDON WASHINGTON HOUSTON AUSTIN JACKSON LINCOLN MADISON FLORENCE
    SYDNEY CHARLOTTE VICTORIA GEORGIA VIRGINIA CAROLINA DAKOTA ISRAEL JORDAN KENYA INDIA ASIA CHELSEA
    BRITTANY ALEXANDRIA
    """
)


def fold(text: str) -> str:
    """Upper case without accents: `Zoë` and `ZOE` are one name."""
    decomposed = unicodedata.normalize("NFKD", text.replace("ß", "ss"))
    return "".join(letter for letter in decomposed if not unicodedata.combining(letter)).upper()


@cache
def given_names() -> frozenset[str]:
    return _names("first_names", "first_names_male", "first_names_female")


@cache
def family_names() -> frozenset[str]:
    return _names(
        "last_names", "last_names_male", "last_names_female", "male_last_names", "unisex_last_names"
    )


def _names(*attributes: str) -> frozenset[str]:
    names: set[str] = set()
    for locale in LOCALES:
        provider = importlib.import_module(f"faker.providers.person.{locale}").Provider
        for attribute in attributes:
            for name in getattr(provider, attribute, ()):
                names.update(part for part in fold(name).replace("-", " ").split() if len(part) > 2)
    return frozenset(names) - ORDINARY
