"""A session's transaction, and the frames inside it: a statement or call that fails leaves nothing behind."""

from __future__ import annotations

import re
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import psycopg

from localoracle.errors import OracleError, not_supported
from localoracle.instance.activity import LOG_FILE_SYNC
from localoracle.postgres import privileges
from localoracle.postgres.errors import oracle_error
from localoracle.tasks import undisturbed

if TYPE_CHECKING:
    from localoracle.session.session import Session

STATEMENT_SAVEPOINT = "localoracle_statement"
LOOKING_MILLISECONDS = 100
"""How long a table that another session has locked is waited for where only its columns are wanted."""
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


class Transaction:
    """What a session has to commit or roll back on its PostgreSQL connection."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._backend = session.backend
        self.direct_loads: frozenset[int] = frozenset()
        """Relations that it has loaded directly."""
        self._savepoint = False
        """Whether the running statement began inside it, at STATEMENT_SAVEPOINT."""
        self._ended = 0
        """How many transactions of the session have ended."""
        self._calls = 0

    @property
    def is_open(self) -> bool:
        """Whether there is something to commit or roll back."""
        return self._backend.in_transaction or bool(self._session.lobs.dirty_rows())

    # -- the frame around each statement ---------------------------------------------------------------

    @asynccontextmanager
    async def statement(self, *, writes: bool, verb: str = "") -> AsyncIterator[None]:
        """Statement-level rollback: what fails inside leaves nothing behind. Raises OracleError."""
        await self._session.free_backend()
        if writes:
            await self._session.database.redo.wait_for_room(self._session)
        try:
            if self._backend.in_transaction or writes:
                await undisturbed(self._mark_statement())
            yield
        except BaseException as error:
            self._session.streamed = None
            await undisturbed(self.undo_statement())
            if isinstance(error, psycopg.Error):
                raise await self._in_oracles_words(error, verb) from error
            raise

    async def _in_oracles_words(self, error: psycopg.Error, verb: str) -> OracleError:
        if isinstance(error, psycopg.errors.InsufficientPrivilege):
            return await privileges.denied(self._session, error)
        return oracle_error(error, verb)

    @asynccontextmanager
    async def only_looking(self, verb: str = "") -> AsyncIterator[None]:
        """Nothing stays of what happens inside, neither its locks; nor is a lock waited for. Raises
        OracleError."""
        await self._session.free_backend()
        await undisturbed(self._mark_statement())
        try:
            await self._backend.script(f"SET LOCAL lock_timeout = '{LOOKING_MILLISECONDS}ms'")
            yield
        except psycopg.Error as error:
            raise await self._in_oracles_words(error, verb) from error
        finally:
            await undisturbed(self.undo_statement())

    async def _mark_statement(self) -> None:
        """What `undo_statement` goes back to."""
        inside = self._backend.in_transaction
        await self._backend.script(self._set_savepoint(STATEMENT_SAVEPOINT) if inside else "BEGIN")
        self._savepoint = inside

    def _set_savepoint(self, name: str) -> str:
        release = f"RELEASE SAVEPOINT {STATEMENT_SAVEPOINT}; " if self._savepoint else ""
        return f'{release}SAVEPOINT "{name}"'

    async def undo_statement(self, *, keep: bool = False) -> None:
        """Back to the statement's beginning; with `keep` in a transaction even if the statement opened it."""
        if self._backend.connection.closed or not self._backend.in_transaction:
            return
        if self._savepoint:
            await self._backend.script(f"ROLLBACK TO SAVEPOINT {STATEMENT_SAVEPOINT}")
        else:
            await self._backend.script("ROLLBACK; BEGIN" if keep else "ROLLBACK")

    @asynccontextmanager
    async def whole_call(self) -> AsyncIterator[None]:
        """A call of several statements (a PL/SQL block): undone as a whole unless it committed inside."""
        await self._session.free_backend()
        self._calls += 1
        name = f"localoracle_call_{self._calls}" if self._backend.in_transaction else None
        if name is not None:
            await self.savepoint(name)
        ended = self._ended
        try:
            yield
        except BaseException as error:
            same = ended == self._ended and self._backend.in_transaction
            if same and not self._backend.connection.closed:
                await undisturbed(self._undo_call(name))
            if isinstance(error, psycopg.Error):
                raise oracle_error(error) from error
            raise
        finally:
            self._calls -= 1

    async def _undo_call(self, savepoint: str | None) -> None:
        await self._session.free_backend(discard=True)
        await self._backend.script(f"ROLLBACK TO SAVEPOINT {savepoint}" if savepoint else "ROLLBACK")
        self._savepoint = False
        await self._session.acting.restore()

    # -- its beginning, its savepoints, its end ----------------------------------------------------------

    async def begin(self, mode: str = "") -> None:
        """Open PostgreSQL's transaction now, with an isolation mode."""
        await self._session.free_backend()
        await self._backend.script(f"BEGIN {mode}")
        self._savepoint = False

    async def savepoint(self, name: str) -> None:
        """A PostgreSQL savepoint that outlives the statement's own."""
        await self._session.free_backend()
        if not self._backend.in_transaction:
            await self._backend.script("BEGIN")
        await self._backend.script(self._set_savepoint(name))
        self._savepoint = False

    async def rollback_to(self, name: str) -> None:
        await self._session.free_backend()
        if not self._backend.in_transaction:
            raise psycopg.errors.InvalidSavepointSpecification(name)
        async with self.statement(writes=False):
            await self._backend.script(f'ROLLBACK TO SAVEPOINT "{name}"')
        self._savepoint = False
        await self._session.acting.restore()

    async def commit(self, *, wait: bool | None = None) -> None:
        """Commit; open queries keep their rows. `wait` for the redo to be written; None: as set."""
        session = self._session
        await session.free_backend()
        if self._backend.in_transaction:
            await session.database.redo.wait_for_room(session)
            self._end()
            waits = self._waits_for_redo() if wait is None else wait
            begin = time.monotonic()
            try:
                if wait is not None:
                    await self._backend.script(f"SET LOCAL synchronous_commit = {'on' if wait else 'off'}")
                # Cancelled midway it would be undone, and the client's next COMMIT answered for nothing.
                await undisturbed(self._backend.script("COMMIT"))
            except psycopg.Error as error:
                cause = oracle_error(error)
                raise OracleError(2091, f"transaction rolled back\n{cause}") from error
            finally:
                session.settings.committed()
            session.database.activity.count("user commits", session.sid)
            if waits:
                session.database.activity.waited(LOG_FILE_SYNC, time.monotonic() - begin, session.sid)

    async def rollback(self) -> None:
        """Roll back; open queries keep their rows."""
        session = self._session
        for lob in session.lobs.dirty_rows():
            lob.dirty = False
        await session.free_backend()
        if self._backend.in_transaction:
            self._end()
            await self._backend.script("ROLLBACK")
            session.database.activity.count("user rollbacks", session.sid)
            await session.acting.restore()
            await session.settings.restore()

    def _waits_for_redo(self) -> bool:
        own = self._session.settings.values.get("synchronous_commit")
        return self._session.database.synchronous_commit if own is None else own == "on"

    def _end(self) -> None:
        self._ended += 1
        self._savepoint = False
        self.direct_loads = frozenset()


