"""A work unit of two tables against databases: one is bad, and the other has nothing to do with it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from oracle_refresh.operators.masking import MaskTable
from oracle_refresh.operators.planning import ListUnits
from oracle_refresh.operators.tables import BuildIndexes
from oracle_refresh.operators.validation import VerifyCopy, VerifyMasked
from oracle_refresh.oracle.errors import TablesFailed
from support.small_run import TABLES, SmallRun

pytestmark = pytest.mark.slow

COUNTRIES, EMPLOYEES = TABLES


def test_the_way_of_a_unit_leaves_what_the_ways_of_its_tables_did(new_run: Callable[..., SmallRun]) -> None:
    run = new_run().until_loaded()
    (unit,) = run.execute(ListUnits)
    run.execute(VerifyCopy, unit=unit)
    masked = run.execute(MaskTable, unit=unit)
    assert {table: mask["verdict"] for table, mask in masked.items()} == {
        COUNTRIES: "nothing_to_mask", EMPLOYEES: "masked",
    }  # fmt: skip
    assert run.execute(MaskTable, unit=unit) == masked, "not twice"
    indexes = run.execute(BuildIndexes, unit=unit)
    assert indexes.keys() == set(TABLES)
    assert run.execute(BuildIndexes, unit=unit).keys() == set(TABLES)
    proven = run.execute(VerifyMasked, unit=unit)
    assert {table: check["verdict"] for table, check in proven.items()} == {
        COUNTRIES: "equal", EMPLOYEES: "masked",
    }  # fmt: skip
    assert run.execute(VerifyMasked, unit=EMPLOYEES).keys() == {EMPLOYEES}


def test_tables_that_were_never_loaded_are_all_named(new_run: Callable[..., SmallRun]) -> None:
    run = new_run().until_built()
    (unit,) = run.execute(ListUnits)
    with pytest.raises(TablesFailed, match="2 of 2 tables failed") as caught:
        run.execute(VerifyCopy, unit=unit)
    assert all(table in str(caught.value) for table in TABLES)
