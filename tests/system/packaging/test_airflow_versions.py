"""The package under the versions of Airflow that it supports: it resolves, installs, and passes tests there.

`--exclude-newer` gives what pip would have installed on the day after a release, so each environment has the
other packages of that time, as Airflow's constraints for that release do.
"""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
#: The day after each release.
RELEASED = {
    "3.0.6": "2025-08-30",
    "3.1.8": "2026-03-12",
    "3.2.2": "2026-05-30",
    "3.3.0": "2026-07-07",
    "3.3.2": "2026-09-18",
}
#: What the tests need besides, in whatever version fits.
TOOLS = ("faker", "hypothesis", "psutil", "pytest", "pytest-asyncio", "pytest-reportlog", "pytest-xdist")
ALL_EXTRAS = "[calibration,charts,expectations,tuning]"
UNITS = "tests/unit/oracle_refresh"
OPERATORS = tuple(f"{UNITS}/{folder}" for folder in ("hooks", "triggers", "operators"))
#: What depends on Airflow: operators, triggers, the page; jobs whose tasks are killed, lost and resumed; the
#: refresh of the demo by Airflow's own processes.
EVERYTHING = (
    *OPERATORS,
    f"{UNITS}/integration/test_retries.py",
    f"{UNITS}/monitor",
    "tests/system/oracle_refresh/operators/test_killed_and_deferred.py",
    "tests/system/whole_refresh/test_a_whole_refresh.py",
)
pytestmark = pytest.mark.skipif(not importlib.util.find_spec("uv"), reason="pip cannot go back in time")


def uv(*words: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "uv", "pip", *words], env=_bare(), capture_output=True, text=True
    )
    if done.returncode and "missing an upload date" in done.stderr:
        pytest.skip("the package registry does not tell when files were uploaded")
    assert done.returncode == 0, done.stderr


def resolve(version: str, folder: Path, *options: str) -> Path:
    """The file of what is installed with that Airflow on the day after its release."""
    wanted, pins = folder / "airflow.txt", folder / "pins.txt"
    wanted.write_text(f"apache-airflow=={version}\n")
    dated = ("--exclude-newer", RELEASED[version], "--constraint", str(wanted), *options)
    uv("compile", "--quiet", *dated, "--output-file", str(pins), str(ROOT / "pyproject.toml"))
    return pins


@pytest.mark.parametrize("version", RELEASED)
def test_airflow_of_its_release_day_accepts_the_package(version: str, tmp_path: Path) -> None:
    assert f"apache-airflow=={version}\n" in resolve(version, tmp_path).read_text()


@pytest.mark.parametrize(
    ("version", "options", "extras", "tests"),
    [
        ("3.0.6", ("--resolution", "lowest-direct"), "", OPERATORS),
        ("3.1.8", (), ALL_EXTRAS, EVERYTHING),
        ("3.2.2", (), ALL_EXTRAS, EVERYTHING),
    ],
    ids=["3.0.6", "3.1.8", "3.2.2"],
)
def test_tests_pass_in_an_older_airflow(
    version: str,
    options: tuple[str, ...],
    extras: str,
    tests: tuple[str, ...],
    wheels: dict[str, Path],
    tmp_path: Path,
) -> None:
    pins, folder = resolve(version, tmp_path, *options), tmp_path / "environment"
    subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
    python = str(folder / "bin" / "python")
    packages = (f"{wheels['airflow_provider_oracle_refresh']}{extras}", str(wheels["localoracle"]), *TOOLS)
    uv("install", "--quiet", "--python", python, "--constraint", str(pins), "-r", str(pins), *packages)
    pytest_ = [python, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    done = subprocess.run(
        [*pytest_, *tests],
        cwd=ROOT,
        # Modules that no wheel has: the runner of the stack and the benchmarks.
        env=_bare() | {"PYTHONPATH": str(ROOT / "dev")},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, (done.stdout + done.stderr)[-6000:]


def _bare() -> dict[str, str]:
    return {
        name: text
        for name, text in os.environ.items()
        if not name.startswith(("PYTHON", "AIRFLOW", "PYTEST", "VIRTUAL_ENV"))
    }
