"""DBMS_APPLICATION_INFO and DBMS_SESSION: what V$SESSION shows of a session, roles, sleeping."""

from __future__ import annotations

import asyncio

from localoracle.errors import OracleError
from localoracle.packages.registry import Call, subprogram

_INFO = "DBMS_APPLICATION_INFO"
_SESSION = "DBMS_SESSION"


async def _show(call: Call, column: str, value: str) -> None:
    """V$SESSION reads localoracle.sessions."""
    await call.session.pg_system(
        f"UPDATE localoracle.sessions SET {column} = %s WHERE sid = %s", (value or None, call.session.sid)
    )


@subprogram(_INFO, "SET_MODULE")
async def set_module(call: Call) -> None:
    call.session.module = (call["module_name"] or "")[:48]
    call.session.action = (call["action_name"] or "")[:32]
    await _show(call, "module", call.session.module)
    await _show(call, "action", call.session.action)


@subprogram(_INFO, "READ_MODULE")
async def read_module(call: Call) -> None:
    call.set("module_name", call.session.module or None)
    call.set("action_name", call.session.action or None)


@subprogram(_INFO, "SET_CLIENT_INFO")
async def set_client_info(call: Call) -> None:
    call.session.client_info = (call["client_info"] or "")[:64]
    await _show(call, "client_info", call.session.client_info)


@subprogram(_SESSION, "SET_IDENTIFIER")
async def set_identifier(call: Call) -> None:
    call.session.client_identifier = (call["client_id"] or "")[:64]
    await _show(call, "client_identifier", call.session.client_identifier)


@subprogram(_SESSION, "SLEEP")
async def sleep(call: Call) -> None:
    seconds = call["seconds"]
    if seconds is None or seconds < 0:
        raise OracleError(38148, "invalid time limit specified")
    await asyncio.sleep(float(seconds))


@subprogram(_SESSION, "IS_ROLE_ENABLED")
async def is_role_enabled(call: Call) -> bool:
    rows = await call.session.pg_system(
        "SELECT %s IN (SELECT localoracle.enabled_roles(%s))",
        ((call["rolename"] or "").upper(), call.session.role),
    )
    return bool(rows[0][0])
