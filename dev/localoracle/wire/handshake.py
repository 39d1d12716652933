"""The login: two phases that prove the password, and the session that they open."""

from __future__ import annotations

import re
import socket
from typing import TYPE_CHECKING

import psycopg

from localoracle.admin.passwords import make_verifier, password_matches, set_password
from localoracle.errors import OracleError
from localoracle.instance.cluster import PROCESSES
from localoracle.instance.creation import created_with
from localoracle.session.session import Client, Session
from localoracle.wire import messages
from localoracle.wire.auth import Challenge, decrypt_password, server_response
from localoracle.wire.channel import Channel, Disconnected
from localoracle.wire.logon import Logon, user_name
from localoracle.wire.negotiation import Refused
from localoracle.wire.requests import read_authentication

if TYPE_CHECKING:
    from localoracle.server.database import Database

AUTHENTICATE_1, AUTHENTICATE_2 = 118, 115
_TIME_ZONE = re.compile(r"ALTER\s+SESSION\s+SET\s+TIME_ZONE\s*=\s*'([^']+)'\s*", re.IGNORECASE)
"""What most clients change at their login, without a parser."""
_DUMMY_SALT, _DUMMY_VERIFIER = make_verifier("no such user")
_RESTARTING = OracleError(1033, "ORACLE initialization or shutdown in progress")


def version_number() -> int:
    """AUTH_VERSION_NO: the major version is its first byte."""
    return created_with().major_version << 24


async def authenticate(channel: Channel, database: Database) -> tuple[Session, bytes]:
    """Both phases; returns the session and its key. Raises Refused after telling the client why."""

    def status() -> messages.CallStatus:
        return messages.CallStatus(channel.call, False)

    def refuse(error: OracleError) -> Refused:
        channel.write(messages.error_record(status(), error))
        return Refused(str(error))

    user, mode, first = await channel.read(lambda reader: _function(channel, AUTHENTICATE_1))
    if database.restarting:
        raise refuse(_RESTARTING)
    account = await database.account(user_name(user))
    verifier = (account.salt, account.verifier) if account else (_DUMMY_SALT, _DUMMY_VERIFIER)
    challenge = Challenge.new(*verifier)
    channel.write(messages.pairs_record(challenge.pairs()) + messages.end_record(status()))
    pairs = dict(first)
    client = Client(
        program=pairs.get("AUTH_PROGRAM_NM", ""),
        machine=pairs.get("AUTH_MACHINE", ""),
        osuser=pairs.get("AUTH_SID", ""),
        process=pairs.get("AUTH_PID", ""),
        terminal=pairs.get("AUTH_TERMINAL", ""),
    )
    _, mode, given = await channel.read(lambda reader: _function(channel, AUTHENTICATE_2))
    pairs = dict(given)
    try:
        logon = Logon.from_pairs(mode, given)
    except OracleError as error:
        raise refuse(error) from None
    try:
        key = challenge.session_key(pairs.get("AUTH_SESSKEY", ""))
        password = decrypt_password(key, pairs.get("AUTH_PASSWORD", ""))
    except ValueError:
        raise refuse(OracleError(1017, "invalid username/password; logon denied")) from None
    if account is None or not password_matches(password, account.salt, account.verifier):
        raise refuse(OracleError(1017, "invalid username/password; logon denied"))
    client.driver = pairs.get("SESSION_CLIENT_DRIVER_NAME", "")
    try:
        admitted = await logon.admit(database, account)
        if logon.new_password:
            await set_password(database, account.username, decrypt_password(key, logon.new_password))
    except OracleError as error:
        raise refuse(error) from None
    client.proxy_user = account.username if logon.client else ""
    try:
        session = await database.open_session(admitted.username, client)
    except psycopg.OperationalError:
        if database.restarting:
            raise refuse(_RESTARTING) from None
        raise refuse(OracleError(20, f"maximum number of processes ({PROCESSES}) exceeded")) from None
    change = pairs.get("AUTH_ALTER_SESSION", "").rstrip("\0")
    zone = _TIME_ZONE.fullmatch(change)
    try:
        if zone:
            await session.settings.set_time_zone(zone[1])
        elif change:
            await session.run(change)
        await logon.prepare(session)
    except OracleError as error:
        await session.close()
        raise refuse(error) from None
    except BaseException:
        await session.close()
        raise
    facts = {
        "AUTH_VERSION_NO": str(version_number()),
        "AUTH_VERSION_STRING": "- Production",
        "AUTH_SESSION_ID": str(session.sid),
        "AUTH_SERIAL_NUM": str(session.serial),
        "AUTH_SVR_RESPONSE": server_response(key),
        "AUTH_SC_SERVICE_NAME": database.instance.service_name,
        "AUTH_SC_DBUNIQUE_NAME": database.instance.service_name,
        "AUTH_SC_REAL_DBUNIQUE_NAME": database.instance.service_name,
        "AUTH_SC_DB_DOMAIN": "",
        "AUTH_INSTANCENAME": database.instance.service_name,
        "AUTH_SC_INSTANCE_NAME": database.instance.service_name,
        "AUTH_SC_SERVER_HOST": socket.gethostname(),
        "AUTH_MAX_OPEN_CURSORS": str(session.open_cursors),
        "AUTH_MAX_IDEN_LENGTH": "128",
        "AUTH_DBNAME": database.instance.service_name,
    }
    channel.write(
        messages.pairs_record([(key, value, 0) for key, value in facts.items()])
        + messages.end_record(status())
    )
    return session, key


def _function(channel: Channel, code: int) -> tuple[str, int, list[tuple[str, str]]]:
    reader = channel.reader
    if reader.u8() != messages.FUNCTION or reader.u8() != code:
        raise Disconnected("authentication expected")
    channel.call = reader.u8()
    return read_authentication(reader)
