"""Airflow plugin: the report of a refresh as a tab of its DAG run."""

from __future__ import annotations

from airflow.plugins_manager import AirflowPlugin

# Not used here: Airflow loads plugins before it forks the processes that run tasks, so what is imported
# now does not have to be imported by every single task (0.1 to 0.9 s each, measured on two cores).
import oracle_refresh.operators.masking
import oracle_refresh.operators.planning
import oracle_refresh.operators.publishing
import oracle_refresh.operators.quarantine
import oracle_refresh.operators.tables
import oracle_refresh.operators.transfer
import oracle_refresh.operators.validation  # noqa: F401
from oracle_refresh.ui.app import URL_PREFIX, create_app


class RefreshPlugin(AirflowPlugin):
    """Adds the tab "Refresh" to every DAG run; it shows the run's report as soon as there is one."""

    name = "oracle_refresh"
    fastapi_apps = [{"app": create_app(), "url_prefix": URL_PREFIX, "name": "Oracle refresh"}]  # noqa: RUF012
    external_views = [  # noqa: RUF012
        {
            "name": "Refresh",
            "href": f"{URL_PREFIX}/runs/{{DAG_ID}}/{{RUN_ID}}/report.html",
            "destination": "dag_run",
            "url_route": "oracle-refresh",
        }
    ]
