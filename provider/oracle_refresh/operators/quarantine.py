"""The quarantine around a refresh: application accounts are locked first and released last."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NoReturn

from oracle_refresh.datapump.job import discard_all
from oracle_refresh.definition import CloneDefinition, Prepare
from oracle_refresh.links.files import ReportLink
from oracle_refresh.masking import drop_leftovers
from oracle_refresh.masking.history import BEFORE
from oracle_refresh.masking.run import MASK
from oracle_refresh.operators.base import RefreshOperator
from oracle_refresh.operators.turns import InTurn
from oracle_refresh.oracle.counting import counted
from oracle_refresh.oracle.errors import QuarantineError
from oracle_refresh.oracle.identifiers import TableName
from oracle_refresh.oracle.remedies import LOAD_AGAIN
from oracle_refresh.plan.model import JOB
from oracle_refresh.release import OBJECTIONS, Objections, objections, read_evidence
from oracle_refresh.run.documents import WHOLE
from oracle_refresh.run.ledger import ensure_ledger
from oracle_refresh.run.possession import give_up_all
from oracle_refresh.target.former.settle import sets_aside, settle, unproven_former
from oracle_refresh.target.former.state import (
    RETURNED,
    UNSETTLED_STATES,
    require_not_returned,
    require_settled,
    state,
)
from oracle_refresh.target.quarantine import (
    built,
    close_again,
    lock,
    never_held,
    open_accounts,
    passed,
    release,
    require_closed,
    require_holder,
    require_lockable,
    take,
    unproven,
)
from oracle_refresh.target.quarantine.accounts import LOCK, RELEASE
from oracle_refresh.transport.dump_files import Dropped, drop_dumps
from oracle_refresh.transport.former_dumps import FormerDumps, drop_former_dumps, former_runs_with_dumps
from oracle_refresh.validation.aftermath import check_control_tables
from oracle_refresh.validation.history import check_history
from oracle_refresh.validation.model import LEFTOVERS, TargetCheck, Verdict
from oracle_refresh.validation.rows import drop_hashes

if TYPE_CHECKING:
    from airflow.sdk import Context

    from oracle_refresh.definition.form import RefreshForm
    from oracle_refresh.run.refresh_run import RefreshRun


BY_COMMAND = "use `airflow oracle-refresh drop-dumps` with the definition of that refresh"


class LockTarget(InTurn):
    """Locks the application accounts of the definition on the target, disables jobs of theirs and of the
    schemas' owners, and ends their sessions.

    Use it as a setup; every task that brings unmasked rows into the target comes after it. From then on this
    run holds the target: tasks of a former run that would change it refuse to go on, and its dump files,
    which are of no use now, are dropped. Waits first, deferred, while a run of this Airflow is at work that
    holds the target, or has frozen its source since this one claimed it: a run that is cleared after it had
    failed comes behind those that have passed it. The run of a clone is refused, before it takes the target,
    while a refresh has tables aside.
    """

    def execute(self, context: Context) -> dict[str, Any]:
        _refuse_dry_run(self.read_form(), "lock")
        with self.refresh_run(context) as run:
            definition = run.definition
            require_lockable(run.target, definition.application_accounts, definition.schemas)
            run.documents.ensure()
            ensure_ledger(run.target)
            require_not_returned(run.ledger)
            self.await_turn(context, passed(run.documents))
            if isinstance(definition, CloneDefinition):  # a refresh puts back first what runs have set aside
                require_settled(run.target)
            own = [job.job_name for job in run.documents.all(JOB)]
            take(run.target, run.ledger, own=own)
            run.documents.withdraw(RELEASE)  # a run that is cleared after its end is not published now
            quarantine = lock(run.target, definition.application_accounts, run.ledger, definition.schemas)
            run.documents.put(LOCK, WHOLE, quarantine)
            self.log.info("%s", quarantine.lock_text)
            for job in quarantine.stopped:
                self.log.warning(
                    "job %s runs once and was stopped in its run, which nobody takes up again", job
                )
            self._tell(_drop_former_dumps(run))
        return quarantine.to_json()

    def _tell(self, former: FormerDumps) -> None:
        """What is left does not keep the run from going on, but the target from being released."""
        for removed in former.removed:
            self.log.info("dump files of a former run are removed: %s", removed)
        for left in former.left:
            self.log.warning("dump files of a former run may be left, with unmasked rows: %s", left)


class SettleFormer(RefreshOperator):
    """With `prepare: beside`, drops the former tables if everything is proven and approved; otherwise drops
    the new ones and puts the former tables, sequences and views back. Use it as a teardown, after `DropDumps`
    and before `ReleaseTarget`. In the other modes there is nothing to do.

    What is decided once stands: a repeated task goes on with it, one that has come to its end does nothing
    any more, and a run whose former tables are put back does not go on. Sessions that killed tries of the
    run's tasks have left are ended first.
    """

    def execute(self, context: Context) -> dict[str, Any] | None:
        _refuse_dry_run(self.read_form(), "settle")
        with self.refresh_run(context) as run:
            beside = run.refresh_definition.prepare is Prepare.BESIDE
            if not sets_aside(run.ledger, beside=beside):
                return None
            require_holder(run.target, run.id)
            require_closed(run.target, run.ledger)
            against = _against(run, self.read_form())
            _end_loads(run)
            settled = settle(
                *(run.target, run.definition, run.ledger),
                proven=not against,
                connect=run.open_target,
                progress=run.progress,
            )
        if settled.outcome == "put back":
            self.log.warning(
                "Put %s back, because the new ones are not proven: %s",
                counted(settled.tables, "previous table"),
                "; ".join(against[:10]),
            )
        for difference in settled.differences:
            self.log.warning("not as it was before: %s", difference)
        for script in settled.scripts:
            self.log.warning("what it has changed beside the former tables stays: %s", script)
        return settled.to_json()


class ReleaseTarget(RefreshOperator):
    """Unlocks and enables what `LockTarget` has locked and disabled, if and only if everything is proven, and
    approved where the form wants that. Use it as a teardown.

    Accounts are opened upon former tables that `SettleFormer` has put back as well, unless a run has left
    these that was never released.

    It judges by the results in the run's store, not by task states: a run that was patched up by hand is
    released when its evidence is complete, and stays locked when it is not. Dump files and control tables
    hold originals: what tasks that were killed, or cleared after `DropDumps`, have left goes first.
    """

    operator_extra_links = (ReportLink(),)

    def execute(self, context: Context) -> dict[str, Any]:
        _refuse_dry_run(self.read_form(), "release")
        with self.refresh_run(context) as run:
            require_holder(run.target, run.id)
            require_closed(run.target, run.ledger)
            evidence = read_evidence(run)
            against = _against(run, self.read_form())
            run.documents.put(OBJECTIONS, WHOLE, Objections(tuple(against)))
            former = state(run.ledger)
            if former == RETURNED:
                against = unproven_former(run.target, run.id)
            elif former in UNSETTLED_STATES:
                against.append(f"the former tables are {former}: SettleFormer has not come to its end")
            if against:
                _keep_locked(
                    run,
                    against[:10],
                    f"remove the cause, then airflow oracle-refresh resume {run.id}; or {LOAD_AGAIN}",
                )
            masked = {*built(run.target, run.id), *((run.id, key) for key in evidence.tables)}
            drop_leftovers(run.target, masked)
            drop_hashes(run.target, {key for _, key in masked})
            dropped = _drop_dumps(run)
            _require_nothing_left(run, dropped, _drop_former_dumps(run))
            quarantine = release(run.target, run.ledger)
            if former != RETURNED:
                run.documents.put(RELEASE, WHOLE, quarantine)
        self.log.info("%s", quarantine.release_text)
        for job in quarantine.stopped:
            self.log.warning(
                "job %s runs once and was stopped in its run: see whether it has to run again", job
            )
        return quarantine.to_json()


def _against(run: RefreshRun, form: RefreshForm) -> list[str]:
    """What stands against the release, in sentences."""
    evidence = read_evidence(run)
    return [
        *objections(evidence, approval_wanted=form.approve_publish),
        *never_held(run.ledger, run.definition.application_accounts),
        *unproven(run.target, run.id, evidence.tables),
    ]


def _end_loads(run: RefreshRun) -> None:
    """Jobs outlive the tasks that started them: none may load into a table of the same name later on."""
    give_up_all(run.ledger)
    discard_all(run.target, [job.job_name for job in run.documents.all(JOB)])


def _drop_dumps(run: RefreshRun) -> Dropped:
    """Of a clone nothing was ever unloaded."""
    if isinstance(run.definition, CloneDefinition):
        return Dropped((), (), ())
    return drop_dumps(run.source, run.target, run.refresh_definition, run.id)


def _refuse_dry_run(form: RefreshForm, step: str) -> None:
    """A dry run asks for no approvals: where somebody marks what it has skipped as done, and clears what
    follows, it would refresh without those that its definition demands.

    :raises QuarantineError: if the run is a dry one.
    """
    if form.dry_run:
        raise QuarantineError(
            "this is a dry run, for which nobody was asked for approval",
            step=step,
            remedy="trigger a run that is no dry run",
        )


def _drop_former_dumps(run: RefreshRun) -> FormerDumps:
    """What refreshes of the same target have left a clone's definition does not lead to."""
    former = former_runs_with_dumps(run.target, run.id)
    if isinstance(run.definition, CloneDefinition):
        return FormerDumps((), tuple(f"run {run_id}: {BY_COMMAND}" for run_id in former))
    return drop_former_dumps(run.source, run.target, run.refresh_definition, former)


