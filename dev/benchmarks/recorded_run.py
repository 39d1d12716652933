"""A run of many shards as Airflow's database and the run's folder hold it: written without running anything.

Used by the benchmark of the pages and by the tests of what they read. Only the functions import Airflow, so
that the benchmark can set Airflow's home and database first.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from oracle_refresh.integration import run_files

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from oracle_refresh.integration.report_store import ReportStore

BEGAN = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
BUNDLE = "recorded"
#: Loads at work: Airflow's default of `[core] parallelism`.
AT_WORK = 32
#: Tasks with what they need and their operator; those with a dot are mapped over shards or work units.
TASKS: Mapping[str, tuple[tuple[str, ...], str]] = {
    "freeze": ((), "FreezeSource"),
    "plan": (("freeze",), "PlanShards"),
    "units": (("plan",), "ListUnits"),
    "lock_target": (("plan",), "LockTarget"),
    "shard.export": (("plan",), "ExportShard"),
    "shard.stage": (("shard.export",), "StageDump"),
    "shard.load": (("shard.stage", "lock_target"), "LoadShard"),
    "unit.await_loaded": (("units",), "AwaitTable"),
    "unit.verify_copy": (("unit.await_loaded",), "VerifyCopy"),
    "unit.mask": (("unit.verify_copy",), "MaskTable"),
    "unit.verify_masked": (("unit.mask",), "VerifyMasked"),
    "constraints": (("shard.load", "unit.verify_masked"), "EnableConstraints"),
    "drop_dumps": (("constraints",), "DropDumps"),
    "former_tables": (("drop_dumps",), "SettleFormer"),
    "release_target": (("former_tables",), "ReleaseTarget"),
    "publish_report": (("release_target",), "PublishReport"),
}


@dataclass(frozen=True)
class Instance:
    """One task instance of the run; times are seconds after its start."""

    task_id: str
    map_index: int = -1
    item: str | None = None
    state: str | None = None
    start: float | None = None
    end: float | None = None
    number: int = 1
    returned: Any = None
    progress: Mapping[str, Any] | None = None
    errors: tuple[Mapping[str, Any], ...] = ()


def register_dag(session: Session, dag_id: str, tags: Iterable[str] = ("oracle", "refresh")) -> None:
    """Make a DAG with these tasks known to Airflow, as its DAG processor does."""
    from airflow.models.dagbundle import DagBundleModel
    from airflow.models.serialized_dag import SerializedDagModel
    from airflow.providers.standard.operators.empty import EmptyOperator
    from airflow.sdk import DAG, task_group
    from airflow.serialization.serialized_objects import LazyDeserializedDAG

    try:
        from airflow.serialization.definitions.dag import SerializedDAG
    except ImportError:  # Airflow 3.2
        from airflow.serialization.serialized_objects import SerializedDAG

    if session.get(DagBundleModel, BUNDLE) is None:
        session.add(DagBundleModel(name=BUNDLE))
        session.flush()
    with DAG(dag_id, schedule=None, tags=list(tags), params={"definition": "demo"}) as dag:
        made: dict[str, Any] = {}

        def add(group: str) -> None:
            for name in (name for name in TASKS if name.rpartition(".")[0] == group):
                made[name] = EmptyOperator(task_id=name.rpartition(".")[2])

        add("")

        @task_group(group_id="shard")
        def shard(job: str) -> None:
            add("shard")

        @task_group(group_id="unit")
        def unit(unit: str) -> None:
            add("unit")

        shard.expand(job=["S001"])
        unit.expand(unit=["U001: APP.T"])
        for name, (needed, _) in TASKS.items():
            for one in needed:
                made[one] >> made[name]
    lazy = LazyDeserializedDAG.from_dag(dag)
    SerializedDAG.bulk_write_to_db(BUNDLE, None, [lazy], session=session)
    SerializedDagModel.write_dag(lazy, BUNDLE, session=session)
    session.flush()


def record(
    session: Session,
    reports: ReportStore,
    dag_id: str,
    run_id: str,
    instances: Iterable[Instance],
    *,
    state: str = "running",
    former: Iterable[Instance] = (),
    seconds: float | None = None,
    summary: Mapping[str, Any] | None = None,
    began: datetime = BEGAN,
    conf: Mapping[str, Any] | None = None,
) -> None:
    """Write a run: its task instances with their attempts and progress to Airflow's database, and what its
    tasks leave to the run's folder."""
    from airflow.models.dagrun import DagRun
    from airflow.models.serialized_dag import SerializedDagModel
    from airflow.models.taskinstance import TaskInstance
    from airflow.models.taskinstancehistory import TaskInstanceHistory
    from airflow.utils.types import DagRunTriggeredByType, DagRunType
    from sqlalchemy import insert, select

    from oracle_refresh.integration.compat import HAS_TASK_STATE

    version = session.scalar(
        select(SerializedDagModel.dag_version_id).where(SerializedDagModel.dag_id == dag_id).limit(1)
    )
    run = DagRun(
        dag_id=dag_id,
        run_id=run_id,
        run_type=DagRunType.MANUAL,
        run_after=began,
        start_date=began,
        state=state,
        conf=dict({"definition": "demo"} if conf is None else conf),
        triggered_by=DagRunTriggeredByType.TEST,
        triggering_user_name="somebody",
    )
    run.end_date = None if seconds is None else began + timedelta(seconds=seconds)
    run.created_dag_version_id = version
    session.add(run)
    session.flush()

    def row(one: Instance) -> dict[str, Any]:
        start, end = (None if at is None else began + timedelta(seconds=at) for at in (one.start, one.end))
        return {
            "task_id": one.task_id, "dag_id": dag_id, "run_id": run_id, "map_index": one.map_index,
            "pool": "default_pool", "pool_slots": 1, "queue": "default", "priority_weight": 1,
            "task_display_name": one.task_id,
            "operator": TASKS[one.task_id][1], "state": one.state, "try_number": one.number, "max_tries": 3,
            "queued_dttm": start, "start_date": start, "end_date": end, "rendered_map_index": one.item,
            "duration": (end - start).total_seconds() if start and end else None,
            "dag_version_id": version, "executor_config": {},
        }  # fmt: skip

    present, before = list(instances), list(former)
    kind = TaskInstance.__table__.c.id.type.python_type  # a text in Airflow 3.1
    session.execute(
        insert(TaskInstance.__table__),
        [{**row(one), "id": kind(str(uuid.uuid4())), "updated_at": began} for one in present],
    )
    if before:
        old = [{**row(one), "task_instance_id": kind(str(uuid.uuid4()))} for one in before]
        session.execute(insert(TaskInstanceHistory.__table__), old)
    of_run = {"dag_run_id": run.id, "dag_id": dag_id, "run_id": run_id}

    reports.write(run_id, _left(present, summary, began), dag_id)
    states = [
        {**of_run, "task_id": one.task_id, "map_index": one.map_index, "key": key, "value": json.dumps(value)}
        for one in present
        for key, value in (("progress", one.progress),)
        if value
    ]
    if states and HAS_TASK_STATE:
        from airflow.models.task_state_store import TaskStateStoreModel

        session.execute(insert(TaskStateStoreModel.__table__), states)
    session.flush()


