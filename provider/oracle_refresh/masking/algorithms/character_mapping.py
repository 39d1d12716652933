"""Character mapping: letters become other letters and digits other digits; punctuation stays where it is.

Guarantees: deterministic; 1:1; length, letter case, separators and the kept ends survive; never the value
itself; NULL stays NULL (see `permutation` for how). Letters are A-Z and a-z, digits 0-9. Separators are the
other ASCII characters, and the punctuation, currency signs and spaces of Latin-1 and of Unicode. A value
with any other character between the kept ends (`Müller9`, `Иванов1`, `１２３`), without a letter or digit, or
with more than 30 digits or 16 letters, does not conform. This is a pseudonym, not encryption by NIST SP
800-38G: a domain of few characters can be enumerated by whoever can have values masked.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from oracle_refresh.masking.algorithms import base, proofs, protocol, samples
from oracle_refresh.masking.algorithms.permutation import KEPT, permutation, permuted
from oracle_refresh.masking.algorithms.protocol import (
    Algorithm,
    Column,
    DomainKey,
    Guarantees,
    SqlContext,
    register,
)
from oracle_refresh.oracle.errors import MaskingError

MAX_WIDTH = 200


@register
@dataclass(frozen=True)
class CharacterMapping(Algorithm):
    """Keeps the first `keep_first` and the last `keep_last` characters, such as the issuer of a card."""

    kind = "character_mapping"
    version = 3
    types = base.CHARACTER_TYPES
    keeps = "length, letter case, separators, ends"
    guarantees = Guarantees(unique="always", reversible="with the key", format_kept=True)
    mapped = "always"

    keep_first: Annotated[int, Field(ge=0, le=20)] = 0
    keep_last: Annotated[int, Field(ge=0, le=20)] = 0

    def check(self, column: Column) -> None:
        """Raise MaskingError when the column is of no character type or too wide for this algorithm."""
        super().check(column)
        base.require_hashable(column, self.kind)
        require_narrow(column, self.kind)

    def proof(self, column: Column, scope: proofs.Scope) -> proofs.Proof:
        """The shape is kept, and no character between the ends is one that neither maps nor separates."""
        middle = _parts(proofs.text(column), self.keep_first, self.keep_last)[1]
        known = scope.bind(f"{proofs.DIGITS}{proofs.CAPITALS}{proofs.CAPITALS.lower()}{KEPT}")
        return proofs.Proof(
            always=f"LTRIM({middle}, {known}) IS NULL", kept=proofs.shape(proofs.text(column))
        )

    @classmethod
    def samples(cls) -> tuple[samples.Sample, ...]:
        return (
            samples.Sample(cls(1, 1), samples.TEXT),
            samples.Sample(cls(), samples.text("V", 30, "NVARCHAR2"), name="in NVARCHAR2"),
        )

    def mask(self, key: DomainKey, value: str | None, *others: object) -> str | None:
        if not value:
            return None
        end = len(value) - self.keep_last
        head, middle, tail = value[: self.keep_first], value[self.keep_first : end], value[max(end, 0) :]
        masked = permuted(key, head, middle, tail) if end > self.keep_first else None
        if masked is None:
            raise protocol.nonconforming(self.kind)
        return head + masked + tail

    def query(self, context: SqlContext, column: Column, values: str) -> str:
        head, middle, tail = _parts(base.text_sql(column, "V"), self.keep_first, self.keep_last)
        source = f"SELECT V, {head} AS HEAD, {middle} AS MIDDLE, {tail} AS TAIL FROM ({values})"
        mapped = permutation(context, source, column.char_length - self.keep_first - self.keep_last)
        whole = "CASE WHEN MAPPED IS NOT NULL THEN HEAD || MAPPED || TAIL END"
        return f"SELECT V, {whole} AS MASKED FROM ({mapped})"


def require_narrow(column: Column, kind: str) -> None:
    """Raise MaskingError for a column whose templates would be unreasonably long."""
    if column.char_length > MAX_WIDTH:
        raise MaskingError(
            f"{kind} takes up to {MAX_WIDTH} characters, not {column.char_length}",
            object_name=column.name,
            step="masking plan",
            remedy="use redaction for long texts",
        )


def _parts(text: str, first: int, last: int) -> tuple[str, str, str]:
    """The kept head, the middle that is mapped, the kept tail; NULL where there is none."""
    head = f"SUBSTR({text}, 1, {first})" if first else "NULL"
    if not last:
        return head, f"SUBSTR({text}, {first + 1})" if first else text, "NULL"
    middle = f"SUBSTR({text}, {first + 1}, GREATEST(LENGTH({text}) - {first + last}, 0))"
    return head, middle, f"CASE WHEN LENGTH({text}) > {first + last} THEN SUBSTR({text}, -{last}) END"
