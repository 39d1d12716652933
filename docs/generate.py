"""Writes docs/reference/operators.md from the docstrings, and the table of codes: `make docs`."""

from __future__ import annotations

import importlib
import inspect
from pathlib import Path

from airflow.sdk import BaseOperator

from oracle_refresh.error_codes import CODES
from oracle_refresh.provider_info import OPERATOR_MODULES
from oracle_refresh.tuning.cdc.fit import errors
from oracle_refresh.tuning.cdc.page import fit_chart
from oracle_refresh.tuning.cdc.study import COSTS, MEMORY, TRIALS

PAGE = Path(__file__).parent / "reference" / "operators.md"
DATA_PUMP_PAGE = Path(__file__).parent / "reference" / "datapump.md"
CHANGE_CAPTURE_PAGE = Path(__file__).parent / "how-to" / "tune-change-capture.md"
FIT_PLOT = Path(__file__).parent / "images" / "cdc_fit.svg"
FIT_BEGIN, FIT_END = "<!-- fit: written by docs/generate.py -->", "<!-- end of fit -->"
CODES_BEGIN, CODES_END = "<!-- codes: written by docs/generate.py -->", "<!-- end of codes -->"
INTRODUCTION = """\
# Operators

Every operator can be used alone in a DAG of one's own. All but those of `oracle_refresh.operators.datapump`,
which run any Data Pump job, take `definition`, the name or path of a [refresh definition](definition.md), or
of a [benchmark's](../how-to/benchmark-masking.md); templated fields are marked
with `{{ }}`. The results of a run are kept in the target (table `REFRESH$RUN`), so an operator finds what the
ones before it left in the same DAG run.

This page is generated from the docstrings (`make docs`).
"""


def page() -> str:
    return "\n".join([INTRODUCTION, *map(_module, OPERATOR_MODULES)])


def _module(name: str) -> str:
    module = importlib.import_module(name)
    operators = [
        member
        for member in vars(module).values()
        if inspect.isclass(member) and issubclass(member, BaseOperator) and member.__module__ == name
    ]
    return "\n".join([f"## `{name}`", "", inspect.getdoc(module) or "", "", *map(_operator, operators)])


def _operator(operator: type[BaseOperator]) -> str:
    fields = ", ".join(f"`{field}`" for field in operator.template_fields)
    return f"### {operator.__name__}\n\n{inspect.getdoc(operator)}\n\n`{{{{ }}}}`: {fields}\n"


def codes() -> str:
    """The table of codes, those that are treated alike in one row."""
    alike: dict[tuple[str, str], list[str]] = {}
    for code, known in CODES.items():
        kind = known.disposition + (" once" if known.once else "") + (", wrapper" if known.wrapper else "")
        alike.setdefault((kind, known.remedy or ""), []).append(code)
    rows = [
        f"| {kind} | {' '.join(numbers)} | {remedy} |" for (kind, remedy), numbers in sorted(alike.items())
    ]
    return "\n".join(["| class | codes | what to do |", "|---|---|---|", *rows])


def data_pump_page(text: str) -> str:
    """The page with its table of codes brought up to date."""
    before, _, rest = text.partition(CODES_BEGIN)
    _, _, after = rest.partition(CODES_END)
    return f"{before}{CODES_BEGIN}\n{codes()}\n{CODES_END}{after}"


def fit_table() -> str:
    """What the model of change capture makes of the published tests."""
    found = zip(TRIALS, errors(TRIALS, MEMORY, COSTS), strict=True)
    rows = [
        f"| {trial.scenario.name} | {trial.seconds:.0f} s | {trial.seconds * (1 + error):.0f} s"
        f" | {100 * error:+.0f} % |"
        for trial, error in found
    ]
    return "\n".join(["| scenario | measured | model | error |", "|---|---|---|---|", *rows])


def change_capture_page(text: str) -> str:
    """The page with its table of the model's errors brought up to date."""
    before, _, rest = text.partition(FIT_BEGIN)
    _, _, after = rest.partition(FIT_END)
    return f"{before}{FIT_BEGIN}\n{fit_table()}\n{FIT_END}{after}"


if __name__ == "__main__":
    PAGE.write_text(page())
    DATA_PUMP_PAGE.write_text(data_pump_page(DATA_PUMP_PAGE.read_text()))
    CHANGE_CAPTURE_PAGE.write_text(change_capture_page(CHANGE_CAPTURE_PAGE.read_text()))
    FIT_PLOT.write_text(fit_chart(None))
