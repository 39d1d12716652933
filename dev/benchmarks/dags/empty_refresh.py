"""The tasks of a refresh, in its order and with its priorities, but with nothing to do: Airflow alone."""

from __future__ import annotations

from typing import Any

from airflow.providers.standard.operators.python import PythonOperator
from airflow.sdk import DAG, task_group

from oracle_refresh.plan.stages import NEEDS, PLAN, SHARD, STAGES, UNIT, UNITS, Group, Stage

LISTS = {PLAN: "jobs", UNITS: "units"}


def listed(items: str = "", params: Any = None, **_: Any) -> list[int] | None:
    """What is mapped over, of the stages that say so; nothing of all others."""
    return list(range(params[items])) if items else None


with DAG("benchmark_empty_refresh", schedule=None, catchup=False, params={"jobs": 1, "units": 1}):
    tasks: dict[Stage, Any] = {}

    def add(group: Group | None, **arguments: Any) -> None:
        for stage in STAGES:
            if stage.group is group:
                tasks[stage] = PythonOperator(
                    task_id=stage.task,
                    python_callable=listed,
                    op_kwargs=arguments or {"items": LISTS.get(stage, "")},
                    priority_weight=stage.priority,
                    weight_rule="absolute",
                )

    @task_group(group_id=SHARD.name)
    def shards(number: int) -> None:
        add(SHARD, number=number)

    @task_group(group_id=UNIT.name)
    def units(number: int) -> None:
        add(UNIT, number=number)

    add(None)
    shards.expand(number=tasks[PLAN].output)
    units.expand(number=tasks[UNITS].output)
    for stage, needs in NEEDS.items():
        for need in needs:
            tasks[need] >> tasks[stage]
