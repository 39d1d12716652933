"""What would masking do? Each table's statements and a few masked rows, in the logs; changes nothing.

The target holds the rows of a refresh already; its own refresh user may read them.
"""

from __future__ import annotations

from airflow.sdk import DAG, Param

from oracle_refresh.operators.masking import PreviewMasking
from oracle_refresh.operators.planning import FreezeSource, ListUnits, PlanShards

with DAG(
    "example_preview_masking",
    description="Show how tables would be masked, with a sample",
    doc_md=__doc__,
    schedule=None,
    tags=["oracle", "example", "masking"],
    params={
        "definition": Param(
            "demo", type="string", title="Refresh definition", description="Its ruleset", section="What"
        )
    },
    default_args={"definition": "{{ params.definition }}"},
):
    units = ListUnits(task_id="units")
    FreezeSource(task_id="freeze") >> PlanShards(task_id="plan") >> units
    PreviewMasking.partial(task_id="preview", rows=3, map_index_template="{{ task.unit }}").expand(
        unit=units.output
    )
