"""Two runs over one target: the newer one holds it, and nothing unproven is opened by either."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import oracledb
import pytest

from oracle_refresh.datapump.job import own_jobs
from oracle_refresh.operators import transfer
from oracle_refresh.operators.jobs import JobRun
from oracle_refresh.operators.masking import MaskTable
from oracle_refresh.operators.planning import FreezeSource, ListUnits, PlanShards
from oracle_refresh.operators.publishing import PublishReport
from oracle_refresh.operators.quarantine import LockTarget, ReleaseTarget
from oracle_refresh.operators.store import DropDumps
from oracle_refresh.operators.tables import BuildIndexes, BuildTables, EnableConstraints, GatherStatistics
from oracle_refresh.operators.transfer import ExportShard, LoadShard, StageDump
from oracle_refresh.operators.validation import CompareInventory, ProveMasking, VerifyCopy, VerifyMasked
from oracle_refresh.oracle.errors import QuarantineError, RefreshError
from oracle_refresh.plan.model import JOB
from oracle_refresh.run.ledger import Ledger
from oracle_refresh.target.quarantine import holder, take
from oracle_refresh.target.quarantine.statements import HOLDER_ITEM, HOLDER_STEP, LOCKED
from support.demo import MOST_OF_APP, DemoDatabase
from support.small_run import SmallRun


def locked(target: DemoDatabase) -> bool:
    try:
        target.connect("APP_READER").close()
    except oracledb.DatabaseError as error:
        return "ORA-28000" in str(error)
    return False


def test_a_former_run_may_not_go_on(new_run: Callable[..., SmallRun], demo_target: DemoDatabase) -> None:
    former = new_run().until_loaded()
    later = new_run().until_planned().all(LockTarget)
    (job,) = former.jobs
    changing: list[tuple[Any, dict[str, str]]] = [
        (LockTarget, {}),
        (BuildTables, {}),
        (LoadShard, {"job": job}),
        (MaskTable, {"unit": "APP.EMPLOYEES"}),
        (BuildIndexes, {"unit": "APP.EMPLOYEES"}),
        (VerifyMasked, {"unit": "APP.EMPLOYEES"}),
        (EnableConstraints, {}),
        (ReleaseTarget, {}),
    ]
    for operator, arguments in changing:
        with pytest.raises(QuarantineError, match=f"run {later.run_id} has taken the target over"):
            former.execute(operator, **arguments)
    assert locked(demo_target)


def test_an_account_that_is_open_stops_whatever_would_go_on(
    new_run: Callable[..., SmallRun], demo_target: DemoDatabase
) -> None:
    run = new_run().until_built()
    (job,) = run.jobs
    unit = {"unit": "APP.EMPLOYEES"}
    (all_tables,) = run.execute(ListUnits)

    def refused(operator: Any, **arguments: str) -> None:
        with demo_target.connect() as connection, connection.cursor() as cursor:
            cursor.execute('ALTER USER "APP_READER" ACCOUNT UNLOCK')
        with pytest.raises(QuarantineError, match="found open, and are locked again: APP_READER"):
            run.execute(operator, **arguments)
        assert locked(demo_target)

    for operator in (ExportShard, StageDump):
        run.execute(operator, job=job)
    refused(LoadShard, job=job)
    run.execute(LoadShard, job=job)
    for each in (VerifyCopy, MaskTable, BuildIndexes, VerifyMasked):
        refused(each, **unit)
        run.execute(each, unit=all_tables)
    run.execute(EnableConstraints)
    run.execute(GatherStatistics)
    refused(ProveMasking)
    run.execute(ProveMasking)
    run.execute(CompareInventory)
    refused(ReleaseTarget)
    run.execute(ReleaseTarget)
    assert not locked(demo_target)


def test_what_a_former_run_left_unproven_keeps_the_accounts_locked(
    new_run: Callable[..., SmallRun], demo_target: DemoDatabase
) -> None:
    new_run().until_built()
    countries = [f"APP.{name}" for name in (*MOST_OF_APP, "EMPLOYEES")]
    later = new_run({"name": "none", "tables": {}}, exclude_tables=countries).until_proven()
    with pytest.raises(QuarantineError, match=r"APP.EMPLOYEES was built by run .* never released"):
        later.execute(ReleaseTarget)
    assert locked(demo_target)
    with demo_target.connect() as connection, connection.cursor() as cursor:
        cursor.execute('DROP TABLE "APP"."EMPLOYEES" CASCADE CONSTRAINTS PURGE')
    later.execute(ReleaseTarget)
    assert not locked(demo_target)


def test_imports_of_others_are_waited_out(
    new_run: Callable[..., SmallRun], demo_target: DemoDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    jobs = {"OWN": ("IMPORT", True), "ENDED": ("IMPORT", False), "EXPORT": ("EXPORT", True)}
    monkeypatch.setattr(holder, "own_jobs", lambda connection: jobs)
    run = new_run()
    with demo_target.connect() as connection:
        take(connection, Ledger(connection, run.run_id), own=["OWN"])
        with pytest.raises(QuarantineError, match="imports of another run are at work in the target: OWN"):
            take(connection, Ledger(connection, run.run_id))


def test_an_import_that_begins_while_the_target_is_taken_is_seen(
    new_run: Callable[..., SmallRun], demo_target: DemoDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks = iter([{}, {"FOREIGN": ("IMPORT", True)}])
    monkeypatch.setattr(holder, "own_jobs", lambda connection: next(looks))
    run = new_run()
    with (
        demo_target.connect() as connection,
        pytest.raises(QuarantineError, match="imports of another run are at work in the target: FOREIGN"),
    ):
        take(connection, Ledger(connection, run.run_id))


def test_a_load_that_had_begun_when_the_target_was_taken_loads_nothing(
    new_run: Callable[..., SmallRun], demo_target: DemoDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    former, later = new_run().until_built(), new_run()
    (job,) = former.jobs
    for operator in (ExportShard, StageDump):
        former.execute(operator, job=job)
    name = former.documents(lambda documents: documents.get(JOB, job)).job_name
    later.execute(FreezeSource)
    later.execute(PlanShards)

    def taken_after(step: Callable[..., Any], taking: Callable[[], Any]) -> Callable[..., None]:
        def taken(*words: Any, **named: Any) -> None:
            step(*words, **named)
            taking()

        return taken

    def note() -> None:
        """As far as `LockTarget` comes before it sees the import that has just begun."""
        with demo_target.connect() as connection:
            Ledger(connection, later.run_id).record(HOLDER_STEP, HOLDER_ITEM, LOCKED)

    for place, step, taking in (
        (transfer, "verify_staged", lambda: later.execute(LockTarget)),
        (JobRun, "start", note),
    ):
        with monkeypatch.context() as patch, demo_target.connect() as connection:
            patch.setattr(place, step, taken_after(getattr(place, step), taking))
            with pytest.raises(QuarantineError, match=f"run {later.run_id} has taken the target over"):
                former.execute(LoadShard, job=job)
            assert name not in own_jobs(connection)
            with connection.cursor() as cursor:
                cursor.execute('DELETE FROM "REFRESH$LEDGER" WHERE RUN_ID = :1', [later.run_id])
            connection.commit()
        for operator in (ExportShard, StageDump):  # who took the target over has dropped the dump files
            former.execute(operator, job=job)
    former.execute(LoadShard, job=job)


def test_a_run_that_is_marked_as_failed_stays_locked_and_reported(
    new_run: Callable[..., SmallRun], demo_target: DemoDatabase
) -> None:
    run = new_run().until_loaded()
    run.execute(DropDumps)
    with pytest.raises(QuarantineError, match="was not compared with the source"):
        run.execute(ReleaseTarget)
    assert locked(demo_target)
    with pytest.raises(QuarantineError, match="was not published; the target stays locked"):
        run.execute(PublishReport)


def test_a_run_that_never_had_a_plan_says_so(new_run: Callable[..., SmallRun]) -> None:
    with pytest.raises(RefreshError, match="nothing to report: the run ended before it had a plan"):
        new_run().execute(PublishReport)
