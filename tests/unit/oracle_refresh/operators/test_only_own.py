"""Whether anybody but the provider can write to a target between its proof and its expectations."""

from __future__ import annotations

from typing import Any

from airflow.providers.standard.operators.empty import EmptyOperator
from airflow.sdk import DAG, task

from oracle_refresh.operators.masking import MaskTable
from oracle_refresh.operators.validation import ValidateExpectations, only_own


def own(name: str) -> DAG:
    with DAG(name) as dag:
        MaskTable.partial(task_id="mask", definition="demo").expand(unit=["U001"])
        ValidateExpectations(task_id="expectations", definition="demo")
    return dag


def test_the_proof_stands_where_all_tasks_are_the_providers() -> None:
    assert only_own(own("own"))
    assert not only_own(None)


def test_what_others_may_write_is_counted() -> None:
    with own("foreign") as foreign:
        EmptyOperator(task_id="anything")
    assert not only_own(foreign)
    with own("function") as calling:

        @task.refresh_target(definition="demo")
        def write(target: Any = None) -> None:
            """Whatever the user likes."""

        write()
    assert not only_own(calling)
