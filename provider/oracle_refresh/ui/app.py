"""The FastAPI application behind the tab: a run's report files, for users who may read the DAG."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Literal

from oracle_refresh.settings import report_directory

if TYPE_CHECKING:
    from fastapi import FastAPI

URL_PREFIX = "/oracle-refresh"
NOT_YET = "<!doctype html><title>Refresh</title><p>This run has not written its report yet.</p>"


def report_file(base: Path, run_id: str, name: str) -> Path | None:
    """The report file of a run, or None: unknown run, or a run id that is no plain folder name."""
    folder = (base / run_id).resolve()
    if folder.parent != base.resolve() or not (folder / name).is_file():
        return None
    return folder / name


def create_app() -> FastAPI:
    """The application. Both routes need a user who may read the DAG's task instances (401, 403 otherwise)."""
    from airflow.api_fastapi.auth.managers.models.resource_details import DagAccessEntity
    from airflow.api_fastapi.core_api.security import requires_access_dag
    from fastapi import Depends, FastAPI, HTTPException
    from fastapi.responses import FileResponse, HTMLResponse, Response

    app = FastAPI(title="Oracle refresh", docs_url=None, redoc_url=None, openapi_url=None)

    @app.get(
        "/runs/{dag_id}/{run_id}/{name}",
        dependencies=[Depends(requires_access_dag("GET", DagAccessEntity.TASK_INSTANCE))],
        response_model=None,
    )
    def report(dag_id: str, run_id: str, name: Literal["report.html", "report.json"]) -> Response:
        path = report_file(report_directory(), run_id, name)
        if path is not None:
            return FileResponse(path, headers={"Content-Security-Policy": "frame-ancestors 'self'"})
        if name == "report.html":
            return HTMLResponse(NOT_YET)
        raise HTTPException(404, "this run has not written its report yet")

    return app
