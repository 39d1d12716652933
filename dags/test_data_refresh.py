"""The refresh of a masked Oracle test database as one DAG.

Thin on purpose: nothing is connected to at parse time, and nothing read but the names of the definitions
that the form proposes. What is refreshed stands in the definition (YAML); see docs/reference/definition.md.
"""

from __future__ import annotations

from datetime import timedelta

from airflow.sdk import DAG, task_group

from oracle_refresh.integration import settings
from oracle_refresh.integration.assets import PUBLISHED
from oracle_refresh.integration.forms import refresh_params
from oracle_refresh.integration.retries import OracleRetryPolicy
from oracle_refresh.notifications.settled import deadline, notifiers
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
from oracle_refresh.operators.quarantine import LockTarget, ReleaseTarget
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

ABOUT = """\
Makes the **target** a masked copy of the **source** as of one SCN, and proves it.

1. *preflight* refuses what cannot or must not run, and *profile* what holds sensitive columns without rule or
   signed exemption, before anything is touched; *freeze* takes the SCN, *plan* cuts the work into jobs.
2. *lock_target* locks the application accounts of the target: nobody sees rows that are not masked.
   *tune_target* sets its instance up by the definition's tuning profile, if it names one; *restore_target*
   brings the former state back when statistics are gathered, or whatever has failed.
3. *shard*: each job is exported, staged into the target's DBFS and loaded exactly once.
4. *unit*: each table is compared with the source, masked, indexed and compared again. Small tables are
   bundled: a unit goes on with its other tables where one fails, and names it in the end.
5. *prove_masking* looks at the masked target as a whole: references, statistics, recycle bin;
   *inventory* compares all objects of both ends: columns, constraints, indexes, grants and their states.
6. *release_target* opens the accounts if, and only if, everything is proven. The report is in the run's tab
   *Refresh*.

**When a task failed:** read its last log line, it names the ORA code and the remedy. Remove the cause, then
clear the failed tasks of the run: finished work is not repeated. A new SCN or another plan takes a new run.
Accounts stay locked until a run is released.

**Approvals**, where the form asks for them, wait under *Required Actions*: *approve_target* before anything
is unloaded or the target touched, *approve_publish* before its accounts are opened.
"""
SOURCE, TARGET = settings.source_pool(), settings.target_pool()
#: Priorities: no task stands in the way of one that is more urgent. What all shards wait for goes first,
#: then the shards: tables wait for them, and undo keeps the SCN only for a while. Of equals Airflow takes the
#: lower map index, so a shard is loaded and a unit masked while others still wait.
GATE, SHARD, UNIT = 3, 2, 1

with DAG(
    "test_data_refresh",
    description="Make the target database a masked copy of the source at one SCN",
    doc_md=ABOUT,
    schedule=settings.schedule(),
    catchup=False,
    max_active_runs=1,
    tags=["oracle", "refresh"],
    render_template_as_native_obj=False,
    params=refresh_params(),
    on_success_callback=notifiers(),
    on_failure_callback=notifiers(),
    deadline=deadline(),
    default_args={
        "definition": "{{ params.definition }}",
        "form": "{{ params | tojson }}",
        "weight_rule": "absolute",
        "priority_weight": UNIT,
        "retries": 3,
        "retry_delay": timedelta(seconds=5),
        "retry_policy": OracleRetryPolicy(),
    },
):
    gate = {"priority_weight": GATE}
    preflight = CheckPreflight(task_id="preflight", **gate)
    profile = ProfileSource(task_id="profile", pool=SOURCE, **gate)
    freeze = FreezeSource(task_id="freeze", pool=SOURCE, **gate)
    plan = PlanShards(task_id="plan", pool=SOURCE, **gate)
    explain = ExplainPlan(task_id="explain", **gate)
    may_begin = ApproveRefresh(task_id="approve_target", moment="target", **gate)
    planned_units = ListUnits(task_id="units", pool=TARGET, **gate)
    lock = LockTarget(task_id="lock_target", pool=TARGET, **gate).as_setup()
    prepare = PrepareStage(task_id="prepare_stage", pool=TARGET, **gate).as_setup()
    tune = TuneTarget(task_id="tune_target", pool=TARGET, **gate).as_setup()
    build = BuildTables(task_id="build_tables", pool=TARGET, **gate)
    before = RunScripts(task_id="scripts_before", when="before", pool=TARGET, **gate)

    @task_group(group_id="shard")
    def move_shard(job: str) -> None:
        """One shard or bulk job on its way: export -> stage -> load, independent of all others."""
        named = {"job": job, "map_index_template": "{{ task.job }}", "priority_weight": SHARD}
        export = ExportShard(task_id="export", pool=SOURCE, **named)
        stage = StageDump(task_id="stage", pool=TARGET, **named)
        load = LoadShard(task_id="load", pool=TARGET, **named)
        prepare >> export  # no dumps of originals that could not be brought, nor be dropped by a teardown
        [before, tune] >> load
        export >> stage >> load

    @task_group(group_id="unit")
    def finish_unit(unit: str) -> None:
        """The tables of one work unit from their last loaded shard to proven masked."""
        named = {"unit": unit, "map_index_template": "{{ task.unit }}"}
        loaded = AwaitTable(task_id="await_loaded", **named)
        verify = VerifyCopy(task_id="verify_copy", pool=TARGET, **named)
        mask = MaskTable(task_id="mask", pool=TARGET, **named)
        index = BuildIndexes(task_id="build_indexes", pool=TARGET, **named)
        proven = VerifyMasked(task_id="verify_masked", pool=TARGET, **named)
        loaded >> verify >> mask >> index >> proven

    shards = move_shard.expand(job=plan.output)
    units = finish_unit.expand(unit=planned_units.output)
    loaded = ReadCounters(task_id="read_counters", pool=TARGET)
    constraints = EnableConstraints(task_id="constraints", pool=TARGET)
    after = RunScripts(task_id="scripts_after", when="after", pool=TARGET)
    statistics = GatherStatistics(task_id="statistics", pool=TARGET)
    proof = ProveMasking(task_id="prove_masking", pool=TARGET)
    inventory = CompareInventory(task_id="inventory", pool=TARGET)
    expectations = ValidateExpectations(task_id="expectations", pool=TARGET)
    may_publish = ApproveRefresh(task_id="approve_publish", moment="publish")
    drop = DropDumps(task_id="drop_dumps", pool=TARGET).as_teardown(setups=prepare)
    # Its setups are both: it runs also where `tune_target` was killed in the middle, for good.
    restore = RestoreTarget(task_id="restore_target", pool=TARGET).as_teardown(
        setups=[lock, tune], on_failure_fail_dagrun=True
    )
    release = ReleaseTarget(task_id="release_target", pool=TARGET).as_teardown(
        setups=lock, on_failure_fail_dagrun=True
    )
    report = PublishReport(task_id="publish_report", trigger_rule="all_done", outlets=[PUBLISHED])

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
    [restore, *proven] >> drop >> release >> report
    proven >> may_publish >> release
