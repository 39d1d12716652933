"""The quarantine around a refresh: application accounts are locked first and released last."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from oracle_refresh.errors import QuarantineError
from oracle_refresh.ledger import Ledger
from oracle_refresh.masking import drop_leftovers
from oracle_refresh.operators.base import RefreshOperator, run_id
from oracle_refresh.publishing import objections
from oracle_refresh.quarantine import lock, release
from oracle_refresh.run_store import RunStore

if TYPE_CHECKING:
    from airflow.sdk import Context


class LockTarget(RefreshOperator):
    """Locks the application accounts of the definition on the target and ends their sessions.

    Use it as a setup; every task that brings unmasked rows into the target comes after it.
    """

    def execute(self, context: Context) -> dict[str, Any]:
        definition = self.read_definition()
        with self.target(definition) as target:
            quarantine = lock(target, definition.application_accounts, run_id(context), Ledger(target))
            RunStore(target).put(run_id(context), "lock", "-", quarantine.to_json())
        return quarantine.to_json()


class ReleaseTarget(RefreshOperator):
    """Unlocks what `LockTarget` locked, if and only if everything is proven. Use it as a teardown.

    It judges by the results in the run's store, not by task states: a run that was patched up by hand is
    released when its evidence is complete, and stays locked when it is not.
    """

    def execute(self, context: Context) -> dict[str, Any]:
        definition, run = self.read_definition(), run_id(context)
        with self.target(definition) as target:
            store = RunStore(target)
            against = objections(store.evidence(run, expectations_wanted=definition.expectations is not None))
            store.put(run, "objections", "-", {"objections": against})
            if against:
                raise QuarantineError(
                    "the target stays locked: " + "; ".join(against[:10]),
                    step="release",
                    remedy="remove the cause, clear the failed tasks of this run, or start a new run",
                )
            drop_leftovers(target)  # maps of killed tasks hold originals
            quarantine = release(target, run, Ledger(target))
            store.put(run, "release", "-", quarantine.to_json())
        return quarantine.to_json()
