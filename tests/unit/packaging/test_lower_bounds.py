"""dev/constraints-lowest.txt has the lower bound of everything that the packages declare."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

from .compose import ROOT

#: Of the tools that write and check the sources, which no installed package has.
NOT_INSTALLED = ("docs", "dev")
SUPPORTED = ("3.11.0", "3.12.0", "3.13.0")


def requirements(project: str) -> Iterator[Requirement]:
    declared = tomllib.loads((ROOT / project / "pyproject.toml").read_text())
    texts = [*declared["build-system"]["requires"], *declared["project"]["dependencies"]]
    for extra, more in declared["project"].get("optional-dependencies", {}).items():
        texts += more if extra not in NOT_INSTALLED else []
    own = ("airflow-provider-oracle-refresh", "localoracle")
    yield from (each for each in map(Requirement, texts) if canonicalize_name(each.name) not in own)


def pins(python: str) -> dict[str, Version]:
    """What is installed under a version of Python."""
    found = {}
    for line in (ROOT / "dev" / "constraints-lowest.txt").read_text().splitlines():
        pin = Requirement(line)
        environment = {"python_version": python[:4], "python_full_version": python, "sys_platform": "linux"}
        if pin.marker is None or pin.marker.evaluate(environment):
            found[canonicalize_name(pin.name)] = Version(next(iter(pin.specifier)).version)
    return found


@pytest.mark.parametrize("python", SUPPORTED)
def test_every_lower_bound_is_what_is_installed(python: str) -> None:
    installed = pins(python)
    declared = [each for project in (".", "dev") for each in requirements(project)]
    assert len(declared) > 30
    for each in declared:
        bounds = [Version(one.version) for one in each.specifier if one.operator == ">="]
        assert bounds == [installed[canonicalize_name(each.name)]], f"{each}: run make lowest"
