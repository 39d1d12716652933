"""A refresh of one's own: the operators of `test_data_refresh` with a step between, in plain order.

Copy it where steps have to be added or left out. What may not be left out is the frame: `LockTarget` is a
setup before whatever brings rows into the target, `ReleaseTarget` its teardown; it opens the accounts only
when every table is compared, masked, checked, and the whole is proven.

Tables wait here until everything is loaded, so `dag.test()` and `airflow dags test` run it too. To begin with
each unit as soon as the last shard of its tables is in, let `tune` lead to both groups and `AwaitTable` be
the first task of a unit's, as `test_data_refresh` has it.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from airflow.sdk import DAG, task, task_group

from oracle_refresh.integration.assets import PUBLISHED
from oracle_refresh.integration.forms import refresh_params
from oracle_refresh.integration.retries import OracleRetryPolicy
from oracle_refresh.operators.approval import ApproveRefresh
from oracle_refresh.operators.masking import MaskTable
from oracle_refresh.operators.planning import (
    CheckPreflight,
    ExplainPlan,
    FreezeSource,
    ListUnits,
    PlanShards,
)
from oracle_refresh.operators.publishing import PublishReport
from oracle_refresh.operators.quarantine import LockTarget, ReleaseTarget
from oracle_refresh.operators.scripts import RunScripts
from oracle_refresh.operators.store import DropDumps, PrepareStage
from oracle_refresh.operators.tables import (
    BuildIndexes,
    BuildTables,
    EnableConstraints,
    GatherStatistics,
)
from oracle_refresh.operators.transfer import ExportShard, LoadShard, StageDump
from oracle_refresh.operators.tuning import RestoreTarget, TuneTarget
from oracle_refresh.operators.validation import (
    CompareInventory,
    ProveMasking,
    ValidateExpectations,
    VerifyCopy,
    VerifyMasked,
)

with DAG(
    "example_own_refresh",
    description="A refresh with a step of one's own",
    doc_md=__doc__,
    schedule=None,
    max_active_runs=1,
    tags=["oracle", "example", "refresh"],
    params=refresh_params(),
    default_args={
        "definition": "{{ params.definition }}",
        "form": "{{ params | tojson }}",
        "retries": 2,
        "retry_delay": timedelta(seconds=5),
        "retry_policy": OracleRetryPolicy(),
    },
):
    plan = PlanShards(task_id="plan")
    work_units = ListUnits(task_id="units")
    lock = LockTarget(task_id="lock_target").as_setup()
    prepare = PrepareStage(task_id="prepare_stage").as_setup()
    tune = TuneTarget(task_id="tune_target").as_setup()
    built = BuildTables(task_id="build_tables")
    approved = ApproveRefresh(task_id="approve_target", moment="target")

    @task_group(group_id="shard")
    def move(job: str) -> None:
        named = {"job": job, "map_index_template": "{{ task.job }}"}
        export, stage, load = (
            ExportShard(task_id="export", **named),
            StageDump(task_id="stage", **named),
            LoadShard(task_id="load", **named),
        )
        export >> stage >> load

    @task_group(group_id="unit")
    def finish(unit: str) -> None:
        named = {"unit": unit, "map_index_template": "{{ task.unit }}"}
        copied, masked = VerifyCopy(task_id="verify_copy", **named), MaskTable(task_id="mask", **named)
        indexed, checked = (
            BuildIndexes(task_id="build_indexes", **named),
            VerifyMasked(task_id="verify_masked", **named),
        )
        copied >> masked >> indexed >> checked

    @task.refresh_target(definition="{{ params.definition }}")
    def count_tables(target: Any = None) -> int:
        """A step of one's own: nobody else sees the target yet."""
        with target.cursor() as cursor:
            cursor.execute("SELECT COUNT(*) FROM DBA_TABLES WHERE OWNER = :owner", owner="APP")
            (count,) = cursor.fetchone()
        return int(count)

    begin = CheckPreflight(task_id="preflight"), FreezeSource(task_id="freeze")
    begin[0] >> begin[1] >> plan >> ExplainPlan(task_id="explain") >> approved
    approved >> [lock, prepare, work_units]
    [lock, prepare] >> built >> RunScripts(task_id="scripts_before", when="before") >> tune
    shards, units = move.expand(job=plan.output), finish.expand(unit=work_units.output)
    tune >> shards >> units
    constrained = EnableConstraints(task_id="constraints")
    scripts = RunScripts(task_id="scripts_after", when="after")
    statistics, proof = GatherStatistics(task_id="statistics"), ProveMasking(task_id="prove_masking")
    inventory, expected = CompareInventory(task_id="inventory"), ValidateExpectations(task_id="expectations")
    restore = RestoreTarget(task_id="restore_target").as_teardown(
        setups=[lock, tune], on_failure_fail_dagrun=True
    )
    drop = DropDumps(task_id="drop_dumps").as_teardown(setups=prepare)
    release = ReleaseTarget(task_id="release_target").as_teardown(setups=lock, on_failure_fail_dagrun=True)
    report = PublishReport(task_id="publish_report", outlets=[PUBLISHED])
    report.as_teardown(on_failure_fail_dagrun=True)
    units >> constrained >> count_tables() >> scripts >> statistics >> proof >> inventory >> expected
    expected >> restore >> drop >> release >> report
