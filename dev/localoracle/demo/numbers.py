"""Invented numbers with right check digits: cards, IBANs, identity numbers and documents, codes.

Where a number is a key it follows from a counter by a product with a number that shares no factor with the
size of its range: so no two are the same.
"""

from __future__ import annotations

import random

IBAN_COUNTRIES = ("DE", "ES", "FR", "GB", "NL", "PL")
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_VALUES = str.maketrans({letter: str(value) for value, letter in enumerate(_LETTERS, 10)})
_DOUBLED = (0, 2, 4, 6, 8, 1, 3, 5, 7, 9)
_PAIRS = tuple(high + _DOUBLED[low] for high in range(10) for low in range(10))
_LUHN = tuple(high + low for high in _PAIRS for low in _PAIRS)
"""What four digits add to the sum of a Luhn digit that follows an even number of digits behind them."""
_SPANISH = "TRWAGMYFPDXBNJZSQVHLCKE"


def card_number(seed: int) -> str:
    """A 16-digit number of card type 4 with a valid Luhn digit (ISO/IEC 7812-1, annex B)."""
    body = seed % 10**14
    high, low = divmod(body, 10**8)
    # The 4 in front is doubled too.
    total = 8 + _LUHN[high // 10**4] + _LUHN[high % 10**4] + _LUHN[low // 10**4] + _LUHN[low % 10**4]
    return f"4{body:014d}{-total % 10}"


def card(number: int) -> str:
    """The card of a counter; every tenth is written in groups of four."""
    digits = card_number(number * 61_803_398_874_989)
    return digits if number % 10 else " ".join(digits[place : place + 4] for place in range(0, 16, 4))


def iban(country: str, draw: random.Random) -> str:
    """An IBAN with valid check digits (ISO 13616-1); some are written in groups of four."""

    def digits(count: int) -> str:
        return f"{draw.randrange(10**count):0{count}d}"

    account = {
        "DE": lambda: digits(18),
        "ES": lambda: digits(20),
        "FR": lambda: digits(10) + draw.choice(_LETTERS) + digits(12),
        "GB": lambda: "".join(draw.choices(_LETTERS, k=4)) + digits(14),
        "NL": lambda: "".join(draw.choices(_LETTERS, k=4)) + digits(10),
        "PL": lambda: digits(24),
    }[country]()
    text = with_check_digits(country, account)
    if draw.random() < 0.1:
        text = " ".join(text[place : place + 4] for place in range(0, len(text), 4))
    return text


def with_check_digits(country: str, account: str) -> str:
    """The IBAN of an account number."""
    number = int(f"{account}{country}00".translate(_VALUES))
    return f"{country}{98 - number % 97:02d}{account}"


def national_id(country: str, draw: random.Random) -> str:
    """An identity number: US SSN, Spanish DNI, French NIR, Dutch BSN, German tax id."""
    if country == "US":
        return f"{draw.randrange(1, 665):03d}-{draw.randrange(1, 100):02d}-{draw.randrange(1, 10000):04d}"
    if country == "ES":
        number = draw.randrange(10**8)
        return f"{number:08d}{_SPANISH[number % 23]}"
    if country == "FR":
        born = f"{draw.randrange(1, 3)}{draw.randrange(40, 100):02d}{draw.randrange(1, 13):02d}"
        number = int(
            f"{born}{draw.randrange(1, 96):02d}{draw.randrange(1, 990):03d}{draw.randrange(1, 999):03d}"
        )
        return f"{number}{97 - number % 97:02d}"
    if country == "NL":
        return _dutch(draw)
    return _german(draw)


def _dutch(draw: random.Random) -> str:
    while True:
        digits = [draw.randrange(10) for _ in range(8)]
        check = sum((9 - place) * digit for place, digit in enumerate(digits)) % 11
        if check < 10 and digits[0]:
            return "".join(map(str, [*digits, check]))


def _german(draw: random.Random) -> str:
    """A tax id: of its first ten digits one comes twice and one not at all (ISO 7064, MOD 11,10)."""
    digits = draw.sample(range(10), 10)
    digits[draw.randrange(1, 10)] = digits[0]
    if digits[0] == 0:
        return _german(draw)
    rest = 10
    for digit in digits:
        rest = 2 * ((digit + rest) % 10 or 10) % 11
    return "".join(map(str, digits)) + str((11 - rest) % 10)


def document_number(country: str, number: int) -> str:
    """The number of a passport or card, such as `DE-C01X00T47`."""
    first, rest = divmod((number * 7_368_787) % (26 * 10**7), 10**7)
    return f"{country}-{_LETTERS[first]}{rest:07d}"


def supplier_code(number: int) -> str:
    """Two letters and four digits, such as `QF-0815`."""
    letters, digits = divmod((number * 104_729) % (676 * 10**4), 10**4)
    return f"{_LETTERS[letters // 26]}{_LETTERS[letters % 26]}-{digits:04d}"
