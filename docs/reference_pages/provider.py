"""What the provider offers to DAGs and to Airflow: operators, and everything else it registers."""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Iterable
from typing import Any

from airflow.sdk import BaseOperator

from oracle_refresh.provider_info import OPERATOR_MODULES, get_provider_info
from reference_pages.markdown import code, docstring

OPERATORS = """\
# Operators

Every operator can be used alone in a DAG of one's own. All but those of `oracle_refresh.operators.datapump`,
which run any Data Pump job, take `definition`, the name or path of a [refresh definition](definition.md), or
of a [benchmark's](../how-to/benchmark-masking.md). The results of a run are kept in the target (table
`REFRESH$RUN`), so an operator finds what the ones before it left in the same DAG run.

This page is generated from the docstrings (`make docs`).
"""
OTHERS = """\
# Hooks, triggers, links and the rest

What the package registers with Airflow besides its [operators](operators.md), [DAG parameters](dags.md) and
[configuration](configuration.md). Airflow finds it through the entry point `apache_airflow_provider`.

This page is generated from the docstrings (`make docs`).
"""
#: Sections of the provider's information that list modules, and those that list classes by their full name.
MODULE_SECTIONS = ("hooks", "triggers", "sensors", "transfers")
CLASS_SECTIONS = ("notifications", "extra-links", "task-decorators")


def operators_page(_: str) -> str:
    return "\n".join([OPERATORS, *(_module(name, _is_operator, _operator) for name in OPERATOR_MODULES)])


def others_page(_: str) -> str:
    info = get_provider_info()
    parts = [OTHERS]
    for section in MODULE_SECTIONS:
        names = [name for entry in info.get(section, []) for name in entry["python-modules"]]
        if names:
            parts.append(f"## {section.capitalize()}\n")
            parts += [_module(name, inspect.isclass, _class, level=3) for name in names]
    for section in CLASS_SECTIONS:
        found = [_named(entry) for entry in info.get(section, [])]
        if found:
            parts.append(f"## {section.replace('-', ' ').capitalize()}\n")
            parts += [_documented(name, member) for name, member in found]
    return "\n".join(parts)


def _module(name: str, wanted: Any, write: Any, level: int = 2) -> str:
    module = importlib.import_module(name)
    members = [
        member
        for label, member in vars(module).items()
        if wanted(member) and member.__module__ == name and not label.startswith("_")
    ]
    heading = "#" * level
    return "\n".join([f"{heading} `{name}`", "", docstring(module), "", *map(write, members)])


def _is_operator(member: Any) -> bool:
    return inspect.isclass(member) and issubclass(member, BaseOperator)


def _operator(operator: type[BaseOperator]) -> str:
    fields = _listed(operator.template_fields)
    return f"### {operator.__name__}\n\n{docstring(operator)}\n\nTemplated: {fields}\n"


def _listed(names: Iterable[str]) -> str:
    return ", ".join(map(code, names)) or "nothing"


def _class(member: type[Any]) -> str:
    return f"#### {member.__name__}\n\n{docstring(member)}\n"


def _named(entry: Any) -> tuple[str, Any]:
    path = entry if isinstance(entry, str) else str(entry["class-name"])
    module, _, name = path.rpartition(".")
    return path, getattr(importlib.import_module(module), name)


def _documented(name: str, member: Any) -> str:
    return f"### `{name}`\n\n{docstring(member)}\n"
