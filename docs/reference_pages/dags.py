"""The DAGs of the bundle and the parameters of their trigger forms."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from reference_pages.markdown import code, table

FOLDER = Path(__file__).resolve().parents[2] / "dags"
INTRODUCTION = """\
# DAGs and their parameters

The DAGs of the folder `dags/` and what their trigger forms ask for. On the command line the same names go
into `airflow dags trigger <dag> --conf '{"definition": "demo"}'`. `demo` is the
[DAG of a definition](../how-to/one-dag-for-each-definition.md), as `refreshes.py` makes one of each.

This page is generated from the DAGs (`make docs`).
"""
#: Limits of a JSON schema, in the words of the page.
LIMITS = {
    "minimum": "at least",
    "exclusiveMinimum": "more than",
    "maximum": "at most",
    "exclusiveMaximum": "less than",
    "minLength": "characters at least",
    "maxLength": "characters at most",
    "minItems": "items at least",
    "maxItems": "items at most",
    "pattern": "matches",
    "format": "format",
}


def page(_: str) -> str:
    from airflow.dag_processing.dagbag import DagBag

    bag = DagBag(str(FOLDER), bundle_path=FOLDER, bundle_name="refresh")
    if bag.import_errors:
        raise RuntimeError(str(bag.import_errors))
    return "\n".join([INTRODUCTION, *(_dag(dag) for _, dag in sorted(bag.dags.items()))])


def _dag(dag: Any) -> str:
    rows = [_row(name, dag.params.get_param(name)) for name in dag.params]
    shown = table(["parameter", "section", "title", "type", "default", "limits", "meaning"], rows)
    return f"## {dag.dag_id}\n\n{dag.description}.\n\n{shown}\n"


def _row(name: str, param: Any) -> list[str]:
    schema = param.schema
    kinds = schema.get("type", "string")
    kind = " or ".join([kinds] if isinstance(kinds, str) else [one for one in kinds if one != "null"])
    value = "empty" if param.value in (None, "", [], {}) else code(json.dumps(param.value))
    return [
        code(name),
        str(schema.get("section", "")),
        str(schema.get("title", "")),
        kind,
        value,
        "; ".join(_limits(schema)),
        str(param.description or schema.get("description_md", "")),
    ]


def _limits(schema: dict[str, Any]) -> list[str]:
    found = [f"{words} {code(str(schema[key]))}" for key, words in LIMITS.items() if key in schema]
    if "enum" in schema:
        found.append("one of " + ", ".join(code(json.dumps(one)) for one in filter(None, schema["enum"])))
    if isinstance(schema.get("items"), dict):
        found += [f"each item: {limit}" for limit in _limits(schema["items"])]
    return found
