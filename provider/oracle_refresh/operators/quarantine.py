"""The quarantine around a refresh: application accounts are locked first and released last."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from oracle_refresh.links.files import ReportLink
from oracle_refresh.masking import drop_leftovers
from oracle_refresh.masking.history import BEFORE
from oracle_refresh.masking.run import MASK
from oracle_refresh.operators.base import RefreshOperator, run_id
from oracle_refresh.oracle.errors import QuarantineError
from oracle_refresh.oracle.identifiers import TableName
from oracle_refresh.plan.model import JOB
from oracle_refresh.release import OBJECTIONS, Objections, objections, read_evidence
from oracle_refresh.run.documents import WHOLE, Documents
from oracle_refresh.run.ledger import Ledger
from oracle_refresh.target.quarantine import lock, release, require_holder, standing, take, unproven
from oracle_refresh.target.quarantine.accounts import LOCK, RELEASE
from oracle_refresh.transport.dump_files import check_dumps, drop_dumps
from oracle_refresh.validation.aftermath import check_control_tables
from oracle_refresh.validation.history import check_history
from oracle_refresh.validation.model import LEFTOVERS, TargetCheck
from oracle_refresh.validation.rows import drop_leftovers as drop_hashes

if TYPE_CHECKING:
    import oracledb
    from airflow.sdk import Context

    from oracle_refresh.definition.model import RefreshDefinition


class LockTarget(RefreshOperator):
    """Locks the application accounts of the definition on the target and ends their sessions.

    Use it as a setup; every task that brings unmasked rows into the target comes after it. From then on this
    run holds the target: tasks of a former run that would change it refuse to go on.
    """

    def execute(self, context: Context) -> dict[str, Any]:
        definition, run = self.read_definition(), run_id(context)
        with self.target(definition) as target:
            documents, ledger = Documents(target, run), Ledger(target, run)
            documents.ensure()
            take(target, ledger, own=[job.job_name for job in documents.all(JOB)])
            documents.withdraw(RELEASE)  # of a run that is cleared after its end: it is not published now
            quarantine = lock(target, definition.application_accounts, ledger)
            documents.put(LOCK, WHOLE, quarantine)
        return quarantine.to_json()


class ReleaseTarget(RefreshOperator):
    """Unlocks what `LockTarget` locked, if and only if everything is proven, and approved where the form
    wants that. Use it as a teardown.

    It judges by the results in the run's store, not by task states: a run that was patched up by hand is
    released when its evidence is complete, and stays locked when it is not. Dump files and control tables
    hold originals: what tasks that were killed, or cleared after `DropDumps`, have left goes first.
    """

    operator_extra_links = (ReportLink(),)

    def execute(self, context: Context) -> dict[str, Any]:
        definition, run = self.read_definition(), run_id(context)
        with self.both(definition) as (source, target):
            documents = Documents(target, run)
            require_holder(target, run)
            evidence = read_evidence(documents, expectations_wanted=definition.expectations is not None)
            wanted = self.read_form().approve_publish
            against = objections(evidence, approval_wanted=wanted) + unproven(target, run, evidence.tables)
            documents.put(OBJECTIONS, WHOLE, Objections(tuple(against)))
            if against:
                raise QuarantineError(
                    f"{standing(target, Ledger(target, run))}: {'; '.join(against[:10])}",
                    step="release",
                    remedy="remove the cause, clear the failed tasks of this run, or start a new run",
                )
            drop_dumps(source, target, definition, run)
            drop_leftovers(target)
            drop_hashes(target)
            _require_nothing_left(source, target, definition, documents, run)
            quarantine = release(target, Ledger(target, run))
            documents.put(RELEASE, WHOLE, quarantine)
        return quarantine.to_json()


def _require_nothing_left(
    source: oracledb.Connection,
    target: oracledb.Connection,
    definition: RefreshDefinition,
    documents: Documents,
    run: str,
) -> None:
    """Look once more, after everything was dropped; what is still there keeps the target locked."""
    masked = {TableName(mask.owner, mask.name) for mask in documents.all(MASK) if mask.rows}
    before = {TableName(table.owner, table.name): table.scn for table in documents.all(BEFORE)}
    verdicts = (
        check_control_tables(target),
        check_history(target, {table: scn for table, scn in before.items() if table in masked}),
        *check_dumps(source, target, definition, run),
    )
    documents.put(LEFTOVERS, WHOLE, TargetCheck(verdicts, 0.0))
    found = TargetCheck(verdicts, 0.0).objections
    if found:
        documents.put(OBJECTIONS, WHOLE, Objections(found))
        raise QuarantineError(
            f"{standing(target, Ledger(target, run))}: {'; '.join(found)}",
            step="release",
            remedy="remove what is named, then clear this task",
        )
