"""What the trials of a ruleset are told to be."""

from __future__ import annotations

from typing import Any

from oracle_refresh.catalog import Catalogue
from oracle_refresh.first_contact.masking_trial import LONGEST_SECONDS, try_rules
from oracle_refresh.first_contact.model import Outcome
from oracle_refresh.masking import ColumnRule, Ruleset
from oracle_refresh.masking.algorithms.keep import Keep
from support.planner_tables import MB, catalogue, table


def test_rules_that_are_not_reached_in_time_are_skipped_by_name() -> None:
    held: Catalogue = catalogue(table("A", MB))
    column = held.tables[0].columns[0].name
    ruleset = Ruleset("r", {("APP", "A"): (ColumnRule(column, "keep", None, Keep()),)}, "f")
    nobody: Any = None
    times = iter([0.0, LONGEST_SECONDS + 1])
    (check,) = try_rules(nobody, "S", held, ruleset, lambda: next(times))
    assert (check.name, check.outcome) == (f"masking: keep of APP.A.{column}", Outcome.SKIPPED)
    assert "300 s" in str(check.problem)
