"""Both packages as users get them: wheels, installed into an environment without this repository."""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[3]
PACKAGES = {"airflow_provider_oracle_refresh": "oracle_refresh", "localoracle": "localoracle"}
FOLDERS = {"oracle_refresh": "provider", "localoracle": "dev"}
#: What is imported by a name that more than one distribution has.
SHARED_NAMES = {"airflow": "apache-airflow", "openlineage": "apache-airflow-providers-openlineage"}
#: What the installed packages are asked, in one process: importing Airflow takes seconds.
QUESTIONS = """
import json, os, localoracle, oracle_refresh
from airflow.providers_manager import ProvidersManager
from airflow.plugins_manager import get_plugin_info
from airflow.dag_processing.bundles.manager import DagBundlesManager
from airflow.dag_processing.dagbag import DagBag
from airflow.configuration import conf

(bundle,) = DagBundlesManager().get_all_dag_bundles()
dags = DagBag(dag_folder=str(bundle.path), bundle_path=bundle.path, bundle_name=bundle.name)
print("ANSWERS" + json.dumps({
    "files": [oracle_refresh.__file__, localoracle.__file__],
    "providers": list(ProvidersManager().providers),
    "hooks": [name for name, hook in ProvidersManager().hooks.items() if hook],
    "plugins": [plugin["name"] for plugin in get_plugin_info()],
    "setting": conf.get("oracle_refresh", "poll_seconds"),
    "bundle": bundle.name,
    "dags": sorted(dags.dags),
    "errors": dags.import_errors,
}))
"""


@pytest.fixture(scope="module")
def installed(wheels: dict[str, Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python of a fresh environment with the wheels; what they need is borrowed from this one.

    The path file adds this environment's packages, but not what *their* path files add: the repository.
    """
    folder = tmp_path_factory.mktemp("environment")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder)], check=True)
    own = Path(sysconfig.get_path("purelib", vars={"base": str(folder), "platbase": str(folder)}))
    (own / "borrowed.pth").write_text(sysconfig.get_path("purelib"))
    python = folder / "bin" / "python"
    pip = [sys.executable, "-m", "pip", "--python", str(python), "install", "--quiet", "--no-deps"]
    subprocess.run(
        [*pip, "--ignore-installed", "--no-index", *map(str, wheels.values())],
        check=True,
        env=_bare(),
    )
    return python


def _bare() -> dict[str, str]:
    return {name: text for name, text in os.environ.items() if not name.startswith(("PYTHON", "AIRFLOW"))}


def test_every_import_is_of_a_distribution_that_is_declared(copy: Path, wheels: dict[str, Path]) -> None:
    known = metadata.packages_distributions()
    for distribution, package in PACKAGES.items():
        (found,) = metadata.distributions(path=[str(wheels[distribution])])
        declared = {_name(requirement) for requirement in found.requires or []}
        imported = {
            name for path in (copy / FOLDERS[package] / package).rglob("*.py") for name in _imports(path)
        }
        assert len(imported) > 5
        for name in sorted(imported - sys.stdlib_module_names - {package}):
            owners = {SHARED_NAMES[name]} if name in SHARED_NAMES else {_name(one) for one in known[name]}
            assert owners & declared, f"{distribution} imports {name} and does not require {owners}"


def _imports(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module.partition(".")[0]


def _name(requirement: str) -> str:
    return re.sub(r"[-_.]+", "-", re.split(r"[ ;<>=\[(~!]", requirement)[0]).lower()


def test_what_they_require_is_there_in_versions_that_agree(installed: Path) -> None:
    pip = [sys.executable, "-m", "pip", "--python", str(installed), "check"]
    checked = subprocess.run(pip, env=_bare(), capture_output=True, text=True)
    assert checked.returncode == 0, checked.stdout + checked.stderr


def test_airflow_finds_provider_plugin_settings_and_bundle(installed: Path, tmp_path: Path) -> None:
    bundle = {
        "name": "refresh",
        "classpath": "airflow.dag_processing.bundles.local.LocalDagBundle",
        "kwargs": {"path": str(ROOT / "dags")},
    }
    environment = {
        **_bare(),
        "AIRFLOW_HOME": str(tmp_path),
        "AIRFLOW__CORE__DAGBAG_IMPORT_TIMEOUT": "0",
        "AIRFLOW__CORE__LOAD_EXAMPLES": "false",
        "AIRFLOW__DAG_PROCESSOR__DAG_BUNDLE_CONFIG_LIST": json.dumps([bundle]),
        "AIRFLOW__ORACLE_REFRESH__DEFINITIONS_DIRECTORY": str(ROOT / "include" / "refreshes"),
    }
    answer = subprocess.run(
        [str(installed), "-c", QUESTIONS], cwd=tmp_path, env=environment, capture_output=True, text=True
    )
    assert answer.returncode == 0, answer.stderr[-3000:]
    told: dict[str, Any] = json.loads(answer.stdout.split("ANSWERS")[1])
    assert all(Path(file).is_relative_to(installed.parents[1]) for file in told["files"])
    assert "airflow-provider-oracle-refresh" in told["providers"]
    assert "oracle" in told["hooks"]
    assert "oracle_refresh" in told["plugins"]
    assert float(told["setting"]) > 0
    assert told["bundle"] == "refresh"
    assert told["errors"] == {}
    assert {"test_data_refresh", "demo"} <= set(told["dags"])


@pytest.mark.parametrize("module", ["localoracle", "oracle_refresh.datapump.log"])
def test_the_commands_start(installed: Path, module: str, tmp_path: Path) -> None:
    done = subprocess.run(
        [str(installed), "-m", module, "--help"], cwd=tmp_path, env=_bare(), capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert module in done.stdout
