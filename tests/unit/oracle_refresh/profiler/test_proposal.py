"""A proposed ruleset: rules that fit, and who answers for what no algorithm fits."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from oracle_refresh.catalog.model import Catalogue, Column, Table
from oracle_refresh.masking.ruleset import load_ruleset
from oracle_refresh.profiler.model import Classification, Kind
from oracle_refresh.profiler.profile import Profile
from oracle_refresh.profiler.proposal import Draft, Proposal, propose

TODAY = date(2026, 11, 23)


def column(name: str, data_type: str, length: int, nullable: bool) -> Column:
    chars = length if data_type == "VARCHAR2" else 0
    return Column(name, data_type, length, chars, "C" if chars else None, None, None, nullable)


COLUMNS = (
    column("EMAIL", "VARCHAR2", 60, True),
    column("HOME", "SDO_GEOMETRY", 1, False),
    column("DATA", "VARCHAR2", 60, True),
)
CATALOGUE = Catalogue(("APP",), (Table("APP", "PEOPLE", None, 0, 0, COLUMNS),))
FOUND = Profile(
    (
        Classification("APP", "PEOPLE", "EMAIL", Kind.EMAIL, 0.9, ("because",)),
        Classification("APP", "PEOPLE", "HOME", Kind.LOCATION, 0.8, ("because",)),
    ),
    1,
    2,
    10,
    {},
    0.1,
)


def proposal(path: Path, signed_by: str | None) -> Proposal:
    made = propose(FOUND, CATALOGUE, Draft(path, {}, 0.6, TODAY, signed_by, "init"))
    path.write_text(made.text)
    return made


def test_rules_are_proposed_where_one_fits(tmp_path: Path) -> None:
    made = proposal(tmp_path / "first.yaml", None)
    assert [one.key for one in made.ruled] == ["APP.PEOPLE.EMAIL"]
    assert [one.key for one in made.unfit] == ["APP.PEOPLE.HOME"]
    assert made.unclassified == ("APP.PEOPLE.DATA",)
    assert "# APP.PEOPLE.DATA: {reason: " in made.text


@pytest.mark.parametrize(("signed_by", "exempt"), [(None, 0), ("A. Officer", 2), ("O'Neill: CEO", 2)])
def test_nothing_is_exempt_that_nobody_signed(tmp_path: Path, signed_by: str | None, exempt: int) -> None:
    path = tmp_path / "first.yaml"
    proposal(path, signed_by)
    found = load_ruleset(path).exemptions
    assert len(found) == exempt
    for one, name in zip(found, ("DATA", "HOME"), strict=bool(exempt)):
        assert (one.key, one.signed_by, one.on) == (f"APP.PEOPLE.{name}", signed_by, TODAY)
        assert one.holds(TODAY)
        assert not one.holds(date(2026, 12, 24))
