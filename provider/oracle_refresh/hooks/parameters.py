"""Connection parameters: what the official Oracle hook reads, and what it does not pass on.

`OracleHook.get_conn` builds the arguments of `oracledb.connect` from a copy of the Airflow connection. It
passes a fixed set of them. A hook of `oracledb.register_params_hook` adds the others. python-oracledb calls
the hook in the connecting thread, for every connection of the process, so it reads a context variable that is
set only while one of this provider's sessions is being opened.

Source: python-oracledb's documentation, `oracledb.register_params_hook` and `oracledb.ConnectParams`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any

import oracledb

from oracle_refresh.hooks.dsn import database_of, dsn_of
from oracle_refresh.oracle.errors import PreflightError

if TYPE_CHECKING:
    from airflow.sdk import Connection

#: Fields of a connection's extra that the official hook does not read, then those that it does not
#: read below version 4.5.1. All are parameters of `ConnectParams`.
ADDED = (
    *("access_token", "edition", "externalauth", "extra_auth_params", "proxy_user", "server_type"),
    *("cclass", "pool_name", "ssl_server_cert_dn", "ssl_server_dn_match"),
    *("wallet_location", "wallet_password"),
)
#: The official hook sets these in `oracledb.defaults`, so they would change every session of the process.
IGNORED = ("fetch_decimals", "fetch_lobs")
#: The official hook reads the database from these, and from the connection's host, port and schema.
DATABASE = ("dsn", "service_name", "sid")
#: Plugin of python-oracledb by the beginning of `auth_type`, and the Python package that the plugin imports.
TOKENS = {"azure": ("azure_tokens", "msal"), "": ("oci_tokens", "oci")}

_added: ContextVar[Mapping[str, Any] | None] = ContextVar("oracle_refresh_parameters", default=None)


def _add(params: oracledb.ConnectParams) -> None:
    if added := _added.get():
        params.set(**added)


oracledb.register_params_hook(_add)


@contextmanager
def adding(parameters: Mapping[str, Any]) -> Iterator[None]:
    """Add parameters to the connections that this thread opens in the block."""
    token = _added.set(parameters)
    try:
        yield
    finally:
        _added.reset(token)


def is_true(value: object) -> bool:
    """Read a Boolean of an extra, which a form stores as text."""
    return str(value).strip().lower() == "true"


@dataclass(frozen=True)
class Prepared:
    """The fields of an Airflow connection that the official hook reads, where it connects.

    `dsn` of the extra alone names the database. A `schema` would become the current schema, in which the
    ledger would not be found.

    Not Airflow's own class, whose `extra_dejson` calls the supervisor to mask secrets. In a thread of the
    triggerer of Airflow 3.1 that call breaks its connection to the supervisor, and the triggerer ends.
    """

    login: str | None
    password: str | None
    extra_dejson: Mapping[str, Any]
    host: None = None
    port: None = None
    schema: None = None


def prepare(connection: Connection, keep_alive: int, thick: bool) -> Prepared:
    """Return the copy of an Airflow connection that the official hook reads. Raises as `dsn_of`."""
    extra = {
        name: value for name, value in connection.extra_dejson.items() if name not in (*IGNORED, *DATABASE)
    }
    extra |= {"expire_time": keep_alive, "dsn": dsn_of(connection, thick)}
    if (folder := extra.get("config_dir")) and thick:
        extra.setdefault("thick_mode_config_dir", folder)
    return Prepared(connection.login, connection.password, extra)


def added_to(connection: Connection) -> dict[str, Any]:
    """Return the parameters of a connection that the official hook does not pass.

    :raises PreflightError: if the Python package of a token plugin is not installed.
    """
    given = connection.extra_dejson
    added = {name: given[name] for name in ADDED if given.get(name) is not None}
    if "externalauth" in added:
        added["externalauth"] = is_true(added["externalauth"])
    if isinstance(added.get("access_token"), list):
        added["access_token"] = tuple(added["access_token"])
    if "extra_auth_params" in added:
        _load_plugin(database_of(connection), str(added["extra_auth_params"].get("auth_type", "")).lower())
    return added


def _load_plugin(database: str, auth_type: str) -> None:
    """Import the plugin that fetches tokens. It registers a hook, which runs after `_add`."""
    plugin, package = next(names for start, names in TOKENS.items() if auth_type.startswith(start))
    try:
        import_module(f"oracledb.plugins.{plugin}")
    except ImportError as error:
        raise PreflightError(
            f"extra_auth_params needs the Python package {package}, which is not installed: {error}",
            object_name=database,
            step="connect",
            remedy=f"install {package} on every worker and triggerer",
        ) from error
