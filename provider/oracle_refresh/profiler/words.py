"""Given names and family names that identify columns of people's names.

`people_names.json` has the names by language. The English ones are the most frequent names of the 1990
census of the United States: 1,000 given and 20,000 family names (U.S. Census Bureau, public domain). The
names of the other languages were compiled for this project.
"""

from __future__ import annotations

import json
import unicodedata
from functools import cache
from importlib import resources


def word_set(text: str) -> frozenset[str]:
    return frozenset(text.split())


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
def people_names() -> dict[str, dict[str, list[str]]]:
    """Return the names by `given` or `family`, then by language, as people write them."""
    text = resources.files(__package__).joinpath("people_names.json").read_text("utf-8")
    return {
        part: {language: names.split() for language, names in languages.items()}
        for part, languages in json.loads(text).items()
    }


@cache
def given_names() -> frozenset[str]:
    return _folded("given")


@cache
def family_names() -> frozenset[str]:
    return _folded("family")


def _folded(part: str) -> frozenset[str]:
    languages = people_names()[part].values()
    # Two letters are a name in Japanese only.
    long = (name for names in languages for name in names if len(name) > 2 or not name.isascii())
    return frozenset(map(fold, long)) - ORDINARY
