"""Every opener connects with the parameters of the official hook and with those that it does not read."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Callable, Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any
from unittest import mock

import oracledb
import pytest
from airflow.providers.oracle.hooks.oracle import OracleHook
from airflow.sdk import Connection
from hypothesis import given
from hypothesis import strategies as st
from packaging.version import Version

from oracle_refresh.hooks import parameters
from oracle_refresh.hooks.dsn import dsn_of
from oracle_refresh.hooks.oracle import OracleRefreshHook, database_uri
from oracle_refresh.integration.compat import BaseHook
from oracle_refresh.oracle.errors import PreflightError
from oracle_refresh.provider_info import CONNECTION_TYPE

OPENERS: dict[str, Callable[[OracleRefreshHook], object]] = {
    "task": lambda hook: hook.get_conn(),
    "thread": lambda hook: hook.opener("test")(),
    "signal": lambda hook: hook.prepared("test")(),
    "trigger": lambda hook: asyncio.run(hook.aopener("test"))(),
    "kill": lambda hook: asyncio.run(hook.aprepared("test"))(),
    "engine": lambda hook: hook.get_sqlalchemy_engine().raw_connection(),
}
OF_THE_OFFICIAL_HOOK = pytest.mark.skipif(
    Version(version("apache-airflow-providers-oracle")) < Version("4.5.1"),
    reason="the official hook reads fewer fields",
)
NAMES = st.sampled_from(["", "A", "b.example.com"])
ALIAS = "(DESCRIPTION=(ADDRESS=(PROTOCOL=tcps)(HOST=h)(PORT=1600))(CONNECT_DATA=(SERVICE_NAME=A)))"
#: Fields of the connection and of its extra. The official hook reads each in one way only.
DATABASES: st.SearchStrategy[tuple[dict[str, Any], dict[str, str]]] = st.one_of(
    st.tuples(
        st.fixed_dictionaries(
            {"host": st.just("h")}, optional={"port": st.sampled_from([1521, 1600]), "schema": st.just("S")}
        ),
        st.sampled_from([{}, {"service_name": "A"}, {"sid": "A"}, {"service_name": "", "sid": ""}]),
    ),
    st.tuples(st.just({}), st.sampled_from([{"dsn": "ALIAS"}, {"dsn": "h:1/s"}, {"dsn": ALIAS}])),
    st.tuples(
        st.sampled_from([{"host": "ALIAS"}, {"host": "tcps://h:1600/A"}, {"host": ALIAS}]), st.just({})
    ),
)
EXTRA = st.fixed_dictionaries(
    {},
    optional={
        "mode": st.sampled_from(["sysdba", "SYSBKP", "unknown"]),
        "purity": st.sampled_from(["new", "SELF", "default", "unknown"]),
        "events": st.booleans(),
        "cclass": NAMES,
        "pool_name": NAMES,
        "wallet_location": NAMES,
        "wallet_password": NAMES,
        "ssl_server_cert_dn": NAMES,
        "ssl_server_dn_match": st.booleans(),
        "module": NAMES,
        "thick_mode": st.sampled_from([True, False, "true", "False", "no"]),
        "thick_mode_lib_dir": st.sampled_from(["/lib"]),
        "thick_mode_config_dir": st.sampled_from(["/etc/tns"]),
        "expire_time": st.integers(0, 3),
        "refresh_role": st.just("target"),
    },
)
CONNECTIONS = st.builds(
    lambda database, extra, **fields: Connection(
        conn_id="c", conn_type="oracle", extra=json.dumps(extra | database[1]), **database[0], **fields
    ),
    DATABASES,
    EXTRA,
    login=st.sampled_from([None, "u", "app[proxied]"]),
    password=st.sampled_from([None, "p@ss/w:rd"]),
)


class Refused(Exception):
    """In place of a session."""


def arguments(hook: OracleHook, open_session: Callable[[Any], object]) -> tuple[list[Any], dict[str, Any]]:
    """Return the calls that initialise thick mode before the connection, and the connection's parameters."""
    connected: list[tuple[list[Any], dict[str, Any]]] = []

    def connect(**given: Any) -> None:
        connected.append((list(initialised.mock_calls), {**given, **(parameters._added.get() or {})}))
        raise Refused

    with (
        mock.patch.object(oracledb, "init_oracle_client") as initialised,
        mock.patch.object(oracledb, "connect", connect),
        pytest.raises(Refused),
    ):
        open_session(hook)
    (only,) = connected
    return only


@OF_THE_OFFICIAL_HOOK
@given(CONNECTIONS, st.sampled_from(sorted(OPENERS)))
def test_parameters_of_every_opener_are_those_of_the_official_hook(
    connection: Connection, opener: str
) -> None:
    with (
        mock.patch.object(BaseHook, "get_connection", return_value=connection),
        mock.patch.object(BaseHook, "aget_connection", mock.AsyncMock(return_value=connection), create=True),
    ):
        official, expected = arguments(OracleHook(oracle_conn_id="c"), lambda hook: hook.get_conn())
        initialised, found = arguments(OracleRefreshHook(oracle_conn_id="c"), OPENERS[opener])
    assert initialised == official, "thick mode is initialised before each connection, from the same folders"
    keep_alive = connection.extra_dejson.get("expire_time", 2)
    assert found == {**expected, **({"expire_time": keep_alive} if keep_alive else {})}
    assert found["dsn"] == dsn_of(connection, thick=True)


