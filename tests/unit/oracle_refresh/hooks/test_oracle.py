"""Connections: roles, tags, time limits."""

from __future__ import annotations

import json
import threading
from concurrent.futures import Future, wait
from typing import Any
from unittest import mock

import oracledb
import pytest

from oracle_refresh.hooks import limits
from oracle_refresh.hooks.limits import SessionLimits, open_within
from oracle_refresh.hooks.oracle import OracleRefreshHook
from oracle_refresh.oracle.errors import DataPumpError, PreflightError, from_oracle


@pytest.fixture
def connections(monkeypatch: pytest.MonkeyPatch) -> None:
    for role in ("source", "target", "unmarked"):
        extra = {"service_name": "X"} | ({} if role == "unmarked" else {"refresh_role": role})
        monkeypatch.setenv(
            f"AIRFLOW_CONN_{role.upper()}",
            json.dumps(
                {"conn_type": "oracle", "host": "db.invalid", "login": "u", "password": "p", "extra": extra}
            ),
        )


@pytest.mark.usefixtures("connections")
def test_the_call_that_stops_a_job_is_not_broken_off_while_the_job_ends() -> None:
    """STOP_JOB waits for the job's processes; a time limit in the middle would leave the job running."""
    with (
        mock.patch.object(oracledb, "connect") as connect,
        mock.patch("oracle_refresh.oracle.session_state.settle", side_effect=lambda connection: connection),
    ):
        OracleRefreshHook(oracle_conn_id="source").prepared("kill")()
    assert connect.return_value.call_timeout >= 60_000


@pytest.mark.usefixtures("connections")
@pytest.mark.parametrize(
    ("conn_id", "wanted"), [("source", "target"), ("target", "source"), ("unmarked", "target")]
)
def test_a_session_of_another_role_is_refused_before_connecting(conn_id: str, wanted: str) -> None:
    hook = OracleRefreshHook(oracle_conn_id=conn_id)
    with (
        mock.patch.object(oracledb, "connect") as connect,
        pytest.raises(PreflightError, match="refresh_role"),
        hook.session(wanted, "test"),  # type: ignore[arg-type]
    ):
        pass
    connect.assert_not_called()


def test_a_connection_that_is_not_there_is_told_with_the_command_that_makes_it() -> None:
    with pytest.raises(PreflightError, match=r'connections import`: \{"nowhere": \{"conn_type": "oracle"'):
        OracleRefreshHook(oracle_conn_id="nowhere").require_role("source")


@pytest.mark.usefixtures("connections")
def test_sessions_are_tagged_and_closed() -> None:
    with mock.patch.object(oracledb, "connect") as connect:
        with OracleRefreshHook(oracle_conn_id="target").session("target", "a" * 80) as connection:
            assert connection.module == "oracle_refresh"
            assert connection.action == "a" * 64
        connect.return_value.close.assert_called_once()


@pytest.mark.usefixtures("connections")
def test_a_connection_error_keeps_its_code_and_hides_the_password() -> None:
    failure = oracledb.DatabaseError("ORA-01017: invalid credential")
    with mock.patch.object(oracledb, "connect", side_effect=failure), pytest.raises(PreflightError) as caught:  # noqa: SIM117
        with OracleRefreshHook(oracle_conn_id="target").session("target", "x"):
            pass
    assert "ORA-01017" in caught.value.codes
    assert str(caught.value).startswith("connect target target at db.invalid:1521/X: ORA-01017")


@pytest.mark.usefixtures("connections")
@pytest.mark.parametrize("opener", ["opener", "prepared"])
def test_session_of_a_thread_that_is_not_opened_names_the_database(opener: str) -> None:
    open_session = getattr(OracleRefreshHook(oracle_conn_id="source"), opener)("thread")
    failure = oracledb.OperationalError("DPY-6005: cannot connect")
    with mock.patch.object(oracledb, "connect", side_effect=failure):
        for _ in range(2):  # a retry notes it once
            with pytest.raises(oracledb.OperationalError) as caught:
                open_session()
    assert str(from_oracle(caught.value, "load", "APP.T")).startswith(
        "load APP.T: DPY-6005: cannot connect (source source at db.invalid:1521/X)"
    )


@pytest.mark.usefixtures("connections")
@pytest.mark.parametrize("kind", [oracledb.OperationalError, DataPumpError])
def test_lost_session_is_named_among_those_of_a_task(kind: type[Exception]) -> None:
    with (  # noqa: PT012
        mock.patch.object(oracledb, "connect", side_effect=lambda **_: mock.MagicMock()),
        pytest.raises(kind) as caught,
        OracleRefreshHook(oracle_conn_id="source").session("source", "x"),
        OracleRefreshHook(oracle_conn_id="target").session("target", "x") as target,
    ):
        target.is_healthy.return_value = False
        raise kind("DPY-4011: the database or network closed the connection")
    error = caught.value
    told = str(from_oracle(error, "load") if isinstance(error, oracledb.Error) else error)
    assert "(lost the session of target target at db.invalid:1521/X)" in told
    assert "source" not in told


@pytest.mark.usefixtures("connections")
def test_session_without_an_answer_names_the_database(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(
        "AIRFLOW_CONN_SLOW",
        json.dumps({"conn_type": "oracle", "host": "h", "extra": {"sid": "S", "connect_timeout": 0.01}}),
    )
    waiting = threading.Event()
    with (
        mock.patch.object(oracledb, "connect", side_effect=lambda **_: waiting.wait(5)),
        pytest.raises(PreflightError, match="connect connection slow at h:1521/S: no session was opened"),
    ):
        OracleRefreshHook(oracle_conn_id="slow").get_conn()
    waiting.set()


@pytest.mark.parametrize("name", ["expire_time", "connect_timeout", "call_timeout"])
@pytest.mark.parametrize("given", ["soon", -1, [], "inf", "1e999", json.loads("1e999"), float("nan")])
def test_a_limit_that_is_none_is_refused(name: str, given: object) -> None:
    with pytest.raises(PreflightError, match=f"{name} in the connection's extra is"):
        SessionLimits.of("c", {name: given})


@pytest.mark.parametrize("fails", [False, True])
def test_an_opening_that_ends_as_its_time_is_over_counts(
    fails: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody would close the session, and what the database has said would be lost."""
    session, began = mock.Mock(), threading.Event()

    class Late(Future[Any]):
        def result(self, timeout: float | None = None) -> Any:
            if timeout is None:
                return super().result()
            began.set()
            wait([self])
            raise TimeoutError

    def open_session() -> Any:
        began.wait()
        if fails:
            raise oracledb.DatabaseError("ORA-01017")
        return session

    monkeypatch.setattr(limits, "Future", Late)
    if fails:
        with pytest.raises(oracledb.DatabaseError, match="ORA-01017"):
            open_within(1.0, "c", open_session)
    else:
        assert open_within(1.0, "c", open_session) is session
        session.close.assert_not_called()


def test_a_limit_of_the_extra_takes_the_place_of_the_default() -> None:
    assert SessionLimits.of("c", {"connect_timeout": "5", "refresh_role": "source"}) == SessionLimits(
        connect_seconds=5.0
    )
    assert SessionLimits.of("c", {"expire_time": 0, "call_timeout": 1}) == SessionLimits(
        keep_alive=0, call_seconds=1.0
    )
    assert SessionLimits.of("c", {"expire_time": None}) == SessionLimits()
    assert SessionLimits().keep_alive > 0
