"""USERID: user[/password][@connect identifier] [AS SYSDBA], and the session that it opens."""

from __future__ import annotations

import getpass
import os
import re
import sys
from dataclasses import dataclass, field

import oracledb

from localoracle.client.errors import ClientError, unsupported
from localoracle.client.grammar import identifier, split, unquoted

_ROLE = re.compile(r"\s+AS\s+(SYSDBA|SYSOPER)\s*$", re.IGNORECASE)


@dataclass(frozen=True)
class Logon:
    """Whom to log on as, and where. Without a password it is asked for."""

    user: str
    dsn: str
    password: str | None = field(default=None, repr=False)
    role: str = ""

    @property
    def shown(self) -> str:
        """For CLIENT_COMMAND: never the password."""
        return f"{self.user.lower()}/********@{self.dsn}"


def parse(text: str) -> Logon:
    """Read USERID.

    :raises ClientError: when there is no user or no database in it.
    """
    role = _ROLE.search(text)
    rest = text[: role.start()] if role else text
    before, *behind = split(rest, "@")
    user, *passwords = split(before, "/")
    dsn = "@".join(behind) or os.environ.get("TWO_TASK", "")
    if not user.strip():
        raise unsupported("logon without a user name (operating system or wallet)")
    if not dsn:
        raise ClientError(
            "UDE-12162: operation generated ORACLE error 12162\n"
            "ORA-12162: TNS:net service name is incorrectly specified"
        )
    password = unquoted("/".join(passwords)) if passwords else None
    return Logon(identifier(user), unquoted(dsn), password or None, role[1].upper() if role else "")


def ask(prompt: str) -> str:
    """One line: from the terminal without echo, otherwise from standard input.

    :raises ClientError: at the end of standard input.
    """
    if sys.stdin.isatty():
        return getpass.getpass(prompt)
    print(prompt, flush=True)
    line = sys.stdin.readline()
    if not line:
        raise ClientError("UDE-00005: unexpected end of file on read of input")
    return line.rstrip("\r\n")


def connect(logon: Logon) -> oracledb.Connection:
    """A session.

    :raises ClientError: with the database's own message when it is refused.
    """
    password = logon.password if logon.password is not None else ask("Password: ")
    mode = {"SYSDBA": oracledb.AUTH_MODE_SYSDBA, "SYSOPER": oracledb.AUTH_MODE_SYSOPER}.get(
        logon.role, oracledb.AUTH_MODE_DEFAULT
    )
    quoted = f'"{logon.user}"'
    try:
        return oracledb.connect(
            user=quoted,
            password=password,
            dsn=logon.dsn,
            mode=mode,
            config_dir=os.environ.get("TNS_ADMIN"),
            program="localoracle.client",
        )
    except oracledb.Error as error:
        raise from_database(error) from None


def from_database(error: oracledb.Error) -> ClientError:
    """UDE-nnnnn over what the database or the driver said."""
    text = str(error).split("\nHelp:")[0]
    code = re.match(r"(?:ORA|DPY)-(\d+)", text)
    number = int(code[1]) if code else 0
    return ClientError(f"UDE-{number:05d}: operation generated ORACLE error {number}\n{text}")
