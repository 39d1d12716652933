"""Full names: a name of several words is masked word by word, given names and surname from a list each.

The last word is the surname, or the first one when a comma follows it ("Müller, Peter"). Initials become
initials, particles and titles ("von", "Dr.") stay, and so does each word's letter case. With the domain D the
given names are masked in the domain `D.first` and the surname in `D.last`: columns of their own that use
`name` with the same lists in these domains (or `person` with the domain D) stay in accord with the full name.

Guarantees: deterministic; number and order of words, initials, commas, particles kept; the surname is never
the original's; NULL stays NULL; not unique, not reversible. A value of more than `max_words` words, or
without a word to mask, does not conform.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field

from oracle_refresh.masking.algorithms import base, entries, proofs, samples
from oracle_refresh.masking.algorithms.name import cased, cased_sql
from oracle_refresh.masking.algorithms.permutation import View
from oracle_refresh.masking.algorithms.protocol import (
    Algorithm,
    Column,
    DomainKey,
    Source,
    SqlContext,
    nonconforming,
    register,
)

PARTICLES = (
    "von", "van", "vom", "zu", "zur", "de", "del", "della", "der", "den", "di", "da", "dos", "du", "la", "le",
    "bin", "ibn", "al", "dr", "prof", "mr", "mrs", "ms", "miss", "sir", "jr", "sr", "ii", "iii",
)  # fmt: skip


@register
@dataclass(frozen=True)
class FullName(Algorithm):
    """Lists of given names and surnames, and the words that stay (compared without case and dots)."""

    kind = "full_name"
    types = base.CHARACTER_TYPES
    keeps = "words, initials, particles, letter case"
    by_width = True
    mapped = "always"
    sources: ClassVar[Mapping[str, tuple[str, Source]]] = {
        "first_names": ("first", "entries"),
        "last_names": ("last", "entries"),
    }

    first: tuple[str, ...]
    last: tuple[str, ...]
    accents: Literal["strip", "keep"] = "strip"
    particles: tuple[str, ...] = PARTICLES
    max_words: Annotated[int, Field(ge=1, le=8)] = 5

    def __post_init__(self) -> None:
        for values in (self.first, self.last):
            entries.checked(values, accents=self.accents)
        if any(" " in value or not value.strip(",.") for value in (*self.first, *self.last)):
            raise ValueError("a name of a list has to be one word")

    def check(self, column: Column) -> None:
        """Raise MaskingError when the column's type or width does not take a masked name."""
        super().check(column)
        base.require_hashable(column, self.kind)
        longest = base.longest((*self.first, *self.last))
        base.require_room(column, lambda unit: 2 * longest(unit) + 1, "a first and a last name")

    def proof(self, column: Column, scope: proofs.Scope) -> proofs.Proof:
        """Nothing: each word is another one, in an order and a letter case that are the original's."""
        return proofs.Proof()

    @classmethod
    def samples(cls) -> tuple[samples.Sample, ...]:
        return (samples.Sample(cls(samples.NAMES, samples.SURNAMES), samples.TEXT),)

    def originals(self, column: Column) -> Iterator[Any]:
        return samples.numbers("Anna{0} van Berg{0}")

    def mask(
        self, key: DomainKey, value: str | None, *others: object, column: Column | None = None
    ) -> str | None:
        if not value:
            return None
        words = [word for word in value.split(" ") if word]
        bodies = [word.rstrip(",.") for word in words]
        kept = [not body or base.folded(body, "lower") in self.particles for body in bodies]
        if not words or len(words) > self.max_words or all(kept):
            raise nonconforming(self.kind)
        surname = max(place for place, stays in enumerate(kept) if not stays)
        if words[0].endswith(",") and not kept[0]:
            surname = 0
        masked = []
        for place, (word, body) in enumerate(zip(words, bodies, strict=True)):
            if kept[place]:
                masked.append(word)
                continue
            if place == surname:
                entry = entries.chosen(key.part("last"), self.last, body, "upper", self.accents)
            else:
                entry = entries.chosen(key.part("first"), self.first, body, "upper", self.accents)
                entry = entry[0] if len(body) == 1 else entry
            masked.append(cased(body, entry) + word[len(body) :])
        whole = " ".join(masked)
        if column is not None and not base.fits(column, whole):
            raise nonconforming(self.kind)
        return whole

    def query(self, context: SqlContext, column: Column, values: str) -> str:
        """A query with the columns V and MASKED over `values`, a query with the distinct values as V.

        Names are many, their words are few: each word is masked once for each of the lists (table D).
        """
        places = range(1, self.max_words + 1)
        text = base.text_sql(column, "V")
        single = f"REGEXP_REPLACE({text}, ' +', ' ')"
        spaced = f"TRIM(CASE WHEN INSTR({text}, '  ') > 0 THEN {single} ELSE {text} END)"
        view = View(f"SELECT V, {spaced} AS X FROM ({values})")
        view.wrap("V", "X", "LENGTH(X) - NVL(LENGTH(REPLACE(X, ' ')), 0) + 1 AS N")
        view.wrap("V", "N", "CASE WHEN N > 1 THEN SUBSTR(X, 1, INSTR(X, ' ') - 1) ELSE X END AS W1",
                  *(f"CASE WHEN N >= {n} THEN REGEXP_SUBSTR(X, '[^ ]+', 1, {n}, 'n') END AS W{n}"
                    for n in places[1:]))  # fmt: skip
        words = [f"W{n}" for n in places]
        view.wrap("V", "N", *words, *(f"RTRIM(W{n}, ',.') AS B{n}" for n in places))
        particles = ", ".join(context.bind(particle) for particle in self.particles) or "NULL"
        kept = [
            f"CASE WHEN B{n} IS NULL OR LOWER(B{n}) IN ({particles}) THEN 1 ELSE 0 END AS K{n}"
            for n in places
        ]
        bodies = [f"B{n}" for n in places]
        view.wrap("V", "N", *words, *bodies, *kept)
        last = " ".join(f"WHEN K{n} = 0 THEN {n}" for n in reversed(places))
        surname = f"CASE WHEN SUBSTR(W1, -1) = ',' AND K1 = 0 THEN 1 {last} END AS S"
        view.wrap("V", "N", *words, *bodies, *(f"K{n}" for n in places), surname)
        names = context.table("NAMES", view.sql)
        parts = {n: f"CASE WHEN R.S = {n} THEN 'L' ELSE 'F' END" for n in places}
        words_of_names = " UNION ".join(
            f"SELECT R.B{n} AS B, {part} AS PART FROM {names} R WHERE R.K{n} = 0" for n, part in parts.items()
        )
        masked_words = context.table("WORDS", self._words(context, words_of_names))
        joins = [
            f"LEFT JOIN {masked_words} M{n} ON M{n}.B = R.B{n} AND M{n}.PART = {part}"
            for n, part in parts.items()
        ]
        whole = " || ' ' || ".join(
            f"CASE WHEN R.K{n} = 1 THEN R.W{n} ELSE M{n}.MASKED || SUBSTR(R.W{n}, LENGTH(R.B{n}) + 1) END"
            for n in places
        )
        fits = f"N <= {self.max_words} AND S > 0 AND {base.fits_sql(column, 'M')}"
        # WORDS is named once more so that it is computed once and not for each row.
        return f"""\
SELECT V, CASE WHEN {fits} THEN M END AS MASKED
FROM (SELECT /*+ NO_MERGE */ R.V, R.N, R.S, RTRIM({whole}) AS M
FROM {names} R {" ".join(joins)} WHERE (SELECT COUNT(*) FROM {masked_words}) >= 0)"""

    def _words(self, context: SqlContext, words: str) -> str:
        """A query with the columns B, PART and MASKED over `found`: words, L for surnames, F for others."""
        normal = entries.normal_sql(context, "B", "upper", self.accents)
        view, chosen, joins = View(words), [], []
        view.wrap("B", "PART", f"{normal} AS NORMAL")
        for part, name, values in (("F", "first", self.first), ("L", "last", self.last)):
            table = context.lookup(entries.table(values, self.accents))
            index = f"MOD({context.pads(name).number('NORMAL')}, {len(values)})"
            joins.append(f"LEFT JOIN {table} {part} ON {part}.IDX = CASE PART WHEN '{part}' THEN {index} END")
            entry = entries.normal_sql(context, f"{part}.ENTRY", "upper", self.accents)
            chosen.append(f"CASE WHEN {entry} = NORMAL THEN {part}.NEXT_ENTRY ELSE {part}.ENTRY END")
        first, last = chosen
        initial = f"CASE WHEN LENGTH(B) = 1 THEN SUBSTR({first}, 1, 1) ELSE {first} END"
        name = f"CASE PART WHEN 'L' THEN {last} ELSE {initial} END AS NAME"
        rows = f"SELECT /*+ NO_MERGE */ B, PART, {name} FROM ({view.sql}) {' '.join(joins)}"
        return f"SELECT B, PART, {cased_sql('B', 'NAME')} AS MASKED FROM ({rows})"
