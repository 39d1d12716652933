"""Starts refreshes when the source has closed a month.

A run on the first of a month waits until the source lists the previous month as closed. Its event of the
asset `month_closed` then starts each DAG that is scheduled on this asset, such as the DAG of a definition
with `dag: {assets: [month_closed]}`.
"""

from __future__ import annotations

from datetime import timedelta

from airflow.sdk import DAG, Asset

from oracle_refresh.sensors.source import SourceConditionSensor

#: The month before that of the run.
PERIOD = "{{ (dag_run.run_after.replace(day=1) - macros.timedelta(days=1)).strftime('%Y-%m') }}"

with DAG(
    "example_month_closed",
    description="Announce each closed month once",
    doc_md=__doc__,
    schedule="0 6 1 * *",
    catchup=False,
    max_active_runs=1,
    tags=["oracle", "example"],
):
    SourceConditionSensor(
        task_id="await_closing",
        conn_id="oracle_source",
        sql=f"SELECT COUNT(*) FROM FINANCE.CLOSED_PERIODS WHERE PERIOD = '{PERIOD}'",
        period=PERIOD,
        asset=Asset("month_closed"),
        timeout=timedelta(days=21),
    )
