"""The Python references: another key gives other output, and none is left untested."""

from __future__ import annotations

from typing import Any

import pytest

from oracle_refresh.catalog import Column
from oracle_refresh.masking import MasterKey
from oracle_refresh.masking.algorithms import ALGORITHMS, Algorithm
from oracle_refresh.masking.algorithms.binary_lookup import BinaryLookup
from oracle_refresh.masking.algorithms.date_shift import DateShift
from oracle_refresh.masking.algorithms.mapping import PoolMapping
from oracle_refresh.masking.algorithms.numeric_noise import NumericNoise
from oracle_refresh.masking.algorithms.record_lookup import RecordLookup
from support.masking_cases import CASES, KEY, reference
from support.samples import SECRET


@pytest.mark.parametrize(("algorithm", "column", "values"), [case for case in CASES if case.values[0].keyed])
def test_two_keys_give_different_output(algorithm: Algorithm, column: Column, values: Any) -> None:
    other = MasterKey(SECRET[::-1])
    one, two = ([reference(algorithm, column, value, master) for value in values] for master in (KEY, other))
    assert one != two or isinstance(algorithm, DateShift)
    assert one != [reference(algorithm, column, value, KEY, "other") for value in values] or isinstance(
        algorithm, DateShift
    )


def test_every_algorithm_is_tested_here() -> None:
    tested = {case.values[0].kind for case in CASES}
    elsewhere = {BinaryLookup, NumericNoise, PoolMapping, RecordLookup}
    assert tested | {each.kind for each in elsewhere} == set(ALGORITHMS)
