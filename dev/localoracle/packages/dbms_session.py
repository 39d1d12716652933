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


@subprogram(_INFO, "SET_ACTION")
async def set_action(call: Call) -> None:
    call.session.action = (call["action_name"] or "")[:32]
    await _show(call, "action", call.session.action)


@subprogram(_INFO, "READ_MODULE")
async def read_module(call: Call) -> None:
    call.set("module_name", call.session.module or None)
    call.set("action_name", call.session.action or None)


@subprogram(_INFO, "SET_CLIENT_INFO")
async def set_client_info(call: Call) -> None:
    call.session.client_info = (call["client_info"] or "")[:64]
    await _show(call, "client_info", call.session.client_info)


@subprogram(_INFO, "READ_CLIENT_INFO")
async def read_client_info(call: Call) -> None:
    call.set("client_info", call.session.client_info or None)


@subprogram(_INFO, "SET_SESSION_LONGOPS")
async def set_session_longops(call: Call) -> None:
    """One row of V$SESSION_LONGOPS; `rindex` -1 (set_session_longops_nohint) makes a new one."""
    session = call.session
    units, sofar, total = call.get("units"), call.get("sofar", 0) or 0, call.get("totalwork", 0) or 0
    name, target = call.get("op_name"), call.get("target_desc")
    message = f"{name}: {target or 'unknown target'} : {sofar} out of {total} {units or ''} done".rstrip()
    row = call["rindex"]
    values = (name or "unknown", target, sofar, total, units or "", call.get("context", 0) or 0, message)
    if row is None or row == -1:
        rows = await session.pg_system(
            "INSERT INTO localoracle.session_longops"
            " (sid, serial, username, opname, target_desc, sofar, totalwork, units, context, message)"
            " VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s) RETURNING id",
            (session.sid, session.serial, session.user, *values),
        )
        row = int(rows[0][0])
    else:
        await session.pg_system(
            "UPDATE localoracle.session_longops SET opname = %s, target_desc = %s, sofar = %s, totalwork = "
            "%s, units = %s,"
            " context = %s, message = %s, last_update_time = localtimestamp(0) WHERE id = %s AND sid = %s",
            (*values, int(row), session.sid),
        )
    call.set("rindex", row)
    call.set("slno", row)


@subprogram(_SESSION, "SET_IDENTIFIER")
async def set_identifier(call: Call) -> None:
    call.session.client_identifier = (call["client_id"] or "")[:64]
    await _show(call, "client_identifier", call.session.client_identifier)


@subprogram(_SESSION, "CLEAR_IDENTIFIER")
async def clear_identifier(call: Call) -> None:
    call.session.client_identifier = ""
    await _show(call, "client_identifier", "")


@subprogram(_SESSION, "SLEEP")
async def sleep(call: Call) -> None:
    seconds = call["seconds"]
    if seconds is None or seconds < 0:
        raise OracleError(38148, "invalid time limit specified")
    await asyncio.sleep(float(seconds))


@subprogram(_SESSION, "SET_NLS")
async def set_nls(call: Call) -> None:
    parameter, value = call["param"] or "", call["value"] or ""
    if not parameter.upper().startswith("NLS_") or not parameter.replace("_", "").isalnum():
        raise OracleError(922, "missing or invalid option")
    await call.session.run(f"ALTER SESSION SET {parameter} = {value}")


@subprogram(_SESSION, "SET_ROLE")
async def set_role(call: Call) -> None:
    await call.session.run(f"SET ROLE {call['role_cmd']}")


@subprogram(_SESSION, "IS_ROLE_ENABLED")
async def is_role_enabled(call: Call) -> bool:
    rows = await call.session.pg_system(
        "SELECT %s IN (SELECT localoracle.enabled_roles(%s))",
        ((call["rolename"] or "").upper(), call.session.role),
    )
    return bool(rows[0][0])


@subprogram(_SESSION, "RESET_PACKAGE")
async def reset_package(call: Call) -> None:
    call.session.package_state.clear()
    call.session.packages.clear()


@subprogram(_SESSION, "SESSION_TRACE_ENABLE", "SESSION_TRACE_DISABLE")
async def session_trace(call: Call) -> None:
    """Accepted: there are no trace files to write."""
