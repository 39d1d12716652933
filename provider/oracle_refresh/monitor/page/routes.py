"""The routes with data: the list of runs, one run live, what it has proven, and its files."""

import asyncio
import mimetypes
from typing import Any

from airflow.api_fastapi.auth.managers.models.resource_details import DagAccessEntity
from airflow.api_fastapi.core_api.security import requires_access_dag
from fastapi import APIRouter, Depends, HTTPException, Request
from fastapi.responses import HTMLResponse, JSONResponse, Response

from oracle_refresh.integration import settings
from oracle_refresh.monitor.overview import is_refresh, overview
from oracle_refresh.monitor.page import reading
from oracle_refresh.monitor.page.rest import asked_by
from oracle_refresh.monitor.records import Run
from oracle_refresh.monitor.results import results
from oracle_refresh.oracle.errors import RefreshError
from oracle_refresh.page_policy import META, POLICY

router = APIRouter()

#: The page shows what tasks returned and the errors that stand in their logs: who may read these may read it.
MAY_READ = [
    Depends(requires_access_dag("GET", entity))
    for entity in (DagAccessEntity.TASK_INSTANCE, DagAccessEntity.XCOM, DagAccessEntity.TASK_LOGS)
]
NOT_YET = f"<!doctype html>{META}<title>Refresh</title><p>This run has not written its report yet.</p>"
#: Files that are served by name; besides them all below `docs/`, the Data Docs of Great Expectations, and
#: below `logs/` the copies of Data Pump's logs.
FILES = {
    "report.html": "text/html; charset=utf-8",
    "report.json": "application/json",
    "plan.json": "application/json",
    "plan.txt": "text/plain; charset=utf-8",
}
MOST_RUNS = 100
COMPARED = 10

NO_STORE = {"X-Content-Type-Options": "nosniff", "Cache-Control": "no-store"}
#: The files have no scripts and load nothing; a browser shall hold them to that.
LOCKED_DOWN = NO_STORE | {"Content-Security-Policy": f"{POLICY}; frame-ancestors 'self'"}


@router.get("/api/runs", dependencies=[Depends(requires_access_dag("GET", DagAccessEntity.RUN))])
async def list_runs(request: Request) -> JSONResponse:
    """The latest runs of refreshes, of those DAGs that the user may read."""
    async with asked_by(request) as api:
        return JSONResponse({"runs": await reading.read_list(api, MOST_RUNS)}, headers=NO_STORE)


@router.get("/api/runs/{dag_id}/{run_id}", dependencies=MAY_READ)
async def show_run(dag_id: str, run_id: str, request: Request) -> JSONResponse:
    """What changes while a run is under way."""
    async with asked_by(request) as api:
        run = await reading.read_run(api, dag_id, run_id)
        before = await reading.read_last_success(api, run)
    if is_refresh(run):
        document = overview(run, await _document(run, "plan.json"), before)
    else:
        has_report = run.ended is not None and await _file(run, "report.html") is not None
        document = overview(run, None, before, own_report=has_report)
    return JSONResponse(document, headers=NO_STORE)


@router.get("/api/runs/{dag_id}/{run_id}/results", dependencies=MAY_READ)
async def show_results(dag_id: str, run_id: str, request: Request) -> JSONResponse:
    """What a run has proven so far, and how it compares with the previous ones."""
    async with asked_by(request) as api:
        run = await reading.read_run(api, dag_id, run_id)
        compared = await reading.read_former(api, run, COMPARED)
    details = await _document(run, "details.json") or {}
    plan = await _document(run, "plan.json")
    return JSONResponse(results(run, plan, details.get("coverage"), compared), headers=NO_STORE)


@router.get("/runs/{dag_id}/{run_id}/{name:path}", dependencies=MAY_READ)
def show_file(dag_id: str, run_id: str, name: str) -> Response:
    """A file that the run has left for people."""
    media_type = FILES.get(name) or _media_type(name)
    try:
        content = settings.report_directory().read(dag_id, run_id, name) if media_type else None
    except RefreshError as error:
        raise HTTPException(503, "the folder of the reports cannot be reached") from error
    if content is not None:
        return Response(content, media_type=media_type, headers=LOCKED_DOWN)
    if name == "report.html":
        return HTMLResponse(NOT_YET, headers=LOCKED_DOWN)
    raise HTTPException(404, "this run has left no such file")


def _media_type(name: str) -> str | None:
    if name.startswith("logs/") and name.endswith(".log"):
        return "text/plain; charset=utf-8"
    return mimetypes.guess_type(name)[0] if name.startswith("docs/") else None


async def _document(run: Run, name: str) -> Any:
    return await asyncio.to_thread(reading.document, run.dag_id, run.run_id, name)


async def _file(run: Run, name: str) -> bytes | None:
    return await asyncio.to_thread(reading.file, run.dag_id, run.run_id, name)
