"""What other clients send until their first query, played over a plain socket.

`recorded_clients.json` has the packets of node-oracledb 26.0 (thin), Oracle's JDBC thin driver 23.26 and
go-ora 2.8, as they went to a stand-in: SYSTEM logs in and selects `12.5 a, 'x' b`. The service in the connect
packet and the second phase of the login, which depends on what the server drew, are made anew.
"""

from __future__ import annotations

import json
import os
import socket
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

from localoracle.admin.passwords import make_verifier
from localoracle.wire.auth import Challenge
from localoracle.wire.buffer import Reader, lv, text2, ub

CLIENTS = ("node_oracledb", "jdbc", "go_ora")
_FILE = Path(__file__).with_suffix(".json")
_AUTHENTICATE_2 = 115
_PASSWORD_MODE = 0x101


@cache
def recorded(client: str) -> dict[str, bytes]:
    document = json.loads(_FILE.read_text())
    return {name: bytes.fromhex(packet) for name, packet in document[client].items()}


@dataclass
class Player:
    """One client on its socket; what `texts_are_bare` says follows from the client's own encoding flags."""

    client: str
    port: int
    service: str
    wide: bool = False
    socket: socket.socket = field(init=False)

    def __post_init__(self) -> None:
        self.packets = recorded(self.client)
        self.texts_are_bare = self.client == "jdbc"
        self.socket = socket.create_connection(("127.0.0.1", self.port), timeout=30)

    def close(self) -> None:
        self.socket.close()

    def receive(self) -> bytes:
        """The next packet, whole."""
        header = self._exactly(8)
        return header + self._exactly(int.from_bytes(header[: 4 if self.wide else 2], "big") - 8)

    def _exactly(self, count: int) -> bytes:
        data = b""
        while len(data) < count:
            piece = self.socket.recv(count - len(data))
            if not piece:
                raise EOFError(f"{self.client}: the server closed the connection")
            data += piece
        return data

    def answer(self, packets: int = 1) -> bytes:
        """The TTC bytes of so many data packets."""
        return b"".join(self.receive()[10:] for _ in range(packets))

    def connect(self) -> bytes:
        """Send the connect packet; the ACCEPT or REFUSE that answers it."""
        packet = self.packets["connect"]
        offset = int.from_bytes(packet[26:28], "big")
        data = packet[offset:].replace(b"SERVICE_NAME=SOURCE", f"SERVICE_NAME={self.service}".encode())
        head = bytearray(packet[:offset])
        head[0:2] = (offset + len(data)).to_bytes(2, "big")
        head[24:26] = len(data).to_bytes(2, "big")
        self.socket.sendall(bytes(head) + data)
        answer = self.receive()
        self.wide = True
        return answer

    def ask(self, name: str, packets: int = 1) -> bytes:
        self.socket.sendall(self.packets[name])
        return self.answer(packets)

    def call(self, function: int, number: int, body: bytes) -> bytes:
        """The answer to a call that was not recorded."""
        self._send(bytes((3, function, number)) + body)
        return self.answer()

    def _send(self, body: bytes) -> None:
        self.socket.sendall((len(body) + 10).to_bytes(4, "big") + b"\6\0\0\0\0\0" + body)

    def log_in(self, user: str, password: str) -> tuple[bytes, bytes]:
        """The answers to both phases."""
        first = self.ask("first_phase")
        given = _pairs(first)
        salt = bytes.fromhex(given["AUTH_VFR_DATA"])
        _, verifier = make_verifier(password, salt)
        challenge = Challenge(
            salt,
            verifier,
            _cipher(verifier, given["AUTH_SESSKEY"], encrypt=False),
            bytes.fromhex(given["AUTH_PBKDF2_CSK_SALT"]),
        )
        part = _cipher(verifier, os.urandom(32).hex(), encrypt=True).hex().upper()
        key = challenge.session_key(part)
        plain = os.urandom(16) + password.encode()
        padding = 16 - len(plain) % 16
        secret = _cipher(key, (plain + bytes((padding,)) * padding).hex(), encrypt=True).hex().upper()
        pairs = {
            "AUTH_SESSKEY": part,
            "AUTH_PASSWORD": secret,
            "AUTH_ALTER_SESSION": "ALTER SESSION SET TIME_ZONE='+00:00'\0",
        }
        name = user.encode()
        body = b"".join(
            (
                bytes((3, _AUTHENTICATE_2, 2, 1)),
                ub(len(name)) + ub(_PASSWORD_MODE) + b"\1" + ub(len(pairs)) + b"\1\1",
                name if self.texts_are_bare else lv(name),
                *(text2(key) + text2(value) + ub(0) for key, value in pairs.items()),
            )
        )
        self._send(body)
        return first, self.answer()


def _pairs(answer: bytes) -> dict[str, str]:
    reader = Reader()
    reader.feed(answer)
    reader.collect()
    assert reader.u8() == 8
    found = {}
    for _ in range(reader.ub()):
        key, value = reader.text2(), reader.text2()
        reader.ub()
        found[key] = value
    return found


def _cipher(key: bytes, digits: str, *, encrypt: bool) -> bytes:
    cipher = Cipher(algorithms.AES(key), modes.CBC(bytes(16)))
    context = cipher.encryptor() if encrypt else cipher.decryptor()
    return context.update(bytes.fromhex(digits)) + context.finalize()
