"""How expdp and impdp are started: what they see, what they must not see, and what becomes of their end."""

from __future__ import annotations

import json
import os
import signal
import stat
import sys
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from oracle_refresh.datapump import client as module
from oracle_refresh.datapump.client import ClientRunner, Login, _environment, find
from oracle_refresh.datapump.jobspec import JobSpec
from oracle_refresh.datapump.status import JobStatus
from oracle_refresh.oracle.errors import DataPumpError
from oracle_refresh.oracle.identifiers import TableName

SPEC = JobSpec(
    operation="EXPORT",
    job_name="RF_S001",
    directory="DUMPS",
    dump_files=("s.dmp",),
    log_file="s_1.log",
    tables=(TableName("APP", "T"),),
    encryption="ALL",
)
LOGIN = Login("host:1521/service", "scott", "tiger 'n\"")
NOBODY: Any = None

# Writes what it sees, says its lines, then ends or stays as told.
FAKE = """\
#!{python}
import json, os, sys, time
told = json.load(open({told!r}))
parfile = sys.argv[1].partition("=")[2]
seen = {{"argv": sys.argv[1:], "env": dict(os.environ), "parfile": open(parfile).read(),
        "mode": os.stat(parfile).st_mode & 0o777, "folder": os.stat(os.path.dirname(parfile)).st_mode & 0o777,
        "stdin": sys.stdin.read(), "pid": os.getpid()}}
json.dump(seen, open({seen!r} + ".new", "w"))
os.rename({seen!r} + ".new", {seen!r})
print("\\n".join(told["lines"]), flush=True)
if told["stay"]:
    time.sleep(600)
sys.exit(told["code"])
"""


@pytest.fixture
def fake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Path]:
    """Installs a client that behaves as told; returns where it writes what it has seen."""
    monkeypatch.setenv("AIRFLOW__CORE__FERNET_KEY", "secret of airflow")
    monkeypatch.setenv("TNS_ADMIN", "/etc/oracle")
    monkeypatch.setattr(module.tempfile, "tempdir", str(tmp_path))

    def install(code: int = 0, lines: tuple[str, ...] = ("Export: Release 19",), stay: bool = False) -> Path:
        told, seen = tmp_path / "told.json", tmp_path / "seen.json"
        told.write_text(json.dumps({"code": code, "lines": lines, "stay": stay}))
        for name in ("expdp", "impdp"):
            (tmp_path / name).write_text(FAKE.format(python=sys.executable, told=str(told), seen=str(seen)))
            (tmp_path / name).chmod(0o755)
        return seen

    return install


def job_state(monkeypatch: pytest.MonkeyPatch, tell: Callable[[], str | None]) -> None:
    def status(connection: Any, job_name: str) -> JobStatus | None:
        state = tell()
        return None if state is None else JobStatus(job_name, "EXPORT", state, 1, 1)

    monkeypatch.setattr(module, "status", status)


