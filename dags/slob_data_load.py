"""How fast a database takes data when many schemas are loaded at the same time, as one DAG."""

from __future__ import annotations

from airflow.sdk import DAG, Param

from oracle_refresh.integration import settings
from oracle_refresh.integration.forms import definition_param
from oracle_refresh.integration.laboratories import BY_HAND, number, task_defaults
from oracle_refresh.operators.data_load import (
    DropLoad,
    FindDegree,
    LoadBatch,
    MakeSeed,
    PlanLoad,
    ReportLoad,
)

ABOUT = """\
Fills schemas of its own on the **target** with invented people and documents, **batch by batch**: each batch
loads as many schemas at the same time as the *degree* says, builds a unique index and gathers statistics on
each. The best degree is found by trial, unless the form names one. Seconds by phase, terabytes per hour and
plots are in the run's tab *Refresh*, beside a published load.

The schemas are made and named by the run, locked and without a password; a schema of somebody else is never
touched. They stay, unless the form says otherwise; what is only needed meanwhile (the seed, the schemas of
trials) is dropped at the end, whatever happened, and so are schemas that were not finished. A load that has
no room in its tablespace is refused before anything is made.

**When a task failed:** clear it; finished schemas stay as they are, others are made anew.
"""

with DAG(
    "slob_data_load",
    description="Load many schemas at the same time and find out how fast the target takes them",
    doc_md=ABOUT,
    tags=["oracle", "load", "benchmark"],
    **BY_HAND,
    params={
        "definition": definition_param(
            settings.benchmarks_directory(),
            "slob",
            "Load definition",
            "Target and what the schemas are made of",
            "What is loaded",
        ),
        "prefix": Param(
            "SLOB_",
            type="string",
            minLength=1,
            maxLength=100,
            title="Prefix",
            description="Of the schemas' names: SLOB_1, SLOB_2 ...; no schema of others is touched",
            section="What is loaded",
        ),
        "schemas": number(16, 100_000, "Schemas", "Loaded in all", "What is loaded"),
        "rows": number(1000, 9_999_999_999, "Rows", "Of each schema; SLOB's SCALE", "What is loaded"),
        "blocks": Param(
            "sparse",
            type="string",
            enum=["sparse", "filled"],
            title="Blocks",
            description="Sparse puts one row into a block, as SLOB does; filled as many as fit",
            section="What is loaded",
        ),
        "profile": Param(
            "none",
            type="string",
            enum=["none", "study", "heavy_tailed", "documents"],
            title="LOBs",
            description="How large the LOB of each row is; none leaves the column out",
            section="What is loaded",
        ),
        "degree": number(
            0,
            256,
            "Degree",
            "Schemas loaded at the same time; SLOB's LOAD_PARALLEL_DEGREE; 0 finds the best",
            "How it is loaded",
            least=0,
        ),
        "afterwards": Param(
            "keep",
            type="string",
            enum=["keep", "drop"],
            title="Afterwards",
            description="Keep the loaded schemas, or drop them at the end",
            section="How it is loaded",
        ),
    },
    default_args=task_defaults(settings.target_pool()),
):
    plan = PlanLoad(
        task_id="plan_load",
        prefix="{{ params.prefix }}",
        schemas="{{ params.schemas }}",
        rows="{{ params.rows }}",
        degree="{{ params.degree }}",
        profile="{{ params.profile }}",
        blocks="{{ params.blocks }}",
        afterwards="{{ params.afterwards }}",
    ).as_setup()
    seed = MakeSeed(task_id="make_seed").as_setup()
    degree = FindDegree(task_id="find_degree")
    loaded = LoadBatch.partial(
        task_id="load_batch", max_active_tis_per_dagrun=1, map_index_template="batch {{ task.batch }}"
    ).expand(batch=degree.output)
    # Its setups are both: it runs also where the seed found no room.
    drop = DropLoad(task_id="drop_scratch").as_teardown(setups=[plan, seed], on_failure_fail_dagrun=True)
    report = ReportLoad(task_id="report", trigger_rule="all_done")
    plan >> seed >> degree >> loaded >> [drop, report]
