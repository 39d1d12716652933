"""`make release` names what is wrong with what was built; the packages themselves are built elsewhere."""

from __future__ import annotations

import importlib.util
import io
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path
from types import ModuleType

import pytest

from .compose import ROOT

SCRIPT = ROOT / ".ci" / "release.py"
LICENCE = "the licence"
METADATA = """\
Metadata-Version: 2.4
Name: localoracle
Version: 1.2
Summary: S
Keywords: k
Author: A
License-Expression: Apache-2.0
License-File: LICENSE
Classifier: Typing :: Typed
Requires-Python: >=3.11
Requires-Dist: oracledb
Description-Content-Type: text/markdown

"""
DESCRIPTION = "What it is for. " * 40


@pytest.fixture(scope="module")
def release() -> ModuleType:
    spec = importlib.util.spec_from_file_location("release_script", SCRIPT)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    """Two packages of two files each."""
    sources = tmp_path / "sources"
    for folder in ("provider/oracle_refresh", "dev/localoracle"):
        (sources / folder).mkdir(parents=True)
        for name in ("__init__.py", "data.json"):
            (sources / folder / name).write_text("")
    for folder in (".", "dev"):
        (sources / folder / "pyproject.toml").write_text('[project]\nversion = "1.2"\n')
    (sources / "LICENSE").write_text(LICENCE)
    (sources / "CHANGELOG.md").write_text("# Changelog\n\n## 1.2\n- a\n\n## 1.1\n- b\n")
    return sources


def wheel(
    path: Path, names: list[str], licence: str = LICENCE, metadata: str = METADATA + DESCRIPTION
) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        for name in names:
            archive.writestr(name, "")
        archive.writestr("localoracle-1.2.dist-info/METADATA", metadata)
        archive.writestr("localoracle-1.2.dist-info/licenses/LICENSE", licence)
    return path


def found(release: ModuleType, sources: Path, built: Path) -> list[str]:
    return list(release._wheel(release.PACKAGES[1], sources, built))


WHOLE = ["localoracle/__init__.py", "localoracle/data.json"]


def test_a_wheel_that_is_complete_is_not_complained_of(
    release: ModuleType, sources: Path, tmp_path: Path
) -> None:
    assert found(release, sources, wheel(tmp_path / "localoracle-1.2-py3-none-any.whl", WHOLE)) == []


@pytest.mark.parametrize(
    ("names", "licence", "metadata", "complaint"),
    [
        (WHOLE[:1], LICENCE, METADATA + DESCRIPTION, "it lacks localoracle/data.json"),
        ([*WHOLE, "stack/run.py"], LICENCE, METADATA + DESCRIPTION, "nothing to do with stack/run.py"),
        (WHOLE, "another", METADATA + DESCRIPTION, "the licence"),
        (WHOLE, LICENCE, METADATA.replace("Keywords: k\n", "") + DESCRIPTION, "have no Keywords"),
        (WHOLE, LICENCE, METADATA + "Short.", "not a long one"),
        (WHOLE, LICENCE, f"{METADATA}{DESCRIPTION}[a page](docs/index.md)", "links to 'docs/index.md'"),
    ],
)
def test_what_is_wrong_with_a_wheel_is_named(
    release: ModuleType,
    sources: Path,
    tmp_path: Path,
    names: list[str],
    licence: str,
    metadata: str,
    complaint: str,
) -> None:
    built = wheel(tmp_path / "localoracle-1.2-py3-none-any.whl", names, licence, metadata)
    (told,) = found(release, sources, built)
    assert complaint in told


def test_a_source_distribution_holds_the_package_and_no_other_files(
    release: ModuleType, sources: Path, tmp_path: Path
) -> None:
    path = tmp_path / "localoracle-1.2.tar.gz"
    with tarfile.open(path, "w:gz") as archive:
        for name in ("PKG-INFO", "LICENSE", "localoracle/__init__.py", "benchmarks/size.py"):
            archive.addfile(tarfile.TarInfo(f"localoracle-1.2/{name}"), io.BytesIO())
    assert list(release._source_distribution(release.PACKAGES[1], sources, path)) == [
        "it lacks localoracle/data.json",
        "it has nothing to do with benchmarks/size.py",
    ]


def test_what_was_not_built_is_named(release: ModuleType, sources: Path, tmp_path: Path) -> None:
    told = list(release.complaints(sources, tmp_path))
    assert len(told) == 4
    assert "localoracle-1.2.tar.gz was not built" in told


def test_versions_and_change_log_agree(release: ModuleType, sources: Path) -> None:
    assert list(release.versions(sources)) == []
    assert list(release.versions(ROOT)) == [], "of this repository"
    (sources / "dev" / "pyproject.toml").write_text('[project]\nversion = "1.1"\n')
    (told,) = release.versions(sources)
    assert told == "localoracle has the version 1.1, the change log begins with '1.2'"


def test_it_is_made_of_a_commit_and_into_an_empty_folder(tmp_path: Path, sources: Path) -> None:
    def run(*words: str) -> str:
        done = subprocess.run(
            [sys.executable, str(SCRIPT), *words], cwd=sources, capture_output=True, text=True
        )
        assert done.returncode != 0
        return done.stderr

    subprocess.run(["git", "init", "--quiet"], cwd=sources, check=True)
    assert "a release is made of a commit" in run(str(tmp_path / "dist"))
    (tmp_path / "dist").mkdir()
    (tmp_path / "dist" / "old.whl").write_text("")
    assert "is not empty" in run(str(tmp_path / "dist"), str(sources))