def test_what_the_client_sees(
    fake: Callable[..., Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: Any
) -> None:
    found = fake()
    job_state(monkeypatch, lambda: None)
    caplog.set_level("INFO")
    ClientRunner(LOGIN, tmp_path, "dump secret")(NOBODY, SPEC)
    seen = json.loads(found.read_text())
    assert seen["stdin"] == "tiger 'n\"\ndump secret\n"
    assert (seen["mode"], seen["folder"]) == (0o600, 0o700)
    assert seen["parfile"].startswith("userid=scott@host:1521/service\njob_name=RF_S001\n")
    assert "encryption_pwd_prompt=YES\n" in seen["parfile"]
    rest = json.dumps([seen["argv"], seen["env"], seen["parfile"]]) + caplog.text
    assert not [secret for secret in ("tiger", "dump secret", "secret of airflow") if secret in rest]
    assert seen["env"]["TNS_ADMIN"] == "/etc/oracle"
    assert "expdp: Export: Release 19" in caplog.text
    assert not list(tmp_path.glob("datapump-*"))


def test_a_wallet_needs_no_password(
    fake: Callable[..., Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = fake()
    monkeypatch.delenv("TNS_ADMIN")
    job_state(monkeypatch, lambda: None)
    wallet = Login("alias", wallet_location="/wallet")
    ClientRunner(wallet, tmp_path)(NOBODY, replace(SPEC, encryption=None))
    seen = json.loads(found.read_text())
    assert seen["stdin"] == ""
    assert seen["parfile"].startswith("userid=/@alias\n")
    assert seen["env"]["TNS_ADMIN"] == "/wallet"
    assert _environment(replace(wallet, config_dir="/network"))["TNS_ADMIN"] == "/network"


def test_a_client_that_fails(
    fake: Callable[..., Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake(1, ("UDE-31634: operation generated ORACLE error 31634", "ORA-31634: job already exists", "Bye"))
    job_state(monkeypatch, lambda: None)
    with pytest.raises(DataPumpError, match=r"exit code 1\nUDE-31634.*\nORA-31634: job") as caught:
        ClientRunner(LOGIN, tmp_path, "x")(NOBODY, SPEC)
    assert caught.value.codes[-1] == "ORA-31634"
    assert "Bye" not in str(caught.value)


def test_a_job_with_errors_is_judged_by_its_log(
    fake: Callable[..., Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake(5, ("ORA-31693: table data failed",))
    job_state(monkeypatch, lambda: None)
    ClientRunner(LOGIN, tmp_path, "x")(NOBODY, SPEC)


def test_a_running_job_is_left_and_its_client_ended(
    fake: Callable[..., Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = fake(stay=True)
    job_state(monkeypatch, lambda: "EXECUTING" if found.exists() else "DEFINING")
    runner = ClientRunner(LOGIN, tmp_path, "x")
    runner(NOBODY, SPEC)
    process = json.loads(found.read_text())["pid"]
    os.kill(process, 0)
    runner.close()
    with pytest.raises(ProcessLookupError):
        os.kill(process, 0)
    assert not list(tmp_path.glob("datapump-*"))


def test_a_signal_in_the_middle_of_a_poll_finds_its_lock_taken_and_goes_on(
    fake: Callable[..., Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = fake(stay=True)
    job_state(monkeypatch, lambda: "EXECUTING" if found.exists() else "DEFINING")
    monkeypatch.setattr(module, "LAST_WORDS", 0.1)
    runner = ClientRunner(LOGIN, tmp_path, "x")
    runner(NOBODY, SPEC)
    process, closing = runner._clients[0].process, threading.Thread(target=runner.close)
    with process._waitpid_lock:  # type: ignore[attr-defined]
        closing.start()
        closing.join(120)
        assert not closing.is_alive()
    assert process.wait(120) == -signal.SIGKILL


def test_a_client_that_hangs_is_given_up(
    fake: Callable[..., Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake(stay=True)
    job_state(monkeypatch, lambda: "DEFINING")
    monkeypatch.setattr(module, "DEFINING_LIMIT", 0.0)
    with pytest.raises(DataPumpError, match="has not started the job"):
        ClientRunner(LOGIN, tmp_path, "x")(NOBODY, SPEC)


def test_a_missing_client_and_a_strange_login(tmp_path: Path) -> None:
    with pytest.raises(DataPumpError, match=r"expdp is not in .*client_directory"):
        ClientRunner(LOGIN, tmp_path)(NOBODY, SPEC)
    with pytest.raises(DataPumpError, match="impdp is not on PATH"):
        find("impdp", None)
    (tmp_path / "expdp").write_text("#!/bin/sh\n")
    (tmp_path / "expdp").chmod(stat.S_IRWXU)
    with pytest.raises(DataPumpError, match="line break"):
        ClientRunner(replace(LOGIN, user="a\nfull=y"), tmp_path, "x")(NOBODY, SPEC)
    assert "tiger" not in repr(LOGIN)


def test_no_client_starts_what_another_try_has_started(fake: Callable[..., Path], tmp_path: Path) -> None:
    seen = fake()

    def overtaken() -> None:
        raise DataPumpError("another try")

    with pytest.raises(DataPumpError, match="another try"):
        ClientRunner(LOGIN, tmp_path, "secret")(NOBODY, SPEC, confirm=overtaken)
    assert not seen.exists()
