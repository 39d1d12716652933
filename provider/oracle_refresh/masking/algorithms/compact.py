"""Base of the algorithms for numbers that people write with separators: cards, phones, IBANs, national ids.

A value is reduced to its letters and digits (its compact form), these are masked, and the result is laid out
as the original was: separators at the same places, all letters capital or all small. Two spellings of one
number are therefore masked as one number.
"""

from __future__ import annotations

import re
from typing import ClassVar

from oracle_refresh.masking.algorithms import base, proofs
from oracle_refresh.masking.algorithms.character_mapping import require_narrow
from oracle_refresh.masking.algorithms.permutation import DIGITS, LOWER, UPPER, View, by_place
from oracle_refresh.masking.algorithms.protocol import (
    Algorithm,
    Column,
    DomainKey,
    Guarantees,
    SqlContext,
    nonconforming,
)

_PLACES = DIGITS + UPPER + LOWER


class CompactAlgorithm(Algorithm):
    """Subclasses mask the compact form; `pattern` says what a compact form is, in the syntax that Oracle,
    PostgreSQL and Python share, and `separators` which other characters a value may hold."""

    types = base.CHARACTER_TYPES
    mapped = "always"
    guarantees = Guarantees(unique="always", reversible="with the key", format_kept=True)
    separators: ClassVar[str] = " -"
    pattern: ClassVar[str]
    #: Whether the pattern has letters.
    letters: ClassVar[bool] = True

    def check(self, column: Column) -> None:
        """Raise MaskingError when the column is of no character type or too wide for this algorithm."""
        super().check(column)
        base.require_hashable(column, self.kind)
        require_narrow(column, self.kind)

    def mask_compact(self, key: DomainKey, compact: str) -> str | None:
        """The reference for the compact form; None where it does not conform."""
        raise NotImplementedError

    def has_form(self, compact: str) -> str:
        """SQL: whether a text is of the `pattern`, by its length and characters: a regular expression that
        counts costs several times as much."""
        raise NotImplementedError

    def compact_query(self, context: SqlContext, source: str) -> str:
        """SQL: the columns V, X and MAPPED over `source`, which has V, X and the compact form as C.

        MAPPED is NULL where C is NULL or does not conform. No row may be left out, and none joined on V: such
        a join would make the time grow with the square of the number of values.
        """
        raise NotImplementedError

    def compact(self, column: Column, scope: proofs.Scope) -> str:
        """SQL: the compact form of the row's value, for proofs."""
        return scope.once(proofs.without(proofs.text(column), self.separators))

    def proof(self, column: Column, scope: proofs.Scope) -> proofs.Proof:
        compact = self.compact(column, scope)
        return proofs.Proof(
            always=f"REGEXP_LIKE({compact}, '{self.pattern}')", kept=proofs.shape(proofs.text(column))
        )

    def mask(self, key: DomainKey, value: str | None, *others: object) -> str | None:
        if not value:
            return None
        compact = "".join(char for char in value.upper() if char not in self.separators)
        masked = None
        if (
            value.isascii()
            and value in (value.upper(), value.lower())
            and re.fullmatch(self.pattern.strip("^$"), compact)
        ):
            masked = self.mask_compact(key, compact)
        if masked is None:
            raise nonconforming(self.kind)
        if value != value.upper():
            masked = masked.lower()
        chars = iter(masked)
        return "".join(next(chars) if char.isalnum() else char for char in value)

    def query(self, context: SqlContext, column: Column, values: str) -> str:
        view = View(f"SELECT V, {base.text_sql(column, 'V')} AS X FROM ({values})")
        text = "UPPER(X)" if self.letters else "X"
        view.wrap("V", "X", f"TRANSLATE({text}, '#{self.separators}', '#') AS C")
        cased = "LENGTHB(X) = LENGTH(X) AND (X = UPPER(X) OR X = LOWER(X)) AND " if self.letters else ""
        conforms = cased + self.has_form("C")
        masked = "CASE WHEN C2.X <> UPPER(C2.X) THEN LOWER(C2.MAPPED) ELSE C2.MAPPED END"
        places = _PLACES if self.letters else DIGITS
        compact = context.table(
            "C0", f"SELECT /*+ NO_MERGE */ V, X, CASE WHEN {conforms} THEN C END AS C FROM ({view.sql})"
        )
        view = View(self.compact_query(context, f"SELECT V, X, C FROM {compact}"))
        view.wrap("V", "X", "MAPPED")
        zeros = "0" * len(places)
        separated = f"CASE WHEN LENGTH(X) > LENGTH(MAPPED) THEN TRANSLATE(X, '{places}', '{zeros}') END"
        view.wrap("V", "X", "MAPPED", f"{separated} AS SHAPE")
        mapped = context.table("C2", view.sql)
        templates = context.table(
            "C3",
            f"""SELECT /*+ NO_MERGE */ SHAPE, {_template(column.char_length)} AS TEMPLATE
  FROM (SELECT DISTINCT SHAPE FROM {mapped} WHERE SHAPE IS NOT NULL)""",
        )
        # The templates are named twice so that they are computed once and not for each row.
        return f"""\
SELECT V, CASE WHEN TEMPLATE IS NULL THEN M
  ELSE TRANSLATE(TEMPLATE, SUBSTR('{_PLACES}', 1, LENGTH(M)), M) END AS MASKED
FROM (SELECT C2.V, {masked if self.letters else "C2.MAPPED"} AS M, C3.TEMPLATE
  FROM {mapped} C2 LEFT JOIN {templates} C3 ON C3.SHAPE = C2.SHAPE
  WHERE (SELECT COUNT(*) FROM {templates}) >= 0)"""


def _template(width: int) -> str:
    """SQL: the separators, and the mark of the so-manyth letter or digit at each other place."""
    char = "SUBSTR(SHAPE, PLACE, 1)"
    number = "PLACE - NVL(LENGTH(REPLACE(SUBSTR(SHAPE, 1, PLACE), '0')), 0)"
    return by_place(f"CASE {char} WHEN '0' THEN SUBSTR('{_PLACES}', {number}, 1) ELSE {char} END", width)
