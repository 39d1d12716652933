"""The stages of a refresh, in their order, as values: what each is called, what it does, and what of.

The DAG takes its tasks' names, pools, priorities and notes from here, `explain` the order of the work; the
page, the report and first contact find by a stage's operator which task it is, also in DAGs that name theirs
otherwise. Pure.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Literal

#: Priorities: no task stands in the way of one that is more urgent. What all shards wait for goes first, then
#: the shards: tables wait for them. Then copies are compared, as undo keeps the SCN only for a while; then
#: tables are masked, which takes longest. What follows fills the slots that they leave. Of equals Airflow
#: takes the lower map index, which is the larger job or unit.
GATE, SHARD_PRIORITY, COPY_PRIORITY, MASK_PRIORITY, INDEX_PRIORITY, LAST = 6, 5, 4, 3, 2, 1


@dataclass(frozen=True)
class Group:
    """Stages that every item of a list goes through by itself."""

    name: str
    does: str
    items: str


@dataclass(frozen=True)
class Stage:
    """One stage.

    :ivar task: its task id in the DAG, within its group.
    :ivar operator: the class of its task.
    :ivar does: in a sentence without a full stop.
    :ivar session: at whose end it works; None where Airflow alone is asked.
    :ivar role: a teardown runs whatever has failed or was cancelled, once its setup, if it has one, has run.
    :ivar waits: for other tasks or for a person: its seconds say nothing about speed.
    :ivar follows: it fails because others have, where it leaves no code of its own.
    :ivar each: it is mapped over the items of this group, but does not stand in it: whatever comes after it
        waits for all of them.
    """

    task: str
    operator: str
    does: str
    session: Literal["source", "target"] | None = None
    priority: int = LAST
    group: Group | None = None
    role: Literal["work", "setup", "teardown"] = "work"
    waits: bool = False
    follows: bool = False
    each: Group | None = None

    @property
    def id(self) -> str:
        """The whole task id."""
        return f"{self.group.name}.{self.task}" if self.group else self.task

    @property
    def items(self) -> Group | None:
        """The group whose items it is mapped over."""
        return self.group or self.each


@dataclass(frozen=True)
class Flow:
    """The stages of one kind of run in their order, and what each waits for, as the edges of its DAG say it:
    within a group the stage of the same item, of another group the stage of all its items."""

    stages: tuple[Stage, ...]
    needs: Mapping[Stage, tuple[Stage, ...]]


SHARD = Group(
    "shard",
    "One shard or bulk job on its way: export -> stage -> load, independent of all others",
    "shards and bulk jobs",
)
UNIT = Group(
    "unit", "The tables of one work unit from their last loaded shard to proven masked", "work units"
)

PREFLIGHT = Stage("preflight", "CheckPreflight", "Refuses what cannot or must not run", priority=GATE)
PROFILE = Stage("profile", "ProfileSource", "Finds sensitive columns and what covers them", "source", GATE)
FREEZE = Stage("freeze", "FreezeSource", "Takes the SCN that everything is read as of", "source", GATE)
PLAN = Stage("plan", "PlanShards", "Cuts the work into jobs and work units", "source", GATE)
EXPLAIN = Stage("explain", "ExplainPlan", "Says what the run is going to do; a dry run ends here", None, GATE)
APPROVE_TARGET = Stage(
    *("approve_target", "ApproveRefresh", "Waits for a person before the target is touched", None, GATE),
    waits=True,
)
UNITS = Stage("units", "ListUnits", "Lists the work units", "target", GATE)
LOCK = Stage(
    *("lock_target", "LockTarget", "Locks the application accounts of the target", "target", GATE),
    role="setup",
)
PREPARE_STAGE = Stage(
    *("prepare_stage", "PrepareStage", "Makes the place of the dump files on the target", "target", GATE),
    role="setup",
)
TUNE = Stage(
    *("tune_target", "TuneTarget", "Sets the instance up by the tuning profile", "target", GATE), role="setup"
)
BUILD_TABLES = Stage("build_tables", "BuildTables", "Builds or empties the tables", "target", GATE)
SCRIPTS_BEFORE = Stage(
    "scripts_before", "RunScripts", "Runs the scripts that come before rows are loaded", "target", GATE
)
EXPORT = Stage(
    "export", "ExportShard", "Unloads a job's rows into dump files", "source", SHARD_PRIORITY, SHARD
)
STAGE = Stage("stage", "StageDump", "Brings its dump files to the target", "target", SHARD_PRIORITY, SHARD)
LOAD = Stage("load", "LoadShard", "Loads its rows exactly once", "target", SHARD_PRIORITY, SHARD)
AWAIT = Stage(
    *("await_loaded", "AwaitTable", "Waits until the last shard of its tables is loaded"),
    priority=COPY_PRIORITY,
    group=UNIT,
    waits=True,
    follows=True,
)
VERIFY_COPY = Stage(
    "verify_copy",
    "VerifyCopy",
    "Compares its tables with the source",
    "target",
    COPY_PRIORITY,
    UNIT,
)
MASK = Stage("mask", "MaskTable", "Masks its tables exactly once", "target", MASK_PRIORITY, UNIT)
BUILD_INDEXES = Stage("build_indexes", "BuildIndexes", "Builds the indexes", "target", INDEX_PRIORITY, UNIT)
VERIFY_MASKED = Stage(
    "verify_masked",
    "VerifyMasked",
    "Holds every masked row against what its rules promise",
    "target",
    group=UNIT,
)
READ_COUNTERS = Stage(
    "read_counters", "ReadCounters", "Reads what the loads have cost the instance", "target"
)
CONSTRAINTS = Stage("constraints", "EnableConstraints", "Enables constraints and triggers", "target")
SCRIPTS_AFTER = Stage(
    "scripts_after", "RunScripts", "Runs the scripts that come when all is masked and constrained", "target"
)
STATISTICS = Stage("statistics", "GatherStatistics", "Gathers the optimizer's statistics", "target")
PROVE = Stage("prove_masking", "ProveMasking", "Looks at the masked target as a whole", "target")
INVENTORY = Stage("inventory", "CompareInventory", "Compares all objects of both ends", "target")
EXPECTATIONS = Stage("expectations", "ValidateExpectations", "Validates Great Expectations suites", "target")
APPROVE_PUBLISH = Stage(
    "approve_publish", "ApproveRefresh", "Waits for a person before the accounts are opened", waits=True
)
DROP_DUMPS = Stage(
    *("drop_dumps", "DropDumps", "Drops the dump files, which hold originals", "target"), role="teardown"
)
RESTORE = Stage(
    *("restore_target", "RestoreTarget", "Brings the instance's former state back", "target"), role="teardown"
)
FORMER = Stage(
    *("former_tables", "SettleFormer", "Drops the former tables if everything is proven, or puts them back"),
    session="target",
    role="teardown",
)
RELEASE = Stage(
    *("release_target", "ReleaseTarget", "Opens the accounts if everything is proven", "target"),
    role="teardown",
    follows=True,
)
PUBLISH = Stage("publish_report", "PublishReport", "Writes the report", role="teardown", follows=True)

STAGES = (
    *(PREFLIGHT, PROFILE, FREEZE, PLAN, EXPLAIN, APPROVE_TARGET),
    *(LOCK, PREPARE_STAGE, TUNE, BUILD_TABLES, SCRIPTS_BEFORE),
    *(EXPORT, STAGE, LOAD, READ_COUNTERS),
    *(UNITS, AWAIT, VERIFY_COPY, MASK, BUILD_INDEXES, VERIFY_MASKED),
    *(CONSTRAINTS, SCRIPTS_AFTER, STATISTICS, PROVE, INVENTORY, EXPECTATIONS),
    *(RESTORE, DROP_DUMPS, APPROVE_PUBLISH, FORMER, RELEASE, PUBLISH),
)
#: Of a clone that is masked where it is. All tables are recorded before one is masked: which parent a child
#: has nobody can read as of the SCN any more once flashback queries do not reach behind its masking.
CHECK_CLONE = Stage("preflight", "CheckClone", "Refuses what cannot or must not be masked", "target", GATE)
PROFILE_CLONE = replace(PROFILE, session="target")
PLAN_MASKING = Stage("plan", "PlanMasking", "Lists what is masked, and its work units", "target", GATE)
SUSPEND = Stage(
    *("suspend", "SuspendObjects", "Disables triggers and constraints, drops indexes, that are in the way"),
    session="target",
    priority=GATE,
)
FREEZE_CLONE = replace(FREEZE, does="Takes the SCN that everything is proven by", session="target")
RECORD = Stage(
    *("record", "VerifyCopy", "Records what rows were before the masking", "target", COPY_PRIORITY),
    each=UNIT,
)
RESTORE_OBJECTS = Stage(
    *("restore_objects", "RestoreObjects", "Enables and validates constraints, enables triggers", "target"),
)
MASKING_STAGES = (
    *(CHECK_CLONE, PROFILE_CLONE, PLAN_MASKING, EXPLAIN, APPROVE_TARGET, LOCK, TUNE, SCRIPTS_BEFORE),
    *(SUSPEND, FREEZE_CLONE, UNITS, RECORD, MASK, BUILD_INDEXES, VERIFY_MASKED),
    *(RESTORE_OBJECTS, SCRIPTS_AFTER, STATISTICS, PROVE, INVENTORY, EXPECTATIONS),
    *(RESTORE, APPROVE_PUBLISH, RELEASE, PUBLISH),
)
#: That a unit waits for the loads of its tables no edge can say.
NEEDS: Mapping[Stage, tuple[Stage, ...]] = {
    PREFLIGHT: (),
    PROFILE: (PREFLIGHT,),
    FREEZE: (PROFILE,),
    PLAN: (FREEZE,),
    EXPLAIN: (PLAN,),
    APPROVE_TARGET: (EXPLAIN,),
    LOCK: (APPROVE_TARGET,),
    PREPARE_STAGE: (APPROVE_TARGET,),
    TUNE: (LOCK,),
    BUILD_TABLES: (LOCK, PREPARE_STAGE),
    SCRIPTS_BEFORE: (BUILD_TABLES,),
    EXPORT: (APPROVE_TARGET, PREPARE_STAGE),
    STAGE: (EXPORT,),
    LOAD: (STAGE, SCRIPTS_BEFORE, TUNE),
    READ_COUNTERS: (LOAD,),
    UNITS: (APPROVE_TARGET,),
    AWAIT: (UNITS, SCRIPTS_BEFORE, TUNE),
    VERIFY_COPY: (AWAIT,),
    MASK: (VERIFY_COPY,),
    BUILD_INDEXES: (MASK,),
    VERIFY_MASKED: (BUILD_INDEXES,),
    CONSTRAINTS: (LOAD, VERIFY_MASKED),
    SCRIPTS_AFTER: (CONSTRAINTS,),
    STATISTICS: (SCRIPTS_AFTER,),
    PROVE: (STATISTICS,),
    INVENTORY: (SCRIPTS_AFTER,),
    EXPECTATIONS: (SCRIPTS_AFTER,),
    RESTORE: (LOCK, TUNE, LOAD, VERIFY_MASKED, READ_COUNTERS, STATISTICS),
    DROP_DUMPS: (PREPARE_STAGE, RESTORE, PROVE, INVENTORY, EXPECTATIONS),
    APPROVE_PUBLISH: (PROVE, INVENTORY, EXPECTATIONS),
    FORMER: (LOCK, DROP_DUMPS, APPROVE_PUBLISH),
    RELEASE: (LOCK, FORMER),
    PUBLISH: (RELEASE,),
}
MASKING_NEEDS: Mapping[Stage, tuple[Stage, ...]] = {
    CHECK_CLONE: (),
    PROFILE_CLONE: (CHECK_CLONE,),
    PLAN_MASKING: (PROFILE_CLONE,),
    EXPLAIN: (PLAN_MASKING,),
    APPROVE_TARGET: (EXPLAIN,),
    LOCK: (APPROVE_TARGET,),
    TUNE: (LOCK,),
    SCRIPTS_BEFORE: (TUNE,),
    SUSPEND: (SCRIPTS_BEFORE,),
    FREEZE_CLONE: (SUSPEND,),
    UNITS: (APPROVE_TARGET,),
    RECORD: (FREEZE_CLONE, UNITS),
    MASK: (RECORD,),
    BUILD_INDEXES: (MASK,),
    VERIFY_MASKED: (BUILD_INDEXES,),
    RESTORE_OBJECTS: (VERIFY_MASKED,),
    SCRIPTS_AFTER: (RESTORE_OBJECTS,),
    STATISTICS: (SCRIPTS_AFTER,),
    PROVE: (STATISTICS,),
    INVENTORY: (SCRIPTS_AFTER,),
    EXPECTATIONS: (SCRIPTS_AFTER,),
    RESTORE: (LOCK, TUNE, VERIFY_MASKED, STATISTICS),
    APPROVE_PUBLISH: (PROVE, INVENTORY, EXPECTATIONS),
    RELEASE: (LOCK, RESTORE, PROVE, INVENTORY, EXPECTATIONS, APPROVE_PUBLISH),
    PUBLISH: (RELEASE,),
}
REFRESH = Flow(STAGES, NEEDS)
MASKING = Flow(MASKING_STAGES, MASKING_NEEDS)
#: The operators that move a job's bytes, and the part of its way that they stand for.
LEGS = {stage.operator: stage.task for stage in STAGES if stage.group is SHARD}
WAITING = frozenset(stage.operator for stage in STAGES if stage.waits)
FOLLOWING = frozenset(stage.operator for stage in STAGES if stage.follows)


def in_order(stages: Iterable[Stage]) -> list[str]:
    """The order of the work in lines: what comes before the jobs, what each item goes through, the rest."""
    runs: list[tuple[Group | None, list[str]]] = []
    for stage in stages:
        if not runs or runs[-1][0] is not stage.group:
            runs.append((stage.group, []))
        runs[-1][1].append(stage.task)
    return [f"{f'each of the {group.items}: ' if group else ''}{' -> '.join(tasks)}" for group, tasks in runs]
