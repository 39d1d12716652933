"""What each algorithm claims, held over many different originals."""

from __future__ import annotations

import re
from datetime import datetime
from decimal import Decimal
from typing import Any

import pytest

from oracle_refresh.masking.algorithms import ALGORITHMS
from oracle_refresh.oracle.errors import MaskingError
from support.guaranteed import CASES, Case
from support.samples import SECRET

SHAPES = str.maketrans(
    "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz", "9" * 10 + "A" * 26 + "a" * 26
)


def shape(value: Any) -> Any:
    """What `format_kept` means for a value: kinds of characters, digits and sign, time of day."""
    if isinstance(value, str):
        return value.translate(SHAPES)
    if isinstance(value, bytes):
        return value[:4]
    if isinstance(value, datetime):
        return value.time()
    return value < 0, len(str(abs(value)))


def test_every_algorithm_is_held_to_its_claims() -> None:
    assert {case.algorithm.kind for case in CASES} == set(ALGORITHMS)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_guarantees_over_many_values(case: Case, number_of_values: int) -> None:
    count = min(case.count, number_of_values)
    originals = case.originals(count)
    assert len(set(originals)) == len(originals) == count
    masked = case.masked(originals)
    claims = case.algorithm.guarantees
    if claims.unique in ("always", "practically"):
        assert len(set(masked)) == count or case.algorithm.empties
    if claims.changes and not case.algorithm.empties:
        assert not [1 for before, after in zip(originals, masked, strict=True) if before == after]
    if claims.format_kept and not case.name.startswith("min_max"):
        assert not [
            1 for before, after in zip(originals, masked, strict=True) if shape(before) != shape(after)
        ]
    if claims.reversible == "with the key":
        assert claims.unique == "always", "what two values become cannot be undone"
    assert not [1 for after in masked if after is None] or case.algorithm.empties
    further(case, originals, masked)


TEXTS = [case for case in CASES if isinstance(case.originals(1)[0], str) and case.algorithm.masks]


@pytest.mark.parametrize("case", TEXTS, ids=lambda case: case.name)
def test_an_unmapped_character_conforms_nowhere_or_is_gone(case: Case) -> None:
    for original in case.originals(3):
        for sign in ("д", "田", "ß", "Ü", "\u0301", "٣", "५", "\uff13", "\uff21", "²", "ª", "ﬁ", "𝟗"):
            for place in (1, len(original) // 2, len(original) - 1):
                try:
                    (masked,) = case.masked([f"{original[:place]}{sign}{original[place:]}"])
                except MaskingError:
                    continue
                assert sign not in (masked or "")


def further(case: Case, originals: list[Any], masked: list[Any]) -> None:
    """Promises of single algorithms beside those that all declare."""
    algorithm: Any = case.algorithm
    pairs = list(zip(originals, masked, strict=True))
    if case.name.startswith("min_max"):
        low, high = (_like(bound, originals[0]) for bound in (algorithm.minimum, algorithm.maximum))
        assert all(
            low <= after <= high and (after == before or not low <= before <= high) for before, after in pairs
        )
    elif case.name.startswith("payment_card"):
        kept = algorithm.keep_first
        assert all(a[:kept] == b[:kept] and luhn(a) == luhn(b) for a, b in pairs[::10])
    elif case.name == "iban":
        assert all(int(f"{after[4:]}1314{after[2:4]}") % 97 == 1 for after in masked)
    elif case.name.startswith("national_id") and case.name[-2:] in ("es", "fr", "nl", "it", "de"):
        stdnum = pytest.importorskip(f"stdnum.{MODULES[case.name[-2:]]}")
        assert all(stdnum.is_valid(after) for after in masked[::10])
    elif case.name == "email":
        assert all(re.fullmatch(r"[0-9a-f]{26}@example\.test", after) for after in masked)
    elif "date_shift" in case.name:
        assert {(after - before).days for before, after in pairs} <= {
            *range(algorithm.minimum_days, algorithm.maximum_days + 1)
        } - {0}
    elif case.name == "numeric_noise":
        assert sum(masked) == sum(originals)
        assert all(abs(after - before) <= abs(before) * Decimal("0.5") + 1 for before, after in pairs)
    elif hasattr(algorithm, "values"):
        assert {after.upper() for after in masked} <= {entry.upper() for entry in algorithm.values}


MODULES = {"es": "es.nif", "fr": "fr.nir", "nl": "nl.bsn", "it": "it.codicefiscale", "de": "de.idnr"}


def _like(bound: Any, value: Any) -> Any:
    return datetime(bound.year, bound.month, bound.day) if isinstance(value, datetime) else bound


def luhn(digits: str) -> int:
    """The rest of a card number's sum; 0 where its check digit is right."""
    doubled = (int(digit) * (2 - place % 2) for place, digit in enumerate(reversed(digits), 1))
    return sum(number - 9 * (number > 9) for number in doubled) % 10


@pytest.mark.parametrize("case", [case for case in CASES if case.algorithm.keyed], ids=lambda case: case.name)
def test_two_keys_differ_and_one_does_not(case: Case) -> None:
    originals = case.originals(400)
    one, again, other = (case.masked(originals, secret) for secret in (SECRET, SECRET, SECRET[::-1]))
    assert one == again
    differing = sum(before != after for before, after in zip(one, other, strict=True))
    if case.name == "fixed date_shift":
        assert differing == 0, "a fixed shift has no key, and says so"
    else:
        assert differing > 200
