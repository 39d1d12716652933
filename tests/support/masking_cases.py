"""Each algorithm with a column and the values that it is tried with, ordinary and strange."""

from __future__ import annotations

from datetime import date, datetime
from decimal import Decimal
from typing import Any

import pytest

from oracle_refresh.catalog import Column
from oracle_refresh.masking import MasterKey
from oracle_refresh.masking.algorithms import Algorithm
from oracle_refresh.masking.algorithms.character_mapping import CharacterMapping
from oracle_refresh.masking.algorithms.constant import Constant
from oracle_refresh.masking.algorithms.date_shift import DateShift
from oracle_refresh.masking.algorithms.decomposition import Decomposition, Part
from oracle_refresh.masking.algorithms.email import Email
from oracle_refresh.masking.algorithms.free_text import FreeText
from oracle_refresh.masking.algorithms.full_name import FullName
from oracle_refresh.masking.algorithms.iban import Iban
from oracle_refresh.masking.algorithms.keep import Keep
from oracle_refresh.masking.algorithms.min_max import MinMax
from oracle_refresh.masking.algorithms.name import Name
from oracle_refresh.masking.algorithms.national_id import NationalId
from oracle_refresh.masking.algorithms.null import Null
from oracle_refresh.masking.algorithms.number_mapping import NumberMapping
from oracle_refresh.masking.algorithms.payment_card import PaymentCard
from oracle_refresh.masking.algorithms.phone import Phone
from oracle_refresh.masking.algorithms.redaction import Redaction
from oracle_refresh.masking.algorithms.secure_lookup import SecureLookup
from oracle_refresh.masking.algorithms.segment_mapping import SegmentMapping
from oracle_refresh.oracle.errors import MaskingError
from support.masking_values import IDENTITY_NUMBERS, STRANGE, cards, ibans, phones
from support.samples import SECRET, number, plain, text

