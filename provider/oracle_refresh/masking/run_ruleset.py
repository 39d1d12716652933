"""The rules that a run applies: those of its definition, and those that its plan has found besides."""

from __future__ import annotations

from typing import TYPE_CHECKING

from oracle_refresh.masking.rules import INHERITED_RULES, Ruleset
from oracle_refresh.masking.ruleset import load_ruleset

if TYPE_CHECKING:
    from oracle_refresh.run.refresh_run import RefreshRun


def run_ruleset(run: RefreshRun) -> Ruleset:
    """The definition's ruleset with the rules that the run's plan found to come along references."""
    ruleset = load_ruleset(run.definition.masking.ruleset)
    for inherited in run.documents.all(INHERITED_RULES):
        ruleset = ruleset.inheriting(inherited.items)
    return ruleset
