"""The report's routes inside Airflow's own application: who may read them, and what they give away."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from airflow.api_fastapi.app import create_app, get_auth_manager, purge_cached_app
from airflow.api_fastapi.auth.managers.simple.user import SimpleAuthManagerUser
from airflow.models import import_all_models
from airflow.models.base import Base
from airflow.utils.session import create_session
from fastapi.testclient import TestClient

from oracle_refresh.integration.report_store import DAG_FILE, ReportStore
from oracle_refresh.monitor.page import routes as module
from oracle_refresh.monitor.page.app import URL_PREFIX

DAG, RUN = "test_data_refresh", "manual__2026-01-02T03:04:05+00:00"


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient]:
    import_all_models()
    with create_session() as session:
        Base.metadata.create_all(session.get_bind())
    purge_cached_app()
    with TestClient(create_app(apps="core")) as client:
        yield client
    purge_cached_app()


@pytest.fixture(autouse=True)
def reports(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(module.settings, "report_directory", lambda: ReportStore(tmp_path / "reports"))
    folder = tmp_path / "reports" / RUN
    folder.mkdir(parents=True)
    (folder / "report.html").write_text("<p>the report</p>")
    (folder / "report.json").write_text('{"status": "published"}')
    (folder / DAG_FILE).write_text(DAG)
    (folder.parent / "latest").symlink_to(RUN)
    (tmp_path / "secret").mkdir()
    (tmp_path / "secret" / "report.json").write_text("not for anybody")
    (tmp_path / "secret" / DAG_FILE).write_text(DAG)
    return tmp_path / "reports"


def headers(role: str | None) -> dict[str, str]:
    token = get_auth_manager().generate_jwt(SimpleAuthManagerUser(username="somebody", role=role))
    return {"Authorization": f"Bearer {token}"}


def address(run: str = RUN, name: str = "report.html", dag: str = DAG) -> str:
    return f"{URL_PREFIX}/runs/{dag}/{run}/{name}"


@pytest.mark.parametrize("name", ["report.html", "report.json"])
def test_who_may_read(client: TestClient, reports: Path, name: str) -> None:
    assert client.get(address(name=name)).status_code == 401
    assert client.get(address(name=name), headers={"Authorization": "Bearer nonsense"}).status_code in (
        401,
        403,
    )
    assert client.get(address(name=name), headers=headers(None)).status_code == 403
    answer = client.get(address(name=name), headers=headers("VIEWER"))
    assert answer.status_code == 200
    assert answer.content == (reports / RUN / name).read_bytes()


def test_the_browser_is_told_to_run_and_load_nothing(client: TestClient) -> None:
    policy = client.get(address(), headers=headers("VIEWER")).headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "script-src" not in policy
    assert "frame-ancestors 'self'" in policy


def test_a_run_without_a_report(client: TestClient) -> None:
    page = client.get(address(run="not_yet"), headers=headers("VIEWER"))
    assert (page.status_code, "not written its report" in page.text) == (200, True)
    assert client.get(address("not_yet", "report.json"), headers=headers("VIEWER")).status_code == 404


def test_access_to_one_dag_does_not_open_the_runs_of_another(client: TestClient) -> None:
    answer = client.get(address(dag="another_dag", name="report.json"), headers=headers("VIEWER"))
    assert answer.status_code == 404


@pytest.mark.parametrize(
    "run",
    ["..", "../secret", "..%2Fsecret", "..%252Fsecret", "%2e%2e/secret", "latest", "a%00b", "%2Fetc", "."],
)
def test_no_address_leads_out_of_the_folder(client: TestClient, run: str) -> None:
    answer = client.get(address(run, "report.json"), headers=headers("VIEWER"))
    assert answer.status_code == 404
    assert "not for anybody" not in answer.text


@pytest.mark.parametrize("name", ["dag_id", "..%2Freport.json", "report.html%00"])
def test_only_the_two_files_are_served(client: TestClient, name: str) -> None:
    assert client.get(address(name=name), headers=headers("ADMIN")).status_code in (404, 422)
