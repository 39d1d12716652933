"""What holds an apply process back, and, where the form approves it, the settings that change it."""

from __future__ import annotations

from airflow.sdk import DAG, Param

from oracle_refresh.operators.cdc import DiagnoseCapture, TuneCapture

with DAG(
    "example_change_capture",
    description="Diagnose an apply process, and tune it if that is approved",
    doc_md=__doc__,
    schedule=None,
    tags=["oracle", "example", "tuning"],
    params={
        "definition": Param(
            "demo", type="string", title="Refresh definition", description="Names the target", section="Where"
        ),
        "apply_name": Param(
            "APPLY", type="string", title="Apply process", description="As in DBA_APPLY", section="Where"
        ),
        "approved": Param(
            False,
            type="boolean",
            title="Approved",
            description="Set what is recommended; it is taken back where it does not help",
            section="What",
        ),
    },
    default_args={"definition": "{{ params.definition }}", "apply_name": "{{ params.apply_name }}"},
):
    diagnose = DiagnoseCapture(task_id="diagnose", seconds=60)
    TuneCapture(
        task_id="tune",
        found="{{ ti.xcom_pull(task_ids='diagnose') | tojson }}",
        approved="{{ params.approved }}",
        seconds=60,
    ).set_upstream(diagnose)
