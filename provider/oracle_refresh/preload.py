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

#: Commands of `airflow` whose processes fork such processes.
FORKING = frozenset({"scheduler", "dag-processor", "worker"})


def preload(command: Sequence[str]) -> bool:
    """Import all operators of the provider if this command line is one that gains by it, and say whether."""
    gains = not FORKING.isdisjoint(command)
    if gains:
        for module in OPERATOR_MODULES:
            import_module(module)
    return gains
