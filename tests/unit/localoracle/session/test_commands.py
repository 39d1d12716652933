"""The command line for a server that does not run."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from localoracle.__main__ import main


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


def test_only_the_server_imports_the_server() -> None:
    """`status` is asked often, and answers without a translator of SQL."""
    asked = "import sys, localoracle.__main__; print({'sqlglot', 'localoracle.wire'} & sys.modules.keys())"
    done = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"
