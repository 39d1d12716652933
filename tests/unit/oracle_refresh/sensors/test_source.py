"""The sensor that waits for a condition in the source."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any

import oracledb
import pytest
from airflow.sdk import Asset

from oracle_refresh.hooks.oracle import OracleRefreshHook
from oracle_refresh.integration.compat import AirflowSkipException
from oracle_refresh.oracle.errors import PreflightError
from oracle_refresh.sensors.source import READ_ONLY, SourceConditionSensor
from support.fake_connection import FakeConnection

CLOSED = Asset("month_closed")
SQL = "SELECT COUNT(*) FROM FINANCE.CLOSED_PERIODS"


class Source(FakeConnection):
    """A source that answers the query with rows, or with an error."""

    call_timeout = 0

    def __init__(self, answer: Any = None) -> None:
        self.answer, self.executed, self.roles = answer, list[str](), list[str]()
        self.rowcount = 0

    def is_healthy(self) -> bool:
        return True

    def execute(self, statement: str, *_: Any) -> None:
        self.executed.append(statement)
        if statement == SQL and isinstance(self.answer, Exception):
            raise self.answer

    def fetchmany(self, size: int) -> Any:
        assert 0 < self.call_timeout <= 60_000
        return self.answer[:size]


@pytest.fixture
def source(monkeypatch: pytest.MonkeyPatch) -> Source:
    source = Source()

    @contextmanager
    def session(hook: OracleRefreshHook, role: str, action: str) -> Iterator[Source]:
        assert (hook.get_conn_id(), action) == ("oracle_source", "await_closing")
        source.roles.append(role)
        yield source

    monkeypatch.setattr(OracleRefreshHook, "session", session)
    return source


def poke(sql: str = SQL, announced: str = "2025-12") -> tuple[bool, Any]:
    """Whether the condition is met, and the `extra` of the event."""
    sensor = SourceConditionSensor(
        task_id="await_closing", conn_id="oracle_source", sql=sql, period="2026-01", asset=CLOSED
    )
    event = SimpleNamespace(extra={"period": announced}, timestamp=datetime(2026, 2, 1, tzinfo=UTC))
    outlet = SimpleNamespace(extra={})
    context: Any = {"inlet_events": {CLOSED: [event]}, "outlet_events": {CLOSED: outlet}}
    return sensor.poke(context).is_done, outlet.extra


@pytest.mark.parametrize("rows", [[], [(None,)], [(0,)]])
def test_query_without_a_number_other_than_0_keeps_waiting(source: Source, rows: Any) -> None:
    source.answer = rows
    assert poke() == (False, {})


def test_met_condition_announces_the_period_from_a_read_only_session(source: Source) -> None:
    source.answer = [(1,)]
    assert poke() == (True, {"period": "2026-01"})
    assert source.executed == [READ_ONLY, SQL]
    assert source.roles == ["source"]


def test_announced_period_is_skipped_without_a_session(source: Source) -> None:
    with pytest.raises(AirflowSkipException, match="2026-01 was announced at 2026-02-01"):
        poke(announced="2026-01")
    assert source.roles == []


@pytest.mark.parametrize("sql", ["DELETE FROM T", "BEGIN P; END;", "  SELECTED", ""])
def test_statement_that_is_not_a_query_is_refused_without_a_session(source: Source, sql: str) -> None:
    with pytest.raises(PreflightError, match="only a query may run"):
        poke(sql)
    assert source.roles == []


@pytest.mark.parametrize("rows", [[("N",)], [(1, 2)], [(0,), (0,)]])
def test_answer_other_than_one_number_is_refused(source: Source, rows: Any) -> None:
    source.answer = rows
    with pytest.raises(PreflightError, match="one number was expected"):
        poke()


def test_error_that_may_pass_keeps_waiting_and_any_other_fails(source: Source) -> None:
    source.answer = oracledb.DatabaseError("ORA-01034: the Oracle instance is not available")
    assert poke() == (False, {})
    source.answer = oracledb.DatabaseError("ORA-00942: table or view does not exist")
    with pytest.raises(PreflightError, match="ORA-00942"):
        poke()
