"""A connection names one database, whichever session reads it."""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from typing import Any
from unittest import mock

import oracledb
import pytest
from airflow.sdk import Connection

from oracle_refresh.hooks.dsn import dsn_of, shown
from oracle_refresh.hooks.oracle import OracleRefreshHook, database_uri
from oracle_refresh.hooks.sessions import check_sessions
from oracle_refresh.operators.jobs import _login
from oracle_refresh.oracle.errors import PreflightError


def descriptor(host: str, port: int = 1521, name: str = "SERVICE_NAME=TEST", protocol: str = "TCP") -> str:
    address = f"(ADDRESS=(PROTOCOL={protocol})(HOST={host})(PORT={port}))"
    return f"(DESCRIPTION={address}(CONNECT_DATA=({name})))"


def connection(**fields: Any) -> Connection:
    """Return a connection of these fields; those that Airflow's connections do not have are its extra."""
    own = {
        name: fields.pop(name) for name in ("host", "port", "schema", "login", "password") if name in fields
    }
    return Connection(conn_id="c", conn_type="oracle", extra=json.dumps(fields), **own)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path) -> Path:
    lines = [f"TESTDB={descriptor('t', 1522)}", f"PRODDB={descriptor('p', name='SERVICE_NAME=PROD')}", ""]
    (tmp_path / "tnsnames.ora").write_text("\n".join(lines))
    return tmp_path


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"host": "t", "schema": "TEST"}, descriptor("t")),
        ({"host": "t", "port": 1522, "sid": "TEST", "schema": "APP"}, descriptor("t", 1522, "SID=TEST")),
        ({"host": "t", "service_name": "TEST", "schema": "APP"}, descriptor("t")),
        ({"host": "t", "service_name": "TEST", "sid": "test"}, descriptor("t")),
        ({"host": "2001:db8::5", "service_name": "TEST"}, descriptor("2001:db8::5")),
        ({"host": "[2001:db8::5]", "schema": "TEST"}, descriptor("2001:db8::5")),
        ({"host": "[::1]", "service_name": "TEST", "dsn": "[::1]/TEST"}, "[::1]/TEST"),
        ({"host": "t:1522/TEST"}, "t:1522/TEST"),
        ({"host": "tcps://t:1522/TEST", "port": 1522}, "tcps://t:1522/TEST"),
        ({"host": descriptor("t", 1522), "service_name": "test"}, descriptor("t", 1522)),
        ({"dsn": "t:1522/TEST", "host": "T", "port": 1522, "service_name": "test"}, "t:1522/TEST"),
        ({"dsn": "t/TEST", "schema": "APP"}, "t/TEST"),
        ({"dsn": "t/TEST", "host": descriptor("T")}, "t/TEST"),
        ({"dsn": "a,b:1522/TEST", "host": "b", "port": 1522}, "a,b:1522/TEST"),
        ({"dsn": descriptor("t", name="SID=TEST"), "sid": "TEST"}, descriptor("t", name="SID=TEST")),
        ({"dsn": "IN_LDAP", "host": "", "port": 1521}, "IN_LDAP"),
        ({"dsn": "", "host": "PRODDB"}, "PRODDB"),
        ({"dsn": "PRODDB", "host": "PRODDB"}, "PRODDB"),
        ({"host": "t", "port": 1522}, "t:1522"),
    ],
)
def test_fields_that_agree_name_one_database(fields: dict[str, Any], expected: str) -> None:
    assert dsn_of(connection(**fields)) == expected


