"""The tasks of a refresh and what each waits for, in whatever DAG they stand."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from airflow.sdk import task_group

from oracle_refresh.integration.assets import PUBLISHED
from oracle_refresh.operators.approval import ApproveRefresh
from oracle_refresh.operators.masking import MaskTable
from oracle_refresh.operators.planning import (
    CheckPreflight,
    ExplainPlan,
    FreezeSource,
    ListUnits,
    PlanShards,
)
from oracle_refresh.operators.profiling import ProfileSource
from oracle_refresh.operators.publishing import PublishReport
from oracle_refresh.operators.quarantine import LockTarget, ReleaseTarget, SettleFormer
from oracle_refresh.operators.scripts import RunScripts
from oracle_refresh.operators.store import DropDumps, PrepareStage
from oracle_refresh.operators.tables import (
    AwaitTable,
    BuildIndexes,
    BuildTables,
    EnableConstraints,
    GatherStatistics,
)
from oracle_refresh.operators.transfer import ExportShard, LoadShard, StageDump
from oracle_refresh.operators.tuning import ReadCounters, RestoreTarget, TuneTarget
from oracle_refresh.operators.validation import (
    CompareInventory,
    ProveMasking,
    ValidateExpectations,
    VerifyCopy,
    VerifyMasked,
)
from oracle_refresh.plan import stages
from oracle_refresh.plan.stages import Stage

ABOUT = """\
Makes the **target** a masked copy of the **source** as of one SCN, and proves it.

1. *preflight* refuses what cannot or must not run, and *profile* what holds sensitive columns without rule or
   signed exemption, before anything is touched; *freeze* takes the SCN, *plan* cuts the work into jobs.
2. *lock_target* locks the application accounts of the target: nobody sees rows that are not masked.
   *tune_target* sets its instance up by the definition's tuning profile, if it names one, and the processes
   of change capture that it names; *restore_target* brings the former state back when statistics are
   gathered, or whatever has failed.
3. *shard*: each job is exported, staged into the target's DBFS and loaded exactly once.
4. *unit*: each table is compared with the source, masked, indexed and compared again. Small tables are
   bundled: a unit goes on with its other tables where one fails, and names it in the end.
5. *prove_masking* looks at the masked target as a whole: references, statistics, recycle bin;
   *inventory* compares all objects of both ends: columns, constraints, indexes, grants and their states.
6. *former_tables*, with `prepare: beside`, drops what was there before, or puts it back where something is
   not proven.
7. *release_target* opens the accounts if, and only if, everything is proven. The report is in the run's tab
   *Refresh*.

**When a task failed:** read its last log line, it names the ORA code and the remedy. Remove the cause, then
`airflow oracle-refresh resume RUN`: finished work is not repeated. A new SCN or another plan takes a new run.
Accounts stay locked until a run is released.

