"""The FastAPI application behind the tab: a run's report files, for users who may read the DAG."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from oracle_refresh import settings

if TYPE_CHECKING:
    from fastapi import FastAPI

URL_PREFIX = "/oracle-refresh"
NOT_YET = "<!doctype html><title>Refresh</title><p>This run has not written its report yet.</p>"
MEDIA_TYPES = {"report.html": "text/html; charset=utf-8", "report.json": "application/json"}

#: The page has no scripts and loads nothing; a browser shall hold it to that.
HEADERS = {
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; img-src data:; "
    "frame-ancestors 'self'; base-uri 'none'; form-action 'none'",
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-store",
}


def create_app() -> FastAPI:
    """The application. Both routes need a user who may read the DAG's task instances (401, 403 otherwise)."""
    from airflow.api_fastapi.auth.managers.models.resource_details import DagAccessEntity
    from airflow.api_fastapi.core_api.security import requires_access_dag
    from fastapi import Depends, FastAPI, HTTPException
    from fastapi.responses import HTMLResponse, Response

    app = FastAPI(title="Oracle refresh", docs_url=None, redoc_url=None, openapi_url=None)

    @app.get(
        "/runs/{dag_id}/{run_id}/{name}",
        dependencies=[Depends(requires_access_dag("GET", DagAccessEntity.TASK_INSTANCE))],
        response_model=None,
    )
    def report(dag_id: str, run_id: str, name: Literal["report.html", "report.json"]) -> Response:
        content = settings.report_directory().read(dag_id, run_id, name)
        if content is not None:
            return Response(content, media_type=MEDIA_TYPES[name], headers=HEADERS)
        if name == "report.html":
            return HTMLResponse(NOT_YET, headers=HEADERS)
        raise HTTPException(404, "this run has not written its report yet")

    return app
