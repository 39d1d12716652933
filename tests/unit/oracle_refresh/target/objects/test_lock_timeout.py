"""How long sessions of the target wait for locks."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from oracle_refresh.target.objects.sessions import waiting_for_locks
from oracle_refresh.validation.statements import wait_for_locks
from support.fake_connection import FakeConnection

TEN_MINUTES = "ALTER SESSION SET DDL_LOCK_TIMEOUT = 600"


class _Session(FakeConnection):
    warning, rowcount = None, 0

    def __init__(self) -> None:
        self.sent: list[str] = []

    def execute(self, sql: str, *_: object) -> None:
        self.sent.append(sql)


def test_parallel_ddl_in_further_sessions_waits_ten_minutes_for_locks() -> None:
    session: Any = _Session()

    @contextmanager
    def connect() -> Iterator[Any]:
        yield session

    opened = waiting_for_locks(connect)
    assert opened is not None
    with opened():
        assert session.sent == [TEN_MINUTES]


def test_comparison_before_it_drops_its_tables_waits_ten_minutes_for_locks() -> None:
    session: Any = _Session()
    wait_for_locks(session)
    assert session.sent == [TEN_MINUTES]