KEY = MasterKey(SECRET)
FIRST = ("Anna", "Bert", "Zoë", "Dora", "José")
LAST = ("Adams", "Brück", "Cole", "Ōta", "Eden")
PEOPLE = (
    "Peter Müller", "PETER MÜLLER", "peter müller", "Müller, Peter", "Dr. Ludwig van der Berg", "P. Cole",
    "José", "Anna Ōta", " Zoe  Eden ", "von", "a b c d e f", "Jean-Luc O'Neil", "ÉMILE ZOLA", "Cole",
    "漢字 山田", "x.,", "Anna  Maria   de la Cole", "   ", "J. R. R. Cole, Jr.",
)  # fmt: skip
TEXTS = (
    *STRANGE,
    "The order ORD-1234 of Peter Müller, the 2nd.",
    "the the the THE theodore",
    "a\x01b\x02c\x03d",
    "tel. +49 30 123456; see (the) order",
    "漢字 and the 漢字",
    "x" * 100,
    "[the] {order} \\the^ the~the",
)
#: Characters that are not mapped, some next to such that are: letters of other alphabets, digits of other
#: scripts, combining marks, full-width and mathematical forms, ligatures, ordinals, fractions, emoji.
UNMAPPED = (
    *("Krüger4", "Œuvre7", "ıssız2", "Straße 5", "Петров3", "Παππάς1", "שלום8", "محمد6", "佐藤2", "김철수5"),
    *("สมชาย9", "राम4", "ab٣", "ab१2", "ab\uff13", "\uff21b1", "e\u0301x1", "1a\u20dd", "𝐀b1", "ﬁx1"),
    *("x2²", "1ª", "2º", "½a", "Ⅷ1", "№5", "a①", "µ7", "K\u212a1", "a\u200d1", "a\u00ad1", "ok👍1", "ʰa1"),
)
KEPT_SIGNS = (
    *("O’Neil 7", "a–b—c", "«x»1", "a·b", "1 000", "5 € off", "„q“9", "x…", "a\u00a0b", "a\u202fb", "10′ 5″"),
    *("a\tb\nc", "\x7fa", "~!@#$%^&*()_+`-={}|[]\\:\";'<>?,./ a", "§ 5", "3×4÷2", "±1°", "a\u2028b"),
)
#: Algorithm, column, values: what each of them is tested with in the database.
CASES: list[Any] = [
    pytest.param(
        CharacterMapping(1, 2), text("C", 60), (*STRANGE, "abc-123", "A1B2C3"), id="character_mapping"
    ),
    pytest.param(CharacterMapping(), text("C", 60), (*UNMAPPED, *KEPT_SIGNS), id="unmapped letters"),
    pytest.param(
        CharacterMapping(),
        text("C", 60, data_type="NVARCHAR2"),
        (*UNMAPPED, *KEPT_SIGNS),
        id="unmapped letters in NVARCHAR2",
    ),
    pytest.param(
        SecureLookup(FIRST), text("C", 60), (*STRANGE, *FIRST, "PETER", " anna "), id="secure_lookup"
    ),
    pytest.param(
        SecureLookup((*LAST, *LAST[:2]), weighted=True),
        text("C", 60),
        (*STRANGE, *LAST),
        id="weighted lookup",
    ),
    pytest.param(Name(FIRST), text("C", 60), (*STRANGE, *FIRST, "ZOE", "zoe", "josé", "JOSÉ"), id="name"),
    pytest.param(Name(FIRST, "keep"), text("C", 60), (*STRANGE, "Zoe", "Zoë"), id="name with accents"),
    pytest.param(FullName(FIRST, LAST), text("C", 60), (*STRANGE, *PEOPLE), id="full_name"),
    pytest.param(FullName(FIRST, LAST), text("C", 12), PEOPLE, id="full_name in a narrow column"),
    pytest.param(Email(), text("C", 60), (*STRANGE, "A@b.de", "a@B.de"), id="email"),
    pytest.param(
        Email(hosts=("example.test", "a.invalid", "example.org"), fold="none"),
        text("C", 60),
        (*STRANGE, "A@b.de", "a@B.de", "c@d.fr", "@", "a@b@c"),
        id="email with hosts",
    ),
    pytest.param(
        Email(local="lookup", values=(*FIRST, *LAST), hash_digits=20),
        text("C", 40),
        (*STRANGE, "A@b.de"),
        id="email with names of a list",
    ),
    pytest.param(PaymentCard(), text("C", 40), (*STRANGE, *cards()), id="payment_card"),
    pytest.param(PaymentCard(8), text("C", 40, data_type="CHAR"), cards(), id="payment_card in CHAR"),
    pytest.param(Phone(), text("C", 40), (*STRANGE, *phones()), id="phone"),
    pytest.param(Iban(), text("C", 42), (*STRANGE, *ibans()), id="iban"),
    *[
        pytest.param(NationalId(country), text("C", 40), (*STRANGE, *values), id=f"national_id {country}")  # type: ignore[arg-type]
        for country, values in IDENTITY_NUMBERS.items()
    ],
    pytest.param(
        SegmentMapping(("999", "-", "99", "-", "9999")),
        text("C", 20),
        (*STRANGE, "123-45-6789", "000-00-0000", "123456789", "999-99-999٣"),
        id="segment_mapping",
    ),
    pytest.param(
        SegmentMapping(("AA", "KK", "XX", ".", "99", "99"), chained=True),
        text("C", 20),
        (*STRANGE, "ABé!Z9.1234", "AB\n\nZ9.1234", "ABxyZ9.1235", "abxyZ9.1235"),
        id="chained segments",
    ),
    pytest.param(
        Decomposition(
            (
                Part("[A-Z]{2}"),
                Part("-"),
                Part("[0-9]{4,8}", CharacterMapping()),
                Part("/[a-z]*", Redaction("/x")),
                Part(".*", SecureLookup(FIRST), "names"),
            )
        ),
        text("C", 20),
        (
            *STRANGE,
            "AB-1234/ab",
            "AB-1234/ab Peter",
            "AB-12345678/abcdef ",
            "AB-123/",
            "AB-123456/ 漢字漢字漢",
        ),
        id="regex",
    ),
    pytest.param(FreeText(), text("C", 200), TEXTS, id="free_text without a list"),
    pytest.param(
        FreeText(("the", "order", "see", "and"), ("ORD-[0-9]+", "[0-9]{1,2}nd"), "x"),
        text("C", 200),
        TEXTS,
        id="free_text",
    ),
    pytest.param(
        FreeText(tuple(f"word{n}" for n in range(150))),
        plain("C", "CLOB", 4000),
        (*TEXTS[1:], "word7 word149 word150 Word3, secret " * 2000),
        id="free_text in a CLOB",
    ),
    pytest.param(
        NumberMapping(), number("C", 38), (0, 7, -7, 10, 99, 12345, -100, 10**29, 10**30), id="number_mapping"
    ),
    pytest.param(MinMax(-5, 10.5), number("C", 10, 2), (-6, -5, 0, 10.25, 11), id="min_max"),
    pytest.param(
        MinMax(date(1950, 1, 1), date(2000, 1, 1)),
        plain("C", "DATE"),
        (datetime(1949, 12, 31, 23), datetime(1960, 2, 3), datetime(2000, 1, 1, 1)),
        id="min_max of dates",
    ),
    pytest.param(
        DateShift(-9, 9),
        plain("C", "DATE"),
        (datetime(2000, 2, 29, 1, 2, 3), datetime(9999, 12, 31)),
        id="date_shift",
    ),
    pytest.param(
        DateShift(30, 30), plain("C", "TIMESTAMP(6)", 11), (datetime(2000, 2, 29),), id="fixed date_shift"
    ),
    pytest.param(Constant("漢"), text("C", 10), STRANGE, id="constant"),
    pytest.param(Constant(7.5), number("C", 10, 2), (1, 2.5), id="constant number"),
    pytest.param(
        Constant(date(2000, 1, 1)), plain("C", "DATE"), (datetime(1999, 1, 1, 5),), id="constant date"
    ),
    pytest.param(Constant("gone"), plain("C", "CLOB", 4000), ("x" * 5000, "y"), id="constant CLOB"),
    pytest.param(Redaction("[removed]"), text("C", 60), (*STRANGE, "[removed]"), id="redaction"),
    pytest.param(Null(), text("C", 60), STRANGE, id="null"),
    pytest.param(Keep(), text("C", 60), STRANGE, id="keep"),
]


def reference(
    algorithm: Algorithm, column: Column, value: Any, master: MasterKey = KEY, domain: str = "test"
) -> Any:
    stored = value
    if isinstance(value, str) and column.data_type == "CHAR":
        stored = value.rstrip(" ") or None
    if isinstance(value, float):
        stored = Decimal(str(value))
    try:
        (masked,) = algorithm.mask_column(master.domain(domain), [(stored,)], column)
    except MaskingError:
        return None
    if masked is not None and column.data_type == "CHAR":
        return masked.ljust(column.char_length)
    if isinstance(masked, date) and not isinstance(masked, datetime):
        return datetime(masked.year, masked.month, masked.day)
    return masked
