"""What types may be named where: rules that also hold for imports under TYPE_CHECKING.

The layers of both packages are contracts of import-linter in pyproject.toml (`make lint`).
"""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PROVIDER = ROOT / "provider" / "oracle_refresh"
LOCALORACLE = ROOT / "dev" / "localoracle"
PURE = [
    "plan",
    "experience/degree_advice.py",
    "experience/store_advice.py",
    "labs/harness/curve.py",
    "labs/harness/page.py",
    "labs/harness/table.py",
    "labs/harness/trial.py",
    "labs/store/advice.py",
    "labs/store/page.py",
    "labs/store/plan.py",
    "labs/store/ratios.py",
    "report",
    "masking/algorithms",
    "masking/compiler.py",
    "masking/ruleset.py",
    "labs/masking/design.py",
    "labs/masking/explain.py",
    "labs/masking/feasible.py",
    "labs/masking/page.py",
    "labs/masking/ratios.py",
    "profiler/coverage.py",
    "profiler/evidence.py",
    "profiler/judge.py",
    "profiler/names.py",
    "profiler/recognise.py",
    "profiler/weigh.py",
    "validation/verdicts.py",
    "labs/change_capture/advisor.py",
    "labs/change_capture/charts.py",
    "labs/change_capture/evaluation.py",
    "labs/change_capture/fit.py",
    "labs/change_capture/grid.py",
    "labs/change_capture/model.py",
    "tuning/cdc/model.py",
    "labs/change_capture/page.py",
    "tuning/cdc/picture.py",
    "tuning/cdc/queueing.py",
    "tuning/cdc/rules.py",
    "labs/change_capture/ratios.py",
    "labs/change_capture/study.py",
    "tuning/cdc/verdict.py",
    "run/approval.py",
    "run/kind.py",
    "oracle/row_values.py",
    "report/lineage.py",
    "target/objects/inventory.py",
    "definition",
]


def statements(node: ast.AST) -> Iterator[ast.stmt]:
    """Yield all statements below a node. Expressions, which are most of a tree, are not visited."""
    for field in ("body", "handlers", "orelse", "finalbody", "cases"):
        for child in getattr(node, field, ()):
            yield child
            yield from statements(child)


@functools.cache
def imported(path: Path) -> frozenset[str]:
    names: set[str] = set()
    for node in statements(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module)
    return frozenset(name.partition(".")[0] for name in names)


def test_of_the_page_only_its_skin_knows_airflow() -> None:
    pure = (PROVIDER / "monitor").glob("*.py")
    assert {path.name for path in pure if imported(path) & {"airflow", "oracledb"}} == set()


def modules(path: Path) -> list[Path]:
    assert path.exists(), f"{path} is gone: the rule has nothing to hold"
    return [path] if path.is_file() else sorted(path.rglob("*.py"))


@pytest.mark.parametrize(("package", "other"), [(PROVIDER, "localoracle"), (LOCALORACLE, "oracle_refresh")])
def test_neither_package_imports_the_other(package: Path, other: str) -> None:
    assert {str(path) for path in modules(package) if other in imported(path)} == set()


@pytest.mark.parametrize("part", PURE)
def test_pure_rooms_know_neither_airflow_nor_the_driver(part: str) -> None:
    found = {str(path): imported(path) & {"airflow", "oracledb"} for path in modules(PROVIDER / part)}
    assert {path: names for path, names in found.items() if names} == {}


def test_only_the_skin_imports_airflow() -> None:
    skin = {
        "hooks",
        "operators",
        "triggers",
        "integration",
        "links",
        "monitor",
        "bundle",
        "cli",
        "example_dags",
        "notifications",
        "sensors",
    }
    found = {path.relative_to(PROVIDER).parts[0] for path in modules(PROVIDER) if "airflow" in imported(path)}
    assert found <= skin


def test_only_studies_import_packages_of_the_charts_extra() -> None:
    optional = {"altair", "vl_convert", "faker"}
    found = {path.relative_to(PROVIDER).parts[0] for path in modules(PROVIDER) if imported(path) & optional}
    assert found == {"labs"}


def test_localoracle_needs_no_airflow() -> None:
    assert {str(path) for path in modules(LOCALORACLE) if "airflow" in imported(path)} == set()


def test_no_module_opens_a_session_that_exists_only_in_thin_mode() -> None:
    names = ("connect_async", "create_pool_async", "AsyncConnection")
    found = [str(path) for path in PROVIDER.rglob("*.py") if any(name in path.read_text() for name in names)]
    assert found == []
