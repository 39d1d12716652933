"""The references keep what the algorithms promise."""

from __future__ import annotations

import itertools
import re
from datetime import datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracle_refresh.catalog import Column
from oracle_refresh.masking.algorithms import Algorithm
from oracle_refresh.masking.algorithms.base import folded
from oracle_refresh.masking.algorithms.character_mapping import CharacterMapping
from oracle_refresh.masking.algorithms.date_shift import DateShift
from oracle_refresh.masking.algorithms.email import Email
from oracle_refresh.masking.algorithms.redaction import Redaction
from oracle_refresh.masking.algorithms.secure_lookup import SecureLookup
from oracle_refresh.masking.keys import MasterKey
from oracle_refresh.oracle.errors import MaskingError
from support.masking_cases import KEPT_SIGNS, UNMAPPED
from support.samples import SECRET, number, plain, text

KEY = MasterKey(SECRET).domain("test")
OTHER = MasterKey(SECRET[::-1]).domain("test")
NAMES = SecureLookup(("Anna", "Bert", "Cleo", "Dora", "Emil"))
VALUES = st.text(
    st.characters(blacklist_characters="\0", blacklist_categories=("Cs",)), min_size=1, max_size=30
)
_CHARACTERS = "0189AKZbmy .@+-·()’"
MASKABLE = st.builds(
    "".join,
    st.tuples(st.text(_CHARACTERS, max_size=9), st.sampled_from("07AZbq"), st.text(_CHARACTERS, max_size=9)),
)
DATES = st.datetimes(datetime(1, 1, 1), datetime(9999, 12, 31, 23, 59, 59))


@given(VALUES)
def test_lookup_never_gives_the_value_itself(value: str) -> None:
    masked = NAMES.mask(KEY, value)
    assert masked in NAMES.values
    assert folded(masked or "", "upper") != folded(value, "upper")
    assert masked == NAMES.mask(KEY, f" {value} ")


@pytest.mark.parametrize("name", [*NAMES.values, "ANNA", " emil "])
def test_entries_are_masked_by_others(name: str) -> None:
    assert (NAMES.mask(KEY, name) or "").upper() != name.strip().upper()


def test_lookup_ignores_letter_case_unless_told() -> None:
    assert NAMES.mask(KEY, "Peter") == NAMES.mask(KEY, "PETER")
    exact = SecureLookup(tuple(map(str, range(1000))), fold="none")
    assert exact.mask(KEY, "Peter") != exact.mask(KEY, "PETER")


