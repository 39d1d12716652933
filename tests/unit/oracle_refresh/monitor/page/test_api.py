"""The JSON routes inside Airflow's own application: who may read them, what they say of a recorded run."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from airflow.api_fastapi.app import create_app, get_auth_manager, purge_cached_app
from airflow.api_fastapi.auth.managers.simple.user import SimpleAuthManagerUser
from airflow.models import import_all_models
from airflow.models.base import Base
from airflow.models.taskinstance import TaskInstance
from airflow.utils.session import create_session
from fastapi.testclient import TestClient
from sqlalchemy import select

from benchmarks.recorded_run import BEGAN, TASKS, Instance, many_shards, record, register_dag
from oracle_refresh.integration import settings
from oracle_refresh.integration.compat import HAS_TASK_STATE
from oracle_refresh.integration.report_store import ReportStore
from oracle_refresh.monitor.page import reading
from oracle_refresh.monitor.page.app import STATIC, URL_PREFIX
from oracle_refresh.monitor.page.rest import AirflowApi
from oracle_refresh.oracle.errors import RefreshError

DAG, RUN = "watched_refresh", "recorded"
#: Of runs that single tests add: they are not compared with those that all of them know.
APART = {"definition": "apart"}
LOST = {"try": 1, "codes": ["ORA-03113"], "message": "the link broke", "remedy": "look at the network"}
FROZEN = {"scn": 4711, "source": {"db_unique_name": "P"}}
PLAN = {
    "refresh": "demo", "degree": 4,
    "jobs": [{"id": job, "estimate_bytes": 500, "tables": [["APP", "T"]]} for job in ("S001", "S002")],
    "tables": [{"owner": "APP", "name": "T", "bytes": 900, "lob_bytes": 100}],
}  # fmt: skip


@pytest.fixture(scope="module")
def reports(tmp_path_factory: pytest.TempPathFactory) -> ReportStore:
    store = ReportStore(Path(tmp_path_factory.mktemp("reports")))
    files = {"plan.json": json.dumps(PLAN), "plan.txt": "the plan", "docs/index.html": "<p>Data Docs</p>"}
    files["logs/S001_export.log"] = "Export: Release 19.0"
    store.write(RUN, files, DAG)
    return store


@pytest.fixture(scope="module")
def client(reports: ReportStore) -> Iterator[TestClient]:
    import_all_models()
    with create_session() as session:
        Base.metadata.create_all(session.get_bind())
    with create_session() as session:
        register_dag(session, DAG)
        register_dag(session, "something_else", tags=["oracle"])
        dump = {"files": [{"name": "a.dmp", "bytes": 800, "sha256": None}]}
        instances = [
            Instance("freeze", -1, None, "success", 0, 1, 1, FROZEN),
            Instance("plan", -1, None, "success", 1, 3, returned=["S001", "S002"]),
            Instance("shard.export", 0, "S001", "success", 5, 9, 2, dump, errors=(LOST,)),
            Instance("shard.export", 1, None),
            Instance("shard.stage", 0, "S001", "running", 10, progress={"percent": 50.0}),
            *(Instance(task) for task in TASKS if task.startswith("unit.")),
        ]  # fmt: skip
        lost = Instance("shard.export", 0, "S001", "failed", 3, 4, 1)
        record(session, reports, DAG, RUN, instances, former=[lost])
        ended = [Instance(task, -1, None, "success", 0, 10) for task in TASKS]
        before = BEGAN - timedelta(days=1)
        record(session, reports, DAG, "yesterday", ended, state="success", seconds=20, began=before,
               summary={"bytes": 7, "rows": 8, "tables": 1})  # fmt: skip
        record(session, reports, DAG, "tried_dry", ended[:2], state="success", seconds=5,
               began=BEGAN - timedelta(hours=1), conf={"definition": "demo", "dry_run": True})  # fmt: skip
        record(session, reports, DAG, "another_refresh", ended, state="success", seconds=500,
               began=BEGAN - timedelta(hours=2), conf={"definition": "large"})  # fmt: skip
        record(session, reports, "something_else", "hidden", [Instance("plan")])
        for other in ("reported", "plain"):
            record(session, reports, "something_else", other, ended[2:3], state="success", seconds=20)
    reports.write("reported", {"report.html": "<p>what a calibration found</p>"}, "something_else")
    purge_cached_app()
    with TestClient(create_app(apps="core")) as client:
        yield client
    purge_cached_app()


@pytest.fixture(autouse=True)
def _reports(reports: ReportStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings, "report_directory", lambda: reports)


def headers(role: str | None) -> dict[str, str]:
    token = get_auth_manager().generate_jwt(SimpleAuthManagerUser(username="somebody", role=role))
    return {"Authorization": f"Bearer {token}"}


def ask(client: TestClient, path: str) -> Any:
    answer = client.get(f"{URL_PREFIX}/api/{path}", headers=headers("VIEWER"))
    assert answer.status_code == 200, answer.text
    assert answer.headers["Cache-Control"] == "no-store"
    return answer.json()


@pytest.mark.parametrize("path", ["runs", f"runs/{DAG}/{RUN}", f"runs/{DAG}/{RUN}/results"])
def test_who_may_read(client: TestClient, path: str) -> None:
    assert client.get(f"{URL_PREFIX}/api/{path}").status_code == 401
    assert client.get(f"{URL_PREFIX}/api/{path}", headers=headers(None)).status_code == 403
    assert client.get(f"{URL_PREFIX}/api/{path}", headers=headers("VIEWER")).status_code == 200


@pytest.mark.parametrize(
    "path", [f"runs/{DAG}/no_such_run", f"runs/no_such_dag/{RUN}", f"runs/{DAG}/x/results"]
)
def test_what_is_not_there(client: TestClient, path: str) -> None:
    assert client.get(f"{URL_PREFIX}/api/{path}", headers=headers("VIEWER")).status_code == 404


def test_a_run_as_it_is_recorded(client: TestClient) -> None:
    found = ask(client, f"runs/{DAG}/{RUN}")
    assert (found["run"]["state"], found["run"]["scn"], found["run"]["source"]) == ("running", 4711, "P")
    assert (found["run"]["refresh"], found["run"]["triggered_by"]) == ("demo", "somebody")
    stages = {stage["task"]: stage for stage in found["stages"]}
    assert list(stages)[:2] == ["freeze", "plan"]
    assert stages["shard.export"]["states"] == {"success": 1, "waiting": 1}
    assert (stages["unit.mask"]["mapped"], stages["unit.mask"]["total"]) == (True, 0)
    staged = 400 if HAS_TASK_STATE else 0
    assert found["progress"]["moved_bytes"] == {"export": 800, "stage": staged, "load": 0}
    rows = {row["item"]: row for row in found["rows"]}
    assert [span[2:4] for span in rows["S001"]["spans"]] == [[1, "failed"], [2, "success"], [1, "running"]]
    assert (rows["S002"]["bytes"], rows["S002"]["about"]) == (500, "APP.T")
    (trouble,) = found["troubles"]
    assert (trouble["codes"], trouble["message"], trouble["over"]) == (["ORA-03113"], "the link broke", True)
    assert found["progress"]["eta_seconds"] > 0
    assert [link["task"] for link in found["critical_path"]][-1] == "shard.stage"


def test_a_run_is_compared_with_runs_of_its_definition(client: TestClient) -> None:
    found = ask(client, f"runs/{DAG}/{RUN}/results")
    assert [run["run_id"] for run in found["former"]] == [RUN, "yesterday"]
    (other,) = ask(client, f"runs/{DAG}/another_refresh/results")["former"]
    assert (other["run_id"], other["definition"]) == ("another_refresh", "large")
    found = ask(client, f"runs/{DAG}/{RUN}/results")
    assert found["former"][1]["summary"] == {"bytes": 7, "rows": 8, "tables": 1}
    assert found["former"][1]["stages"]["plan"] == {"count": 1, "busy": 10.0}


def test_a_run_without_a_form_refreshes_by_the_definition_of_its_dag(
    client: TestClient, reports: ReportStore
) -> None:
    """As a schedule starts it: it is listed, shown and compared like those that somebody has triggered."""
    ended = [Instance("plan", -1, None, "success", 0, 10)]
    with create_session() as session:
        register_dag(session, "of_demo")
        record(session, reports, "of_demo", "by_hand", ended, state="success", seconds=9,
               began=BEGAN - timedelta(days=3))  # fmt: skip
        record(session, reports, "of_demo", "by_schedule", ended, state="success", seconds=9,
               began=BEGAN - timedelta(days=2), conf={})  # fmt: skip
    runs = {run["run_id"]: run["definition"] for run in ask(client, "runs")["runs"]}
    assert (runs["by_hand"], runs["by_schedule"]) == ("demo", "demo")
    assert ask(client, "runs/of_demo/by_schedule")["run"]["definition"] == "demo"
    former = ask(client, "runs/of_demo/by_schedule/results")["former"]
    assert [(run["run_id"], run["definition"]) for run in former] == [
        ("by_schedule", "demo"),
        ("by_hand", "demo"),
    ]


def test_the_list_holds_refreshes_only(client: TestClient) -> None:
    runs = {run["run_id"]: run for run in ask(client, "runs")["runs"]}
    assert {RUN, "yesterday", "tried_dry", "another_refresh"} <= set(runs)
    assert not {"hidden", "reported", "plain"} & set(runs)
    assert runs["yesterday"]["summary"]["rows"] == 8
    assert (runs["yesterday"]["seconds"], runs[RUN]["seconds"]) == (20.0, None)
    assert (runs[RUN]["done"], runs[RUN]["tasks"]) == (3, 9)
    assert not any(runs[run]["resumed"] for run in (RUN, "yesterday", "tried_dry", "another_refresh"))


def test_a_run_that_was_cleared_is_not_taken_for_a_quick_one(
    client: TestClient, reports: ReportStore
) -> None:
    """Airflow moves its start to when it was cleared."""
    kept = [Instance("freeze", -1, None, "success", -500, -490), Instance("plan", -1, None, "success", 1, 3)]
    with create_session() as session:
        record(session, reports, DAG, "cleared", kept, state="success", seconds=4,
               began=BEGAN - timedelta(days=8), conf=APART)  # fmt: skip
    (found,) = [run for run in ask(client, "runs")["runs"] if run["run_id"] == "cleared"]
    assert (found["seconds"], found["resumed"]) == (4.0, True)
    page = ask(client, f"runs/{DAG}/cleared")
    assert (page["run"]["seconds"], page["pauses"]) == (13.0, [[10.0, 491]])


def test_a_large_run_is_read_in_pages_and_then_by_its_changes(
    client: TestClient, reports: ReportStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    pages: list[int] = []
    get = AirflowApi.get

    async def counted(self: AirflowApi, *path: str, **parameters: Any) -> Any:
        answer = await get(self, *path, **parameters)
        pages.append(len(answer.get("task_instances", ())))
        return answer

    with create_session() as session:
        instances, _ = many_shards(80, 5)
        record(session, reports, DAG, "larger", instances, began=BEGAN + timedelta(hours=12))
    monkeypatch.setattr(AirflowApi, "get", counted)
    monkeypatch.setattr(reading, "CLOCKS", -timedelta(seconds=1))
    found = ask(client, f"runs/{DAG}/larger")
    assert (sum(stage["total"] for stage in found["stages"]), max(pages)) == (len(instances), 100)
    pages.clear()
    with create_session() as session:
        query = select(TaskInstance).where(TaskInstance.run_id == "larger", TaskInstance.state == "running")
        one = session.scalars(query).first()
        assert one is not None
        one.state, one.updated_at = "failed", datetime.now(UTC) + timedelta(minutes=1)
        failed = one.task_id
    again = ask(client, f"runs/{DAG}/larger")
    assert "failed" in {stage["task"]: stage["states"] for stage in again["stages"]}[failed]
    assert sum(pages) < 10


@pytest.mark.parametrize(
    ("name", "media_type"),
    [
        ("plan.txt", "text/plain"),
        ("plan.json", "application/json"),
        ("docs/index.html", "text/html"),
        ("logs/S001_export.log", "text/plain"),
    ],
)
def test_files_of_the_run(client: TestClient, name: str, media_type: str) -> None:
    answer = client.get(f"{URL_PREFIX}/runs/{DAG}/{RUN}/{name}", headers=headers("VIEWER"))
    assert answer.status_code == 200
    assert answer.headers["Content-Type"].startswith(media_type)
    assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
    assert client.get(f"{URL_PREFIX}/runs/{DAG}/{RUN}/{name}").status_code == 401


def test_static_files_hold_no_data_and_load_nothing_from_elsewhere(client: TestClient) -> None:
    for file in STATIC.iterdir():
        answer = client.get(f"{URL_PREFIX}/static/{file.name}")
        assert answer.status_code == 200
        text = answer.text.replace("http://www.w3.org/2000/svg", "")
        assert "://" not in text, f"{file.name} names another server"
    assert client.get(f"{URL_PREFIX}/static/..%2Froutes.py").status_code == 404


def test_a_task_that_waits_for_its_next_try_has_failed_once(client: TestClient, reports: ReportStore) -> None:
    """As Airflow leaves it between two tries: the failed one is kept twice, with the same number."""
    lost = Instance("freeze", -1, None, "failed", 3, 4, 1, errors=(LOST,))
    waits = Instance("freeze", -1, None, "up_for_retry", 3, 4, 1, errors=(LOST,))
    with create_session() as session:
        record(
            session,
            reports,
            DAG,
            "waits",
            [waits],
            former=[lost],
            began=BEGAN - timedelta(days=9),
            conf=APART,
        )
    found = ask(client, f"runs/{DAG}/waits")
    (trouble,) = found["troubles"]
    assert (trouble["task"], trouble["again"]) == ("freeze", True)
    (row,) = found["rows"]
    assert [span[3:] for span in row["spans"]] == [["failed", 3.0, 4.0], ["up_for_retry", None, None]]


def test_a_run_of_another_dag_is_told_apart(client: TestClient) -> None:
    plain, reported = (ask(client, f"runs/something_else/{run}") for run in ("plain", "reported"))
    assert (plain["run"]["is_refresh"], plain["files"], plain["quarantine"]["state"]) == (False, [], "none")
    assert reported["files"] == ["report.html"]


def test_the_page_goes_on_where_the_reports_cannot_be_reached(
    client: TestClient, reports: ReportStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unreachable() -> ReportStore:
        raise RefreshError("the bucket is away")

    with create_session() as session:
        ended = [Instance("plan", -1, None, "success", 0, 10)]
        record(session, reports, DAG, "outage", ended, state="success", seconds=9, summary={"rows": 8},
               began=BEGAN - timedelta(days=11), conf=APART)  # fmt: skip
    monkeypatch.setattr(settings, "report_directory", unreachable)
    assert summaries(client)["outage"] is None
    found = ask(client, f"runs/{DAG}/{RUN}")
    assert (found["run"]["state"], found["run"]["refresh"]) == ("running", None)
    assert ask(client, f"runs/{DAG}/{RUN}/results")["former"]
    answer = client.get(f"{URL_PREFIX}/runs/{DAG}/{RUN}/plan.txt", headers=headers("VIEWER"))
    assert (answer.status_code, "the bucket" in answer.text) == (503, False)
    monkeypatch.setattr(settings, "report_directory", lambda: reports)
    assert summaries(client)["outage"] == {"rows": 8}


def summaries(client: TestClient) -> dict[str, Any]:
    return {run["run_id"]: run["summary"] for run in ask(client, "runs")["runs"]}


def test_the_list_holds_what_its_reader_may_read(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    manager = type(get_auth_manager())
    monkeypatch.setattr(manager, "get_authorized_dag_ids", lambda self, **given: {"something_else"})
    assert ask(client, "runs") == {"runs": []}
