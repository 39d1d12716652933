"""COMMIT, ROLLBACK, SAVEPOINT and SET TRANSACTION, and how written LOBs get into their rows."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import psycopg

from localoracle.errors import OracleError, not_supported

if TYPE_CHECKING:
    from localoracle.session.session import Session

_COMMIT = re.compile(
    r"COMMIT(\s+WORK)?(\s+COMMENT\s+'[^']*')?(?P<write>\s+WRITE(\s+(WAIT|NOWAIT|IMMEDIATE|BATCH))*)?",
    re.I,
)
_ROLLBACK = re.compile(
    r"ROLLBACK(\s+WORK)?(\s+TO(\s+SAVEPOINT)?\s+(?P<name>\"[^\"]+\"|[A-Za-z][\w$#]*))?", re.I
)
_SAVEPOINT = re.compile(r"SAVEPOINT\s+(?P<name>\"[^\"]+\"|[A-Za-z][\w$#]*)", re.I)
_SET = re.compile(
    r"SET\s+TRANSACTION\s+(?P<mode>READ\s+ONLY|READ\s+WRITE|ISOLATION\s+LEVEL\s+(SERIALIZABLE|READ\s+COMMITTED))?"
    r"(\s*NAME\s+'[^']*')?",
    re.I,
)
_MODES = {
    "READ ONLY": "ISOLATION LEVEL REPEATABLE READ, READ ONLY",
    "READ WRITE": "",
    "ISOLATION LEVEL SERIALIZABLE": "ISOLATION LEVEL REPEATABLE READ",
    "ISOLATION LEVEL READ COMMITTED": "",
}


def _folded(name: str) -> str:
    return name[1:-1] if name.startswith('"') else name.upper()


def _plain(sql: str) -> str:
    return re.sub(r"--[^\n]*|/\*.*?\*/", " ", sql, flags=re.S).strip().rstrip(";").strip()


def _wait(write: str) -> bool | None:
    """Whether COMMIT WRITE ... waits for the redo; None where the parameters decide."""
    words = write.upper().split()
    return False if "NOWAIT" in words else True if "WAIT" in words else None


async def execute(session: Session, sql: str) -> str:
    """Run a transaction control statement; returns its verb."""
    text = _plain(sql)
    commit = _COMMIT.fullmatch(text)
    if commit:
        await session.commit(wait=_wait(commit["write"] or ""))
        return "COMMIT"
    match = _ROLLBACK.fullmatch(text)
    if match:
        name = match["name"]
        if name is None:
            await session.rollback()
            return "ROLLBACK"
        try:
            await session.rollback_to(f"localoracle_user_{_folded(name)}")
        except psycopg.errors.InvalidSavepointSpecification:
            raise OracleError(
                1086, f"savepoint '{_folded(name)}' never established in this session or is invalid"
            ) from None
        except OracleError as error:
            if isinstance(error.__cause__, psycopg.errors.InvalidSavepointSpecification):
                raise OracleError(
                    1086, f"savepoint '{_folded(name)}' never established in this session or is invalid"
                ) from None
            raise
        return "ROLLBACK"
    match = _SAVEPOINT.fullmatch(text)
    if match:
        await session.savepoint(f"localoracle_user_{_folded(match['name'])}")
        return "SAVEPOINT"
    match = _SET.fullmatch(text)
    if match:
        if session.in_transaction:
            raise OracleError(1453, "SET TRANSACTION must be first statement of transaction")
        mode = " ".join((match["mode"] or "").upper().split())
        await session.begin(_MODES.get(mode, ""))
        return "SET TRANSACTION"
    raise not_supported(" ".join(text.split()[:3]))
