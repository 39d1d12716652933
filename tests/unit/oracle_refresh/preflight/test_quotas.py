"""Quotas of the owners at the target, held against what the source holds."""

from __future__ import annotations

import pytest

from oracle_refresh.definition import RefreshDefinition, load_definition
from oracle_refresh.preflight.quotas import UNLIMITED, Quotas, check_quotas
from support.transfer import ROOT

DEMO = load_definition(ROOT / "include" / "refreshes" / "demo.yaml")
PLACED = [("APP", "DATA", 1000), ("APP", "LOBS", 500), ("GONE", "DATA", 1)]


#: In use at the target already.
USED = {("APP", "USERS"): 100}


def codes(definition: RefreshDefinition, quotas: dict[tuple[str, str], int], *unlimited: str) -> list[str]:
    found = check_quotas(definition, PLACED, Quotas({"APP": "USERS"}, quotas, USED, frozenset(unlimited)))
    return [f"{one.code} {one.sql[0]}" for one in found]


@pytest.mark.parametrize(
    ("quota", "expected"),
    [
        (0, ["NO_QUOTA ALTER USER APP QUOTA UNLIMITED ON USERS"]),
        (1499, ["LITTLE_QUOTA ALTER USER APP QUOTA UNLIMITED ON USERS"]),
        (1500, []),
        (UNLIMITED, []),
    ],
)
def test_the_default_tablespace_takes_everything(quota: int, expected: list[str]) -> None:
    assert codes(DEMO, {("APP", "USERS"): quota}) == expected
    assert codes(DEMO, {("APP", "USERS"): quota}, "APP") == []


def test_a_tablespace_that_the_definition_names_needs_a_quota_of_its_own() -> None:
    placed_elsewhere = RefreshDefinition.from_json(
        {**DEMO.to_json(), "storage": {"tablespaces": {"LOBS": "TEST_LOBS"}}}
    )
    assert codes(placed_elsewhere, {("APP", "USERS"): 1000}) == [
        "NO_QUOTA ALTER USER APP QUOTA UNLIMITED ON TEST_LOBS"
    ]


@pytest.mark.parametrize(
    ("quota", "expected"),
    [(0, ["NO_QUOTA"]), (1500, ["LITTLE_QUOTA"]), (1599, ["LITTLE_QUOTA"]), (1600, []), (UNLIMITED, [])],
)
def test_beside_former_tables_what_they_use_counts(quota: int, expected: list[str]) -> None:
    beside = RefreshDefinition.from_json({**DEMO.to_json(), "prepare": "beside"})
    found = check_quotas(
        beside, PLACED, Quotas({"APP": "USERS"}, {("APP", "USERS"): quota}, USED, frozenset())
    )
    assert [each.code for each in found] == expected
    if expected == ["LITTLE_QUOTA"]:
        assert "beside the 100 that are used" in found[0].message
