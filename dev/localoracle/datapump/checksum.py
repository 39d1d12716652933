"""The checksum of table data in dump files: it finds damage, it is no defence against forgery.

AES-GCM's GMAC under a key of zeros: processors compute it several times faster than CRC-32, and a worker that
unloads shares its cores with the thread that computes it.
"""

from __future__ import annotations

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

_BYTES = 8


class Checksum:
    """Of the bytes that `update` is given, one after the other; `value` ends it."""

    def __init__(self) -> None:
        self._cipher = Cipher(algorithms.AES(bytes(16)), modes.GCM(bytes(12))).encryptor()

    def update(self, data: bytes | memoryview) -> None:
        self._cipher.authenticate_additional_data(data)  # type: ignore[arg-type,unused-ignore]

    def value(self) -> int:
        self._cipher.finalize()
        return int.from_bytes(self._cipher.tag[:_BYTES], "big")
