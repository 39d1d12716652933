"""The script that CI starts a refresh with, against Airflow's own API."""

from __future__ import annotations

import json
import runpy
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from airflow.api_fastapi.app import create_app, get_auth_manager, purge_cached_app
from airflow.api_fastapi.auth.managers.simple.simple_auth_manager import SimpleAuthManager
from airflow.api_fastapi.auth.managers.simple.user import SimpleAuthManagerUser
from airflow.dag_processing.dagbag import DagBag, sync_bag_to_db
from airflow.models.dag import DagModel
from airflow.models.dagbundle import DagBundleModel
from airflow.models.dagrun import DagRun
from airflow.utils.db import initdb
from airflow.utils.session import create_session

from oracle_refresh.integration.report_store import ReportStore
from oracle_refresh.monitor.page import routes

ROOT = Path(__file__).parents[3]
DAG = "crm"
SECRET = "T0P-s3cr3t"
SCRIPT = runpy.run_path(str(ROOT / "include" / "ci" / "start_refresh.py"))


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("dags")
    (folder / "crm.py").write_text(
        "from airflow.sdk import DAG, Param\n"
        f"dag = DAG({DAG!r}, schedule=None, params={{'reason': Param('', type='string')}})\n"
    )
    initdb()
    with create_session() as session:
        session.merge(DagBundleModel(name="ci"))
        session.flush()
        bag = DagBag(str(folder), bundle_path=folder, bundle_name="ci")
        sync_bag_to_db(bag, "ci", None, session=session)
        session.get(DagModel, DAG).is_paused = False
    purge_cached_app()
    server = uvicorn.Server(uvicorn.Config(create_app(apps="core"), port=0, log_level="error"))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        assert thread.is_alive()
        time.sleep(0.01)
    yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    server.should_exit = True
    thread.join()
    purge_cached_app()


@pytest.fixture
def start(url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., int]:
    """Run the script. While it waits, the run gets a state, and a report with a status."""
    reports = ReportStore(tmp_path)
    monkeypatch.setattr(routes.settings, "report_directory", lambda: reports)
    monkeypatch.setenv("AIRFLOW_URL", url)
    user = SimpleAuthManagerUser(username="ci", role="user")
    monkeypatch.setenv("AIRFLOW_TOKEN", get_auth_manager().generate_jwt(user))

    def start(*arguments: str, state: str = "success", status: str | None = None) -> int:
        def end(_: float) -> None:
            with create_session() as session:
                run = session.query(DagRun).filter(DagRun.dag_id == DAG).order_by(DagRun.id.desc()).first()
                run.set_state(state)
                if status:
                    reports.write(run.run_id, {"report.json": json.dumps({"status": status})}, DAG)

        monkeypatch.setattr(SCRIPT["time"], "sleep", end)
        code: int = SCRIPT["main"]([DAG, *arguments])
        return code

    return start


def test_published_refresh_exits_0_and_prints_the_report(start: Any, url: str, capsys: Any) -> None:
    assert start('{"reason": "release 7"}', status="published") == 0
    # The API logs to the same stream.
    printed = capsys.readouterr().out.splitlines()
    started, report, ended = (line for line in printed if line.startswith(("Started ", "Report: ", "Run ")))
    run = started.rpartition("/")[2]
    assert started == f"Started {url}/dags/crm/runs/{run}"
    assert report == f"Report: {url}/oracle-refresh/runs/crm/{run}/report.html"
    assert ended == "Run success, refresh published"
    with create_session() as session:
        assert session.query(DagRun).filter(DagRun.run_id == run).one().conf == {"reason": "release 7"}


@pytest.mark.parametrize(
    ("state", "status", "told"),
    [("failed", "published", "Run failed"), ("success", None, "refresh without report")],
)
def test_refresh_that_is_not_published_exits_1(
    start: Any, capsys: Any, state: str, status: str | None, told: str
) -> None:
    """A dry run succeeds and writes no report."""
    assert start(state=state, status=status) == 1
    assert told in capsys.readouterr().err


def test_wrong_form_and_refused_token_exit_2_without_showing_the_token(
    start: Any, capsys: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert start('{"reason": 7}') == 2
    assert "Airflow answered 400" in capsys.readouterr().err
    monkeypatch.setenv("AIRFLOW_TOKEN", SECRET)
    assert start() == 2
    error = capsys.readouterr().err
    assert "Airflow answered 403" in error
    assert SECRET not in error


def test_user_and_password_start_a_run_in_place_of_a_token(
    start: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    passwords = json.loads(Path(SimpleAuthManager.get_generated_password_file()).read_text())
    user, password = next(iter(passwords.items()))
    monkeypatch.delenv("AIRFLOW_TOKEN")
    monkeypatch.setenv("AIRFLOW_USER", user)
    monkeypatch.setenv("AIRFLOW_PASSWORD", password)
    assert start(status="published") == 0


def test_redirect_is_refused_as_it_would_carry_the_token_elsewhere(
    start: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    followed = []

    class Redirect(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.send_response(302)
            self.send_header("Location", "/elsewhere")
            self.end_headers()

        def do_GET(self) -> None:
            followed.append(self.headers["Authorization"])

    with HTTPServer(("127.0.0.1", 0), Redirect) as server:
        threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
        monkeypatch.setenv("AIRFLOW_URL", f"http://127.0.0.1:{server.server_port}")
        assert start() == 2
        server.shutdown()
    assert followed == []


def test_run_that_does_not_end_in_time_exits_3(start: Any, capsys: Any) -> None:
    assert start("--minutes", "0") == 3
    assert "the run continues" in capsys.readouterr().err