@pytest.mark.parametrize(
    ("values", "complaint"),
    [(("Anna",), "at least two"), (("Anna", "anna "), "repeats row 1"), (("Anna", " "), "row 2 is empty")],
)
def test_bad_lookups(values: tuple[str, ...], complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        SecureLookup(values)


@given(st.emails(), st.emails())
def test_emails_stay_apart(one: str, other: str) -> None:
    masked = Email().mask(KEY, one)
    assert re.fullmatch(r"[0-9a-f]{26}@example\.test", masked or "")
    assert (masked == Email().mask(KEY, other)) == (one.lower() == other.lower())
    assert masked == Email().mask(KEY, one.upper())
    assert masked != Email().mask(OTHER, one)


@given(DATES, st.integers(-400, 400), st.integers(0, 400), st.text(max_size=5))
def test_dates_move_within_the_range(value: datetime, low: int, width: int, subject: str) -> None:
    if low == width == 0:
        return
    shift = DateShift(low, low + width) if low + width or low else DateShift(low, 1)
    masked = shift.mask(KEY, value, subject)
    assert masked is not None
    moved = (masked - value) / timedelta(days=1)
    assert moved == int(moved) != 0
    assert abs(moved) <= max(abs(shift.minimum_days), abs(shift.maximum_days))
    if datetime(3, 1, 1) < value < datetime(9997, 1, 1):
        assert shift.minimum_days <= moved <= shift.maximum_days


@given(DATES, DATES)
def test_intervals_of_a_subject_survive(one: datetime, other: datetime) -> None:
    inner = [min(max(date, datetime(3, 1, 1)), datetime(9997, 1, 1)) for date in (one, other)]
    masked = [DateShift(-90, 90).mask(KEY, date, "4711") or date for date in inner]
    assert masked[1] - masked[0] == inner[1] - inner[0]


@pytest.mark.parametrize(("low", "high"), [(-3, 3), (2, 5), (-5, -2), (0, 3), (-3, 0)])
def test_every_shift_occurs(low: int, high: int) -> None:
    seen = {DateShift(low, high).days(KEY, str(subject)) for subject in range(300)}
    assert seen == set(range(low, high + 1)) - {0}


@pytest.mark.parametrize(("low", "high"), [(0, 0), (5, 4)])
def test_bad_ranges(low: int, high: int) -> None:
    with pytest.raises(ValueError, match="minimum_days"):
        DateShift(low, high)


@pytest.mark.parametrize("length", [1, 2, 3, 4])
def test_mapping_of_all_numbers_is_a_permutation_without_fixed_points(length: int) -> None:
    values = [f"{value:0{length}d}" for value in range(10**length)]
    masked = [CharacterMapping().mask(KEY, value) for value in values]
    assert sorted(map(str, masked)) == values
    assert all(one != other for one, other in zip(values, masked, strict=True))


def test_mapping_of_letters_and_digits_is_a_permutation_without_fixed_points() -> None:
    values = ["".join(parts) for parts in itertools.product("AKZ", "09", "bcy", "5")]
    every = ["".join(parts) for parts in itertools.product("ABCDEFGHIJKLMNOPQRSTUVWXYZ", "0123456789")]
    for some in (values, every):
        masked = [CharacterMapping().mask(KEY, value) for value in some]
        assert len(set(masked)) == len(some)
        assert all(one != other for one, other in zip(some, masked, strict=True))


@given(MASKABLE, st.integers(0, 3), st.integers(0, 3))
def test_mapping_keeps_the_format(value: str, first: int, last: int) -> None:
    rule = CharacterMapping(first, last)
    try:
        masked = rule.mask(KEY, value) or ""
    except MaskingError:
        middle = value[first : len(value) - last] if len(value) > first + last else ""
        assert not re.search("[0-9A-Za-z]", middle)
        return
    assert masked != value
    assert (masked[:first], masked[len(masked) - last :]) == (value[:first], value[len(value) - last :])
    classes = [
        re.sub("[a-z]", "a", re.sub("[A-Z]", "A", re.sub("[0-9]", "0", text))) for text in (value, masked)
    ]
    assert classes[0] == classes[1]


@given(st.sets(MASKABLE, min_size=2, max_size=8))
def test_mapping_keeps_values_apart(values: set[str]) -> None:
    assert len({CharacterMapping().mask(KEY, value) for value in values}) == len(values)


@pytest.mark.parametrize("value", ["---", "é", "1" * 31, "a" * 17, *UNMAPPED])
def test_values_that_do_not_conform(value: str) -> None:
    with pytest.raises(MaskingError, match="does not conform"):
        CharacterMapping().mask(KEY, value)


@pytest.mark.parametrize("value", KEPT_SIGNS)
def test_punctuation_stays(value: str) -> None:
    masked = CharacterMapping().mask(KEY, value)
    assert masked is not None
    assert masked != value
    assert re.sub("[0-9A-Za-z]", "x", masked) == re.sub("[0-9A-Za-z]", "x", value)


def test_redaction() -> None:
    assert Redaction("[removed]").mask(None, "secret") == "[removed]"
    assert Redaction("[removed]").mask(None, "[removed]") != "[removed]"
    assert Redaction(number=9).mask(None, 9) not in (9, None)
    assert Redaction().mask(None, "secret") is None


@pytest.mark.parametrize(
    "masked",
    [
        NAMES.mask(KEY, None),
        Email().mask(KEY, None),
        DateShift(-1, 1).mask(KEY, None, "1"),
        CharacterMapping().mask(KEY, None),
        Redaction("x").mask(None, None),
    ],
)
def test_null_stays_null(masked: object) -> None:
    assert masked is None


@pytest.mark.parametrize(
    ("algorithm", "column", "complaint"),
    [
        (NAMES, text("C", 3), "needs 4 characters, the column holds 3"),
        (NAMES, number("C"), "not NUMBER"),
        (NAMES, text("C", 1000), "use redaction"),
        (Email(), text("C", 32), "needs 33 characters"),
        (DateShift(-1, 1), text("C", 9), "not VARCHAR2"),
        (DateShift(-1, 1), plain("C", "TIMESTAMP(6) WITH TIME ZONE"), "not TIMESTAMP"),
        (CharacterMapping(), number("C"), "not NUMBER"),
        (CharacterMapping(), text("C", 300), "up to 200 characters"),
        (Redaction("long text"), text("C", 8), "needs 9 characters"),
        (Redaction("text"), number("C"), "not NUMBER"),
        (Redaction(number=100), number("C", 2), "does not fit"),
        (Redaction(), text("C", 8, nullable=False), "NOT NULL"),
    ],
)
def test_what_does_not_fit_is_refused(algorithm: Algorithm, column: Column, complaint: str) -> None:
    with pytest.raises(MaskingError, match=complaint):
        algorithm.check(column)
