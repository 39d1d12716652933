"""What a login asks for beyond a user and a password, and whether it may have it.

Database Security Guide, "Proxy Authentication", "Client Session-Based Application Contexts"; Development
Guide, "Using Edition-Based Redefinition".
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from localoracle.admin.editions import demand_edition
from localoracle.admin.proxies import may_connect_as
from localoracle.errors import OracleError, not_supported

if TYPE_CHECKING:
    from localoracle.server.database import Account, Database
    from localoracle.session.session import Session

SYSDBA, SYSOPER = 0x20, 0x40
_OTHER_ADMINISTRATORS = 0x400000 | 0x1000000 | 0x2000000 | 0x4000000 | 0x8000000
"""SYSASM, SYSBACKUP, SYSDG, SYSKM, SYSRAC."""
_UNKNOWN = {
    "AUTH_TOKEN": "authentication by token",
    "AUTH_ORA_DEBUG_JDWP": "a debugger's connection (JDWP)",
}
_CONTEXT = ("AUTH_APPCTX_NSPACE", "AUTH_APPCTX_ATTR", "AUTH_APPCTX_VALUE")


@dataclass(frozen=True)
class Logon:
    """The wishes of one login."""

    mode: int
    client: str
    """The user for whom a proxy user connects; "" where the user connects for itself."""
    edition: str
    contexts: tuple[tuple[str, str, str], ...]
    """(namespace, attribute, value)"""
    new_password: str
    """AUTH_NEWPASSWORD as it came; "" where the password stays."""

    @classmethod
    def from_pairs(cls, mode: int, pairs: Sequence[tuple[str, str]]) -> Logon:
        """Raises ORA-03001 for what the stand-in does not have."""
        settings = dict(pairs)
        for key, name in _UNKNOWN.items():
            if key in settings:
                raise not_supported(name)
        parts = [[value for key, value in pairs if key.rstrip("\0") == wanted] for wanted in _CONTEXT]
        return cls(
            mode,
            user_name(settings.get("PROXY_CLIENT_NAME", "")),
            settings.get("AUTH_ORA_EDITION", ""),
            tuple(zip(*parts, strict=True)),
            settings.get("AUTH_NEWPASSWORD", ""),
        )

    async def admit(self, database: Database, account: Account) -> Account:
        """The account whose session is opened for one that has proved its password."""
        _demand_access(account, expired=bool(self.new_password))
        if self.mode & _OTHER_ADMINISTRATORS or (
            self.mode & (SYSDBA | SYSOPER) and account.username != "SYS"
        ):
            raise OracleError(1031, "insufficient privileges")
        if not self.client:
            return account
        client = await database.account(self.client)
        if client is None or not await may_connect_as(database, account.username, self.client):
            raise OracleError(28150, "proxy not authorized to connect as client")
        _demand_access(client, expired=True)
        return client

    async def prepare(self, session: Session) -> None:
        """Edition and application contexts of the new session."""
        if self.edition:
            demand_edition(self.edition)
        for namespace, attribute, value in self.contexts:
            await session.settings.set_attribute(namespace, attribute, value)


def _demand_access(account: Account, *, expired: bool) -> None:
    """ORA-28000, ORA-28001 (unless `expired` does not matter), ORA-01045."""
    if "LOCKED" in account.status:
        raise OracleError(28000, "The account is locked.")
    if account.status == "EXPIRED" and not expired:
        raise OracleError(28001, "the password has expired")
    if not account.may_connect:
        raise OracleError(1045, f"user {account.username} lacks CREATE SESSION privilege; logon denied")


def user_name(name: str) -> str:
    """A user's name as a client writes it."""
    return name[1:-1] if name.startswith('"') and name.endswith('"') and len(name) > 1 else name.upper()