def _left(
    present: Iterable[Instance], summary: Mapping[str, Any] | None, began: datetime
) -> dict[str, str | bytes]:
    """The files that the run's tasks leave (`integration.run_files`)."""
    upstream = {task: list(needed) for task, (needed, _) in TASKS.items()}
    dag = {"definition": "demo", "upstream": upstream, "mapped": [task for task in TASKS if "." in task]}
    files: dict[str, Any] = {run_files.DAG: dag}
    stages: dict[str, dict[str, float]] = {}
    for one in present:
        about = {"task": one.task_id, "map_index": one.map_index, "operator": TASKS[one.task_id][1]}
        if one.returned is not None:
            name = run_files.result_name(one.task_id, one.map_index, one.number)
            files[name] = {**about, "seconds": 1.0, "returned": one.returned}
        for number, error in enumerate(one.errors):
            note = {**about, "item": one.item, "began": None, "at": began.isoformat(), "run_began": None}
            files[f"{run_files.TRIES}/{one.task_id}.{one.map_index}.{number}.json"] = {
                **note, **error, "number": error["try"],
            }  # fmt: skip
        if one.state == "success" and one.start is not None and one.end is not None:
            time = stages.setdefault(one.task_id, {"count": 0, "busy": 0.0})
            time["count"], time["busy"] = time["count"] + 1, time["busy"] + one.end - one.start
    if summary is not None:
        files[run_files.SUMMARY] = {"summary": dict(summary), "stages": stages}
    return {name: json.dumps(document) for name, document in files.items()}


