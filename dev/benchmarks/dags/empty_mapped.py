"""32 mapped tasks that do nothing: what Airflow itself costs per mapped task.

One at a time, and before others that wait: so they are spread over the run of another DAG.
"""

from __future__ import annotations

from airflow.sdk import DAG, task

with DAG("benchmark_empty_mapped", schedule=None, catchup=False, max_active_tasks=1):

    @task
    def numbers() -> list[int]:
        return list(range(32))

    @task(priority_weight=100)
    def empty(number: int) -> None:
        """Nothing."""

    empty.expand(number=numbers())
