"""Owners of the schemas, who read what they own: they are locked before a refresh, and stay so.

The quarantine locks the application accounts, and the release opens those again. An owner who is none of them
was locked by somebody else, or has no password: nothing is recorded of it, so it is refused if it can log on.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from oracle_refresh.oracle.errors import QuarantineError
from oracle_refresh.oracle.identifiers import Identifier
from oracle_refresh.oracle.session import rows
from oracle_refresh.target.quarantine import statements
from oracle_refresh.target.quarantine.account_status import can_log_on
from oracle_refresh.target.quarantine.statements import STEP

if TYPE_CHECKING:
    import oracledb

LOCK_OWNER = "add it to `application_accounts` of the definition, or let a DBA lock it"


def guarded(connection: oracledb.Connection, owners: Sequence[str]) -> dict[str, bool]:
    """The owners that have to be kept out, and whether each can log on. The refresh's own user is not, nor is
    what Oracle maintains."""
    if not owners:
        return {}
    found = rows(connection, statements.OWNERS, names=owners)
    return {name: can_log_on(status, kind, proxied=bool(proxies)) for name, status, kind, proxies in found}


def at_work(connection: oracledb.Connection, owners: Sequence[str]) -> set[str]:
    """Those that have sessions."""
    return {name for (name,) in rows(connection, statements.AT_WORK, names=owners)} if owners else set()


def require_owners_closed(connection: oracledb.Connection, owners: Sequence[str]) -> None:
    """:raises QuarantineError: naming owners who can log on."""
    opened = [name for name, opens in guarded(connection, owners).items() if opens]
    if opened:
        listed = ", ".join(Identifier(name).written for name in opened)
        raise QuarantineError(
            f"owners of the schemas can log on, and would read unmasked rows: {listed}",
            object_name=opened[0],
            step=STEP,
            remedy=LOCK_OWNER,
        )
