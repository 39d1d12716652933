"""The DAG of a refresh: that of one definition, by its section `dag:`, and the one with the form."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any

from airflow.sdk import DAG
from airflow.sdk.definitions.param import ParamsDict

from oracle_refresh.bundle.scheduling import schedule
from oracle_refresh.bundle.tasks import ABOUT, refresh_tasks
from oracle_refresh.definition.dag_section import DagSection, Moment
from oracle_refresh.definition.model import RefreshDefinition
from oracle_refresh.integration import settings
from oracle_refresh.integration.forms import own_params, refresh_params
from oracle_refresh.integration.retries import OracleRetryPolicy
from oracle_refresh.notifications.settled import deadline, notifiers

#: The DAG with the form, which refreshes by any definition.
BY_FORM = "test_data_refresh"
#: The ids of the DAGs in `dags/` besides those of definitions. A second DAG of one of these, in another file,
#: would take turns with it.
BUNDLED = frozenset(
    {
        BY_FORM,
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


def refresh_by_form(name: str = BY_FORM) -> DAG:
    """Make the DAG whose form says what is refreshed; `[oracle_refresh] schedule` says when besides.

    :param name: its id. Airflow lets no two runs of one DAG go on at the same time: another one may refresh
        another target meanwhile.
    """
    dag = _empty(
        name,
        DagSection(description="Make the target database a masked copy of the source at one SCN"),
        doc_md=ABOUT,
        schedule=settings.schedule(),
        params=refresh_params(),
        default_args={"definition": "{{ params.definition }}", "form": FORM},
    )
    fill(dag, DagSection())
    return dag


def dag_id(definition: RefreshDefinition) -> str:
    """The id of the DAG of a definition."""
    return (definition.dag and definition.dag.id) or definition.name


def empty_dag(definition: RefreshDefinition, section: DagSection, path: Path) -> DAG:
    """The DAG of a definition without its tasks; Airflow does not know of it yet.

    :param path: of the definition's file, absolute: its tasks read it.
    :raises ValueError: if Airflow cannot take something of its section, naming the field.
    """
    name, own_id = definition.name, dag_id(definition)
    if own_id in BUNDLED:
        raise ValueError(f"dag.id: {own_id} is another DAG of this provider's; name another id")
    demanded = {f"approve_{moment}" for moment in section.approvals}
    reason = section.reason or f"Regular refresh by the definition {name}"
    owner = {"owner": section.owner} if section.owner else {}
    described = section.description or f"Make the target of {name} a masked copy of its source at one SCN"
    dag = _empty(
        own_id,
        section.model_copy(update={"description": described}),
        doc_md=f"Refreshes by the definition **{name}**.\n\n{ABOUT}",
        schedule=schedule(section, own_id),
        params=own_params(name, demanded, reason),
        default_args={"definition": str(path), "form": _form(section.approvals), **owner},
    )
    if section.deadline_minutes and dag.deadline is None:
        raise ValueError(
            "dag.deadline_minutes: nobody would be told: name dag.notify_conn_id,"
            " or [oracle_refresh] notify_conn_id"
        )
    # Airflow would do it later, and complain of all DAGs of the file.
    dag.validate()  # type: ignore[no-untyped-call]
    return dag


def fill(dag: DAG, section: DagSection) -> None:
    """Make the tasks, and register the DAG with the file that Airflow is reading.

    Airflow copies the form of a DAG into every task that is made in it, and checks the schema of each field
    again and again as it serializes the task: nine tenths of what a parse would take, and of the size of the
    serialized DAG. A run lays the form of the DAG over that of the task (`process_params` of the Task SDK),
    so tasks need none.
    """
    pools = {"source": settings.source_pool(), "target": settings.target_pool()}
    form, dag.params = dag.params, ParamsDict()
    with dag:
        refresh_tasks(pools | section.pools.model_dump(exclude_none=True))
    dag.params = form


def _empty(name: str, section: DagSection, *, default_args: dict[str, Any], **others: Any) -> DAG:
    told: list[Any] = [*notifiers(section.notify_conn_id)]
    return DAG(
        name,
        description=section.description,
        catchup=False,
        max_active_runs=1,
        tags=[*TAGS, *section.tags],
        render_template_as_native_obj=False,
        on_success_callback=told,
        on_failure_callback=told,
        deadline=deadline(section.notify_conn_id, section.deadline_minutes),
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
