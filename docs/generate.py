"""Writes docs/reference/operators.md from the operators' own docstrings: `make docs`."""

from __future__ import annotations

import importlib
import inspect
from pathlib import Path

from oracle_refresh.operators.base import RefreshOperator
from oracle_refresh.provider_info import OPERATOR_MODULES

PAGE = Path(__file__).parent / "reference" / "operators.md"
INTRODUCTION = """\
# Operators

Every operator can be used alone in a DAG of one's own. All take `definition`, the name or path of a
[refresh definition](definition.md); templated fields are marked with `{{ }}`. The results of a run are kept
in the target (table `REFRESH$RUN`), so an operator finds what the ones before it left in the same DAG run.

This page is generated from the docstrings (`make docs`).
"""


def page() -> str:
    return "\n".join([INTRODUCTION, *map(_module, OPERATOR_MODULES)])


def _module(name: str) -> str:
    module = importlib.import_module(name)
    operators = [
        member
        for member in vars(module).values()
        if inspect.isclass(member) and issubclass(member, RefreshOperator) and member.__module__ == name
    ]
    return "\n".join([f"## `{name}`", "", inspect.getdoc(module) or "", "", *map(_operator, operators)])


def _operator(operator: type[RefreshOperator]) -> str:
    fields = ", ".join(f"`{field}`" for field in operator.template_fields)
    return f"### {operator.__name__}\n\n{inspect.getdoc(operator)}\n\n`{{{{ }}}}`: {fields}\n"


if __name__ == "__main__":
    PAGE.write_text(page())
