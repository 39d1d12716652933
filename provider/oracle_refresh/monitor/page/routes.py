"""The routes with data: the list of runs, one run live, what it has proven, and its files."""

import json
import logging
import mimetypes
from functools import lru_cache
from typing import Any

from airflow.api_fastapi.app import get_auth_manager
from airflow.api_fastapi.auth.managers.models.resource_details import DagAccessEntity
from airflow.api_fastapi.common.dagbag import create_dag_bag
from airflow.api_fastapi.common.db.common import SessionDep
from airflow.api_fastapi.core_api.security import GetUserDep, requires_access_dag
from airflow.models.dagbag import DBDagBag
from fastapi import APIRouter, Depends, HTTPException
from fastapi.responses import HTMLResponse, JSONResponse, Response

from oracle_refresh.integration import settings
from oracle_refresh.monitor.overview import is_refresh, overview
from oracle_refresh.monitor.page import metadata
from oracle_refresh.monitor.records import Run
from oracle_refresh.monitor.results import results
from oracle_refresh.oracle.errors import RefreshError
from oracle_refresh.page_policy import META, POLICY

log = logging.getLogger(__name__)
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
FORMER_RUNS = 10

NO_STORE = {"X-Content-Type-Options": "nosniff", "Cache-Control": "no-store"}
#: The files have no scripts and load nothing; a browser shall hold them to that.
LOCKED_DOWN = NO_STORE | {"Content-Security-Policy": f"{POLICY}; frame-ancestors 'self'"}


@lru_cache(maxsize=1)
def _dags() -> DBDagBag:
    """DAGs as the database has them, kept between requests; made late: tasks load this module too."""
    return create_dag_bag()


@router.get("/api/runs", dependencies=[Depends(requires_access_dag("GET", DagAccessEntity.RUN))])
def list_runs(session: SessionDep, user: GetUserDep) -> JSONResponse:
    """The latest runs of refreshes, of those DAGs that the user may read."""
    readable = get_auth_manager().get_authorized_dag_ids(user=user, method="GET")
    runs = metadata.read_list(session, _dags(), readable, MOST_RUNS)
    return JSONResponse({"runs": runs}, headers=NO_STORE)


@router.get("/api/runs/{dag_id}/{run_id}", dependencies=MAY_READ)
def show_run(dag_id: str, run_id: str, session: SessionDep) -> JSONResponse:
    """What changes while a run is under way."""
    run = _run(session, dag_id, run_id)
    former = metadata.read_last_success(session, _dags(), dag_id, run_id)
    if is_refresh(run):
        document = overview(run, _document(dag_id, run_id, "plan.json"), former)
    else:
        has_report = run.ended is not None and _file(dag_id, run_id, "report.html") is not None
        document = overview(run, None, former, own_report=has_report)
    return JSONResponse(document, headers=NO_STORE)


@router.get("/api/runs/{dag_id}/{run_id}/results", dependencies=MAY_READ)
def show_results(dag_id: str, run_id: str, session: SessionDep) -> JSONResponse:
    """What a run has proven so far, and how it compares with the former ones."""
    run = _run(session, dag_id, run_id)
    former = metadata.read_former(session, _dags(), dag_id, run_id, FORMER_RUNS)
    details = _document(dag_id, run_id, "details.json") or {}
    plan = _document(dag_id, run_id, "plan.json")
    return JSONResponse(results(run, plan, details.get("coverage"), former), headers=NO_STORE)


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


def _run(session: SessionDep, dag_id: str, run_id: str) -> Run:
    run = metadata.read_run(session, _dags(), dag_id, run_id)
    if run is None:
        raise HTTPException(404, "there is no such run")
    return run


def _document(dag_id: str, run_id: str, name: str) -> Any:
    content = _file(dag_id, run_id, name)
    return None if content is None else json.loads(content)


def _file(dag_id: str, run_id: str, name: str) -> bytes | None:
    """A file of the run. Where the store cannot be reached, the page goes on as before the file is there."""
    try:
        return settings.report_directory().read(dag_id, run_id, name)
    except RefreshError as error:
        log.warning("the page of %s goes on without %s: %s", run_id, name, error)
        return None