@OF_THE_OFFICIAL_HOOK
@pytest.mark.parametrize(
    "field",
    sorted(set(CONNECTION_TYPE["conn-fields"]) - {"refresh_role", "connect_timeout", "call_timeout"}),
)
def test_field_of_the_form_reaches_the_driver(field: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def reaching(extra: dict[str, Any]) -> Any:
        host = None if "dsn" in extra else "h"
        monkeypatch.setenv(
            "AIRFLOW_CONN_C", json.dumps({"conn_type": "oracle", "host": host, "extra": extra})
        )
        return arguments(OracleRefreshHook(oracle_conn_id="c"), OPENERS["task"])

    given = {"thick_mode": True}
    value = 7 if field == "expire_time" else "False"
    assert reaching({**given, field: value}) != reaching(given)


@pytest.fixture
def reached() -> Iterator[list[oracledb.ConnectParams]]:
    """The final parameters of each connection, none of which is opened."""
    seen: list[oracledb.ConnectParams] = []

    def refuse(params: oracledb.ConnectParams) -> None:
        seen.append(params)
        raise Refused

    oracledb.register_params_hook(refuse)
    yield seen
    oracledb.unregister_params_hook(refuse)


def connect(monkeypatch: pytest.MonkeyPatch, opener: str, **extra: Any) -> None:
    """Open a session of a connection with this extra, and with `host` or `h`."""
    if opener == "engine":
        pytest.importorskip("sqlalchemy", minversion="2")
    host = extra.pop("host", "h")
    fields = {"conn_type": "oracle", "host": host, "login": "u", "password": "p", "extra": extra}
    monkeypatch.setenv("AIRFLOW_CONN_C", json.dumps(fields))
    with pytest.raises(oracledb.ProgrammingError, match="DPY-2061"):
        OPENERS[opener](OracleRefreshHook(oracle_conn_id="c"))


@pytest.mark.parametrize("opener", OPENERS)
def test_fields_unknown_to_the_official_hook_reach_the_driver(
    opener: str, reached: list[oracledb.ConnectParams], monkeypatch: pytest.MonkeyPatch
) -> None:
    added = {"edition": "E1", "proxy_user": "APP", "externalauth": True, "server_type": "pooled"}
    added |= {"wallet_location": "/wallet", "ssl_server_cert_dn": "CN=db", "cclass": "REFRESH"}
    connect(monkeypatch, opener, service_name="S", **{**added, "externalauth": "true"})
    assert {name: getattr(reached[0], name) for name in added} == added
    with pytest.raises(oracledb.ProgrammingError):
        oracledb.connect(user="u", password="p", dsn="h/S")
    assert reached[1].edition is None, "another connection of the process is left alone"


@pytest.mark.parametrize("field", ["dsn", "host"])
@pytest.mark.parametrize("opener", OPENERS)
def test_alias_is_resolved_in_the_folder_of_the_extra(
    opener: str,
    field: str,
    reached: list[oracledb.ConnectParams],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    (tmp_path / "tnsnames.ora").write_text(
        "ALI=(DESCRIPTION=(ADDRESS=(HOST=far)(PORT=1600)(PROTOCOL=tcp))(CONNECT_DATA=(SERVICE_NAME=X)))\n"
    )
    extra = {"config_dir": str(tmp_path)}
    connect(
        monkeypatch, opener, **({"dsn": "ALI", "host": None} if field == "dsn" else {"host": "ALI"}), **extra
    )
    assert (reached[0].host, reached[0].port, reached[0].service_name) == ("far", 1600, "X")
    assert database_uri("c") == "oracle://far:1600/X"


def test_alias_of_a_directory_server_is_named_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    fields = {"conn_type": "oracle", "extra": {"dsn": "IN_LDAP", "thick_mode": True}}
    monkeypatch.setenv("AIRFLOW_CONN_C", json.dumps(fields))
    with mock.patch.object(oracledb, "init_oracle_client") as initialised:
        assert database_uri("c") == "oracle://IN_LDAP"
    initialised.assert_not_called()


def test_tokens_are_fetched_by_the_plugin_of_the_driver(
    reached: list[oracledb.ConnectParams], monkeypatch: pytest.MonkeyPatch
) -> None:
    given = {"auth_type": "AzureServicePrincipal", "client_id": "id"}
    fields = {"conn_type": "oracle", "host": "h", "extra": {"extra_auth_params": given}}
    monkeypatch.setenv("AIRFLOW_CONN_C", json.dumps(fields))
    monkeypatch.setitem(sys.modules, "msal", None)
    monkeypatch.delitem(sys.modules, "oracledb.plugins.azure_tokens", raising=False)
    with pytest.raises(PreflightError, match="needs the Python package msal"):
        OracleRefreshHook(oracle_conn_id="c").opener("test")
    monkeypatch.setitem(sys.modules, "oracledb.plugins.azure_tokens", mock.Mock())
    connect(monkeypatch, "trigger", service_name="S", extra_auth_params=given)
    assert reached[0].extra_auth_params == given


def test_defaults_of_the_process_are_not_changed_by_a_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    fields = {"conn_type": "oracle", "host": "h", "extra": {"fetch_lobs": False, "fetch_decimals": True}}
    monkeypatch.setenv("AIRFLOW_CONN_C", json.dumps(fields))
    hook = OracleRefreshHook(oracle_conn_id="c", fetch_lobs=False, fetch_decimals=True)
    arguments(hook, OPENERS["task"])
    assert (oracledb.defaults.fetch_lobs, oracledb.defaults.fetch_decimals) == (True, False)


def test_engine_keeps_the_password_out_of_its_url(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("sqlalchemy", minversion="2")
    fields = {"conn_type": "oracle", "host": "h", "login": "u", "password": "p@ss/w:rd"}
    monkeypatch.setenv("AIRFLOW_CONN_C", json.dumps(fields))
    engine = OracleRefreshHook(oracle_conn_id="c").get_sqlalchemy_engine({"hide_parameters": True})
    assert engine.hide_parameters
    assert "p@ss" not in engine.url.render_as_string(hide_password=False)
