"""E-mail: addresses at hosts that cannot exist (RFC 2606), so no mail ever leaves.

The local part is a keyed hash of the whole address, alone (`local: hash`), after an entry of a list
(`local: lookup`), or after the masked names of the same row (`local: names`), so that a person's first name,
last name and address stay in accord. Of several hosts one is chosen by the original's host: people of one
company stay together.

Guarantees: deterministic; equal addresses (letter case and outer blanks apart) stay equal wherever the domain
is used, with `local: names` as long as the names are equal too; different ones collide with probability under
n^2 / 2^(4 * digits + 1) (26 digits, 10^9 rows: 2.5e-14); NULL stays NULL; irreversible without the key.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field

from oracle_refresh.masking.algorithms import base, entries, proofs, samples
from oracle_refresh.masking.algorithms.protocol import (
    Algorithm,
    Column,
    DomainKey,
    Guarantees,
    Source,
    SqlContext,
    register,
)
from oracle_refresh.oracle.errors import MaskingError

DIGITS = 26
MINIMUM_DIGITS = 20
#: Digits after a name: enough to tell people of one name apart, not enough to promise it.
SHORT = 8
Host = Annotated[
    str, Field(pattern=r"^[a-z0-9.-]+\.(test|invalid|example)$|^([a-z0-9-]+\.)*example\.(com|net|org)$")
]


@register
@dataclass(frozen=True)
class Email(Algorithm):
    """`<local>@<host>`. `fold` is "lower", or "none" where addresses that differ by letter case are two
    people. `hash_digits` hex digits follow a name; 20 and more make the addresses unique."""

    kind = "email"
    types = base.CHARACTER_TYPES
    keeps = "nothing, or accord with names"
    by_width = True
    mapped = "when_repeated"
    sources: ClassVar[Mapping[str, tuple[str, Source]]] = {"lookup": ("values", "entries")}
    column_fields = ("first_name", "last_name")

    host: Host = "example.test"
    fold: Literal["lower", "none"] = "lower"
    hosts: tuple[Host, ...] = ()
    local: Literal["hash", "lookup", "names"] = "hash"
    values: tuple[str, ...] = ()
    first_name: str | None = None
    last_name: str | None = None
    hash_digits: Annotated[int, Field(ge=4, le=DIGITS)] = SHORT

    def __post_init__(self) -> None:
        if (self.local == "lookup") != bool(self.values):
            raise ValueError("a lookup is given with `local: lookup`, and only then")
        if (self.local == "names") != bool(self.first_name and self.last_name):
            raise ValueError("first_name and last_name name columns with `local: names`, and only then")
        if self.local == "lookup":
            entries.checked(self.values)

    @property
    def guarantees(self) -> Guarantees:
        enough = self.local == "hash" or self.hash_digits >= MINIMUM_DIGITS
        return Guarantees(unique="practically" if enough else "checked")

    @property
    def takes_masked(self) -> bool:
        return self.local == "names"

    def check(self, column: Column) -> None:
        """Raise MaskingError when the column's type or width does not take the masked address."""
        super().check(column)
        base.require_hashable(column, self.kind)
        least = MINIMUM_DIGITS if self.local == "hash" else self.hash_digits + 2
        if self._local_room(column) < least:
            room, unit = base.capacity(column)
            longest = max(self._hosts, key=len)
            raise MaskingError(
                f"a unique address at {longest} needs {least + len(longest) + 1} {unit}, "
                f"the column holds {room}",
                object_name=column.name,
                step="masking plan",
                remedy="choose a shorter host",
            )

    def proof(self, column: Column, scope: proofs.Scope) -> proofs.Proof:
        pattern = self._pattern(column)
        return proofs.Proof(always=f"REGEXP_LIKE({proofs.text(column)}, '{pattern}')", pattern=pattern)

    def _pattern(self, column: Column) -> str:
        hosts = "|".join(host.replace(".", "[.]") for host in self._hosts)
        return f"^([a-z0-9.]+[.])?[0-9a-f]{{{self.digits(column)}}}@({hosts})$"

    @classmethod
    def samples(cls) -> tuple[samples.Sample, ...]:
        listed = cls(local="lookup", values=samples.NAMES)
        return (
            samples.Sample(cls(), samples.TEXT),
            samples.Sample(listed, samples.TEXT, name="with names of a list"),
        )

    def originals(self, column: Column) -> Iterator[Any]:
        return samples.numbers("{}@corp.com")

    @property
    def _hosts(self) -> tuple[str, ...]:
        return self.hosts or (self.host,)

    def _local_room(self, column: Column | None) -> int:
        longest = max(map(len, self._hosts))
        return (base.capacity(column)[0] if column else 320) - longest - 1

    def digits(self, column: Column | None) -> int:
        """Hex digits before the @: 26 at most for a hash alone, as many as there is room."""
        return min(DIGITS, self._local_room(column)) if self.local == "hash" else self.hash_digits

    def mask(
        self, key: DomainKey, value: str | None, *others: Any, column: Column | None = None
    ) -> str | None:
        """The reference. `others`: with `local: names` the row's masked first and last name."""
        if not value:
            return None
        folded = base.folded(value, self.fold)
        local = key.digest(folded).hex()[: self.digits(column)]
        names = ""
        if self.local == "lookup":
            names = plain(self.values[key.part("local").number(folded) % len(self.values)])
        elif self.local == "names":
            names = ".".join(part for part in map(plain, (other or "" for other in others)) if part)
        if names:
            local = f"{names[: self._local_room(column) - len(local) - 1]}.{local}"
        host = self._hosts[0]
        if len(self._hosts) > 1:
            theirs = base.folded(value, "lower").partition("@")[2]
            host = self._hosts[key.part("host").number(theirs) % len(self._hosts)]
        return f"{local}@{host}"

    def expression(self, context: SqlContext, column: Column, reference: str) -> str:
        own = base.text_sql(column, reference)
        text = base.folded_sql(own, self.fold)
        local = f"LOWER(SUBSTR({context.pads().hash_hex(text)}, 1, {self.digits(column)}))"
        names = None
        if self.local == "lookup":
            index = f"MOD({context.pads('local').number(text)}, {len(self.values)})"
            alias = context.join(context.lookup(entries.table(self.values)), f"{{alias}}.IDX = {index}")
            names = plain_sql(context, f"{alias}.ENTRY")
        elif self.local == "names":
            parts = [plain_sql(context, context.masked(name)) for name in self.reads]
            names = f"TRIM('.' FROM {parts[0]} || '.' || {parts[1]})"
        if names:
            room = self._local_room(column) - self.hash_digits - 1
            local = f"LTRIM(SUBSTR({names}, 1, {room}) || '.', '.') || {local}"
        return f"{local} || {self._host_sql(context, own)}"

    def _host_sql(self, context: SqlContext, text: str) -> str:
        if len(self._hosts) == 1:
            return context.bind("@" + self._hosts[0])
        folded = base.folded_sql(text, "lower")
        theirs = f"CASE WHEN INSTR({folded}, '@') > 0 THEN SUBSTR({folded}, INSTR({folded}, '@') + 1) END"
        cases = " ".join(f"WHEN {n} THEN {context.bind('@' + host)}" for n, host in enumerate(self._hosts))
        return f"CASE MOD({context.pads('host').number(theirs)}, {len(self._hosts)}) {cases} END"


def plain(name: str) -> str:
    """Python: a name as a local part writes it: small letters and digits, accents stripped."""
    return re.sub("[^a-z0-9]", "", base.folded(entries.stripped(name), "lower"))


def plain_sql(context: SqlContext, name: str) -> str:
    """SQL: what `plain` does."""
    return f"REGEXP_REPLACE({base.folded_sql(entries.stripped_sql(context, name), 'lower')}, '[^a-z0-9]')"
