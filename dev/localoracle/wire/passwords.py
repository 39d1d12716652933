"""A user's own change of the password, in a session or with the login."""

from __future__ import annotations

from typing import TYPE_CHECKING

from localoracle.errors import OracleError
from localoracle.wire.auth import make_verifier

if TYPE_CHECKING:
    from localoracle.server.database import Database

PASSWORD_BYTES = 30
"""The longest password (Database Security Guide, "Minimum Requirements for Passwords")."""


async def set_password(database: Database, user: str, password: bytes) -> None:
    """Give the user another password, which ends an expiry. Raises ORA-00988."""
    if not 0 < len(password) <= PASSWORD_BYTES:
        raise OracleError(988, "missing or invalid password(s)")
    salt, verifier = make_verifier(password.decode())
    await database.system(
        "UPDATE localoracle.users SET password_salt = %s, password_hash = %s, "
        "password_change_date = localtimestamp(0), expiry_date = NULL, "
        "status = CASE status WHEN 'EXPIRED' THEN 'OPEN' ELSE status END WHERE username = %s",
        [salt, verifier, user],
    )
