"""Which software ran: also where a distribution is not installed."""

from __future__ import annotations

import platform
from importlib.metadata import PackageNotFoundError, version

import pytest

from oracle_refresh.report import installed
from oracle_refresh.report.installed import DISTRIBUTIONS, installed_versions


def test_releases_are_those_that_are_installed() -> None:
    found = installed_versions()
    assert list(found) == ["python", *DISTRIBUTIONS]
    assert found["python"] == platform.python_version()
    assert found["oracledb"] == version("oracledb")


def test_what_is_not_installed_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> str:
        raise PackageNotFoundError(name)

    monkeypatch.setattr(installed, "version", missing)
    assert {installed_versions()[name] for name in DISTRIBUTIONS} == {"not installed"}