def many_shards(shards: int, tables: int) -> tuple[list[Instance], dict[str, Any]]:
    """A run in its middle, and its plan: four in five shards are loaded, some failed once, tables follow, a
    work unit each.

    :returns: the instances, and the plan as `Plan.to_json` gives the parts of it that the page reads.
    """
    jobs = [f"S{number:04}" for number in range(shards)]
    names = [f"APP.T{number:03}" for number in range(tables)]
    units = [f"U{number:03}: {name}" for number, name in enumerate(names, 1)]
    of_table = {job: names[number % tables] for number, job in enumerate(jobs)}
    found = [
        Instance("freeze", -1, None, "success", 0, 1, returned={"scn": 4711}),
        Instance("plan", -1, None, "success", 1, 4, returned=jobs),
        Instance("units", -1, None, "success", 4, 5, returned=units),
        Instance("lock_target", -1, None, "success", 4, 5, returned={"locked": ["APP"]}),
    ]
    for number, job in enumerate(jobs):
        begin, loaded = 5 + number * 0.5, number < shards * 4 // 5
        loads = ("success", begin + 5, begin + 7, 1, {"rows": 10}) if loaded else (None,)
        if shards * 4 // 5 <= number < shards * 4 // 5 + AT_WORK:
            loads = ("running", begin + 5)
        size = 1_000_000 * (number % 17 + 1)
        dump = {"job_id": job, "files": [{"name": f"{job}.dmp", "bytes": size, "sha256": "0" * 64}]}
        found += [
            Instance("shard.export", number, job, "success", begin, begin + 2, 1 + (number % 50 == 0), dump,
                     {"percent": 100.0}),
            Instance("shard.stage", number, job, "success", begin + 3, begin + 4, 1,
                     {"files": 1, "bytes": size, "seconds": 1.0}, {"percent": 100.0}),
            Instance("shard.load", number, job, *loads),
        ]  # fmt: skip
    for number, name in enumerate(names):
        owner, table = name.split(".")
        check = {
            "owner": owner, "name": table, "verdict": "equal", "rows_source": 10, "rows_target": 10,
            "lobs": [], "checksum_source": "a", "checksum_target": "a", "differences": [], "masked": [],
        }  # fmt: skip
        found += [
            Instance("unit.await_loaded", number, units[number], "success", 5, 90),
            Instance("unit.verify_copy", number, units[number], "success", 90, 95, 1, {name: check}),
            Instance("unit.mask", number, units[number], "running", 95),
            Instance("unit.verify_masked", number, None),
        ]
    found += [Instance(task) for task in ("constraints", "release_target", "publish_report")]
    plan = {
        "refresh": "demo",
        "degree": 16,
        "jobs": [
            {
                "id": job,
                "estimate_bytes": 1_000_000,
                "tables": [of_table[job].split(".")],
                "predicate": "x" * 300,
            }
            for job in jobs
        ],
        "tables": [
            {"owner": name.split(".")[0], "name": name.split(".")[1], "bytes": 1_000_000, "lob_bytes": 0}
            for name in names
        ],
        "units": [
            {"id": unit[:4], "tables": [name.split(".")]} for unit, name in zip(units, names, strict=True)
        ],
    }
    return found, plan
