"""How many Data Pump jobs at the same time are worth it between two databases, as one DAG.

The recommendation is kept in the target; `test_data_refresh` plans with it where its definition gives no
degree.
"""

from __future__ import annotations

from datetime import timedelta

from airflow.sdk import DAG, Param

from oracle_refresh.integration import settings
from oracle_refresh.integration.forms import definition_param
from oracle_refresh.integration.retries import OracleRetryPolicy
from oracle_refresh.operators.calibration import ChooseSample, MeasureDegree, RecommendDegree

ABOUT = """\
Unloads a **sample** of the source by 2, 4, 8, ... Data Pump jobs at the same time, one degree after the
other, fits a curve to the times, and recommends the smallest degree that is within 5 % of the best.

No data of the source is changed; its DIRECTORY holds one sample of dump files at a time, which are removed
after each measurement. Run it while the load on the source is as it will be during refreshes. The curve is in
the run's tab *Refresh*. Refreshes between the same two connections use the degree where their definition
gives none.
"""
SOURCE = settings.source_pool()

with DAG(
    "datapump_calibration",
    description="Find out how many Data Pump jobs at the same time are worth it",
    doc_md=ABOUT,
    schedule=None,
    catchup=False,
    max_active_runs=1,
    tags=["oracle", "calibration"],
    render_template_as_native_obj=False,
    params={
        "definition": definition_param(
            settings.definitions_directory(),
            settings.default_definition(),
            "Refresh definition",
            "Names the two connections, the schemas and the DIRECTORY of the source",
            "What is measured",
        ),
        "table": Param(
            None,
            type=["null", "string"],
            title="Table",
            description="OWNER.NAME, such as the largest with LOBs; empty: the largest without LOBs",
            section="What is measured",
        ),
        "sample_mb": Param(
            256,
            type="integer",
            minimum=1,
            maximum=1_000_000,
            title="Sample, MB",
            description="About how much is unloaded each time; best so much that it takes half a minute",
            section="What is measured",
        ),
        "degrees": Param(
            [1, 2, 4, 8, 16, 32],
            type="array",
            items={"type": "integer", "minimum": 1, "maximum": 256},
            minItems=2,
            title="Degrees",
            description="Numbers of jobs at the same time; up to twice what seems sensible",
            section="How it is measured",
        ),
        "repeats": Param(
            2,
            type="integer",
            minimum=1,
            maximum=9,
            title="Repeats",
            description="How often each degree is measured; the fastest counts",
            section="How it is measured",
        ),
    },
    default_args={
        "definition": "{{ params.definition }}",
        "pool": SOURCE,
        "retries": 2,
        "retry_delay": timedelta(seconds=5),
        "retry_policy": OracleRetryPolicy(),
    },
):
    choose = ChooseSample(
        task_id="choose_sample",
        table="{{ params.table or '' }}",
        degrees="{{ params.degrees }}",
        sample_mb="{{ params.sample_mb }}",
        repeats="{{ params.repeats }}",
    )
    measured = MeasureDegree.partial(
        task_id="measure", max_active_tis_per_dagrun=1, map_index_template="{{ task.measurement }}"
    ).expand(measurement=choose.output)
    recommend = RecommendDegree(task_id="recommend", measurements=choose.output, trigger_rule="all_done")
    measured >> recommend