**Approvals**, where the form asks for them, wait under *Required Actions*: *approve_target* before anything
is unloaded or the target touched, *approve_publish* before its accounts are opened.
"""


def arguments(pools: Mapping[str, str]) -> Callable[[Stage], dict[str, Any]]:
    """What the operator of a stage is made with.

    :param pools: that of `source` and of `target`, by what a stage says of its session.
    """

    def of(stage: Stage) -> dict[str, Any]:
        pool = {"pool": pools[stage.session]} if stage.session else {}
        named = {"task_id": stage.task, "priority_weight": stage.priority, "doc_md": stage.does}
        return named | pool

    return of


def refresh_tasks(pools: Mapping[str, str]) -> None:
    """Make them in the DAG of the context, whose default arguments name the definition and the form.

    Names, priorities and notes are those of the stages (`plan.stages`).

    :param pools: see `arguments`.
    """

    task = arguments(pools)
    preflight = CheckPreflight(**task(stages.PREFLIGHT))
    profile = ProfileSource(**task(stages.PROFILE))
    freeze = FreezeSource(**task(stages.FREEZE))
    plan = PlanShards(**task(stages.PLAN))
    explain = ExplainPlan(**task(stages.EXPLAIN))
    may_begin = ApproveRefresh(moment="target", **task(stages.APPROVE_TARGET))
    planned_units = ListUnits(**task(stages.UNITS))
    lock = LockTarget(**task(stages.LOCK)).as_setup()
    prepare = PrepareStage(**task(stages.PREPARE_STAGE)).as_setup()
    tune = TuneTarget(**task(stages.TUNE)).as_setup()
    build = BuildTables(**task(stages.BUILD_TABLES))
    before = RunScripts(when="before", **task(stages.SCRIPTS_BEFORE))

    @task_group(group_id=stages.SHARD.name, tooltip=stages.SHARD.does)
    def move_shard(job: str) -> None:
        named = {"job": job, "map_index_template": "{{ task.job }}"}
        export = ExportShard(**task(stages.EXPORT), **named)
        stage = StageDump(**task(stages.STAGE), **named)
        load = LoadShard(**task(stages.LOAD), **named)
        prepare >> export  # no dumps of originals that could not be brought, nor be dropped by a teardown
        [before, tune] >> load
        export >> stage >> load

    @task_group(group_id=stages.UNIT.name, tooltip=stages.UNIT.does)
    def finish_unit(unit: str) -> None:
        named = {"unit": unit, "map_index_template": "{{ task.unit }}"}
        loaded = AwaitTable(**task(stages.AWAIT), **named)
        verify = VerifyCopy(**task(stages.VERIFY_COPY), **named)
        mask = MaskTable(**task(stages.MASK), **named)
        index = BuildIndexes(**task(stages.BUILD_INDEXES), **named)
        proven = VerifyMasked(**task(stages.VERIFY_MASKED), **named)
        loaded >> verify >> mask >> index >> proven

    shards = move_shard.expand(job=plan.output)
    units = finish_unit.expand(unit=planned_units.output)
    loaded = ReadCounters(**task(stages.READ_COUNTERS))
    constraints = EnableConstraints(**task(stages.CONSTRAINTS))
    after = RunScripts(when="after", **task(stages.SCRIPTS_AFTER))
    statistics = GatherStatistics(**task(stages.STATISTICS))
    proof = ProveMasking(**task(stages.PROVE))
    inventory = CompareInventory(**task(stages.INVENTORY))
    expectations = ValidateExpectations(**task(stages.EXPECTATIONS))
    may_publish = ApproveRefresh(moment="publish", **task(stages.APPROVE_PUBLISH))
    drop = DropDumps(**task(stages.DROP_DUMPS)).as_teardown(setups=prepare)
    # Its setups are both: it runs also where `tune_target` was killed in the middle, for good.
    restore = RestoreTarget(**task(stages.RESTORE)).as_teardown(
        setups=[lock, tune], on_failure_fail_dagrun=True
    )
    former = SettleFormer(**task(stages.FORMER)).as_teardown(setups=lock, on_failure_fail_dagrun=True)
    release = ReleaseTarget(**task(stages.RELEASE)).as_teardown(setups=lock, on_failure_fail_dagrun=True)
    report = PublishReport(outlets=[PUBLISHED], **task(stages.PUBLISH))
    report.as_teardown(on_failure_fail_dagrun=True)

    preflight >> profile >> freeze >> plan >> explain >> may_begin >> [lock, prepare] >> build >> before
    lock >> tune
    may_begin >> [shards, planned_units]
    [before, tune] >> units
    shards >> loaded
    [shards, units] >> constraints >> after >> [statistics, inventory, expectations]
    statistics >> proof
    proven = [proof, inventory, expectations]
    # Not before the last of them has ended, also where others have failed.
    [shards, units, loaded, statistics] >> restore
    [restore, *proven] >> drop >> former >> release >> report
    proven >> may_publish >> former
