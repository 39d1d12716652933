"""Which software ran: releases of Python and of the distributions that a refresh depends on."""

from __future__ import annotations

import platform
from importlib.metadata import PackageNotFoundError, version

DISTRIBUTIONS = ("airflow-provider-oracle-refresh", "apache-airflow", "oracledb")


def installed_versions() -> dict[str, str]:
    """By name, `python` first."""
    found = {"python": platform.python_version()}
    for name in DISTRIBUTIONS:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = "not installed"
    return found
