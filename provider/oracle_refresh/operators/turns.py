"""Runs over one target, one after the other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from oracle_refresh.integration.dag_runs import at_work
from oracle_refresh.integration.endings import Instance
from oracle_refresh.operators.base import RefreshOperator
from oracle_refresh.target.quarantine import claims_before
from oracle_refresh.triggers.turns import RunsEndedTrigger

if TYPE_CHECKING:
    from airflow.sdk import Context

    from oracle_refresh.run.documents import Documents


class InTurn(RefreshOperator):
    """Base of the operators that wait for their run's turn at the target."""

    def await_turn(self, context: Context, documents: Documents) -> None:
        """Pass when no run of this Airflow that has claimed the target before is at work; else go away
        (`TaskDeferred`) until those have ended, and begin anew. A dry run, which changes nothing, passes, and
        so does a task outside of Airflow, which has nobody to ask.
        """
        if self.read_form().dry_run or Instance.of(context["ti"]) is None:
            return
        ahead = [claim for claim in claims_before(documents) if at_work(claim.dag_id, claim.run_id)]
        if ahead:
            named = ", ".join(f"{claim.run_id} of the DAG {claim.dag_id}" for claim in ahead)
            self.log.info("at work on the target: %s; this run goes on when they have ended", named)
            trigger = RunsEndedTrigger([[claim.dag_id, claim.run_id] for claim in ahead])
            self.defer(trigger=trigger, method_name=self.resume.__name__)

    def resume(self, context: Context, event: dict[str, Any]) -> Any:
        """Begin anew: another run may have come first meanwhile."""
        return self.execute(context)
