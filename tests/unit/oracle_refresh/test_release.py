"""A run is published only on complete evidence."""

from __future__ import annotations

from dataclasses import replace

import pytest

from oracle_refresh.masking.run import MaskResult
from oracle_refresh.release import Evidence, objections
from oracle_refresh.target.objects.inventory import Difference, InventoryCheck
from oracle_refresh.validation.expectations import ExpectationsResult
from oracle_refresh.validation.model import TableCheck, TargetCheck, Verdict

CHECK = TableCheck("APP", "T", 1, 1, "a", "a", (), (), (), (), "equal", 0.1)
MASK = MaskResult("APP", "T", ("C",), 1, 0.1, "masked", "key", "ruleset")
MISSING = Difference("index", "APP.T", "APP.T_IX", "missing", "normal (c)", "")
INVENTORY = InventoryCheck(9, (), (), (), "equal")
HOLDS = Verdict("statistics", "APP.T", "optimizer statistics", True, "gathered")
PROOF = TargetCheck((HOLDS,), 0.1)
COMPLETE = Evidence(
    ("APP.T",), (CHECK,), (MASK,), (CHECK,), ExpectationsResult("suite", 3, 3, ()), True, INVENTORY, PROOF
)


def test_complete_evidence_has_no_objection() -> None:
    assert objections(COMPLETE) == []


def test_accepted_differences_are_no_objection() -> None:
    accepted = replace(INVENTORY, differences=(replace(MISSING, accepted=True),), verdict="accepted")
    assert objections(replace(COMPLETE, inventory=accepted)) == []


def test_expectations_are_not_asked_for_where_there_are_none() -> None:
    assert objections(replace(COMPLETE, expectations=None, expectations_wanted=False)) == []


@pytest.mark.parametrize(
    ("change", "objection"),
    [
        ({"tables": ()}, "the run has no plan"),
        ({"tables": ("APP.T", "APP.U")}, "APP.U was not compared with the source"),
        ({"copies": ()}, "APP.T was not compared with the source"),
        ({"masks": ()}, "APP.T was not masked"),
        ({"masked": ()}, "APP.T was not checked after masking"),
        (
            {"copies": (replace(CHECK, verdict="different", differences=("one row is lost",)),)},
            "one row is lost",
        ),
        ({"masked": (replace(CHECK, verdict="different"),)}, "APP.T: differs"),
        ({"inventory": None}, "the inventory was not compared"),
        (
            {"inventory": replace(INVENTORY, differences=(MISSING,), verdict="different")},
            "index APP.T APP.T_IX is missing on the target",
        ),
        ({"proof": None}, "the masked target was not proven as a whole"),
        (
            {"proof": replace(PROOF, verdicts=(replace(HOLDS, holds=False, detail="are old"),))},
            "statistics: APP.T: optimizer statistics: are old",
        ),
        ({"expectations": None}, "the expectations were not evaluated"),
        ({"expectations": ExpectationsResult("suite", 3, 2, ())}, "1 of 3 expectations are not met"),
    ],
)
def test_whatever_is_missing_or_wrong_is_named(change: dict[str, object], objection: str) -> None:
    assert objection in "\n".join(objections(replace(COMPLETE, **change)))  # type: ignore[arg-type]
