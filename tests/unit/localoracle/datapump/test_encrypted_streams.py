"""Encrypted streams: read in any portions, and no change stays unnoticed."""

from __future__ import annotations

import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from localoracle.datapump.encryption import Damaged, Decrypter, Encrypter


class Collected:
    def __init__(self):
        self.data = bytearray()

    def write(self, data):
        self.data += data

    def close(self):
        pass


def encrypted(pieces, key=bytes(32)):
    sink = Collected()
    stream = Encrypter(sink, key)
    for piece in pieces:
        stream.write(memoryview(piece))
    stream.close()
    return bytes(sink.data)


@given(st.lists(st.binary(max_size=200_000), max_size=4), st.integers(1, 100_000))
def test_what_is_encrypted_is_decrypted_in_any_portions(pieces, portion):
    sealed = encrypted(pieces)
    back = Decrypter(bytes(32))
    plain = b"".join(back.feed(sealed[at : at + portion]) for at in range(0, len(sealed), portion))
    back.finish()
    assert plain == b"".join(pieces)


@pytest.mark.parametrize("change", ["cut", "flip", "key", "longer", "frame lost"])
def test_a_changed_stream_is_found(change):
    sealed = bytearray(encrypted([os.urandom(200_000)]))
    if change == "cut":
        del sealed[-20:]
    elif change == "flip":
        sealed[70_000] ^= 1
    elif change == "longer":
        sealed += b"x"
    elif change == "frame lost":
        del sealed[8 : 8 + 4 + 65536 + 16]
    back = Decrypter(bytes([change == "key"]) * 32)

    def read():
        back.feed(sealed)
        back.finish()

    with pytest.raises(Damaged):
        read()
