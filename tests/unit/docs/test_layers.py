"""The layers that the documentation shows are those that import-linter checks."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
CONTRACTS = {
    contract["containers"][0]: contract["layers"]
    for contract in tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"][
        "contracts"
    ]
}
FIGURES = re.findall(
    r"^```text\n(.*?)^```",
    (ROOT / "docs/concepts/architecture.md").read_text("utf-8"),
    re.DOTALL | re.MULTILINE,
)


@pytest.mark.parametrize("package", ["oracle_refresh", "localoracle"])
def test_the_layers_shown_are_those_that_are_checked(package: str) -> None:
    shown = [[re.split(r" {2,}", line)[0] for line in figure.splitlines()] for figure in FIGURES]
    assert CONTRACTS[package] in shown
