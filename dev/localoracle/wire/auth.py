"""The two-phase challenge that proves a password without sending it."""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

from localoracle.admin.passwords import VERIFIER_ITERATIONS

VERIFIER_TYPE_12C = 0x4815
SESSION_KEY_ITERATIONS = 3
_ZERO_VECTOR = bytes(16)


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
