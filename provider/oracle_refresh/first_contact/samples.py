"""Every masking algorithm with the settings that the ladder tries it with, whether or not a ruleset uses it.

A test holds that none is left out: a new algorithm is tried as soon as there is one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from hashlib import sha256

from oracle_refresh.catalog import Column
from oracle_refresh.masking.algorithms import (
    Algorithm,
    BinaryLookup,
    CharacterMapping,
    Constant,
    DateShift,
    Decomposition,
    Email,
    FreeText,
    FullName,
    Iban,
    Keep,
    MinMax,
    Name,
    NationalId,
    Null,
    NumberMapping,
    NumericNoise,
    PaymentCard,
    Phone,
    PoolMapping,
    RecordLookup,
    Redaction,
    SecureLookup,
    SegmentMapping,
)
from oracle_refresh.masking.algorithms.decomposition import Part
from oracle_refresh.masking.records import Document, Records
from oracle_refresh.masking.rules import ColumnRule

NAMES = ("Anna", "Bert", "Cleo", "Dora", "Zoë")
SURNAMES = ("Adams", "Brück", "Cole", "Dean", "Eden")
PLACES = Records(("city", "postcode"), tuple((f"City {n}", f"{n:05d}") for n in range(90)))
POOL = tuple(f"Firm {n}" for n in range(1200))


@dataclass(frozen=True)
class Sample:
    """Rules for the columns of one table.

    :ivar name: of the algorithm, with what is special about its settings; of the composite.
    :ivar columns: those that the rules mask, and those that they read.
    """

    name: str
    columns: tuple[Column, ...]
    rules: tuple[ColumnRule, ...]


def _text(name: str, characters: int, data_type: str = "VARCHAR2") -> Column:
    return Column(name, data_type, 4 * characters, characters, "C", None, None, True)


def _number(name: str, precision: int = 9, scale: int = 0) -> Column:
    return Column(name, "NUMBER", 22, 0, None, precision, scale, True)


def _plain(name: str, data_type: str, length: int = 4000) -> Column:
    return Column(name, data_type, length, 0, None, None, None, True)


TEXT = _text("V", 60)
NUMBER, SUBJECT = _number("V"), _number("SUBJECT")
DAY = _plain("V", "DATE", 7)


def _document(name: str, content: bytes) -> Document:
    return Document(name, sha256(content).hexdigest()[:16], content)


DOCUMENTS = (_document("a.pdf", b"%PDF-1.4 a"), _document("b.pdf", b"%PDF-1.4 b"))
TEXTS = (_document("a.txt", b"a text"), _document("b.txt", b"b" * 9000))


def _one(algorithm: Algorithm, column: Column, *read: Column, name: str = "") -> Sample:
    domain = "sample" if algorithm.keyed else None
    rule = ColumnRule(column.name, algorithm.kind, domain, algorithm)
    return Sample(f"{algorithm.kind} {name}".rstrip(), (column, *read), (rule,))


def _singles() -> Iterator[Sample]:
    yield _one(CharacterMapping(1, 1), TEXT)
    yield _one(CharacterMapping(), _text("V", 30, "NVARCHAR2"), name="in NVARCHAR2")
    yield _one(SecureLookup(NAMES), TEXT)
    yield _one(SecureLookup((*NAMES, NAMES[0]), weighted=True), _text("V", 20, "CHAR"), name="in CHAR")
    yield _one(Name(NAMES), TEXT)
    yield _one(FullName(NAMES, SURNAMES), TEXT)
    yield _one(Email(), TEXT)
    yield _one(Email(local="lookup", values=NAMES), TEXT, name="with names of a list")
    yield _one(PaymentCard(), TEXT)
    yield _one(Phone(), TEXT)
    yield _one(Iban(), TEXT)
    for country in ("any", "us", "uk", "de", "fr", "es", "nl", "it"):
        yield _one(NationalId(country), TEXT, name=country)
    yield _one(SegmentMapping(("AA", "-", "999", "9")), TEXT)
    yield _one(SegmentMapping(("999", "999"), chained=True), TEXT, name="chained")
    parts = (Part("[A-Z]{2}"), Part("-"), Part("[0-9]+", CharacterMapping()))
    yield _one(Decomposition(parts), TEXT)
    yield _one(FreeText(("order", "of"), ("[0-9]+",)), _text("V", 200))
    yield _one(FreeText(("order", "of")), _plain("V", "CLOB"), name="in CLOB")
    yield _one(NumberMapping(), NUMBER)
    yield _one(NumericNoise(20, "SUBJECT", "KIND"), _number("V", 12, 2), SUBJECT, _text("KIND", 9))
    yield _one(MinMax(1000, 5000), NUMBER)
    yield _one(MinMax(date(1930, 2, 1), date(1930, 6, 1)), DAY, name="of dates")
    yield _one(DateShift(-90, 90, "SUBJECT"), DAY, SUBJECT)
    prices = _number("SUBJECT", 10, 2)
    yield _one(DateShift(-90, 90, "SUBJECT"), DAY, prices, name="by a subject with decimal places")
    yield _one(DateShift(30, 30), _plain("V", "TIMESTAMP(6)", 11), name="of timestamps")
    yield _one(BinaryLookup(DOCUMENTS, "SUBJECT"), _plain("V", "BLOB"), SUBJECT)
    yield _one(
        BinaryLookup(DOCUMENTS, "SUBJECT", "MEDIA_TYPE"),
        *(_plain("V", "BLOB"), SUBJECT, _text("MEDIA_TYPE", 40)),
        name="by a column of types",
    )
    yield _one(BinaryLookup(TEXTS, "SUBJECT"), _plain("V", "CLOB"), SUBJECT, name="in CLOB")
    yield _one(PoolMapping(POOL), TEXT)
    yield _one(Constant("gone"), TEXT)
    yield _one(Redaction("[removed]"), TEXT)
    yield _one(Redaction("[removed]"), _plain("V", "CLOB"), name="in CLOB")
    yield _one(Null(), TEXT)
    yield _one(Keep(), TEXT)


def _composites() -> Iterator[Sample]:
    """As `masking.composites` unfolds them."""
    first, last, email = _text("FIRST_NAME", 40), _text("LAST_NAME", 40), _text("EMAIL", 80)
    address = Email(local="names", first_name="FIRST_NAME", last_name="LAST_NAME")
    yield Sample(
        "person",
        (first, last, email),
        (
            ColumnRule(first.name, "name", "sample.first", Name(NAMES)),
            ColumnRule(last.name, "name", "sample.last", Name(SURNAMES)),
            ColumnRule(email.name, "email", "sample.email", address),
        ),
    )
    key = ("CITY", "POSTCODE")
    yield Sample(
        "place",
        (_text("CITY", 40), _text("POSTCODE", 10)),
        tuple(
            ColumnRule(name, "record_lookup", "sample", RecordLookup(PLACES, number, key))
            for number, name in enumerate(key, 1)
        ),
    )


SAMPLES = (*_singles(), *_composites())
