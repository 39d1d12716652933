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


def test_port_in_use(
    oracle: Server, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LOCALORACLE_HOME", str(tmp_path))
    words = ["start", "second", "--port", str(oracle.instance.port)]
    assert main(words) == 1
    assert "in use" in capsys.readouterr().err
