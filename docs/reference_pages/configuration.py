"""The provider's section of Airflow's configuration."""

from __future__ import annotations

from oracle_refresh.integration.settings import SECTION
from oracle_refresh.provider_info import get_provider_info
from reference_pages.markdown import code, table

INTRODUCTION = """\
# Configuration

Options of the section `[oracle_refresh]` of `airflow.cfg`. Each can be set by an environment variable
as well. Paths are relative to the folder that Airflow's processes run in; give absolute ones in production.

This page is generated from the provider's information (`make docs`).
"""

PRELOADING = """
## Tasks that begin sooner

The LocalExecutor, a Celery worker and the DAG processor fork a process for each task or file, which then
imports what its DAG needs. `include/airflow/airflow_local_settings.py` imports the operators before that, in
these three components only; 0.7 s of CPU for each task became less than 0.1 s where it was measured. Copy its
two statements into `$AIRFLOW_HOME/config/airflow_local_settings.py` of your Airflow; `make up` and
`docker-compose.yml` do so already.
"""


def page(_: str) -> str:
    options = get_provider_info()["config"][SECTION]["options"]
    rows = [
        [
            code(name),
            str(option["type"]),
            code(str(option["default"])) or "empty",
            code(f"AIRFLOW__{SECTION.upper()}__{name.upper()}"),
            str(option["description"]),
        ]
        for name, option in options.items()
    ]
    return (
        INTRODUCTION
        + "\n"
        + table(["option", "type", "default", "environment variable", "meaning"], rows)
        + "\n"
        + PRELOADING
    )
