from __future__ import annotations

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracle_refresh.oracle.errors import TuningError
from oracle_refresh.tuning.formula import FACTS, check, evaluate, parse_size

KNOWN = dict.fromkeys(FACTS, 4)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("= cpus * 2", 8),
        ("= min(memory / 4, 6G)", 1),
        ("=max(current, 1.5 K)", 1536),
        ("= (sga + pga) / 3 - 1", 1),
        ("= 64M", 64 << 20),
        ("= -2 + 5", 3),
    ],
)
def test_values(text: str, value: int) -> None:
    assert evaluate(text, KNOWN) == value
    check(text)


@pytest.mark.parametrize(
    "text",
    [
        "=",
        "= disks",
        "= cpus ** 2",
        "= cpus // 2",
        "= __import__('os')",
        "= cpus.real",
        "= [cpus][0]",
        "= 'a' * 9",
        "= True",
        "= max(cpus)",
        "= max(*cpus)",
        "= min(cpus, key=1)",
        "= lambda: 1",
        "= cpus if cpus else 1",
        "= 1; 2",
        "= " + "(" * 180,
        "= " + "1+" * 200 + "1",
    ],
)
def test_what_is_no_formula_is_refused(text: str) -> None:
    with pytest.raises(TuningError):
        check(text)
    with pytest.raises(TuningError):
        evaluate(text, KNOWN)


def test_values_that_cannot_be() -> None:
    for text in ("= 1 / (cpus - cpus)", "= 1 - cpus"):
        with pytest.raises(TuningError):
            evaluate(text, KNOWN)
    with pytest.raises(TuningError, match="does not tell 'memory'"):
        evaluate("= memory / 2", {**KNOWN, "memory": None})


@given(st.text(max_size=60))
def test_any_text_has_a_value_or_is_refused(text: str) -> None:
    with contextlib.suppress(TuningError):
        assert evaluate("=" + text, KNOWN) >= 0


@given(st.integers(0, 1 << 40), st.sampled_from("KMGTkmgt"))
def test_sizes(number: int, unit: str) -> None:
    factor = {"K": 10, "M": 20, "G": 30, "T": 40}[unit.upper()]
    assert parse_size(f"{number}{unit}") == parse_size(f" {number} {unit} ") == number << factor
    assert parse_size(str(number)) == number


@pytest.mark.parametrize("text", ["", "G", "1.5G", "-1", "1 GB", "0x10", "٣"])
def test_what_is_no_size(text: str) -> None:
    assert parse_size(text) is None
