"""Decomposition: a value is cut by regular expressions, and each part is masked by an algorithm of its own.

    algorithm: regex
    domain: contract
    parts:
      - {pattern: "[A-Z]{2}"}                                        # stays
      - {pattern: "-"}
      - {pattern: "[0-9]{4,8}", algorithm: character_mapping}
      - {pattern: ".*", algorithm: redaction, text: "x"}

Guarantees: those of the parts: unique when all are, and so on. The patterns together have to fit the whole
value; one that they do not fit, whose part does not conform, or whose result is too long for the column, does
not conform. A part without an algorithm stays. Up to nine parts, in the syntax that Oracle, POSIX and Python
share, without groups, and such that no two ways of cutting a value fit.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Annotated, Any

from pydantic import ConfigDict, Field

from oracle_refresh.masking.algorithms import base, proofs, samples
from oracle_refresh.masking.algorithms.character_mapping import CharacterMapping
from oracle_refresh.masking.algorithms.protocol import (
    Algorithm,
    Build,
    Column,
    DomainKey,
    Guarantees,
    SqlContext,
    Unique,
    nonconforming,
    register,
)

_RANKS: tuple[Unique, ...] = ("no", "checked", "practically", "always")


@dataclass(frozen=True)
class Part:
    """One part; `domain` in place of `<the rule's domain>.<number of the part>`."""

    __pydantic_config__ = ConfigDict(arbitrary_types_allowed=True)

    pattern: str
    algorithm: Algorithm | None = None
    domain: str | None = None


@register
@dataclass(frozen=True)
class Decomposition(Algorithm):
    """The parts, from left to right."""

    __pydantic_config__ = ConfigDict(arbitrary_types_allowed=True)

    kind = "regex"
    types = base.CHARACTER_TYPES
    keeps = "what its parts keep"
    by_width = True
    mapped = "always"

    parts: Annotated[tuple[Part, ...], Field(min_length=1, max_length=9)]

    @classmethod
    def prepare(cls, given: dict[str, Any], build: Build) -> dict[str, Any]:
        """The parts with their algorithms made."""
        if not isinstance(given.get("parts"), list):
            return given
        parts = []
        for written in given["parts"]:
            parameters = dict(written)
            kind, pattern = parameters.pop("algorithm", "keep"), parameters.pop("pattern", "")
            domain = parameters.pop("domain", None)
            algorithm = None if kind == "keep" else build(kind, parameters)
            parts.append(Part(str(pattern), algorithm, domain))
        return {**given, "parts": tuple(parts)}

    def __post_init__(self) -> None:
        for part in self.parts:
            try:
                groups = re.compile(part.pattern).groups
            except re.error as error:
                raise ValueError(f"{part.pattern!r} is no pattern: {error}") from error
            if groups or "(?" in part.pattern or not part.pattern:
                raise ValueError(f"{part.pattern!r}: the pattern of a part is not empty and has no groups")
            if part.algorithm is not None and (part.algorithm.reads or part.algorithm.whole_column):
                raise ValueError(f"{part.algorithm.kind} does not mask a part of a value")
        if not any(part.algorithm for part in self.parts):
            raise ValueError("no part is masked")
        if len(self._pattern.encode()) > 500:
            raise ValueError("the patterns are longer than the 512 bytes that Oracle takes")

    @property
    def _pattern(self) -> str:
        return "^" + "".join(f"({part.pattern})" for part in self.parts) + "$"

    @property
    def guarantees(self) -> Guarantees:
        inner = [part.algorithm.guarantees for part in self.parts if part.algorithm]
        return Guarantees(
            unique=min((each.unique for each in inner), key=_RANKS.index),
            reversible="with the key" if all(each.reversible != "no" for each in inner) else "no",
            format_kept=all(each.format_kept for each in inner),
            changes=False,
        )

    def check(self, column: Column) -> None:
        """Raise MaskingError when the column is no text, or of no use to the algorithm of a part."""
        super().check(column)
        base.require_hashable(column, self.kind)
        for part in self.parts:
            if part.algorithm:
                part.algorithm.check(_text(column))

    def proof(self, column: Column, scope: proofs.Scope) -> proofs.Proof:
        text = proofs.text(column)
        # A value changes as soon as one of its parts does.
        changes = " OR ".join(
            f"REGEXP_SUBSTR({text}, {scope.bind(self._pattern)}, 1, 1, 'c', {number}) IS NOT NULL"
            for number, part in enumerate(self.parts, 1)
            if part.algorithm is not None and part.algorithm.guarantees.changes
        )
        kept = proofs.shape(text) if self.guarantees.format_kept else None
        return proofs.Proof(kept=kept, changes=changes or None)

    @classmethod
    def samples(cls) -> tuple[samples.Sample, ...]:
        parts = (Part("[A-Z]{2}"), Part("-"), Part("[0-9]+", CharacterMapping()))
        return (samples.Sample(cls(parts), samples.TEXT),)

    def mask(
        self, key: DomainKey, value: str | None, *others: object, column: Column | None = None
    ) -> str | None:
        if not value:
            return None
        match = re.fullmatch(self._pattern.strip("^$"), value)
        if not match:
            raise nonconforming(self.kind)
        masked = ""
        for number, (part, text) in enumerate(zip(self.parts, match.groups(), strict=True), 1):
            if part.algorithm and text:
                own = key.sibling(part.domain) if part.domain else key.part(str(number))
                masked += str(part.algorithm.mask(own, text) or "")
            else:
                masked += text
        if column is not None and not base.fits(column, masked):
            raise nonconforming(self.kind)
        return masked or None

    def query(self, context: SqlContext, column: Column, values: str) -> str:
        text, pattern = base.text_sql(column, "V"), context.bind(self._pattern)
        groups = ", ".join(
            f"REGEXP_SUBSTR(X, {pattern}, 1, 1, 'c', {n}) AS G{n}" for n in range(1, len(self.parts) + 1)
        )
        whole_text = f"CASE WHEN REGEXP_LIKE({text}, {pattern}) THEN {text} END"
        wholes = context.table("E", f"SELECT /*+ NO_MERGE */ V, {whole_text} AS X FROM ({values})")
        cut = context.table("E0", f"SELECT /*+ NO_MERGE */ V, X, {groups} FROM {wholes}")
        tables: list[str] = []
        joins: list[str] = []
        parts: list[str] = []
        right = ["E0.X IS NOT NULL"]
        for number, part in enumerate(self.parts, 1):
            if part.algorithm is None:
                parts.append(f"E0.G{number}")
                continue
            inner = context.part(part.domain or f"{context.domain}.{number}")
            cut_out = f"SELECT DISTINCT G{number} AS V FROM {cut} WHERE G{number} IS NOT NULL"
            own = _text(column)
            if part.algorithm.mapped == "always":
                query = part.algorithm.query(inner, own, cut_out)
            else:
                expression = part.algorithm.expression(inner, own, "D.V")
                query = f"SELECT D.V, {expression} AS MASKED FROM ({cut_out}) D {' '.join(inner.joins)}"
            tables.append(context.table(f"E{number}", query))
            joins.append(f"LEFT JOIN {tables[-1]} E{number} ON E{number}.V = E0.G{number}")
            parts.append(f"E{number}.MASKED")
            if not part.algorithm.empties:
                right.append(f"(E0.G{number} IS NULL OR E{number}.MASKED IS NOT NULL)")
        whole = " || ".join(parts)
        right.append(base.fits_sql(column, whole))
        # Each table is named twice so that it is computed once and not for each row.
        counted = [f"(SELECT COUNT(*) FROM {name}) >= 0" for name in tables]
        return (
            f"SELECT E0.V, CASE WHEN {' AND '.join(right)} THEN {whole} END AS MASKED "
            f"FROM {cut} E0 {' '.join(joins)} WHERE {' AND '.join(counted)}"
        )


def _text(column: Column) -> Column:
    """The column as the parts see it: cut out of a text, so never padded with blanks."""
    return replace(column, data_type="VARCHAR2", char_used="C")
