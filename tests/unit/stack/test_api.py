"""Requests to an Airflow that fails by itself now and then, or answers late."""

from __future__ import annotations

import json
import threading
import time
import urllib.error
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from stack import airflow
from stack.airflow import TRIES, Api

LATE = 0
"""In place of a code: no answer before the test is over."""


class Server(ThreadingHTTPServer):
    """Answers with these codes, the last one again and again; what it was asked."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.over = threading.Event()
        self.answer: dict[str, Any] = {"access_token": "a token", "state": "running", "dag_runs": []}
        self.codes, self.asked, self.bodies = [200], list[str](), list[dict[str, Any]]()


class _Handler(BaseHTTPRequestHandler):
    server: Server

    def do_GET(self) -> None:
        code = 200
        if self.path != "/auth/token":
            self.server.asked.append(self.path)
            code = self.server.codes.pop(0) if len(self.server.codes) > 1 else self.server.codes[0]
        if code == LATE:
            self.server.over.wait()
            return
        self.send_response(code)
        self.end_headers()
        self.wfile.write(json.dumps(self.server.answer).encode())

    def do_POST(self) -> None:
        self.server.bodies.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
        self.do_GET()

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    server = Server()
    threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
    monkeypatch.setattr(time, "sleep", lambda seconds: None)
    yield server
    server.over.set()
    server.shutdown()
    server.server_close()


@pytest.fixture
def api(server: Server) -> Api:
    return Api(f"http://127.0.0.1:{server.server_port}")


def test_a_failure_of_the_server_is_asked_about_again(server: Server, api: Api) -> None:
    server.codes = [500, 503, 200]
    assert api.run_state("a_dag", "a_run") == "running"
    assert len(server.asked) == 3


@pytest.mark.parametrize(("code", "times"), [(404, 1), (409, 1), (500, TRIES)])
def test_a_refusal_is_told_at_once_and_a_lasting_failure_in_the_end(
    server: Server, api: Api, code: int, times: int
) -> None:
    server.codes = [code]
    with pytest.raises(urllib.error.HTTPError) as told:
        api.run_state("a_dag", "a_run")
    assert told.value.code == code
    assert len(server.asked) == times


@pytest.mark.slow
def test_a_late_answer_is_asked_for_again(server: Server, api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(airflow, "LATE_SECONDS", 0.2)
    server.codes = [LATE, LATE, 200]
    assert api.run_state("a_dag", "a_run") == "running"
    assert len(server.asked) >= 3
    server.codes = [LATE]
    with pytest.raises(TimeoutError):
        api.run_state("a_dag", "a_run")


def test_a_run_whose_start_was_answered_by_a_failure_is_not_started_twice(server: Server, api: Api) -> None:
    server.codes = [500, 409]
    run_id = api.trigger("a_dag", {"dry_run": True})
    assert [body["dag_run_id"] for body in server.bodies] == [run_id, run_id]
    server.codes = [200]
    assert api.trigger("a_dag", {}, "of_that_name") == server.bodies[-1]["dag_run_id"] == "of_that_name"
    server.codes = [400]
    with pytest.raises(urllib.error.HTTPError):
        api.trigger("a_dag", {})


def test_a_dag_may_not_have_run_yet(server: Server, api: Api) -> None:
    assert api.last_run("a_dag") == ""
    server.answer["dag_runs"] = [{"dag_run_id": "the_last"}]
    assert api.last_run("a_dag") == "the_last"
