"""One client from connect to logoff: the loop that reads calls and answers them."""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from typing import TYPE_CHECKING

import psycopg

from localoracle.admin.passwords import password_matches, set_password
from localoracle.errors import OracleError
from localoracle.postgres.errors import oracle_error
from localoracle.session.session import Session
from localoracle.wire import lob_calls, messages
from localoracle.wire.auth import decrypt_password
from localoracle.wire.breaks import Breaks
from localoracle.wire.buffer import lv
from localoracle.wire.channel import REQUEST_LIMIT, Channel, Disconnected
from localoracle.wire.direct_path_loads import LOAD_STREAM, OPERATION, PREPARE, DirectPathLoads
from localoracle.wire.handshake import AUTHENTICATE_2, authenticate, version_number
from localoracle.wire.negotiation import Refused, connect
from localoracle.wire.requests import Piggyback, read_authentication, read_piggyback, read_version
from localoracle.wire.statement_calls import StatementCalls

if TYPE_CHECKING:
    from localoracle.server.database import Database

logger = logging.getLogger("localoracle.wire")

FETCH, LOGOFF, COMMIT, ROLLBACK, VERSION, DESCRIBE, PING = 5, 9, 14, 15, 59, 98, 147
EXECUTE, REEXECUTE, REEXECUTE_AND_FETCH, LOB_OPERATION, DESCRIBE_OBJECT = 94, 4, 78, 96, 119
ROUND_TRIPS = "SQL*Net roundtrips to/from client"
LOGIN_SECONDS = 60
"""How long a client may take from its connect to the end of its login (SQLNET.INBOUND_CONNECT_TIMEOUT)."""
_CANCELLED = OracleError(1013, "user requested cancel of current operation")


