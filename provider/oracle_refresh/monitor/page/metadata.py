"""Reads a run from Airflow's metadata database: a fixed number of queries, however many tasks it has.

Airflow promises its REST API to plugins, not its tables. One page of a thousand shards would take a hundred
requests there, so the tables are read: in this module only, columns by name, held by tests on a real run.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from sqlalchemy import func, select

from oracle_refresh.monitor.comparison import Former, StageTime
from oracle_refresh.monitor.records import Key, Run, Shape, Try, not_begun_again
from oracle_refresh.report import summary
from oracle_refresh.run import failures

if TYPE_CHECKING:
    from airflow.models.dagbag import DBDagBag
    from airflow.models.dagrun import DagRun
    from sqlalchemy.orm import Session

#: What OracleRetryPolicy and TaskProgress write to a task's state store.
ERRORS, PROGRESS = failures.KEY, "progress"
RETURNED = "return_value"
#: Former runs among which those of the same definition are looked for.
LOOKED_THROUGH = 100
#: A DAG with both tags is listed as a refresh.
TAGS = ("oracle", "refresh")


def read_run(session: Session, dags: DBDagBag, dag_id: str, run_id: str) -> Run | None:
    """The run with everything that its page shows, or None where there is no such run."""
    dag_run = _dag_run(session, dag_id, run_id)
    if dag_run is None:
        return None
    # In this order: what ends or begins anew between two queries is there twice rather than not at all, and
    # `not_begun_again` knows it. Read the other way round, a try that fails meanwhile would be nowhere.
    tries = _tries(session, dag_id, run_id)
    former = _former_tries(session, dag_id, run_id)
    states = _states(session, dag_id, run_id)
    form = dag_run.conf if isinstance(dag_run.conf, dict) else {}
    return Run(
        dag_id=dag_id,
        run_id=run_id,
        state=str(dag_run.state),
        started=dag_run.start_date,
        ended=dag_run.end_date,
        now=datetime.now(UTC),
        conf={**form, "definition": _definition(session, dags, dag_run)},
        triggered_by=dag_run.triggering_user_name,
        note=dag_run.note,
        shape=_shape(session, dags, dag_run),
        tries=not_begun_again(tries, former),
        former=former,
        results=_returned(session, dag_id, run_id),
        progress=states[PROGRESS],
        errors=states[ERRORS],
        summary=_summaries(session, {(dag_id, run_id)}).get((dag_id, run_id)),
    )


def read_list(session: Session, dags: DBDagBag, dag_ids: set[str], most: int) -> list[dict[str, Any]]:
    """The latest runs of those DAGs that are refreshes, the latest first."""
    from airflow.models.dag import DagTag
    from airflow.models.dagrun import DagRun
    from airflow.models.taskinstance import TaskInstance

    tagged = (
        select(DagTag.dag_id)
        .where(DagTag.name.in_(TAGS), DagTag.dag_id.in_(dag_ids))
        .group_by(DagTag.dag_id)
        .having(func.count() == len(TAGS))
    )
    columns = (DagRun.dag_id, DagRun.run_id, DagRun.state, DagRun.start_date, DagRun.end_date, DagRun.conf,
               DagRun.triggering_user_name, DagRun.created_dag_version_id)  # fmt: skip
    runs = session.execute(
        select(*columns).where(DagRun.dag_id.in_(tagged)).order_by(DagRun.run_after.desc()).limit(most)
    ).all()
    counted = session.execute(
        select(
            TaskInstance.dag_id,
            TaskInstance.run_id,
            TaskInstance.state,
            func.count(),
            func.min(TaskInstance.start_date),
        )
        .where(
            TaskInstance.dag_id.in_({run.dag_id for run in runs}),
            TaskInstance.run_id.in_({run.run_id for run in runs}),
        )
        .group_by(TaskInstance.dag_id, TaskInstance.run_id, TaskInstance.state)
    ).all()
    states: dict[tuple[str, str], dict[str, int]] = {}
    begun: dict[tuple[str, str], list[datetime]] = {}
    for dag_id, run_id, state, count, start in counted:
        states.setdefault((dag_id, run_id), {})[str(state or "waiting")] = count
        begun.setdefault((dag_id, run_id), []).extend([start] if start else [])
    summaries = _summaries(session, {(run.dag_id, run.run_id) for run in runs})
    return [
        {
            "dag_id": run.dag_id,
            "run_id": run.run_id,
            "state": str(run.state),
            "started": run.start_date.isoformat() if run.start_date else None,
            "seconds": _seconds(run.start_date, run.end_date),
            "resumed": _resumed(run.start_date, begun.get((run.dag_id, run.run_id), ())),
            "definition": _definition(session, dags, run),
            "triggered_by": run.triggering_user_name,
            "states": states.get((run.dag_id, run.run_id), {}),
            "summary": summaries.get((run.dag_id, run.run_id)),
        }
        for run in runs
    ]


def read_former(session: Session, dags: DBDagBag, dag_id: str, run_id: str, most: int) -> list[Former]:
    """That run and the latest ones before it that refreshed by the same definition, the latest first."""
    former = _comparable(session, dags, dag_id, run_id)[:most]
    stages = _stage_times(session, dag_id, [run.run_id for run in former])
    summaries = _summaries(session, {(dag_id, run.run_id) for run in former})
    return [
        Former(
            run_id=run.run_id,
            state=str(run.state),
            started=run.start_date,
            seconds=_seconds(run.start_date, run.end_date),
            definition=_definition(session, dags, run),
            stages=stages.get(run.run_id, {}),
            summary=summaries.get((dag_id, run.run_id)),
        )
        for run in former
    ]


def read_last_success(session: Session, dags: DBDagBag, dag_id: str, run_id: str) -> Mapping[str, StageTime]:
    """What each task took in the latest run before that succeeded, of the same definition."""
    before = (
        run.run_id
        for run in _comparable(session, dags, dag_id, run_id)
        if run.run_id != run_id and run.state == "success"
    )
    last = next(before, None)
    return {} if last is None else _stage_times(session, dag_id, [last]).get(last, {})


def _comparable(session: Session, dags: DBDagBag, dag_id: str, run_id: str) -> list[Any]:
    """That run and those before it by the same definition, the latest first, dry runs apart."""
    from airflow.models.dagrun import DagRun

    dag_run = _dag_run(session, dag_id, run_id)
    if dag_run is None:
        return []
    latest = session.execute(
        select(
            DagRun.run_id,
            DagRun.state,
            DagRun.start_date,
            DagRun.end_date,
            DagRun.conf,
            DagRun.created_dag_version_id,
        )
        .where(DagRun.dag_id == dag_id, DagRun.run_after <= dag_run.run_after)
        .order_by(DagRun.run_after.desc())
        .limit(LOOKED_THROUGH)
    )
    wanted = _definition(session, dags, dag_run)
    return [
        run
        for run in latest
        if run.run_id == run_id
        or (_definition(session, dags, run) == wanted and not _of_form(run.conf, "dry_run"))
    ]


def _resumed(started: datetime | None, begun: Sequence[datetime]) -> bool:
    """Whether the run was cleared to go on: Airflow counts its seconds from then."""
    return started is not None and any(moment < started for moment in begun)


def _definition(session: Session, dags: DBDagBag, run: Any) -> Any:
    """What a run refreshes by: as its form says, or, where nobody filled one in, what stands there by itself.
    None where that is not known any more."""
    named = _of_form(run.conf, "definition")
    if named is not None or run.created_dag_version_id is None:
        return named
    dag = dags.get_dag(run.created_dag_version_id, session)
    return dag.params.get("definition") if dag is not None else None


def _of_form(conf: Any, name: str) -> Any:
    """A field of the trigger form, None where the run was not triggered with it."""
    return conf.get(name) if isinstance(conf, dict) else None


def _stage_times(session: Session, dag_id: str, run_ids: Sequence[str]) -> dict[str, dict[str, StageTime]]:
    """By run and task."""
    from airflow.models.taskinstance import TaskInstance

    times = session.execute(
        select(
            TaskInstance.run_id,
            TaskInstance.task_id,
            func.count(),
            func.sum(TaskInstance.duration),
            func.min(TaskInstance.start_date),
            func.max(TaskInstance.end_date),
        )
        .where(
            TaskInstance.dag_id == dag_id,
            TaskInstance.run_id.in_(run_ids),
            TaskInstance.state == "success",
        )
        .group_by(TaskInstance.run_id, TaskInstance.task_id)
    ).all()
    stages: dict[str, dict[str, StageTime]] = {}
    for run, task, count, busy, start, end in times:
        stages.setdefault(run, {})[task] = StageTime(
            count, round(float(busy or 0.0), 2), _seconds(start, end) or 0.0
        )
    return stages


def _dag_run(session: Session, dag_id: str, run_id: str) -> DagRun | None:
    from airflow.models.dagrun import DagRun

    return session.scalar(select(DagRun).where(DagRun.dag_id == dag_id, DagRun.run_id == run_id))


def _shape(session: Session, dags: DBDagBag, run: DagRun) -> Shape:
    dag = dags.get_dag_for_run(run, session=session)
    if dag is None:
        return Shape((), {})
    mapped = [task.task_id for task in dag.tasks if task.is_mapped or task.get_closest_mapped_task_group()]
    return Shape.of({task.task_id: sorted(task.upstream_task_ids) for task in dag.tasks}, mapped)


def _tries(session: Session, dag_id: str, run_id: str) -> tuple[Try, ...]:
    from airflow.models.taskinstance import TaskInstance

    return _select_tries(session, TaskInstance, TaskInstance._rendered_map_index, dag_id, run_id)


def _former_tries(session: Session, dag_id: str, run_id: str) -> tuple[Try, ...]:
    from airflow.models.taskinstancehistory import TaskInstanceHistory

    return _select_tries(session, TaskInstanceHistory, TaskInstanceHistory.rendered_map_index, dag_id, run_id)


def _select_tries(session: Session, model: Any, rendered: Any, dag_id: str, run_id: str) -> tuple[Try, ...]:
    query = select(
        model.task_id, model.map_index, rendered, model.operator, model.state, model.try_number,
        model.queued_dttm, model.start_date, model.end_date, model.retry_reason,
    ).where(model.dag_id == dag_id, model.run_id == run_id)  # fmt: skip
    return tuple(
        Try(task, index, item, operator or "", state and str(state), number, queued, start, end, reason)
        for task, index, item, operator, state, number, queued, start, end, reason in session.execute(
            query.order_by(model.task_id, model.map_index, model.try_number)
        )
    )


def _returned(session: Session, dag_id: str, run_id: str) -> Mapping[Key, Any]:
    from airflow.models.xcom import XComModel

    query = select(XComModel.task_id, XComModel.map_index, XComModel.value).where(
        XComModel.dag_id == dag_id, XComModel.run_id == run_id, XComModel.key == RETURNED
    )
    return {(task, index): _value(value) for task, index, value in session.execute(query)}


def _states(session: Session, dag_id: str, run_id: str) -> dict[str, dict[Key, Any]]:
    from airflow.models.task_state_store import TaskStateStoreModel as Store

    query = select(Store.task_id, Store.map_index, Store.key, Store.value).where(
        Store.dag_id == dag_id, Store.run_id == run_id, Store.key.in_((PROGRESS, ERRORS))
    )
    states: dict[str, dict[Key, Any]] = {PROGRESS: {}, ERRORS: {}}
    for task, index, key, value in session.execute(query):
        states[key][task, index] = _value(value)
    return states


def _summaries(session: Session, runs: set[tuple[str, str]]) -> dict[tuple[str, str], Any]:
    """What `PublishReport` has pushed of each run."""
    from airflow.models.xcom import XComModel

    query = select(XComModel.dag_id, XComModel.run_id, XComModel.value).where(
        XComModel.dag_id.in_({dag for dag, _ in runs}),
        XComModel.run_id.in_({run for _, run in runs}),
        XComModel.key == summary.KEY,
    )
    return {(dag, run): _value(value) for dag, run, value in session.execute(query)}


def _value(stored: Any) -> Any:
    """A stored value as JSON primitives: columns of text hold JSON, columns of JSON hold it decoded."""
    if not isinstance(stored, str):
        return stored
    try:
        return json.loads(stored)
    except ValueError:
        return stored


def _seconds(start: datetime | None, end: datetime | None) -> float | None:
    return round((end - start).total_seconds(), 2) if start and end else None
