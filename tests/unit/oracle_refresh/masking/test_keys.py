from __future__ import annotations

import hashlib
import hmac

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracle_refresh.masking.keys import LIMB, PRIME, DomainKey, KeyPart, MasterKey
from oracle_refresh.oracle.errors import MaskingError
from support.samples import HASHES, SECRET

NAMES = ("prefix", "low", "high")
HALVES = st.integers(0, LIMB * PRIME - 1)


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


def test_the_secrets_of_a_permutation() -> None:
    """One block of SHA-256 as text, and two factors: no text that `digest` hashes gives them."""
    key = MasterKey(SECRET).domain("card")
    secrets = key.permutation()
    made = [hmac.new(key.secret, f"mask/permutation/v2/{name}".encode(), hashlib.sha256) for name in NAMES]
    assert secrets.prefix == made[0].hexdigest().upper()
    assert len(secrets.prefix.encode()) == 64
    assert [secrets.low, secrets.high] == [int(each.hexdigest(), 16) % PRIME for each in made[1:]]
    digest = hashlib.sha256(f"{secrets.prefix}2\x1fa\x1f7".encode()).hexdigest()
    assert secrets.amount(2, "a", 7, 15) == int(digest[:15], 16)
    assert [key.bound(part) for part in KeyPart] == [
        key.inner(),
        key.outer(),
        secrets.prefix,
        secrets.low,
        secrets.high,
    ]
    assert not {str(secrets.low), str(secrets.high), secrets.prefix} & set(repr(secrets).split("'"))


@given(HALVES, HALVES, st.binary(min_size=16, max_size=16))
def test_halves_are_spread_by_their_limbs(one: int, other: int, secret: bytes) -> None:
    """What the proof needs: the hash of a difference is the difference of the hashes, and no limb is lost."""
    secrets = DomainKey("a", secret).permutation()
    difference = [a - b for a, b in zip(divmod(one, LIMB), divmod(other, LIMB), strict=True)]
    expected = (difference[1] * secrets.low + difference[0] * secrets.high) % PRIME
    assert (secrets.spread(one) - secrets.spread(other)) % PRIME == expected


def test_the_prime_is_one() -> None:
    """Fermat's test, and no small factor; exact in NUMBER: a product of a limb and a factor, twice."""
    assert all(pow(base, PRIME - 1, PRIME) == 1 for base in (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37))
    assert all(PRIME % factor for factor in range(2, 10_000))
    assert 2 * LIMB * PRIME < 10**38


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