def _folded(name: str) -> str:
    return name[1:-1] if name.startswith('"') else name.upper()


def _plain(sql: str) -> str:
    return re.sub(r"--[^\n]*|/\*.*?\*/", " ", sql, flags=re.S).strip().rstrip(";").strip()


def _wait(write: str) -> bool | None:
    """Whether COMMIT WRITE ... waits for the redo; None where the parameters decide."""
    words = write.upper().split()
    return False if "NOWAIT" in words else True if "WAIT" in words else None


async def control(session: Session, sql: str) -> str:
    """Run a transaction control statement; returns its verb."""
    text = _plain(sql)
    commit = _COMMIT.fullmatch(text)
    if commit:
        await session.transaction.commit(wait=_wait(commit["write"] or ""))
        return "COMMIT"
    match = _ROLLBACK.fullmatch(text)
    if match:
        name = match["name"]
        if name is None:
            await session.transaction.rollback()
            return "ROLLBACK"
        try:
            await session.transaction.rollback_to(f"localoracle_user_{_folded(name)}")
        except (OracleError, psycopg.Error) as error:
            if isinstance(error.__cause__ or error, psycopg.errors.InvalidSavepointSpecification):
                raise OracleError(
                    1086, f"savepoint '{_folded(name)}' never established in this session or is invalid"
                ) from None
            raise
        return "ROLLBACK"
    match = _SAVEPOINT.fullmatch(text)
    if match:
        await session.transaction.savepoint(f"localoracle_user_{_folded(match['name'])}")
        return "SAVEPOINT"
    match = _SET.fullmatch(text)
    if match:
        if session.transaction.is_open:
            raise OracleError(1453, "SET TRANSACTION must be first statement of transaction")
        mode = " ".join((match["mode"] or "").upper().split())
        await session.transaction.begin(_MODES.get(mode, ""))
        return "SET TRANSACTION"
    raise not_supported(" ".join(text.split()[:3]))
