"""Passwords: the 12c verifier that is kept of one, and a user's own change of it."""

from __future__ import annotations

import hashlib
import hmac
import os
from typing import TYPE_CHECKING

from localoracle.errors import OracleError

if TYPE_CHECKING:
    from localoracle.server.database import Database

VERIFIER_ITERATIONS = 4096
PASSWORD_BYTES = 30
"""The longest password (Database Security Guide, "Minimum Requirements for Passwords")."""
_REMEMBERED = 1000
"""Passwords whose proof is remembered."""
_proofs: set[bytes] = set()
_proof_key = os.urandom(32)


def make_verifier(password: str, salt: bytes | None = None) -> tuple[bytes, bytes]:
    """(salt, hash) to keep for a user; the hash (32 bytes) is what a client proves that it can derive.

    A salt (16 bytes) may be given to derive the verifier of an existing user again.
    """
    salt = os.urandom(16) if salt is None else salt
    derived = hashlib.pbkdf2_hmac(
        "sha512", password.encode(), salt + b"AUTH_PBKDF2_SPEEDY_KEY", VERIFIER_ITERATIONS, 64
    )
    return salt, hashlib.sha512(derived + salt).digest()[:32]


def password_matches(password: bytes, salt: bytes, verifier: bytes) -> bool:
    """Whether `password` (as decrypted, perhaps rubbish) is the one from which `verifier` was made.

    To derive a verifier is slow on purpose, and clients log in again and again: a pair that matched is
    remembered by a digest under a key of this process.
    """
    proof = hmac.digest(_proof_key, salt + verifier + password, "sha256")
    if proof in _proofs:
        return True
    try:
        text = password.decode()
    except UnicodeDecodeError:
        return False
    if not text or not hmac.compare_digest(make_verifier(text, salt)[1], verifier):
        return False
    if len(_proofs) >= _REMEMBERED:
        _proofs.clear()
    _proofs.add(proof)
    return True


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
