"""From the first packet to an authenticated session."""

from __future__ import annotations

import re
import socket
from typing import TYPE_CHECKING

import psycopg

from localoracle.errors import OracleError
from localoracle.session.session import Client, Session
from localoracle.wire import messages
from localoracle.wire.auth import (
    Challenge,
    decrypt_password,
    make_verifier,
    password_matches,
    server_response,
)
from localoracle.wire.buffer import Reader
from localoracle.wire.channel import ACCEPT, CONNECT, REFUSE, SDU, Channel, Disconnected
from localoracle.wire.requests import read_authentication

if TYPE_CHECKING:
    from localoracle.server import Database

TNS_VERSION = 315
_CONNECT_DATA_IN_PACKET = 230
_VERSION_NUMBER = 19 << 24
AUTHENTICATE_1, AUTHENTICATE_2 = 118, 115
_NAME = re.compile(r"\(\s*(SERVICE_NAME|SID)\s*=\s*([^)]*?)\s*\)", re.IGNORECASE)
_TIME_ZONE = re.compile(r"TIME_ZONE\s*=\s*'([^']+)'", re.IGNORECASE)
_DUMMY_SALT, _DUMMY_VERIFIER = make_verifier("no such user")
_SYSDBA_MODES = 0x20 | 0x40
_RESTARTING = OracleError(1033, "ORACLE initialization or shutdown in progress")


class Refused(Exception):
    """The listener or the login refused the client; the answer has been sent."""


async def connect(channel: Channel, database: Database) -> None:
    """TNS connect, protocol and data type negotiation. Raises Refused for an unknown service."""
    kind, body = await channel.packet()
    if kind != CONNECT:
        raise Disconnected("not a TNS connect packet")
    length, offset = int.from_bytes(body[16:18], "big"), int.from_bytes(body[18:20], "big")
    if length > _CONNECT_DATA_IN_PACKET:
        text = (await channel.read(lambda reader: reader.raw(length))).decode(errors="replace")
    else:
        text = body[offset - 8 : offset - 8 + length].decode(errors="replace")
    match = _NAME.search(text)
    wanted = match[2].upper() if match else ""
    if wanted.split(".")[0] != database.instance.service_name:
        code = 12505 if match and match[1].upper() == "SID" else 12514
        stack = f"(ERROR_STACK=(ERROR=(CODE={code})(EMFI=4)))"
        reason = f"(DESCRIPTION=(TMP=)(VSNNUM=318767104)(ERR={code}){stack})".encode()
        channel.send_packet(REFUSE, b"\0\0" + len(reason).to_bytes(2, "big") + reason)
        raise Refused(f"ORA-{code:05d}")
    channel.send_packet(
        ACCEPT,
        TNS_VERSION.to_bytes(2, "big")
        + bytes(2)
        + min(SDU, 65_535).to_bytes(2, "big") * 2
        + b"\0\x01\0\0\0\0"
        + b"\x04"
        + bytes(9)
        + SDU.to_bytes(4, "big"),
    )
    channel.use_wide_lengths()
    await channel.read(_read_protocol)
    channel.write(messages.protocol_answer())
    await channel.read(_read_data_types)
    channel.write(bytes((messages.DATA_TYPES, 0, 0)))


def _read_protocol(reader: Reader) -> None:
    if reader.u8() != messages.PROTOCOL:
        raise Disconnected("protocol negotiation expected")
    while reader.u8():
        pass
    while reader.u8():
        pass


def _read_data_types(reader: Reader) -> None:
    if reader.u8() != messages.DATA_TYPES:
        raise Disconnected("data type negotiation expected")
    reader.skip(5)
    reader.lv()
    reader.lv()
    while reader.u16():
        if reader.u16():
            reader.skip(4)


async def authenticate(channel: Channel, database: Database) -> tuple[Session, bytes]:
    """Both phases; returns the session and its key. Raises Refused after telling the client why."""

    def refuse(error: OracleError) -> Refused:
        channel.write(messages.error_record(error, in_transaction=False))
        return Refused(str(error))

    user, mode, pairs = await channel.read(lambda reader: _function(reader, AUTHENTICATE_1))
    if database.restarting:
        raise refuse(_RESTARTING)
    name = user[1:-1] if user.startswith('"') and user.endswith('"') else user.upper()
    account = await database.account(name)
    known = (account.salt, account.verifier) if account else (_DUMMY_SALT, _DUMMY_VERIFIER)
    challenge = Challenge.new(*known)
    channel.write(messages.pairs_record(challenge.pairs()) + messages.status_record(False))
    client = Client(
        program=pairs.get("AUTH_PROGRAM_NM", ""),
        machine=pairs.get("AUTH_MACHINE", ""),
        osuser=pairs.get("AUTH_SID", ""),
        process=pairs.get("AUTH_PID", ""),
        terminal=pairs.get("AUTH_TERMINAL", ""),
    )
    _, _, pairs = await channel.read(lambda reader: _function(reader, AUTHENTICATE_2))
    try:
        key = challenge.session_key(pairs.get("AUTH_SESSKEY", ""))
        password = decrypt_password(key, pairs.get("AUTH_PASSWORD", ""))
    except ValueError:
        raise refuse(OracleError(1017, "invalid username/password; logon denied")) from None
    if account is None or not password_matches(password, account.salt, account.verifier):
        raise refuse(OracleError(1017, "invalid username/password; logon denied"))
    if "LOCKED" in account.status:
        raise refuse(OracleError(28000, "the account is locked"))
    if account.status == "EXPIRED":
        raise refuse(OracleError(28001, "the password has expired"))
    if not account.may_connect:
        raise refuse(OracleError(1045, f"user {name} lacks CREATE SESSION privilege; logon denied"))
    if mode & _SYSDBA_MODES and name != "SYS":
        raise refuse(OracleError(1031, "insufficient privileges"))
    client.driver = pairs.get("SESSION_CLIENT_DRIVER_NAME", "")
    try:
        session = await database.open_session(name, client)
    except psycopg.OperationalError:
        if database.restarting:
            raise refuse(_RESTARTING) from None
        raise refuse(OracleError(20, "maximum number of processes exceeded")) from None
    change = pairs.get("AUTH_ALTER_SESSION", "").rstrip("\0")
    zone = _TIME_ZONE.search(change)
    try:
        if zone:
            await session.set_time_zone(zone[1])
    except OracleError as error:
        await session.close()
        raise refuse(error) from None
    except BaseException:
        await session.close()
        raise
    facts = {
        "AUTH_VERSION_NO": str(_VERSION_NUMBER),
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
        "AUTH_MAX_OPEN_CURSORS": "1000",
        "AUTH_MAX_IDEN_LENGTH": "128",
        "AUTH_DBNAME": database.instance.service_name,
    }
    channel.write(
        messages.pairs_record([(key, value, 0) for key, value in facts.items()])
        + messages.status_record(False)
    )
    return session, key


def _function(reader: Reader, code: int) -> tuple[str, int, dict[str, str]]:
    if reader.u8() != messages.FUNCTION or reader.u8() != code:
        raise Disconnected("authentication expected")
    reader.skip(1)
    return read_authentication(reader)
