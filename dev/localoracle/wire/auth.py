"""The 12c password verifier and the two-phase challenge that proves a password without sending it."""

from __future__ import annotations

import hashlib
import hmac
import os
from dataclasses import dataclass

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

VERIFIER_TYPE_12C = 0x4815
VERIFIER_ITERATIONS = 4096
SESSION_KEY_ITERATIONS = 3
_ZERO_VECTOR = bytes(16)
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


def _encrypt(key: bytes, data: bytes) -> bytes:
    encryptor = Cipher(algorithms.AES(key), modes.CBC(_ZERO_VECTOR)).encryptor()
    return encryptor.update(data) + encryptor.finalize()


def _decrypt(key: bytes, data: bytes) -> bytes:
    decryptor = Cipher(algorithms.AES(key), modes.CBC(_ZERO_VECTOR)).decryptor()
    return decryptor.update(data) + decryptor.finalize()


@dataclass(frozen=True)
class Challenge:
    """The server's half of one authentication: what phase one sends and phase two needs again."""

    salt: bytes
    verifier: bytes
    server_part: bytes
    session_salt: bytes

    @classmethod
    def new(cls, salt: bytes, verifier: bytes) -> Challenge:
        return cls(salt, verifier, os.urandom(32), os.urandom(16))

    def pairs(self) -> list[tuple[str, str, int]]:
        """(key, value, flags) of the answer to phase one."""
        return [
            ("AUTH_SESSKEY", _encrypt(self.verifier, self.server_part).hex().upper(), 0),
            ("AUTH_VFR_DATA", self.salt.hex().upper(), VERIFIER_TYPE_12C),
            ("AUTH_PBKDF2_CSK_SALT", self.session_salt.hex().upper(), 0),
            ("AUTH_PBKDF2_VGEN_COUNT", str(VERIFIER_ITERATIONS), 0),
            ("AUTH_PBKDF2_SDER_COUNT", str(SESSION_KEY_ITERATIONS), 0),
        ]

    def session_key(self, client_part: str) -> bytes:
        """The key that both ends derive; `client_part` is the client's AUTH_SESSKEY."""
        other = _decrypt(self.verifier, bytes.fromhex(client_part))
        material = (other + self.server_part).hex().upper().encode()
        return hashlib.pbkdf2_hmac("sha512", material, self.session_salt, SESSION_KEY_ITERATIONS, 32)


def decrypt_password(session_key: bytes, encrypted: str) -> bytes:
    """The clear password of AUTH_PASSWORD or AUTH_NEWPASSWORD; b"" when it was made with another key."""
    plain = _decrypt(session_key, bytes.fromhex(encrypted))
    padding = plain[-1] if plain else 0
    if not 1 <= padding <= 16 or len(plain) < 32:
        return b""
    return plain[16:-padding]


def server_response(session_key: bytes) -> str:
    """AUTH_SVR_RESPONSE: proves to the client that the server knew the verifier."""
    padding = bytes((16,)) * 16
    return _encrypt(session_key, os.urandom(16) + b"SERVER_TO_CLIENT" + padding).hex().upper()
