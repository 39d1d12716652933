"""32 mapped tasks that do nothing: what Airflow itself costs per mapped task."""

from __future__ import annotations

from airflow.sdk import DAG, task

with DAG("benchmark_empty_mapped", schedule=None, catchup=False):

    @task
    def numbers() -> list[int]:
        return list(range(32))

    @task
    def empty(number: int) -> None:
        """Nothing."""

    empty.expand(number=numbers())
