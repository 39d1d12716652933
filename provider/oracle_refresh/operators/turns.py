"""Runs over one target, one after the other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from oracle_refresh.integration.dag_runs import at_work
from oracle_refresh.operators.base import RefreshOperator
from oracle_refresh.triggers.turns import RunsEndedTrigger

if TYPE_CHECKING:
    from collections.abc import Iterable

    from airflow.sdk import Context

    from oracle_refresh.target.quarantine import Claim


class InTurn(RefreshOperator):
    """Base of the operators that wait for their run's turn at the target."""

    def await_turn(self, context: Context, others: Iterable[Claim]) -> None:
        """Pass when none of these runs is at work in this Airflow; else go away (`TaskDeferred`) until they
        have ended, and begin anew. `execution_timeout` of the task bounds the wait. A dry run, which changes
        nothing, passes, and so does a task outside of Airflow, which has nobody to ask.
        """
        if self.read_form().dry_run or not hasattr(context["ti"], "get_dr_count"):
            return
        ahead = [claim for claim in dict.fromkeys(others) if at_work(claim.dag_id, claim.run_id)]
        if ahead:
            trigger = RunsEndedTrigger([[claim.dag_id, claim.run_id] for claim in ahead])
            self.log.info("%s", trigger.waiting_for(trigger.runs))
            self.defer(trigger=trigger, method_name=self.resume.__name__, timeout=self.execution_timeout)

    def resume(self, context: Context, event: dict[str, Any]) -> Any:
        """Begin anew: another run may have come first meanwhile."""
        return self.execute(context)
