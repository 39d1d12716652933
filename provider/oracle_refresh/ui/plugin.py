"""Airflow plugin: the report of a refresh as a tab of its DAG run."""

from __future__ import annotations

from airflow.plugins_manager import AirflowPlugin

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
