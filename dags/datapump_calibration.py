"""How many Data Pump jobs at the same time are worth it between two databases, as one DAG.

The recommendation is kept in the target; `test_data_refresh` plans with it where its definition gives no
degree.
"""

from __future__ import annotations

from airflow.sdk import DAG, Param

from oracle_refresh.integration import settings
from oracle_refresh.integration.forms import definition_param
from oracle_refresh.integration.laboratories import BY_HAND, number, task_defaults
from oracle_refresh.operators.calibration import ChooseSample, DropSample, MeasureDegree, RecommendDegree

ABOUT = """\
Unloads a **sample** of the source by 1, 2, 4, ... 64 workers, one degree after the other: by so many Data
Pump jobs of one worker, and by one job with `PARALLEL=n`. The dump files are brought to the target and
imported in the same way into a **throwaway table** there. Curves are fitted to the times, and the smallest
degree is recommended that is within 5 % of the best, where export and import run at the same time.

No data of the source is changed; its DIRECTORY holds one sample of dump files at a time. They, what was
staged, and the table, which lies in the schema `REFRESH$DEGREE` that nobody can log in to, are removed after
each measurement and, whatever happened, at the end. Dump files are encrypted where the definition encrypts
those of refreshes. A refresh of the same target that begins meanwhile removes them, and so ends the
measurement. Run it while the load on the source is as it will be during refreshes. The curves are in the
run's tab *Refresh*. Refreshes between the same two connections use the degree where their definition gives
none.
"""

with DAG(
    "datapump_calibration",
    description="Find out how many Data Pump jobs at the same time are worth it",
    doc_md=ABOUT,
    tags=["oracle", "calibration"],
    **BY_HAND,
    params={
        "definition": definition_param(
            settings.definitions_directory(),
            settings.default_definition(),
            "Refresh definition",
            "Names the two connections, the schemas, the DIRECTORY of the source, and how files are staged",
            "What is measured",
        ),
        "table": Param(
            None,
            type=["null", "string"],
            title="Table",
            description="OWNER.NAME, such as the largest with LOBs; empty: the largest without LOBs",
            section="What is measured",
        ),
        "sample_mb": number(
            256,
            1_000_000,
            "Sample, MB",
            "About how much is moved each time; best so much that it takes half a minute",
            "What is measured",
        ),
        "degrees": Param(
            [1, 2, 4, 8, 16, 32, 64],
            type="array",
            items={"type": "integer", "minimum": 1, "maximum": 256},
            minItems=2,
            title="Degrees",
            description="Numbers of workers; up to twice what seems sensible",
            section="How it is measured",
        ),
        "parallel": Param(
            True,
            type="boolean",
            title="One job with PARALLEL=n",
            description="Measured besides n jobs of one worker; Standard Edition has one worker for a job",
            section="How it is measured",
        ),
        "imports": Param(
            True,
            type="boolean",
            title="Imports",
            description="Each sample is staged and imported, too; the target needs room for it twice",
            section="How it is measured",
        ),
        "repeats": number(
            2, 9, "Repeats", "How often each degree is measured; the fastest counts", "How it is measured"
        ),
    },
    default_args=task_defaults(settings.source_pool()),
):
    choose = ChooseSample(
        task_id="choose_sample",
        table="{{ params.table or '' }}",
        degrees="{{ params.degrees }}",
        sample_mb="{{ params.sample_mb }}",
        repeats="{{ params.repeats }}",
        parallel="{{ params.parallel }}",
        imports="{{ params.imports }}",
    )
    measured = MeasureDegree.partial(
        task_id="measure",
        imports="{{ params.imports }}",
        max_active_tis_per_dagrun=1,
        map_index_template="{{ task.measurement }}",
    ).expand(measurement=choose.output)
    recommend = RecommendDegree(task_id="recommend", measurements=choose.output, trigger_rule="all_done")
    # Without a setup: it runs also where the run is marked as failed.
    drop = DropSample(task_id="drop_sample").as_teardown(on_failure_fail_dagrun=True)
    measured >> [drop, recommend]
