"""From the master key to the secrets of one domain.

The database never sees the master key: for every domain a subkey is derived here, and a statement gets, as
binds, only what is made of it: the two padded blocks of HMAC-SHA-256 (FIPS 198-1), or the secrets of the
domain's permutation. Two columns map equal values equally exactly when they share a domain.
"""

from __future__ import annotations

import hashlib
import hmac
from dataclasses import dataclass, field
from enum import Enum

from oracle_refresh.oracle.errors import MaskingError

MINIMUM_KEY_BYTES = 16
SEPARATOR = "\x1f"
_BLOCK = 64
#: A prime (10^18 + 3). A product with a number below `LIMB` is exact in Oracle's NUMBER of 38 digits.
PRIME = 10**18 + 3
LIMB = 10**15


class KeyPart(Enum):
    """What a statement can be given of a domain's subkey: HMAC's pads, or a secret of the permutation."""

    INNER = "inner"
    OUTER = "outer"
    PREFIX = "prefix"
    LOW = "low"
    HIGH = "high"


@dataclass(frozen=True)
class PermutationKey:
    """The secrets of one domain's permutation, see `algorithms.permutation`."""

    prefix: str = field(repr=False)
    """64 hex digits: as text, one whole block of SHA-256."""
    low: int = field(repr=False)
    """The factor of a half's lower limb, below `PRIME`."""
    high: int = field(repr=False)
    """That of the upper one."""

    def amount(self, step: int, tweak: str, half: int, hex_digits: int) -> int:
        """The leading hex digits of SHA-256(prefix, step 0x1F tweak 0x1F half) as an integer."""
        text = f"{self.prefix}{step}{SEPARATOR}{tweak}{SEPARATOR}{half}"
        return int(hashlib.sha256(text.encode()).hexdigest()[:hex_digits], 16)

    def spread(self, half: int) -> int:
        """The universal hash of a number below `LIMB` * `PRIME`: linear in its two limbs, modulo `PRIME`."""
        high, low = divmod(half, LIMB)
        return (low * self.low + high * self.high) % PRIME


@dataclass(frozen=True)
class DomainKey:
    """The subkey of one domain; keep it out of logs, its repr shows only the domain."""

    domain: str
    secret: bytes
    master: MasterKey | None = field(default=None, repr=False, compare=False)

    def __repr__(self) -> str:
        return f"DomainKey({self.domain!r})"

    def digest(self, text: str) -> bytes:
        """HMAC-SHA-256 of `domain 0x1F text` in UTF-8: what `sql.keyed_hash` computes in the database."""
        message = f"{self.domain}{SEPARATOR}{text}".encode()
        return hmac.digest(self.secret, message, "sha256")

    def number(self, text: str, hex_digits: int = 14) -> int:
        """The leading hex digits of the digest as an integer (14 digits = 56 bits)."""
        return int.from_bytes(self.digest(text)) >> (256 - 4 * hex_digits)

    def sibling(self, domain: str) -> DomainKey:
        """The subkey of another domain, for rules that take part in several."""
        if self.master is None:
            raise MaskingError(f"{self.domain} was not derived from a master key, so neither is {domain}")
        return self.master.domain(domain)

    def part(self, name: str) -> DomainKey:
        """The subkey of `<domain>.<name>`, for one step of an algorithm."""
        return self.sibling(f"{self.domain}.{name}")

    def permutation(self) -> PermutationKey:
        """The secrets of the domain's permutation: HMACs of names, which are no message of `digest`, as they
        have no separator."""
        prefix, low, high = (
            hmac.digest(self.secret, f"mask/permutation/v2/{name}".encode(), "sha256")
            for name in ("prefix", "low", "high")
        )
        return PermutationKey(prefix.hex().upper(), int.from_bytes(low) % PRIME, int.from_bytes(high) % PRIME)

    def bound(self, part: KeyPart) -> str | int:
        """The value that a statement binds."""
        match part:
            case KeyPart.INNER:
                return self.inner()
            case KeyPart.OUTER:
                return self.outer()
            case KeyPart.PREFIX:
                return self.permutation().prefix
            case KeyPart.LOW:
                return self.permutation().low
            case KeyPart.HIGH:
                return self.permutation().high

    def inner(self) -> str:
        """Hex of the inner padded block followed by the domain and its separator: the start of the inner
        hash."""
        pad = bytes(octet ^ 0x36 for octet in self.secret.ljust(_BLOCK, b"\0"))
        return (pad + f"{self.domain}{SEPARATOR}".encode()).hex().upper()

    def outer(self) -> str:
        """Hex of the outer padded block: the start of the outer hash."""
        return bytes(octet ^ 0x5C for octet in self.secret.ljust(_BLOCK, b"\0")).hex().upper()


@dataclass(frozen=True)
class MasterKey:
    """The secret all domains derive from. Raises MaskingError when it is too short to resist guessing."""

    secret: bytes

    def __post_init__(self) -> None:
        if len(self.secret) < MINIMUM_KEY_BYTES:
            raise MaskingError(
                f"the masking key has {len(self.secret)} bytes, at least {MINIMUM_KEY_BYTES} are needed",
                remedy="store a random key as the key connection's password, e.g. `openssl rand -hex 32`",
            )

    def __repr__(self) -> str:
        return f"MasterKey({self.key_id})"

    @property
    def key_id(self) -> str:
        """Twelve hex digits that tell keys apart without giving them away; goes to the ledger and the
        report."""
        return hmac.digest(self.secret, b"mask/key-id", "sha256").hex()[:12]

    def of_run(self, refresh: str, run_id: str) -> MasterKey:
        """The key of one run: HMAC-SHA-256(master, "mask/run/v1/" + refresh + 0x1F + run).

        All tasks of the run derive the same, in whatever try, and nobody has to keep it. Whoever learns it,
        or what is derived of it, learns nothing of the master key or of another run's.
        """
        text = f"mask/run/v1/{refresh}{SEPARATOR}{run_id}"
        return MasterKey(hmac.digest(self.secret, text.encode(), "sha256"))

    def of_hashes(self, refresh: str, run_id: str, table: str) -> str:
        """Hex of the key of the hashes that rows of a table (OWNER.NAME) are compared by in one run.

        All tries of the run's tasks derive the same, so that what one has sent serves the others: the first
        128 bits of HMAC-SHA-256(key of the run, "verify/v1/" + table). In 32 digits they leave 23 bytes of
        SHA-256's first block to what is hashed, which most keys and values fit in; 64 would fill it.
        """
        secret = self.of_run(refresh, run_id).secret
        return hmac.digest(secret, f"verify/v1/{table}".encode(), "sha256")[:16].hex()

    def domain(self, name: str) -> DomainKey:
        """The subkey of a domain: HMAC-SHA-256(master, "mask/v1/" + name)."""
        secret = hmac.new(self.secret, f"mask/v1/{name}".encode(), hashlib.sha256).digest()
        return DomainKey(name, secret, self)
