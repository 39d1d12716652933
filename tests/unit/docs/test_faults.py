"""The table of faults names the tests that there are, all of them, and no others."""

from __future__ import annotations

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parents[3]
FAULTS = ROOT / "tests" / "system" / "faults"
PAGE = ROOT / "docs" / "concepts" / "faults.md"
VERDICTS = {"goes on", "another run", "unharmed"}
#: What judges the scenarios is no scenario.
JUDGE = "test_what_must_hold.py"


def rows() -> list[list[str]]:
    lines = [line for line in PAGE.read_text().splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[1:]]


def defined_in(path: Path) -> set[str]:
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    return {
        node.name
        for node in ast.parse(path.read_text()).body
        if isinstance(node, functions) and node.name.startswith("test_")
    }


def named() -> set[str]:
    return {name for *_, where in rows() for name in re.findall(r"`([\w/]+\.py::\w+)`", where)}


def test_every_scenario_is_told() -> None:
    scenarios = {
        f"{path.name}::{test}"
        for path in FAULTS.glob("test_*.py")
        if path.name != JUDGE
        for test in defined_in(path)
    }
    assert scenarios
    assert scenarios - named() == set()


def test_every_test_that_is_named_is_there() -> None:
    for name in named():
        file, _, test = name.partition("::")
        path = ROOT / file if "/" in file else FAULTS / file
        assert path.exists(), f"there is no {file}"
        assert test in defined_in(path), f"there is no {name}"


def test_every_fault_has_a_verdict_and_a_test() -> None:
    for fault, happens, verdict, where in rows():
        assert happens, fault
        assert verdict in VERDICTS, f"{fault}: {verdict}"
        assert re.search(r"`[\w/]+\.py::\w+`", where), fault


def test_no_scenario_is_skipped() -> None:
    """What was not tried has no verdict: a program that is missing fails it."""
    for name in named():
        file, _, _ = name.partition("::")
        path = ROOT / file if "/" in file else FAULTS / file
        for read in (path, path.with_name("conftest.py")):
            assert not read.exists() or not re.search(r"\bskip|importorskip", read.read_text()), read
