"""Unique e-mail addresses: a keyed hash at a host that cannot exist.

Guarantees: deterministic; equal addresses (letter case and outer blanks apart) stay equal wherever the
domain is used; different ones collide with probability under n^2 / 2^(4 * digits + 1) (26 digits, 10^9 rows:
2.5e-14); NULL stays NULL; irreversible without the key. The host is one of RFC 2606, so no mail ever leaves.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from oracle_refresh.errors import MaskingError
from oracle_refresh.masking.algorithms import base

if TYPE_CHECKING:
    from oracle_refresh.catalog import Column
    from oracle_refresh.masking.keys import DomainKey

DIGITS = 26
MINIMUM_DIGITS = 20


@dataclass(frozen=True)
class Email:
    """`<hash>@<host>`. `fold` is "lower", or "none" where addresses that differ by letter case are two
    people."""

    host: str = "example.test"
    fold: str = "lower"

    def check(self, column: Column) -> None:
        """Raise MaskingError when the column's type or width does not take the masked address."""
        base.require_type(column, base.CHARACTER_TYPES, "email")
        base.require_hashable(column, "email")
        if self.digits(column) < MINIMUM_DIGITS:
            room, unit = base.capacity(column)
            raise MaskingError(
                f"a unique address at {self.host} needs {MINIMUM_DIGITS + len(self.host) + 1} {unit}, "
                f"the column holds {room}",
                object_name=column.name,
                step="masking plan",
                remedy="choose a shorter host",
            )

    def digits(self, column: Column) -> int:
        """Hex digits before the @ that the column has room for, 26 at most."""
        return min(DIGITS, base.capacity(column)[0] - len(self.host) - 1)

    def mask(self, key: DomainKey, value: str | None, digits: int = DIGITS) -> str | None:
        """The reference."""
        if not value:
            return None
        return f"{key.digest(base.folded(value, self.fold)).hex()[:digits]}@{self.host}"

    def sql(self, pads: base.Pads, column: Column, reference: str) -> str:
        """The masked value of a column reference that is not NULL."""
        text = base.folded_sql(base.text_sql(column, reference), self.fold)
        local = f"LOWER(SUBSTR({pads.hash_hex(text)}, 1, {self.digits(column)}))"
        return f"{local} || {pads.bind('@' + self.host)}"
