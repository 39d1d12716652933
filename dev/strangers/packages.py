"""Python packages of a suite, from the package index in an environment of their own."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Sequence
from pathlib import Path

from strangers import places


def environment(suite: str, *requirements: str) -> Path:
    """The Python of an environment with just these; kept until they change."""
    place = places.folder(suite) / "venv"
    python, installed = place / "bin" / "python", place / "requirements.txt"
    wanted = "\n".join(requirements) + "\n"
    if not installed.exists() or installed.read_text() != wanted:
        shutil.rmtree(place, ignore_errors=True)
        _run(sys.executable, "-m", "venv", str(place))
        _run(str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *requirements)
        installed.write_text(wanted)
    return python


def sources(suite: str, package: str, version: str) -> Path:
    """The unpacked source distribution: only that has the tests."""
    place = places.folder(suite)
    unpacked = place / f"{package}-{version}"
    if not unpacked.exists():
        download = ("-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps")
        _run(sys.executable, *download, "--no-binary", ":all:", "-d", str(place), f"{package}=={version}")
        with tarfile.open(place / f"{package}-{version}.tar.gz") as archive:
            archive.extractall(place, filter="data")
    return unpacked


def pytest(
    python: Path,
    report: Path,
    arguments: Sequence[str],
    *,
    directory: Path,
    seconds: int = 3600,
    **variables: str,
) -> None:
    """Run tests and write a JUnit report; what is printed is beside it.

    :raises SystemExit: when there is no report, as when the tests could not be collected.
    """
    report.unlink(missing_ok=True)
    log = report.with_suffix(".log")
    words = [str(python), "-m", "pytest", "-q", "-p", "no:cacheprovider", f"--junitxml={report}", *arguments]
    with log.open("w") as output:
        subprocess.run(
            words,
            cwd=directory,
            env=places.environment(**variables),
            stdout=output,
            stderr=subprocess.STDOUT,
            timeout=seconds,
        )
    if not report.exists():
        raise SystemExit(f"the tests did not run; see {log}")


def own_tests(module: str) -> tuple[str, ...]:
    """Pytest's arguments for a module of `clients`: this project's own configuration is not for it."""
    return ("-c", os.devnull, "--rootdir=.", module)


def _run(*words: str) -> None:
    done = subprocess.run(words, env=places.environment(), capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"{' '.join(words)}:\n{done.stdout}{done.stderr}")
