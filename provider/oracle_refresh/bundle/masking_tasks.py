"""The tasks that mask a clone where it is and what each waits for, in whatever DAG they stand."""

from __future__ import annotations

from collections.abc import Mapping

from airflow.sdk import task_group

from oracle_refresh.bundle.tasks import arguments
from oracle_refresh.integration.assets import PUBLISHED
from oracle_refresh.operators.approval import ApproveRefresh
from oracle_refresh.operators.clone import CheckClone, PlanMasking, RestoreObjects, SuspendObjects
from oracle_refresh.operators.masking import MaskTable
from oracle_refresh.operators.planning import ExplainPlan, FreezeSource, ListUnits
from oracle_refresh.operators.profiling import ProfileSource
from oracle_refresh.operators.publishing import PublishReport
from oracle_refresh.operators.quarantine import LockTarget, ReleaseTarget
from oracle_refresh.operators.scripts import RunScripts
from oracle_refresh.operators.tables import BuildIndexes, GatherStatistics
from oracle_refresh.operators.tuning import RestoreTarget, TuneTarget
from oracle_refresh.operators.validation import (
    CompareInventory,
    ProveMasking,
    ValidateExpectations,
    VerifyCopy,
    VerifyMasked,
)
from oracle_refresh.plan import stages

ABOUT = """\
Masks a **clone** where it is, and proves it: a database that holds unmasked rows already, such as a copy of a
storage system or a virtual database. Nothing is copied.

1. *preflight* refuses what cannot or must not be masked, and what would keep originals behind it; *profile*
   finds sensitive columns without rule or signed exemption; *plan* lists what is masked.
2. *lock_target* locks the application accounts of the clone: nobody sees rows that are not masked.
3. *suspend* disables the triggers and constraints, and drops the indexes, that masked columns stand in. What
   they were is recorded before. *freeze* takes the SCN that everything is proven by.
4. *record*: of each table is recorded what its rows were, as keyed hashes. No table is masked before all are
   recorded.
5. *unit*: each table is masked, exactly once, indexed and compared with what was recorded.
6. *restore_objects* enables and validates the constraints, then enables the triggers; *prove_masking* looks
   at the clone as a whole, and *inventory* compares all its objects with what they were.
7. *release_target* opens the accounts if, and only if, everything is proven. The report is in the run's tab
   *Refresh*.

**When a task failed:** read its last log line, it names the ORA code and the remedy. Remove the cause, then
`airflow oracle-refresh resume RUN`: finished work is not repeated. A clone is masked by one run: what it has
begun to mask no other one goes on with. Accounts stay locked until the run is released.
"""


def masking_tasks(pools: Mapping[str, str]) -> None:
    """Make them in the DAG of the context, as `refresh_tasks` does.

    :param pools: that of `target` is used.
    """
    task = arguments(pools)
    preflight = CheckClone(**task(stages.CHECK_CLONE))
    profile = ProfileSource(**task(stages.PROFILE_CLONE))
    plan = PlanMasking(**task(stages.PLAN_MASKING))
    explain = ExplainPlan(**task(stages.EXPLAIN))
    may_begin = ApproveRefresh(moment="target", **task(stages.APPROVE_TARGET))
    planned_units = ListUnits(**task(stages.UNITS))
    lock = LockTarget(**task(stages.LOCK)).as_setup()
    tune = TuneTarget(phases=("mask",), **task(stages.TUNE)).as_setup()
    before = RunScripts(when="before", **task(stages.SCRIPTS_BEFORE))
    suspend = SuspendObjects(**task(stages.SUSPEND))
    freeze = FreezeSource(**task(stages.FREEZE_CLONE))
    label = "{{ task.unit }}"
    recorded = VerifyCopy.partial(map_index_template=label, **task(stages.RECORD))
    record = recorded.expand(unit=planned_units.output)

    @task_group(group_id=stages.UNIT.name, tooltip=stages.UNIT.does)
    def finish_unit(unit: str) -> None:
        named = {"unit": unit, "map_index_template": label}
        mask = MaskTable(**task(stages.MASK), **named)
        index = BuildIndexes(**task(stages.BUILD_INDEXES), **named)
        proven = VerifyMasked(**task(stages.VERIFY_MASKED), **named)
        mask >> index >> proven

    units = finish_unit.expand(unit=planned_units.output)
    objects = RestoreObjects(**task(stages.RESTORE_OBJECTS))
    after = RunScripts(when="after", **task(stages.SCRIPTS_AFTER))
    statistics = GatherStatistics(**task(stages.STATISTICS))
    proof = ProveMasking(**task(stages.PROVE))
    inventory = CompareInventory(**task(stages.INVENTORY))
    expectations = ValidateExpectations(**task(stages.EXPECTATIONS))
    may_publish = ApproveRefresh(moment="publish", **task(stages.APPROVE_PUBLISH))
    # Its setups are both: it runs also where `tune_target` was killed in the middle, for good.
    restore = RestoreTarget(**task(stages.RESTORE)).as_teardown(
        setups=[lock, tune], on_failure_fail_dagrun=True
    )
    release = ReleaseTarget(**task(stages.RELEASE)).as_teardown(setups=lock, on_failure_fail_dagrun=True)
    report = PublishReport(outlets=[PUBLISHED], **task(stages.PUBLISH))
    report.as_teardown(on_failure_fail_dagrun=True)

    preflight >> profile >> plan >> explain >> may_begin >> [lock, planned_units]
    lock >> tune >> before >> suspend >> freeze >> record >> units
    units >> objects >> after >> [statistics, inventory, expectations]
    statistics >> proof
    proven = [proof, inventory, expectations]
    [units, statistics] >> restore
    [restore, *proven] >> release >> report
    proven >> may_publish >> release
