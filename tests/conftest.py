"""Airflow for tests: a home of its own, set before anything imports Airflow."""

from __future__ import annotations

import gc
import os
import tempfile
from collections.abc import Generator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.internal.conjecture import providers

from support import session_folder

# How long an example takes says something about the load of the machine only.
settings.register_profile("exploring", deadline=None, suppress_health_check=[HealthCheck.too_slow])
# The same code is tried with the same examples; `pytest --hypothesis-profile exploring` looks for others.
settings.register_profile("refresh", settings.get_profile("exploring"), derandomize=True)
settings.load_profile("refresh")

_constants_of_loaded_modules = providers._get_local_constants


def _constants() -> providers.Constants:
    """Without the numbers and texts that Hypothesis picks up from the project's modules: which of them are
    loaded depends on the tests that the same worker had before, and the examples with them."""
    return providers.Constants() if settings.default.derandomize else _constants_of_loaded_modules()


providers._get_local_constants = _constants

pytest_plugins = [
    "support.left_behind",
    "support.crashed_workers",
    "support.tiers",
    "support.costs",
    "support.scheduling",
    "support.stand_in",
    "support.demo",
]

HOME = Path(tempfile.mkdtemp(prefix="airflow-", dir=session_folder.folder()))
os.environ.update(
    {
        "AIRFLOW_HOME": str(HOME),
        # How long it takes to import a DAG says something about the load of the machine only.
        "AIRFLOW__CORE__DAGBAG_IMPORT_TIMEOUT": "0",
        "AIRFLOW__CORE__LOAD_EXAMPLES": "False",
        "AIRFLOW__CORE__UNIT_TEST_MODE": "True",
        "AIRFLOW__DATABASE__SQL_ALCHEMY_CONN": f"sqlite:///{HOME / 'airflow.db'}",
        "AIRFLOW__ORACLE_REFRESH__REPORT_DIRECTORY": str(HOME / "reports"),
        "GX_ANALYTICS_ENABLED": "false",
    }
)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Keep the garbage collector away from the modules and tests of a session, which live until its end."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()
