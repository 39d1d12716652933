"""Values that were made up and belong to nobody, as originals for every algorithm. Pure.

Each is an endless or at least a long row of values that all differ. Test numbers have right check digits:
what does not conform to its algorithm is of no use to a trial.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime, timedelta
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from oracle_refresh.masking.algorithms.base import capacity
from oracle_refresh.masking.algorithms.binary_lookup import SIGNATURES
from oracle_refresh.masking.algorithms.iban import check_digits
from oracle_refresh.masking.algorithms.identity_numbers import GermanTaxId, check_digit
from oracle_refresh.masking.algorithms.national_formats import FORMATS, Sliced

if TYPE_CHECKING:
    from oracle_refresh.catalog import Column
    from oracle_refresh.masking.algorithms import Algorithm

LETTERS = "ABCDEFGHJKLMNPRSTUVWXYZ"
EPOCH = datetime(1930, 1, 1, 3)
#: A text that does not lie in its row: SecureFiles and LOBs Developer's Guide 19c, "LOB Storage".
LONG_TEXT = 5000
#: So many of each form: a narrow column has no more of them.
MOST = 10_000
#: Of a number that has no precision.
DIGITS = 12
#: Forms that codes of all kinds have; each rule takes the texts that conform to it.
_TEXTS = (
    "order {0} of Peter Cole",
    "Person {0}",
    "AB-{0:04d}",
    "{0:05d}",
    "AB{0:06d}",
    "AB-A{0:04d}",
    "A{0}",
    "{0}Z",
    "{0}",
)


def numbers(pattern: str) -> Iterator[str]:
    """Texts with a running number in them, spread over all its digits."""
    return (pattern.format(n * 7919 % 10**9) for n in itertools.count())


def ibans() -> Iterator[str]:
    """German ones."""
    for number in numbers("37040044{:010d}"):
        yield f"DE{check_digits('DE', number):02d}{number}"


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
    assert isinstance(FORMATS["de"][0], GermanTaxId)
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


def days() -> Iterator[datetime]:
    """Dates with times of the day."""
    return (EPOCH + timedelta(hours=5 * n, seconds=n) for n in itertools.count())


def documents() -> Iterator[bytes]:
    """Contents that begin as those of PDF files do."""
    return (b"%PDF-1.7 " + str(n).encode() for n in itertools.count())


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


NATIONAL: dict[str, Callable[[], Iterator[str]]] = {
    "any": lambda: numbers("X{:09d}"),
    "us": social_security,
    "de": tax_ids,
    "es": lambda: checked("es", eight_digits()),
    "fr": lambda: checked("fr", social_insurance()),
    "nl": lambda: checked("nl", eight_digits()),
    "uk": national_insurance,
    "it": lambda: checked("it", fiscal_codes()),
}


def of_form(segments: Sequence[str]) -> Iterator[str]:
    """Texts of the form of a segment mapping."""
    classes = {"9": "0123456789", "A": LETTERS, "X": f"0123456789{LETTERS}", "K": LETTERS}
    for n in itertools.count():
        text, rest = "", n
        for segment in segments:
            signs = classes.get(segment[0]) if segment == segment[0] * len(segment) else None
            for sign in segment:
                text += signs[rest % len(signs)] if signs else sign
                rest //= len(signs) if signs else 1
        if rest:
            return
        yield text


def _contents() -> Iterator[bytes]:
    """Beginnings of files of every kind whose signature is known."""
    starts = [bytes.fromhex(signature) for _, signature in SIGNATURES]
    return (start + str(n).encode() for n in itertools.count() for start in starts)


#: By kind of algorithm: what it takes besides the plain values of its column's type.
_OF_A_FORM: dict[str, Callable[[Any], Iterator[Any]]] = {
    "email": lambda _: numbers("{}@corp.com"),
    "full_name": lambda _: numbers("Anna{0} van Berg{0}"),
    "name": lambda _: numbers("Anna{}"),
    "iban": lambda _: ibans(),
    "national_id": lambda algorithm: NATIONAL[algorithm.country](),
    "payment_card": lambda _: numbers("411111{:09d}7"),
    "phone": lambda _: numbers("+49 30 {:09d}"),
    "segment_mapping": lambda algorithm: of_form(algorithm.segments),
}


def originals(kind: str, algorithm: Algorithm, column: Column) -> Iterator[Any]:
    """Values of a column that a rule may take, those of the form that its algorithm wants first."""
    if column.is_character and kind in _OF_A_FORM:
        yield from _fitting(column, itertools.islice(_OF_A_FORM[kind](algorithm), MOST))
    if column.data_type == "BLOB":
        yield from _contents()
    yield from plain_values(column)


def plain_values(column: Column) -> Iterator[Any]:
    """Values of a column's type that all fit it; none for types of which none are made up."""
    data_type = column.data_type
    if column.is_character:
        yield from _fitting(column, (form.format(n) for n in range(MOST) for form in _TEXTS))
    elif data_type == "NUMBER":
        scale = max(column.scale or 0, 0)
        digits = (column.precision or DIGITS + scale) - scale
        rounded_to = max(-(column.scale or 0), 0)
        yield from (
            Decimal(n * 37 % 10 ** (digits + scale)).scaleb(rounded_to - scale) for n in itertools.count(1)
        )
    elif data_type in ("BINARY_FLOAT", "BINARY_DOUBLE", "FLOAT"):
        yield from (n + 0.5 for n in itertools.count())
    elif data_type == "DATE" or (data_type.startswith("TIMESTAMP") and "TIME ZONE" not in data_type):
        yield from days()
    elif data_type in ("CLOB", "NCLOB"):
        yield from (
            f"order {n} of Peter " + "x" * (LONG_TEXT if n % 50 == 0 else 0) for n in itertools.count()
        )
    elif data_type == "BLOB":
        yield from documents()


def _fitting(column: Column, texts: Iterator[str]) -> Iterator[str]:
    """Those texts of ASCII that the column holds."""
    room, _ = capacity(column)
    return (text for text in texts if len(text) <= room)