@pytest.mark.parametrize(
    "fields",
    [
        {"host": "t", "port": 1522, "service_name": "TEST", "dsn": "PRODDB"},
        {"host": "t", "port": 1522, "service_name": "TEST", "dsn": "IN_LDAP"},
        {"host": "t", "schema": "TEST", "dsn": "t/PROD"},
        {"host": "t", "dsn": "PRODDB"},
        {"service_name": "TEST", "dsn": "PRODDB"},
        {"sid": "PROD", "dsn": "PRODDB"},
        {"port": 1522, "dsn": "t:1521/TEST"},
        {"service_name": "TEST", "dsn": descriptor("t", name="SERVER=DEDICATED")},
        {"service_name": "TEST", "dsn": "IN_LDAP"},
        {"host": "t", "service_name": "TEST", "sid": "PROD"},
        {"host": "t/TEST", "dsn": "t/PROD"},
        {"host": "t/TEST", "service_name": "PROD"},
        {"host": "t/TEST", "schema": "PROD"},
        {"host": "tcps://t:2484/TEST", "port": 1521},
        {"host": "t:1522", "service_name": "TEST"},
        {"host": descriptor("t"), "sid": "TEST"},
        {"dsn": f"(DESCRIPTION_LIST={descriptor('t')}{descriptor('p', name='SERVICE_NAME=PROD')})"},
        {"dsn": f"(DESCRIPTION_LIST={descriptor('t')}{descriptor('t', name='SID=TEST')})"},
    ],
)
def test_fields_that_contradict_each_other_are_refused(
    fields: dict[str, Any], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = connection(**fields, config_dir=str(folder), refresh_role="target")
    with pytest.raises(PreflightError, match="names two databases: ") as refused:
        dsn_of(given)
    assert refused.value.remedy == "keep either host, port and one of service_name and sid, or dsn alone"
    monkeypatch.setenv("AIRFLOW_CONN_C", given.get_uri())
    with mock.patch.object(oracledb, "connect") as connected:
        (finding,) = check_sessions(["c"])
    assert finding.code == "NO_TASK_SESSION"
    assert "names two databases" in finding.message
    connected.assert_not_called()


@pytest.mark.parametrize("fields", [{}, {"service_name": "TEST"}, {"sid": "TEST", "port": 1}, {"dsn": " "}])
def test_connection_without_a_host_is_refused(fields: dict[str, Any]) -> None:
    with pytest.raises(PreflightError, match=r"names no (database|host)"):
        dsn_of(connection(**fields))


def test_every_pair_of_fields_names_one_database_or_is_refused(folder: Path) -> None:
    """No field decides silently over another one that names a different database."""
    named: dict[str, list[tuple[str, dict[str, Any]]]] = {
        "fields": [("t", {"host": "t", "port": 1522, "service_name": "TEST"}), ("", {})],
        "dsn": [
            ("t", {"dsn": text}) for text in ("TESTDB", "t:1522/TEST", "//T:1522/test", descriptor("t", 1522))
        ]
        + [("p", {"dsn": text}) for text in ("PRODDB", "p/PROD", "u/secret@p/PROD", descriptor("p"))]
        + [("", {})],
        "uri": [("t", {"schema": "TEST"}), ("", {})],
    }
    for chosen in itertools.product(*named.values()):
        given = connection(**{name: value for _, fields in chosen for name, value in fields.items()})
        given.extra = json.dumps(given.extra_dejson | {"config_dir": str(folder)})
        databases = {name for name, _ in chosen[:2] if name}
        if len(databases) == 1:
            assert shown(given).lower().startswith(databases.pop())
        else:
            with pytest.raises(PreflightError, match=r"names two databases|names no database") as refused:
                dsn_of(given)
            assert "secret" not in str(refused.value)


def test_password_of_a_connect_string_is_in_no_name(monkeypatch: pytest.MonkeyPatch) -> None:
    full = descriptor("h", name="SERVICE_NAME=S")
    strings = ("u/secret@h:1521/S", "u//secret@h/S", "u/sec@ret@ALIAS")
    for dsn in (*strings, f"u/secret@{full}", f"u/sec@(ret@{full}"):
        monkeypatch.setenv("AIRFLOW_CONN_C", connection(dsn=dsn).get_uri())
        assert database_uri("c") in ("oracle://h:1521/S", "oracle://ALIAS")
        assert dsn_of(connection(dsn=dsn)) == dsn
        with pytest.raises(PreflightError, match="has a login, and dsn another one") as refused:
            dsn_of(connection(dsn=dsn, login="r"))
        assert "sec" not in str(refused.value)


def test_parameters_of_a_connect_string_are_in_no_name() -> None:
    """They may hold the secret of a configuration provider, or the password of a wallet."""
    for dsn in ("config-azure://c?key=k&azure_client_secret=secret", "h/S?pyo.wallet_password=secret"):
        assert shown(connection(dsn=dsn)) in ("config-azure://c", "h:1521/S")
        with pytest.raises(PreflightError, match="names two databases") as refused:
            dsn_of(connection(dsn=dsn, host="other"))
        assert "secret" not in str(refused.value)
    assert dsn_of(connection(dsn="config-azure://c?key=a@b", login="r")) == "config-azure://c?key=a@b"


@pytest.mark.parametrize("thick", [False, True])
def test_client_programs_log_in_to_the_database_of_the_sessions(
    thick: bool, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    extra = {"config_dir": str(folder), "thick_mode": thick}
    fields = {"conn_type": "oracle", "host": "PRODDB", "extra": extra}
    monkeypatch.setenv("AIRFLOW_CONN_C", json.dumps(fields))
    login = _login(OracleRefreshHook(oracle_conn_id="c"))
    if thick:
        assert (login.dsn, login.config_dir) == ("PRODDB", str(folder))
    else:
        assert shown(connection(dsn=login.dsn)) == "p:1521/PROD"
