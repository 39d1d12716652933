"""The rules that a run applies: those of its definition, and those that its plan has found besides; and
whether it has applied them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from oracle_refresh.masking.control import STEP
from oracle_refresh.masking.rules import INHERITED_RULES, Ruleset
from oracle_refresh.masking.ruleset import load_ruleset
from oracle_refresh.oracle.counting import listed
from oracle_refresh.oracle.errors import MaskingError
from oracle_refresh.run.ledger import DONE

if TYPE_CHECKING:
    from collections.abc import Iterable

    from oracle_refresh.catalog import Table
    from oracle_refresh.run.refresh_run import RefreshRun


def run_ruleset(run: RefreshRun) -> Ruleset:
    """The definition's ruleset with the rules that the run's plan found to come along references."""
    ruleset = load_ruleset(run.definition.masking.ruleset)
    for inherited in run.documents.all(INHERITED_RULES):
        ruleset = ruleset.inheriting(inherited.items)
    return ruleset


def require_masked(run: RefreshRun, tables: Iterable[Table]) -> frozenset[str]:
    """Pass while every table with rules is masked; the keys of those that the run has masked.

    :raises MaskingError: naming those that are not.
    """
    ruleset = run_ruleset(run)
    masked = frozenset(key for key, state in run.ledger.states(STEP).items() if state == DONE)
    left = sorted(
        table.key for table in tables if table.key not in masked and ruleset.rules(*table.full_name)
    )
    if left:
        raise MaskingError(
            f"not masked, although rules name it: {listed(left, 'table')}",
            object_name=left[0],
            step=STEP,
            remedy="let the tasks that mask them succeed, then clear this one",
        )
    return masked
