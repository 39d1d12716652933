"""Airflow plugin: the run of a refresh as a tab of its DAG run, all refreshes as a page, and the timetable of
the DAGs of definitions."""

from __future__ import annotations

from airflow.plugins_manager import AirflowPlugin

# Not used here: Airflow loads plugins before it forks the processes that run tasks, so what is imported
# now does not have to be imported by every single task (0.1 to 0.9 s each, measured on two cores).
import oracle_refresh.operators.masking
import oracle_refresh.operators.planning
import oracle_refresh.operators.publishing
import oracle_refresh.operators.quarantine
import oracle_refresh.operators.store
import oracle_refresh.operators.tables
import oracle_refresh.operators.transfer
import oracle_refresh.operators.validation  # noqa: F401
from oracle_refresh.integration.timetables import RefreshCronTimetable
from oracle_refresh.monitor.page.app import URL_PREFIX, create_app

#: Relative, as Airflow may be served below a path of its own.
_STATIC = f"{URL_PREFIX.strip('/')}/static"
_PAGE = {
    "bundle_url": f"{_STATIC}/page.js",
    "icon": f"{_STATIC}/icon.svg",
    "icon_dark_mode": f"{_STATIC}/icon_dark.svg",
}


class RefreshPlugin(AirflowPlugin):
    """Adds the tab "Refresh" to every DAG run and the page "Oracle refreshes" to the navigation.

    Both are drawn by one JavaScript module, which knows by its parameters where it stands.
    """

    name = "oracle_refresh"
    fastapi_apps = [{"app": create_app(), "url_prefix": URL_PREFIX, "name": "Oracle refresh"}]  # noqa: RUF012
    timetables = [RefreshCronTimetable]  # noqa: RUF012
    react_apps = [  # noqa: RUF012
        {
            "name": "Refresh",
            "destination": "dag_run",
            "url_route": "oracle-refresh",
            **_PAGE,
        },
        {
            "name": "Oracle refreshes",
            "destination": "nav",
            "category": "browse",
            "url_route": "oracle-refreshes",
            **_PAGE,
        },
    ]
