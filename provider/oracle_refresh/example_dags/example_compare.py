"""Is a target still the copy that a former run made of it? Plans and compares; changes nothing.

Masked columns differ, as they should: exclude tables that have some, by the form or a definition of its own.
"""

from __future__ import annotations

from airflow.sdk import DAG

from oracle_refresh.integration.forms import refresh_params
from oracle_refresh.operators.planning import (
    CheckPreflight,
    ExplainPlan,
    FreezeSource,
    ListUnits,
    PlanShards,
)
from oracle_refresh.operators.profiling import ProfileSource
from oracle_refresh.operators.validation import CompareTable

with DAG(
    "example_compare",
    description="Compare a target with its source, table by table, as of one SCN",
    doc_md=__doc__,
    schedule=None,
    tags=["oracle", "example"],
    params=refresh_params(),
    default_args={"definition": "{{ params.definition }}", "form": "{{ params | tojson }}"},
):
    units = ListUnits(task_id="units")
    compare = CompareTable.partial(task_id="compare", map_index_template="{{ task.unit }}").expand(
        unit=units.output
    )
    preflight, profile = CheckPreflight(task_id="preflight"), ProfileSource(task_id="profile")
    freeze, plan, explain = (
        FreezeSource(task_id="freeze"),
        PlanShards(task_id="plan"),
        ExplainPlan(task_id="explain"),
    )
    preflight >> profile >> freeze >> plan >> explain >> units
