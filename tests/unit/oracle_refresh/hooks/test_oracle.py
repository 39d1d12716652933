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
from oracle_refresh.oracle.errors import PreflightError


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