class Connection:
    """Serves one client. A break cancels the call that runs; a lost socket ends the session."""

    def __init__(self, channel: Channel, database: Database) -> None:
        self.channel = channel
        self.database = database
        self.session: Session | None = None
        self._key = b""
        self._loads: DirectPathLoads | None = None
        self._over = asyncio.Event()
        channel.on_lost = self._on_lost
        self.task = database.spawn(self._serve())
        self._breaks = Breaks(channel, self.task.cancel, self._cancelled_record)
        channel.on_break = self._breaks.marker

    def _status(self) -> messages.CallStatus:
        session = self.session
        in_transaction = session is not None and not session.closed and session.transaction.is_open
        return messages.CallStatus(self.channel.call, in_transaction)

    def _cancelled_record(self) -> bytes:
        return messages.error_record(self._status(), _CANCELLED)

    def _on_lost(self) -> None:
        if self._breaks.running:
            self.task.cancel()

    async def _end_call(self) -> None:
        """The server ends the session: the call that runs is cancelled, and over when this returns."""
        if self._breaks.running:
            self._over.clear()
            self.task.cancel()
            await self._over.wait()

    async def _serve(self) -> None:
        try:
            async with asyncio.timeout(LOGIN_SECONDS):
                dialect = await connect(self.channel, self.database)
                self.session, self._key = await authenticate(self.channel, self.database)
            self.session.end_call = self._end_call
            self.channel.request_limit = REQUEST_LIMIT
            calls = StatementCalls(self.channel, self.session, dialect)
            self._loads = DirectPathLoads(self.channel, self.session, dialect)
            while await self._call(calls):
                pass
        except (Refused, TimeoutError, asyncio.CancelledError):
            pass
        except Disconnected as error:
            if not self.channel.closed:
                logger.warning("a client is sent away: %s", error)
        except Exception:
            logger.exception("a client's connection failed")
        finally:
            self._end_of_call()
            try:
                if self.session is not None:
                    with suppress(Exception):
                        await self.session.close()
            finally:
                self.channel.close()

    def _end_of_call(self) -> None:
        self._breaks.running = False
        self._over.set()

    async def _call(self, calls: StatementCalls) -> bool:
        """One call with its piggybacks; False after logoff."""
        session = calls.session
        piggybacks: list[Piggyback] = []
        kind = await self.channel.read(lambda reader: reader.u8())
        self._breaks.running = True
        try:
            while kind == messages.PIGGYBACK:
                piggybacks.append(await self._piggyback())
                kind = await self.channel.read(lambda reader: reader.u8())
            if kind != messages.FUNCTION:
                raise Disconnected(f"unexpected message type {kind}")
            function, self.channel.call = await self.channel.read(lambda reader: reader.raw(2))
            self.database.activity.count(ROUND_TRIPS, session.sid)
            if session.closed:
                # A COMMIT above all must not be answered for what was rolled back.
                raise session.ending
            try:
                for piggyback in piggybacks:
                    await self._apply(piggyback, calls)
            except OracleError:
                await self.channel.skip_request()
                raise
            return await self._function(function, calls)
        except OracleError as error:
            await self._failed(error)
        except psycopg.Error as error:
            await self._failed(oracle_error(error))
        except asyncio.CancelledError:
            ended = session.closed and not self.channel.closed
            if not (self._breaks.broken or ended) or self.channel.closed:
                raise
            self.task.uncancel()
            if ended:
                await self._failed(session.ending)
        except Disconnected:
            raise
        except Exception as error:
            logger.exception("a call failed")
            await self._failed(OracleError(20999, f"localoracle: {type(error).__name__}: {error}"))
        finally:
            self._end_of_call()
            self._breaks.call_over()
        return not session.closed

    async def _piggyback(self) -> Piggyback:
        try:
            return await self.channel.read(read_piggyback)
        except OracleError:
            await self.channel.skip_request()
            raise

    async def _failed(self, error: OracleError) -> None:
        assert self.session is not None
        if self.session.closed or self.session.pg.closed:
            error = self.session.ending if self.session.closed else error
            self.channel.write(messages.error_record(self._status(), error))
            self.session.closed = True
        elif not self._breaks.broken:  # else the client gets the answer to its break
            self.channel.write(messages.error_record(self._status(), error))

    async def _function(self, function: int, calls: StatementCalls) -> bool:
        session = calls.session
        if function == EXECUTE:
            await calls.execute()
        elif function == FETCH:
            await calls.fetch()
        elif function in (REEXECUTE, REEXECUTE_AND_FETCH):
            await calls.reexecute(fetch=function == REEXECUTE_AND_FETCH)
        elif function == LOB_OPERATION:
            await lob_calls.operate(self.channel, session)
        elif function in (PREPARE, LOAD_STREAM, OPERATION):
            assert self._loads is not None
            await self._loads.call(function)
        elif function == AUTHENTICATE_2:
            await self._change_password()
        elif function == DESCRIBE:
            await calls.describe()
        elif function == DESCRIBE_OBJECT:
            await calls.describe_object()
        elif function == VERSION:
            await self._version(session)
        elif function in (COMMIT, ROLLBACK, PING, LOGOFF):
            if function == COMMIT:
                await session.transaction.commit()
            elif function == ROLLBACK:
                await session.transaction.rollback()
            elif function == LOGOFF:
                await session.close()
            self.channel.write(messages.status_record(self._status()))
            return function != LOGOFF
        else:
            await self.channel.skip_request()
            raise OracleError(3001, f"unimplemented feature: function {function}")
        return True

    async def _version(self, session: Session) -> None:
        """The product's name and its version number."""
        await self.channel.read(read_version)
        banner = (await session.database.system("SELECT banner FROM dictionary.v$version"))[0][0].encode()
        bare = self.channel.reader.dialect.announced_texts
        self.channel.write(
            messages.version_record(banner if bare else lv(banner), len(banner), version_number())
            + messages.end_record(self._status())
        )

    async def _change_password(self) -> None:
        assert self.session is not None
        pairs = dict((await self.channel.read(read_authentication))[2])
        password = decrypt_password(self._key, pairs.get("AUTH_NEWPASSWORD", ""))
        old = decrypt_password(self._key, pairs.get("AUTH_PASSWORD", ""))
        account = await self.database.account(self.session.user)
        if account is None or not password_matches(old, account.salt, account.verifier):
            raise OracleError(28008, "invalid old password")
        await set_password(self.database, self.session.user, password)
        self.channel.write(messages.pairs_record([]) + messages.status_record(self._status()))

    async def _apply(self, piggyback: Piggyback, calls: StatementCalls) -> None:
        session = calls.session
        for number in piggyback.cursors:
            await calls.cursors.close(number)
        for number in piggyback.cancelled:
            await calls.cursors.cancel(number)
        for locator in piggyback.locators:
            session.lobs.free(locator)
        if piggyback.schema:
            await session.run(f'ALTER SESSION SET CURRENT_SCHEMA = "{piggyback.schema}"')
        if piggyback.identity:
            for name, value in piggyback.identity.items():
                if hasattr(session, name):
                    setattr(session, name, value)
            await session.settings.show()
        if piggyback.namespace:
            if not piggyback.context:
                await session.settings.clear_attributes(piggyback.namespace)
            for attribute, value in piggyback.context:
                await session.settings.set_attribute(piggyback.namespace, attribute, value)


async def listen(database: Database, port: int) -> asyncio.Server:
    """Accept clients on 127.0.0.1."""
    loop = asyncio.get_running_loop()

    def serve(channel: Channel) -> None:
        Connection(channel, database)

    return await loop.create_server(lambda: Channel(serve), "127.0.0.1", port)
