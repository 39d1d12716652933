"""DBMS_LOCK: user locks through PostgreSQL's advisory locks of the session's connection, and SLEEP.

S and SS modes are shared locks, X, SX and SSX exclusive ones: SX and SSX exclude more than in Oracle, never
less.
"""

from __future__ import annotations

import asyncio
import time
import zlib
from typing import TYPE_CHECKING, Any

from localoracle.errors import OracleError, not_supported
from localoracle.packages.registry import Call, subprogram
from localoracle.tasks import undisturbed

if TYPE_CHECKING:
    from localoracle.session.session import Session

PACKAGE = "DBMS_LOCK"
_SPACE = 0x6C6F636B  # first key of the two-key advisory locks that are user locks
_SHARED = frozenset({2, 4})
_MAXIMUM_WAIT = 32767
SUCCESS, TIMEOUT, BAD_PARAMETER, ALREADY_OWNED, ILLEGAL_HANDLE = 0, 1, 3, 4, 5


class Held(dict[int, int]):
    """Lock number -> mode, of one session. They end with it."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session

    async def session_closed(self) -> None:
        await self._session.pg.execute("SELECT pg_advisory_unlock_all()")


def _held(call: Call) -> Held:
    held: Held = call.session.package_state.setdefault(PACKAGE, Held(call.session))
    return held


def _number(call: Call) -> int | None:
    if call.given("id"):
        return int(call["id"]) if call["id"] is not None else None
    handle = str(call["lockhandle"] or "")
    return int(handle[:10]) if len(handle) == 20 and handle.isdigit() else None


async def _try(call: Call, number: int, mode: int) -> bool:
    """Take it if it is free."""
    kind = "_shared" if mode in _SHARED else ""
    rows = await call.session.pg_system(f"SELECT pg_try_advisory_lock{kind}(%s, %s)", (_SPACE, number))
    if not rows[0][0]:
        return False
    _held(call)[number] = mode
    return True


async def _release(call: Call, number: int, mode: int) -> None:
    kind = "_shared" if mode in _SHARED else ""
    await call.session.pg_system(f"SELECT pg_advisory_unlock{kind}(%s, %s)", (_SPACE, number))


async def _wait(call: Call, number: int, mode: int, patience: Any) -> int:
    limit = _MAXIMUM_WAIT if patience is None else float(patience)
    end = None if limit >= _MAXIMUM_WAIT else time.monotonic() + limit
    pause = 0.005
    while not await undisturbed(_try(call, number, mode)):
        if end is not None and time.monotonic() >= end:
            return TIMEOUT
        await asyncio.sleep(pause)
        pause = min(pause * 2, 0.2)
    return SUCCESS


@subprogram(PACKAGE, "ALLOCATE_UNIQUE")
async def allocate_unique(call: Call) -> None:
    name = call["lockname"]
    if not name or name.upper().startswith("ORA$"):
        raise OracleError(20000, "ORU-10003: Unable to find or insert lock into catalog dbms_lock_allocated.")
    number = 1073741824 + zlib.crc32(name.encode()) % 0x3FFFFFFF
    call.set("lockhandle", f"{number:010d}{number:010d}")


@subprogram(PACKAGE, "REQUEST")
async def request(call: Call) -> int:
    number, mode = _number(call), int(call.get("lockmode", 6) or 6)
    if number is None:
        return ILLEGAL_HANDLE
    if call.get("release_on_commit"):
        raise not_supported("DBMS_LOCK.REQUEST(release_on_commit => TRUE)")
    if not 1 <= mode <= 6 or not 0 <= number < 2**31:
        return BAD_PARAMETER
    held = _held(call)
    if number in held:
        return ALREADY_OWNED
    if mode > 1:
        try:
            return await _wait(call, number, mode, call.get("timeout"))
        except asyncio.CancelledError:
            await undisturbed(_give_up(call, number))
            raise
    held[number] = mode
    return SUCCESS


async def _give_up(call: Call, number: int) -> None:
    mode = _held(call).pop(number, None)
    if mode is not None and mode > 1:
        await _release(call, number, mode)


@subprogram(PACKAGE, "RELEASE")
async def release(call: Call) -> int:
    number = _number(call)
    if number is None:
        return ILLEGAL_HANDLE
    if number not in _held(call):
        return ALREADY_OWNED
    await undisturbed(_give_up(call, number))
    return SUCCESS


@subprogram(PACKAGE, "SLEEP")
async def sleep(call: Call) -> None:
    await asyncio.sleep(max(float(call["seconds"] or 0), 0.0))
