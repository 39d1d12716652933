"""The command line: start, status and stop of a server, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from localoracle.__main__ import main
from support.stand_in import Server


def test_status_and_second_start(oracle: Server) -> None:
    status = oracle.command("status")
    assert status.returncode == 0
    assert str(oracle.instance.root) in status.stdout
    again = oracle.command("start")
    assert again.returncode == 0
    assert "runs already" in again.stdout


def test_what_does_not_run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LOCALORACLE_HOME", str(tmp_path))
    assert main(["status", "nothing"]) == 3
    assert main(["stop", "nothing"]) == 0
    assert main(["load-demo", "nothing", "--port", "1"]) == 1
    assert main(["start", "nothing"]) == 2
    assert main(["start", "no-name", "--port", "1"]) == 2
    assert "not a usable instance name" in capsys.readouterr().err


def test_port_in_use(
    oracle: Server, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LOCALORACLE_HOME", str(tmp_path))
    words = ["start", "second", "--port", str(oracle.instance.port)]
    assert main(words) == 1
    assert "in use" in capsys.readouterr().err
