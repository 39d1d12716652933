from __future__ import annotations

import hashlib
import hmac

import pytest

from oracle_refresh.masking.keys import DomainKey, MasterKey
from oracle_refresh.oracle.errors import MaskingError
from support.samples import HASHES, SECRET


@pytest.mark.parametrize(("domain", "value", "digest", "remainder"), HASHES)
def test_published_vectors(domain: str, value: str, digest: str | None, remainder: int) -> None:
    key = DomainKey(domain, SECRET)
    assert digest in (None, key.digest(value).hex())
    assert key.number(value) % 1000 == remainder


@pytest.mark.parametrize("value", ["", "PETER", "Zoë", "日本"])
def test_pads_give_the_hmac(value: str) -> None:
    """What the database computes: two plain hashes over the pads."""
    key = MasterKey(SECRET).domain("first_name")
    inner = hashlib.sha256(bytes.fromhex(key.inner()) + value.encode()).digest()
    assert hashlib.sha256(bytes.fromhex(key.outer()) + inner).digest() == key.digest(value)


def test_domains_and_keys_differ() -> None:
    one, other = MasterKey(SECRET), MasterKey(SECRET[::-1])
    assert one.domain("a").digest("x") != one.domain("b").digest("x")
    assert one.domain("a").digest("x") != other.domain("a").digest("x")
    assert one.key_id != other.key_id


def test_short_keys_are_refused() -> None:
    with pytest.raises(MaskingError, match="15 bytes"):
        MasterKey(b"x" * 15)


def test_no_secret_in_texts() -> None:
    key = MasterKey(b"correct horse battery staple")
    assert "horse" not in f"{key!r} {key.domain('a')!r} {key.key_id}"
    assert len(key.key_id) == 12


def test_a_key_of_each_run() -> None:
    """Written out: a later version that derived another key would mask a cleared run otherwise."""
    master = MasterKey(SECRET)
    mine = master.of_run("nightly", "scheduled__1")
    text = b"mask/run/v1/nightly\x1fscheduled__1"
    assert mine.secret == hmac.new(SECRET, text, hashlib.sha256).digest()
    assert mine.domain("a").digest("x") == master.of_run("nightly", "scheduled__1").domain("a").digest("x")
    others = [master, master.of_run("nightly", "scheduled__2"), master.of_run("nightlys", "cheduled__1")]
    others += [MasterKey(SECRET[::-1]).of_run("nightly", "scheduled__1")]
    assert len({mine.key_id, *(other.key_id for other in others)}) == 5
    assert master.secret.hex() not in repr(mine)