def _require_nothing_left(run: RefreshRun, dropped: Dropped, former: FormerDumps) -> None:
    """Look once more, after everything was dropped; what is still there keeps the target locked. Tables that
    are put back were never masked by this run: their past is not looked at."""
    masks = () if state(run.ledger) == RETURNED else run.documents.all(MASK)
    masked = {TableName(mask.owner, mask.name) for mask in masks if mask.rows}
    before = {TableName(table.owner, table.name): table.scn for table in run.documents.all(BEFORE)}
    verdicts = (
        check_control_tables(run.target, run.definition.schemas),
        check_history(run.target, {table: scn for table, scn in before.items() if table in masked}),
        *dropped.checks,
        Verdict(
            "dump files", "-", "of former runs", not former.left, "; ".join(former.left) or "all removed"
        ),
    )
    check = TargetCheck(verdicts, 0.0)
    run.documents.put(LEFTOVERS, WHOLE, check)
    if check.objections:
        run.documents.put(OBJECTIONS, WHOLE, Objections(check.objections))
        _keep_locked(run, check.objections, "remove what is named, then clear this task")


def _keep_locked(run: RefreshRun, against: Sequence[str], remedy: str) -> NoReturn:
    """Lock again what a release that was cut off may have opened, and refuse.

    :raises QuarantineError: always, with what stands against the release.
    """
    close_again(run.target, run.ledger)
    accounts = open_accounts(run.target, run.ledger)
    raise QuarantineError(f"{accounts}: {'; '.join(against)}", step="release", remedy=remedy)
