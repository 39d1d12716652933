"""`make sbom`: the bill of materials names what is installed, by the packages' names and versions."""

from __future__ import annotations

import json
import re
import subprocess
from importlib.metadata import distributions
from pathlib import Path

ROOT = Path(__file__).parents[3]
NOT_OF_THE_REGISTRY = {"airflow-provider-oracle-refresh", "localoracle"}


def normalized(name: str) -> str:
    """As registries compare names (PEP 503)."""
    return re.sub(r"[-_.]+", "-", name).lower()


def test_it_names_every_package_that_is_installed(tmp_path: Path) -> None:
    written = tmp_path / "sbom.json"
    # --old-file: the environment of the running tests stays as it is.
    make = ["make", "--silent", "--old-file=.venv/.ready", "sbom"]
    subprocess.run([*make, f"SBOM={tmp_path / 'tools'}", f"BILL={written}"], cwd=ROOT, check=True)
    bill = json.loads(written.read_text())
    assert bill["bomFormat"] == "CycloneDX"
    named = {(normalized(each["name"]), each["version"]): each for each in bill["components"]}
    installed = {(normalized(each.metadata["Name"]), each.version) for each in distributions()}
    assert set(named) == installed
    for (name, version), component in named.items():
        if name not in NOT_OF_THE_REGISTRY:
            package = component["purl"].removeprefix("pkg:pypi/").removesuffix(f"@{version}")
            assert normalized(package) == name
