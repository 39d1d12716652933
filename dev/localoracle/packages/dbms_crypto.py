"""DBMS_CRYPTO (PL/SQL Packages and Types Reference): hashes, keyed hashes, random bytes.

CLOBs are hashed as AL32UTF8. LOBs are read in pieces. HASH is also a SQL function
(bootstrap/43_dbms_crypto.sql).
ENCRYPT and DECRYPT are not there.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import secrets
from typing import Any

from localoracle.errors import OracleError, not_supported
from localoracle.lobs.files import hashed
from localoracle.lobs.lob import Lob
from localoracle.packages.registry import Call, subprogram

PACKAGE = "DBMS_CRYPTO"
PIECE = 4 << 20
_HASHES = {2: "md5", 3: "sha1", 4: "sha256", 5: "sha384", 6: "sha512"}
_MACS = {1: "md5", 2: "sha1", 3: "sha256", 4: "sha384", 5: "sha512"}


async def _feed(hasher: Any, source: Any) -> bytes:
    if not isinstance(source, Lob):
        hasher.update(source)
        return bytes(hasher.digest())
    if await hashed(source, hasher):
        return bytes(hasher.digest())
    place = 1
    while piece := await source.read(place, PIECE):
        # On another thread: a large file must not keep the server from its other sessions.
        await asyncio.to_thread(hasher.update, piece.encode() if isinstance(piece, str) else piece)
        place += len(piece)
    return bytes(hasher.digest())


def _algorithm(call: Call, algorithms: dict[int, str]) -> str:
    number = call["typ"]
    if number == 1 and algorithms is _HASHES:
        raise not_supported("DBMS_CRYPTO.HASH_MD4")
    if number not in algorithms:
        raise OracleError(28234 if algorithms is _MACS else 28817, "PL/SQL function returned an error.")
    return algorithms[int(number)]


@subprogram(PACKAGE, "HASH")
async def hash_value(call: Call) -> bytes:
    algorithm = _algorithm(call, _HASHES)
    if call["src"] is None:
        raise OracleError(28231, "no data passed to obfuscation toolkit")
    return await _feed(hashlib.new(algorithm), call["src"])


@subprogram(PACKAGE, "MAC")
async def mac(call: Call) -> bytes:
    algorithm = _algorithm(call, _MACS)
    if call["src"] is None:
        raise OracleError(28231, "no data passed to obfuscation toolkit")
    return await _feed(hmac.new(call["key"] or b"", digestmod=algorithm), call["src"])


@subprogram(PACKAGE, "RANDOMBYTES")
async def random_bytes(call: Call) -> bytes:
    count = call["number_bytes"]
    if count is None or not 1 <= count <= 2000:
        raise OracleError(28817, "PL/SQL function returned an error.")
    return secrets.token_bytes(int(count))
