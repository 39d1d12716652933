"""The database that an Airflow connection names: one connect string for every session, client and message.

The official hook reads a database from `host`, `port`, `schema`, `service_name` and `sid`, or from `dsn`. It
prefers one of them without comparing. Here fields that disagree are refused.

Source: `OracleHook.get_conn` of apache-airflow-providers-oracle; Database Net Services Reference 19c, "Local
Naming Parameters" and "Easy Connect"; python-oracledb's documentation, `ConnectParams`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from ipaddress import IPv6Address
from typing import TYPE_CHECKING, Any

import oracledb

from oracle_refresh.oracle.errors import PreflightError

if TYPE_CHECKING:
    from airflow.sdk import Connection

PORT = 1521
#: Characters of Easy Connect strings and descriptors that no host name or alias has.
_OF_CONNECT_STRINGS = re.compile(r"[/()=?,@:]")


@dataclass(frozen=True)
class Address:
    """Databases that a connect string names: one, unless its descriptions differ.

    :ivar hosts: of all addresses, in their order.
    :ivar ports: of all addresses, in their order.
    :ivar services: service names without repetition.
    :ivar sids: SIDs without repetition.
    """

    hosts: tuple[str, ...]
    ports: tuple[int, ...]
    services: tuple[str, ...]
    sids: tuple[str, ...]

    def __str__(self) -> str:
        host = f"[{self.hosts[0]}]" if ":" in self.hosts[0] else self.hosts[0]
        return f"{host}:{self.ports[0]}/{''.join((*self.services, *self.sids)[:1])}"

    def is_same(self, other: Address | None) -> bool:
        """Return whether both name the same addresses and services. Neither depends on case."""
        return other is not None and repr(self).lower() == repr(other).lower()


def dsn_of(connection: Connection, thick: bool = False) -> str:
    """Return the connect string of a connection, without opening a session.

    An alias is resolved in the folder `config_dir` of the extra in thin mode. Oracle Client libraries resolve
    it in thick mode.

    :raises PreflightError: if the connection names no database, or fields name different ones.
    :raises oracledb.Error: if `config_dir` has no tnsnames.ora, or the alias is not in it.
    """
    extra = connection.extra_dejson
    dsn = _chosen(connection)
    if not dsn and not thick:
        raise _refused(connection, "names no database", "set host and service_name, or dsn")
    if (folder := extra.get("config_dir")) and dsn and not thick:
        # The driver parses an alias before it calls the hook that could add `config_dir`.
        params, named = oracledb.ConnectParams(config_dir=folder), _without_user(dsn)
        params.parse_connect_string(named)
        return f"{dsn.removesuffix(named)}{params.get_connect_string()}"
    return dsn


def shown(connection: Connection) -> str:
    """Return `host:port/service` of a connection for messages, or the alias if it cannot be resolved.

    User, password and parameters are never part of it. Several addresses are named by the first.
    """
    dsn = _chosen(connection)
    return str(_parsed(dsn, connection.extra_dejson) or _without_secrets(dsn))


def database_of(connection: Connection) -> str:
    """Return role, connection and address for messages: `target oracle_target at example.com:1521/TEST`."""
    try:
        address = shown(connection)
    except PreflightError:  # it names none, or several: the error itself says so
        address = ""
    return _named(connection) + (f" at {address}" if address else "")


def _chosen(connection: Connection) -> str:
    """Return the connect string that the fields name, or '' if they name no database."""
    extra = connection.extra_dejson
    host, port = _without_brackets((connection.host or "").strip()), connection.port
    sid, service = _text(extra.get("sid")), _text(extra.get("service_name"))
    if host and not sid and not service:
        service = _text(connection.schema)  # the official hook's reading of the path of an `oracle://` URI
    if sid and sid.lower() == service.lower():
        sid = ""  # the official hook takes the service of two
    if sid and service:
        raise _two(connection, f"sid {sid!r}", f"service_name {service!r}")
    strings = {"dsn": _text(extra.get("dsn")), "host": host if _is_connect_string(host) else ""}
    if not any(strings.values()):
        return _of_fields(connection, host, port, service, sid)
    (field, dsn), *others = ((field, text) for field, text in strings.items() if text)
    if connection.login and _without_user(dsn) != dsn:  # the driver would print it with its password
        raise _refused(connection, f"has a login, and {field} another one", f"remove the one in {field}")
    address = _parsed(dsn, extra)
    if address is not None and len(names := (*address.services, *address.sids)) > 1:
        raise _two(connection, *(f"{name!r} in {field}" for name in names))
    for other, text in others:
        if text != dsn and not (address and address.is_same(_parsed(text, extra))):
            raise _two(connection, _quoted(field, dsn, address), _quoted(other, text, _parsed(text, extra)))
    fields = {
        "host": "" if strings["host"] or host == dsn else host,
        "port": port,
        "service_name": service,
        "sid": sid,
    }
    given = {name: value for name, value in fields.items() if value}
    if not _agree(given, address):
        listed = ", ".join(f"{name} {value!r}" for name, value in given.items())
        raise _two(connection, listed, _quoted(field, dsn, address))
    return dsn


def _of_fields(connection: Connection, host: str, port: int | None, service: str, sid: str) -> str:
    if not host and (service or sid):
        raise _refused(connection, f"names no host for {service or sid!r}", "set its host, or dsn instead")
    if service:
        return str(oracledb.makedsn(host, port or PORT, service_name=service))
    if sid:
        return str(oracledb.makedsn(host, port or PORT, sid))
    return f"{host}:{port}" if host and port is not None else host


def _agree(given: dict[str, Any], address: Address | None) -> bool:
    """Return whether separate fields name the database of a connect string."""
    if address is None:  # an alias that only the Oracle Client resolves cannot be compared
        return not set(given) - {"port"}
    names = ((given.get("service_name"), address.services), (given.get("sid"), address.sids))
    return (
        ("host" not in given or given["host"].lower() in map(str.lower, address.hosts))
        and ("port" not in given or given["port"] in address.ports)
        and all(not name or name.lower() in map(str.lower, found) for name, found in names)
    )


def _parsed(dsn: str, extra: dict[str, Any]) -> Address | None:
    """Return the addresses of a connect string; None for an alias that only the Oracle Client resolves."""
    folder = extra.get("config_dir") or extra.get("thick_mode_config_dir")
    params = oracledb.ConnectParams(**({"config_dir": folder} if folder else {}))
    try:
        params.parse_connect_string(_without_user(dsn))
    except oracledb.Error:
        return None
    hosts = tuple(str(each) for each in _listed(params.host))
    ports = tuple(int(each) for each in _listed(params.port))
    services, sids = _without_repetition(params.service_name), _without_repetition(params.sid)
    return Address(hosts, ports, services, sids) if hosts else None


def _listed(value: Any) -> list[Any]:
    return [each for each in (value if isinstance(value, list) else [value]) if each is not None]


def _without_repetition(value: Any) -> tuple[str, ...]:
    return tuple({str(each).lower(): str(each) for each in _listed(value)}.values())


def _is_connect_string(host: str) -> bool:
    return not _is_ipv6(host) and bool(_OF_CONNECT_STRINGS.search(host))


def _without_brackets(host: str) -> str:
    """Return an IPv6 address as a descriptor has it; a URI has it in brackets."""
    return bare if _is_ipv6(bare := host.strip("[]")) else host


def _is_ipv6(host: str) -> bool:
    try:
        IPv6Address(host)
    except ValueError:
        return False
    return True


def _without_user(dsn: str) -> str:
    """Return a connect string without the `user/password@` that the driver reads in front of it."""
    if re.match(r"\(|(?:[\w-]+:)?//", dsn):
        return dsn
    _, descriptor, rest = dsn.rpartition("@(")
    return f"({rest}" if descriptor else dsn.rpartition("@")[2]


def _without_secrets(dsn: str) -> str:
    """Return a connect string without user, password and parameters, which may name another secret.

    Source: python-oracledb's documentation, `pyo.wallet_password` and "Centralized Configuration Providers".
    """
    return _without_user(dsn).partition("?")[0]


def _text(value: Any) -> str:
    return "" if value is None else str(value).strip()


def _quoted(field: str, dsn: str, address: Address | None) -> str:
    return f"{field} {_without_secrets(dsn)!r}" + ("" if address is None else f" ({address})")


def _two(connection: Connection, *named: str) -> PreflightError:
    remedy = "keep either host, port and one of service_name and sid, or dsn alone"
    return _refused(connection, f"names two databases: {' and '.join(named)}", remedy)


def _refused(connection: Connection, message: str, remedy: str) -> PreflightError:
    return PreflightError(
        f"the connection {message}", object_name=_named(connection), step="connect", remedy=remedy
    )


def _named(connection: Connection) -> str:
    return f"{connection.extra_dejson.get('refresh_role') or 'connection'} {connection.conn_id}"
