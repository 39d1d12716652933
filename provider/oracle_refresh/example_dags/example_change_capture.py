"""What holds a capture and its apply process back, and, where the form approves it, what changes that.

Rates, latency, spills, waits of each process, unsupported tables and tables without keys are in the report.
"""

from __future__ import annotations

from airflow.sdk import DAG, Param

from oracle_refresh.operators.cdc import DiagnoseCapture, TuneCapture

with DAG(
    "example_change_capture",
    description="Diagnose a capture and its apply process, and tune them if that is approved",
    doc_md=__doc__,
    schedule=None,
    tags=["oracle", "example", "tuning"],
    params={
        "definition": Param(
            "demo", type="string", title="Refresh definition", description="Names the target", section="Where"
        ),
        "apply_name": Param(
            "APPLY",
            type=["null", "string"],
            title="Apply process",
            description="As in DBA_APPLY, XStream servers too; empty: that of the capture, nothing is set",
            section="Where",
        ),
        "capture_name": Param(
            None,
            type=["null", "string"],
            title="Capture",
            description="As in DBA_CAPTURE, that of an Extract too; empty: what feeds the apply process",
            section="Where",
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
        "apply_name": "{{ params.apply_name or '' }}",
        "seconds": "{{ params.seconds }}",
    },
):
    diagnose = DiagnoseCapture(task_id="diagnose", capture_name="{{ params.capture_name or '' }}")
    TuneCapture(
        task_id="tune",
        found="{{ ti.xcom_pull(task_ids='diagnose') | tojson }}",
        approved="{{ params.approved }}",
    ).set_upstream(diagnose)
