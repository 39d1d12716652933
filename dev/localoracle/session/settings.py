"""Settings of a session that PostgreSQL's functions read: NLS parameters, time zone, application info."""

from __future__ import annotations

import hashlib
import re
import socket
from collections.abc import Mapping
from typing import TYPE_CHECKING

import psycopg
from psycopg import sql as pgsql

from localoracle.errors import OracleError
from localoracle.instance import environment

if TYPE_CHECKING:
    from localoracle.session.session import Session

NAMESPACE = "CLIENTCONTEXT"
_CONTEXT = "localoracle.context_"
_SHOWN = ("module", "action", "client_identifier", "client_info")
_PLANNED = ("localoracle.nls_numeric_characters", "localoracle.nls_territory")
"""Plans hold them as constants: ora.planned_setting."""


class Settings:
    """PostgreSQL parameters of the session; unlike those of SET they survive a rollback."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self.values: dict[str, str] = {}
        """Those that the session has set."""
        self._set_in_transaction = False

    @property
    def language(self) -> str:
        """NLS_LANGUAGE."""
        return self._nls("nls_language", "AMERICAN")

    @property
    def length_semantics(self) -> str:
        """NLS_LENGTH_SEMANTICS: BYTE or CHAR."""
        return self._nls("nls_length_semantics", "BYTE")

    @property
    def numeric_characters(self) -> str:
        """NLS_NUMERIC_CHARACTERS."""
        return self._nls("nls_numeric_characters", ".,")

    def _nls(self, parameter: str, usual: str) -> str:
        return self.values.get(f"localoracle.{parameter}") or self._session.database.nls.get(parameter, usual)

    async def set(self, name: str, value: str) -> None:
        await self._set({name: value})
        if name in _PLANNED:
            await self._session.backend.script("DISCARD PLANS")

    async def set_time_zone(self, zone: str) -> None:
        """The session time zone: an offset such as +02:00, or a region name. Raises ORA-01882."""
        offset = re.fullmatch(r"([+-])(\d{1,2}):(\d\d)", zone)
        if offset:
            # POSIX counts west of Greenwich as positive.
            sign = "-" if offset[1] == "+" else "+"
            zone = f"<{zone}>{sign}{offset[2]}:{offset[3]}"
        try:
            await self.set("TimeZone", zone)
        except psycopg.Error as error:
            raise OracleError(1882, "timezone region not found") from error

    # -- client session-based application contexts: the namespace CLIENTCONTEXT, which every client may write
    #
    # Database Security Guide, "Using Client Session-Based Application Contexts". ora.sys_context reads them.

    async def set_attribute(self, namespace: str, attribute: str, value: str) -> None:
        _demand_namespace(namespace)
        # The name of a setting allows for fewer characters; case does not count.
        digest = hashlib.md5(attribute.upper().encode(), usedforsecurity=False).hexdigest()
        await self.set(_CONTEXT + digest, value)

    async def clear_attributes(self, namespace: str) -> None:
        _demand_namespace(namespace)
        for name in [name for name in self.values if name.startswith(_CONTEXT)]:
            await self.set(name, "")

    # -- what the client says of itself ------------------------------------------------------------------

    async def show(self) -> None:
        """Bring V$SESSION and SYS_CONTEXT up to date after a change of module, action, client info."""
        await self._set({f"localoracle.{name}": getattr(self._session, name) for name in _SHOWN})
        await self._session.database.show_session(self._session)

    async def introduce(self) -> None:
        """Tell PostgreSQL's functions once what SYS_CONTEXT('USERENV', ...) shows of this session."""
        session, database = self._session, self._session.database
        facts = {
            "sid": str(session.sid),
            "sessionid": str(session.sid),
            "session_user": session.user,
            "os_user": session.client.osuser,
            "host": session.client.machine,
            "terminal": session.client.terminal,
            "client_program_name": session.client.program,
            "ip_address": "127.0.0.1",
            "network_protocol": "tcp",
            "authentication_method": "PASSWORD",
            "authenticated_identity": session.user,
            "isdba": "FALSE",
            "proxy_user": session.client.proxy_user,
            "server_host": socket.gethostname(),
            **environment.context(database.container, session.instance.service_name),
            **database.nls,
        }
        facts |= dict.fromkeys(
            ("db_name", "db_unique_name", "instance_name", "service_name"), session.instance.service_name
        )
        await self._execute({f"localoracle.{name}": value for name, value in facts.items()})

    def committed(self) -> None:
        """A transaction has ended, and what was set in it stays."""
        self._set_in_transaction = False

    async def restore(self) -> None:
        """After a rollback, which has taken back what was set in the transaction."""
        if self._set_in_transaction:
            self._set_in_transaction = False
            await self._execute(self.values)

    async def _set(self, values: Mapping[str, str]) -> None:
        await self._session.free_backend()
        self.values |= values
        self._set_in_transaction = self._session.backend.in_transaction
        await self._execute(values)

    async def _execute(self, values: Mapping[str, str]) -> None:
        connection = self._session.pg
        calls = (
            f"set_config('{name}', {pgsql.Literal(value).as_string(connection)}, false)"
            for name, value in values.items()
        )
        await self._session.backend.script(f"SELECT {', '.join(calls)}")


def _demand_namespace(namespace: str) -> None:
    """Raise ORA-28267: others belong to packages that CREATE CONTEXT names."""
    if namespace.upper() != NAMESPACE:
        raise OracleError(28267, "Invalid NameSpace Value")
