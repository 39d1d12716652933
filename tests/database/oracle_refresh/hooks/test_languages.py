"""Sessions of a refresh are American, whatever language the instance speaks."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator

import oracledb
import pytest

from oracle_refresh.hooks.oracle import OracleRefreshHook
from support.stand_in import SYSTEM_PASSWORD, Server, new_server

SETTINGS = "SELECT SYS_CONTEXT('USERENV', 'LANGUAGE'), TO_CHAR(DATE '2026-11-23'), TO_CHAR(1.5) FROM DUAL"


@pytest.fixture(scope="module")
def german() -> Iterator[Server]:
    server, end = new_server(options=("--language", "GERMAN", "--territory", "GERMANY"))
    yield server
    end()


def test_whoever_opens_it(german: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    connection = {
        "conn_type": "oracle",
        "login": "SYSTEM",
        "password": SYSTEM_PASSWORD,
        "extra": {"dsn": german.dsn, "refresh_role": "source"},
    }
    monkeypatch.setenv("AIRFLOW_CONN_GERMAN", json.dumps(connection))
    hook = OracleRefreshHook(oracle_conn_id="german")

    def ask(connection: oracledb.Connection) -> tuple[str, ...]:
        with connection:
            return connection.cursor().execute(SETTINGS).fetchone() or ()

    assert ask(german.connect()) == ("GERMAN_GERMANY.AL32UTF8", "23.11.26", "1,5")
    american = ("AMERICAN_AMERICA.AL32UTF8", "23-NOV-26", "1.5")
    with hook.session("source", "test") as session:
        assert session.cursor().execute(SETTINGS).fetchone() == american
    assert ask(hook.get_conn()) == american
    assert ask(hook.prepared("test")()) == american
    assert ask(hook.opener("test")()) == american
    assert ask(asyncio.run(hook.aopener("test"))()) == american
