"""Import the operators before Airflow forks the processes that run tasks, instead of in each of them.

The LocalExecutor, a prefork Celery worker and the DAG processor fork a process per task or file. Each imports
what its DAG needs, and that is most of what a short task costs; what the parent has imported, it has already.
Called from `airflow_local_settings.py`, which Airflow imports when a component starts ("Configuring local
settings", Airflow documentation).
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module

from oracle_refresh.provider_info import OPERATOR_MODULES

#: What DAG files and tasks of the provider import, and Airflow imports late.
MODULES = (
    *OPERATOR_MODULES,
    "airflow.sdk.definitions.asset.metadata",
    "airflow.sdk.definitions.decorators",
    "airflow.sdk.execution_time.cache",
    "jinja2.ext",
    "oracle_refresh.bundle",
    "oracle_refresh.integration.forms",
    "oracle_refresh.integration.laboratories",
    "oracle_refresh.masking.ruleset",
    "oracle_refresh.notifications.settled",
    "oracle_refresh.integration.retries",
)
#: Commands of `airflow` whose processes fork such processes.
FORKING = frozenset({"scheduler", "dag-processor", "worker"})


def preload(command: Sequence[str]) -> bool:
    """Import what tasks need if this command line is one that gains by it, and say whether it is."""
    gains = not FORKING.isdisjoint(command)
    if gains:
        for module in MODULES:
            import_module(module)
    return gains
