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
        "seconds": Param(
            60,
            type="number",
            minimum=1,
            title="Seconds",
            description="How long it is watched, before and after: minutes of usual work tell most",
            section="What",
        ),
    },
    default_args={
        "definition": "{{ params.definition }}",
        "apply_name": "{{ params.apply_name }}",
        "seconds": "{{ params.seconds }}",
    },
):
    diagnose = DiagnoseCapture(task_id="diagnose")
    TuneCapture(
        task_id="tune",
        found="{{ ti.xcom_pull(task_ids='diagnose') | tojson }}",
        approved="{{ params.approved }}",
    ).set_upstream(diagnose)
