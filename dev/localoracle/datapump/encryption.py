"""Encrypted dump sets: the key that follows from a password, and streams under it.

A dump set has one random salt; its key follows from the password by PBKDF2 and stands nowhere. The rows of
a table data object are one stream of frames, each AES-GCM: eight random bytes at the beginning and the
frame's number are the nonce, whether it is the last one is authenticated with it. So a stream that was cut,
mixed up or changed is found, and a wrong password before anything is read.
"""

from __future__ import annotations

import hashlib
import hmac
import os
from dataclasses import dataclass
from typing import Protocol

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from localoracle.datapump.errors import stack

KEY_BYTES = {"AES128": 16, "AES192": 24, "AES256": 32}
DEFAULT_ALGORITHM = "AES128"
MAXIMUM_PASSWORD = 128
"""Bytes (Oracle Database Utilities, ENCRYPTION_PASSWORD)."""
_ROUNDS = 200_000
_CHECK_BYTES = 16
_SALT_BYTES = 16
_PREFIX_BYTES, _NONCE_BYTES, _TAG_BYTES = 8, 12, 16
_FRAME = 1 << 16
_LENGTH_BYTES = 4


class Damaged(Exception):
    """An encrypted stream is not what was written."""


@dataclass(frozen=True)
class Seal:
    """What a dump set tells about its key: enough to recognize the password, not to find it."""

    algorithm: str
    salt: str
    rounds: int
    check: str


def new_seal(password: str, algorithm: str) -> tuple[Seal, bytes]:
    """A seal with a new salt, and the key."""
    salt = os.urandom(_SALT_BYTES).hex()
    key, check = _derive(password, algorithm, salt, _ROUNDS)
    return Seal(algorithm, salt, _ROUNDS, check), key


def open_seal(seal: Seal, password: str | None) -> bytes:
    """The key. Blocks for a moment. Raises ORA-39002 over ORA-39174 without a password, ORA-39176 for a
    wrong one."""
    if password is None:
        raise stack((39002,), (39174,))
    key, check = _derive(password, seal.algorithm, seal.salt, seal.rounds)
    if not hmac.compare_digest(check, seal.check):
        raise stack((39002,), (39176,))
    return key


def _derive(password: str, algorithm: str, salt: str, rounds: int) -> tuple[bytes, str]:
    length = KEY_BYTES[algorithm]
    derived = hashlib.pbkdf2_hmac(
        "sha256", password.encode(), bytes.fromhex(salt), rounds, length + _CHECK_BYTES
    )
    return derived[:length], derived[length:].hex()


def encrypt(key: bytes, data: bytes) -> bytes:
    """A small whole, e.g. a directory."""
    nonce = os.urandom(_NONCE_BYTES)
    return nonce + AESGCM(key).encrypt(nonce, data, None)


def decrypt(key: bytes, data: bytes) -> bytes:
    """Raises Damaged."""
    try:
        return AESGCM(key).decrypt(data[:_NONCE_BYTES], data[_NONCE_BYTES:], None)
    except InvalidTag:
        raise Damaged from None


class _Sink(Protocol):
    def write(self, data: memoryview) -> None: ...

    def close(self) -> None: ...


def _nonce(prefix: bytes, number: int) -> bytes:
    return prefix + number.to_bytes(_NONCE_BYTES - _PREFIX_BYTES, "big")


class Encrypter:
    """Encrypts what passes before it goes on to another sink."""

    def __init__(self, sink: _Sink, key: bytes) -> None:
        self._sink = sink
        self._cipher = AESGCM(key)
        self._prefix = os.urandom(_PREFIX_BYTES)
        self._number = 0
        self._waiting = bytearray()

    def write(self, data: memoryview) -> None:
        self._waiting += data
        while len(self._waiting) > _FRAME:
            self._frame(bytes(self._waiting[:_FRAME]), last=False)
            del self._waiting[:_FRAME]

    def close(self) -> None:
        self._frame(bytes(self._waiting), last=True)
        self._sink.close()

    def _frame(self, data: bytes, *, last: bool) -> None:
        sealed = self._cipher.encrypt(_nonce(self._prefix, self._number), data, bytes([last]))
        head = (len(sealed) << 1 | last).to_bytes(_LENGTH_BYTES, "big")
        begin = b"" if self._number else self._prefix
        self._sink.write(memoryview(begin + head + sealed))
        self._number += 1


class Decrypter:
    """The way back; `feed` takes the stream in any portions."""

    def __init__(self, key: bytes) -> None:
        self._cipher = AESGCM(key)
        self._prefix = b""
        self._number = 0
        self._waiting = bytearray()
        self._ended = False

    def feed(self, data: bytes | memoryview) -> bytes:
        """What can be read of it so far. Raises Damaged."""
        self._waiting += data
        if not self._prefix:
            if len(self._waiting) < _PREFIX_BYTES:
                return b""
            self._prefix = bytes(self._waiting[:_PREFIX_BYTES])
            del self._waiting[:_PREFIX_BYTES]
        plain = bytearray()
        while not self._ended and len(self._waiting) >= _LENGTH_BYTES:
            head = int.from_bytes(self._waiting[:_LENGTH_BYTES], "big")
            end = _LENGTH_BYTES + (head >> 1)
            if head >> 1 > _FRAME + _TAG_BYTES:
                raise Damaged
            if len(self._waiting) < end:
                break
            try:
                plain += self._cipher.decrypt(
                    _nonce(self._prefix, self._number),
                    bytes(self._waiting[_LENGTH_BYTES:end]),
                    bytes([head & 1]),
                )
            except InvalidTag:
                raise Damaged from None
            del self._waiting[:end]
            self._number += 1
            self._ended = bool(head & 1)
        if self._ended and self._waiting:
            raise Damaged
        return bytes(plain)

    def finish(self) -> None:
        """The stream is over. Raises Damaged when it was cut."""
        if not self._ended:
            raise Damaged
