"""The pages of docs/ that are made of the code, so that they cannot say anything else.

Each is a function of the page's text so far: some make all of it, others a block between two marks.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from reference_pages import algorithms, change_capture, commands, configuration, dags, errors, provider

DOCS = Path(__file__).resolve().parents[1]
FIT_PLOT = DOCS / "images" / "cdc_fit.svg"
PAGES: dict[str, Callable[[str], str]] = {
    "reference/operators.md": provider.operators_page,
    "reference/airflow.md": provider.others_page,
    "reference/dags.md": dags.page,
    "reference/configuration.md": configuration.page,
    "reference/errors.md": errors.page,
    "reference/commands.md": commands.page,
    "reference/masking_algorithms.md": algorithms.page,
    "how-to/tune-change-capture.md": change_capture.page,
}


def written(name: str) -> str:
    """What the page holds; empty where there is none yet."""
    path = DOCS / name
    return path.read_text(encoding="utf-8") if path.exists() else ""


def made(name: str) -> str:
    """What the page shall hold."""
    return PAGES[name](written(name))
