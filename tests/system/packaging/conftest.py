"""Both packages as `make release` builds them."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="session")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The packages' sources: what a build leaves behind does not belong into the repository."""
    copy = tmp_path_factory.mktemp("source")
    (copy / "dev").mkdir()
    files = (
        "pyproject.toml",
        "MANIFEST.in",
        "LICENSE",
        "CHANGELOG.md",
        "dev/pyproject.toml",
        "dev/LICENSE",
        "dev/README.md",
    )
    for name in files:
        shutil.copy(ROOT / name, copy / name)
    for name in ("provider", "dev/localoracle"):
        ignored = shutil.ignore_patterns("__pycache__", "*.egg-info")
        shutil.copytree(ROOT / name, copy / name, ignore=ignored)
    return copy


@pytest.fixture(scope="session")
def released(copy: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with both packages, built and checked; nothing is fetched for it."""
    folder = tmp_path_factory.mktemp("dist")
    done = subprocess.run(
        [sys.executable, str(ROOT / ".ci" / "release.py"), str(folder), str(copy)],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "nothing uploaded" in done.stdout
    return folder


@pytest.fixture(scope="session")
def wheels(released: Path) -> dict[str, Path]:
    """Both wheels, by distribution."""
    return {path.name.split("-")[0]: path for path in released.glob("*.whl")}
