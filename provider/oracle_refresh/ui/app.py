"""The FastAPI application behind the tab: a run's report files, for users who may read the DAG."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Literal

from oracle_refresh.report.html import DAG_FILE
from oracle_refresh.settings import report_directory

if TYPE_CHECKING:
    from fastapi import FastAPI

URL_PREFIX = "/oracle-refresh"
NOT_YET = "<!doctype html><title>Refresh</title><p>This run has not written its report yet.</p>"


#: The page has no scripts and loads nothing; a browser shall hold it to that.
HEADERS = {
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; img-src data:; "
    "frame-ancestors 'self'; base-uri 'none'; form-action 'none'",
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-store",
}


def report_file(base: Path, dag_id: str, run_id: str, name: str) -> Path | None:
    """The report file of a run of that DAG, or None: unknown run, another DAG's, or no plain folder name.

    The user's access was checked for the DAG in the address, so the report has to be of that very DAG.
    """
    if Path(run_id).name != run_id or "\0" in run_id or run_id in ("", ".", ".."):
        return None
    folder = base / run_id
    try:
        owner = (folder / DAG_FILE).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return None
    if folder.is_symlink() or owner != dag_id or not (folder / name).is_file():
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
        path = report_file(report_directory(), dag_id, run_id, name)
        if path is not None:
            return FileResponse(path, headers=HEADERS)
        if name == "report.html":
            return HTMLResponse(NOT_YET, headers=HEADERS)
        raise HTTPException(404, "this run has not written its report yet")

    return app
