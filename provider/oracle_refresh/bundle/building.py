"""The DAG of a refresh: that of one definition, by its section `dag:`, and the one with the form."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

from airflow.sdk import DAG, Param
from airflow.sdk.definitions.param import ParamsDict
from pydantic import ValidationError

from oracle_refresh.bundle.masking_tasks import ABOUT as ABOUT_MASKING
from oracle_refresh.bundle.masking_tasks import masking_tasks
from oracle_refresh.bundle.scheduling import schedule
from oracle_refresh.bundle.tasks import ABOUT, refresh_tasks
from oracle_refresh.definition.dag_section import DagSection, Moment
from oracle_refresh.definition.model import RefreshDefinition, TargetDefinition
from oracle_refresh.integration import settings
from oracle_refresh.integration.compat import HAS_APPROVALS, unsupported
from oracle_refresh.integration.forms import COPYING, masking_params, own_params, refresh_params
from oracle_refresh.integration.retries import OracleRetryPolicy
from oracle_refresh.notifications.context import refresh_context
from oracle_refresh.notifications.settled import deadline, notifiers

#: The DAGs with a form, which refresh, or mask, by any definition.
BY_FORM, MASK_BY_FORM = "test_data_refresh", "mask_database"
#: The ids of the DAGs in `dags/` besides those of definitions. A second DAG of one of these, in another file,
#: would take turns with it.
BUNDLED = frozenset(
    {
        BY_FORM,
        MASK_BY_FORM,
        "cdc_tuning",
        "datapump_calibration",
        "dbfs_calibration",
        "masking_benchmark",
        "slob_data_load",
    }
)
#: The page lists DAGs with both as refreshes.
TAGS = ("oracle", "refresh")
FORM = "{{ params | tojson }}"


@dataclass(frozen=True)
class Work:
    """What a DAG does.

    :ivar described: of the DAG of a definition, with its {name}.
    :ivar left_out: fields of the form that have no meaning for it.
    """

    noun: str
    described: str
    about: str
    tasks: Callable[[Mapping[str, str]], None]
    left_out: frozenset[str] = frozenset()


REFRESHING = Work(
    "refresh", "Make the target of {name} a masked copy of its source at one SCN", ABOUT, refresh_tasks
)
MASKING = Work("masking", "Mask the database of {name} where it is", ABOUT_MASKING, masking_tasks, COPYING)


def refresh_by_form(name: str = BY_FORM) -> DAG:
    """Make the DAG whose form says what is refreshed; `[oracle_refresh] schedule` says when besides.

    :param name: its id. Airflow lets no two runs of one DAG go on at the same time: another one may refresh
        another target meanwhile.
    :raises ValueError: if the schedule is none that `dag.schedule` of a definition would take.
    """
    described = "Make the target database a masked copy of the source at one SCN"
    try:
        section = DagSection(schedule=settings.schedule())
    except ValidationError as error:
        raise ValueError(f"[oracle_refresh] schedule: {error.errors()[0]['msg']}") from error
    return _by_form(name, REFRESHING, described, schedule(section, name), refresh_params())


def masking_by_form() -> DAG:
    """Make the DAG `mask_database`: its form says which clone is masked."""
    return _by_form(MASK_BY_FORM, MASKING, "Mask a clone where it is", None, masking_params())


def _by_form(name: str, work: Work, described: str, schedule: Any, params: dict[str, Param]) -> DAG:
    dag = _empty(
        name,
        DagSection(description=described),
        doc_md=work.about,
        schedule=schedule,
        params=params,
        default_args={"definition": "{{ params.definition }}", "form": FORM},
    )
    fill(dag, DagSection(), work)
    return dag


def work_of(definition: TargetDefinition) -> Work:
    """What the DAG of a definition does."""
    return REFRESHING if isinstance(definition, RefreshDefinition) else MASKING


def dag_id(definition: TargetDefinition) -> str:
    """The id of the DAG of a definition."""
    return (definition.dag and definition.dag.id) or definition.name


def empty_dag(definition: TargetDefinition, section: DagSection, path: Path) -> DAG:
    """The DAG of a definition without its tasks; Airflow does not know of it yet.

    :param path: of the definition's file, absolute: its tasks read it.
    :raises ValueError: if Airflow cannot take something of its section, naming the field.
    """
    name, own_id = definition.name, dag_id(definition)
    if own_id in BUNDLED:
        raise ValueError(f"dag.id: {own_id} is another DAG of this provider's; name another id")
    if section.approvals and not HAS_APPROVALS:
        raise ValueError(unsupported("dag.approvals", "3.1"))
    work = work_of(definition)
    demanded = {f"approve_{moment}" for moment in section.approvals}
    reason = section.reason or f"Regular {work.noun} by the definition {name}"
    owner = {"owner": section.owner} if section.owner else {}
    described = section.description or work.described.format(name=name)
    dag = _empty(
        own_id,
        section.model_copy(update={"description": described}),
        doc_md=f"The {work.noun} by the definition **{name}**.\n\n{work.about}",
        schedule=schedule(section, own_id),
        params=own_params(name, {*demanded, *work.left_out}, reason),
        default_args={"definition": str(path), "form": _form(section.approvals), **owner},
    )
    if section.deadline_minutes and getattr(dag, "deadline", None) is None:
        raise ValueError(
            "dag.deadline_minutes: nobody would be told: name dag.notify_conn_id,"
            " or [oracle_refresh] notify_conn_id"
        )
    # Airflow would do it later, and complain of all DAGs of the file.
    dag.validate()  # type: ignore[no-untyped-call]
    return dag


def fill(dag: DAG, section: DagSection, work: Work) -> None:
    """Make the tasks, and register the DAG with the file that Airflow is reading.

    Airflow copies the form of a DAG into every task that is made in it, and checks the schema of each field
    again and again as it serializes the task: nine tenths of what a parse would take, and of the size of the
    serialized DAG. A run lays the form of the DAG over that of the task (`process_params` of the Task SDK),
    so tasks need none.
    """
    pools = {"source": settings.source_pool(), "target": settings.target_pool()}
    form, dag.params = dag.params, ParamsDict()
    with dag:
        work.tasks(pools | section.pools.model_dump(exclude_none=True))
    dag.params = form


def _empty(name: str, section: DagSection, *, default_args: dict[str, Any], **others: Any) -> DAG:
    told: list[Any] = [*notifiers(section.notify_conn_id)]
    if late := deadline(section.notify_conn_id, section.deadline_minutes):
        others["deadline"] = late  # Airflow 3.1
    return DAG(
        name,
        description=section.description,
        catchup=False,
        max_active_runs=1,
        tags=[*TAGS, *section.tags],
        render_template_as_native_obj=False,
        user_defined_macros={"refresh_context": refresh_context},
        on_success_callback=told,
        on_failure_callback=told,
        default_args={
            "weight_rule": "absolute",
            "retries": 3,
            "retry_delay": timedelta(seconds=5),
            "retry_policy": OracleRetryPolicy(),
            **default_args,
        },
        **others,
    )


def _form(approvals: Sequence[Moment]) -> str:
    """The form as tasks are given it. A dry run ends before there is anything to approve."""
    if not approvals:
        return FORM
    demanded = ", ".join(f"approve_{moment}=not params.dry_run" for moment in approvals)
    return "{{ dict(params, " + demanded + ") | tojson }}"
