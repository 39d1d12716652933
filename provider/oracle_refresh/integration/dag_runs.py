"""Whether Airflow has a run at work."""

from __future__ import annotations


def at_work(dag_id: str, run_id: str) -> bool:
    """Whether tasks of the run are executed, or may be at any moment. Of a run that this Airflow does not
    have none are. One that is queued waits for others of its DAG, maybe for who asks: it does not count.

    To be asked in a task or in a trigger.
    """
    from airflow.sdk.execution_time.task_runner import RuntimeTaskInstance

    return RuntimeTaskInstance.get_dr_count(dag_id=dag_id, run_ids=[run_id], states=["running"]) > 0
