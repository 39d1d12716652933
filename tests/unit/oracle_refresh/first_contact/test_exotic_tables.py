"""Whether the preflight names what a refresh refuses."""

from __future__ import annotations

import pytest

from oracle_refresh.catalog.exotics import Exotic
from oracle_refresh.first_contact.exotic_tables import EXOTIC_TABLES, judged
from oracle_refresh.first_contact.model import Outcome

OBJECTS, *_, DENSE = EXOTIC_TABLES


def exotic(treatment: str, *names: str) -> Exotic:
    return Exotic("tables", treatment, names, "because", "exclude them")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("named", "outcome"),
    [
        ([exotic("refused", "S.OTHER", "S.OBJECTS")], Outcome.PASSED),
        ([exotic("left out", "S.OBJECTS")], Outcome.FAILED),
        ([exotic("refused", "S.OBJECTS_2")], Outcome.FAILED),
        ([], Outcome.FAILED),
    ],
)
def test_a_table_that_is_not_named_is_a_failure(named: list[Exotic], outcome: Outcome) -> None:
    assert judged(OBJECTS, "S", named).outcome is outcome


def test_attributes_stand_behind_the_name() -> None:
    assert judged(DENSE, "S", [exotic("changed", "S.DENSE (PCTFREE 1)")]).outcome is Outcome.PASSED
