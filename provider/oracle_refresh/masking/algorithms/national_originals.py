"""Identity numbers that were made up and belong to nobody, with right check characters."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator

from oracle_refresh.masking.algorithms.identity_numbers import check_digit
from oracle_refresh.masking.algorithms.national_formats import FORMATS, Sliced
from oracle_refresh.masking.algorithms.samples import numbers


def checked(country: str, bodies: Iterator[str]) -> Iterator[str]:
    """The bodies of identity numbers with their check characters; those without any are left out."""
    (form, *_) = FORMATS[country]
    assert isinstance(form, Sliced)
    for body in bodies:
        if form.check is None:
            yield body
        elif form.check.of(body):
            yield body + form.check.of(body)


def tax_ids() -> Iterator[str]:
    """German ones, in which one digit comes twice."""
    for digits in itertools.permutations("0123456789", 9):
        if digits[0] != "0":
            body = "".join(digits[:4]) + digits[2] + "".join(digits[4:])
            yield body + check_digit(body)


def social_security() -> Iterator[str]:
    """Numbers of the United States."""
    return (
        f"{area:03d}-{group:02d}-{serial:04d}"
        for serial, group, area in itertools.product(range(1, 9999, 97), range(1, 99, 3), range(1, 660, 13))
    )


def eight_digits() -> Iterator[str]:
    return (f"{n:08d}" for n in itertools.count(7, 13))


def social_insurance() -> Iterator[str]:
    """The French numbers without their check digits."""
    return (f"2{n % 100:02d}0875{n // 100:06d}" for n in itertools.count())


def national_insurance() -> Iterator[str]:
    """Numbers of the United Kingdom."""
    return (f"{first}B{n:06d}C" for first in "ABC" for n in range(0, 10**6, 17))


def fiscal_codes() -> Iterator[str]:
    """The Italian codes without their check letter."""
    names = map("".join, itertools.product("RCM", repeat=6))
    return (f"{name}{year:02d}S{day:02d}D969" for name in names for year in range(100) for day in (18, 41))


NUMBERS: dict[str, Callable[[], Iterator[str]]] = {
    "any": lambda: numbers("X{:09d}"),
    "us": social_security,
    "de": tax_ids,
    "es": lambda: checked("es", eight_digits()),
    "fr": lambda: checked("fr", social_insurance()),
    "nl": lambda: checked("nl", eight_digits()),
    "uk": national_insurance,
    "it": lambda: checked("it", fiscal_codes()),
}
