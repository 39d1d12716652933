"""`make lint` looks for known vulnerabilities of what it installs, and does not wait for a network."""

from __future__ import annotations

import importlib.util
import json
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest

AUDIT = Path(__file__).parents[3] / ".ci" / "audit.py"
PINS = "# pinned\ngood==1.0\nbad==2.0 ; python_version > '3'\nbad-too==3.0.1\n"
Answer = Callable[[dict[str, Any]], bytes]


def vulnerable(question: dict[str, Any]) -> bytes:
    """What OSV answers: results in the order of the queries."""
    known = {"bad": ["PYSEC-2", "GHSA-1"], "bad-too": ["GHSA-3"]}
    names = [query["package"]["name"] for query in question["queries"]]
    assert all(query["package"]["ecosystem"] == "PyPI" and query["version"] for query in question["queries"])
    results = [{"vulns": [{"id": each} for each in known[name]]} if name in known else {} for name in names]
    return json.dumps({"results": results}).encode()


@pytest.fixture
def database() -> Iterator[Callable[[Answer], str]]:
    """Starts a database that answers so; its address."""
    servers = []

    def started(answer: Answer) -> str:
        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                assert self.path == "/v1/querybatch"
                text = answer(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
                self.send_response(200)
                self.end_headers()
                self.wfile.write(text)

            def log_message(self, *_: Any) -> None:
                return

        server = HTTPServer(("127.0.0.1", 0), Handler)
        servers.append(server)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        return f"http://127.0.0.1:{server.server_port}"

    yield started
    for server in servers:
        server.shutdown()
        server.server_close()


def audit(tmp_path: Path, address: str, pins: str = PINS) -> subprocess.CompletedProcess[str]:
    (tmp_path / "constraints.txt").write_text(pins)
    return subprocess.run(
        [sys.executable, str(AUDIT), "constraints.txt"],
        cwd=tmp_path,
        env={**os.environ, "OSV_URL": address, "no_proxy": "127.0.0.1"},
        capture_output=True,
        text=True,
        timeout=60,
    )


def test_a_known_vulnerability_fails_and_is_named(tmp_path: Path, database: Callable[[Answer], str]) -> None:
    done = audit(tmp_path, database(vulnerable))
    assert done.returncode == 1
    assert "bad==2.0: GHSA-1, PYSEC-2;" in done.stderr
    assert "bad-too==3.0.1: GHSA-3;" in done.stderr
    assert "good" not in done.stderr


def test_none_passes(tmp_path: Path, database: Callable[[Answer], str]) -> None:
    done = audit(tmp_path, database(vulnerable), "good==1.0\n")
    assert (done.returncode, done.stderr) == (0, "")
    assert "no known vulnerability in 1 packages" in done.stdout


@pytest.mark.parametrize("text", [b"", b"<html>", b"[]", b'{"results": [{}]}', b'{"code": 3}'])
def test_an_answer_about_something_else_is_none(
    tmp_path: Path, database: Callable[[Answer], str], text: bytes
) -> None:
    """A proxy that wants a password answers for the whole world."""
    done = audit(tmp_path, database(lambda _: text))
    assert done.returncode == 0
    assert "is not audited" in done.stderr


def test_no_network_is_a_warning(tmp_path: Path) -> None:
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        done = audit(tmp_path, f"http://127.0.0.1:{silent.getsockname()[1]}")
    assert done.returncode == 0
    assert "warning: constraints.txt is not audited" in done.stderr


def test_one_that_never_answers_is_given_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    spec = importlib.util.spec_from_file_location("audit", AUDIT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert module.SECONDS == 5
    monkeypatch.setattr(module, "SECONDS", 0.2)
    (tmp_path / "constraints.txt").write_text(PINS)
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        monkeypatch.setattr(module, "ADDRESS", f"http://127.0.0.1:{silent.getsockname()[1]}")
        assert module.main([str(tmp_path / "constraints.txt")]) == 0
    assert "is not audited" in capsys.readouterr().err
