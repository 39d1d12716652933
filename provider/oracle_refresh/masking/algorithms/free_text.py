"""Free text: every word goes, but for those on an allow-list and those that fit a pattern.

A word is a run of characters other than ASCII blanks and punctuation, so numbers, names in any script and
addresses are words. Words of the list (without regard to letter case) stay, and so does what fits one of the
patterns from the edge of a word to the edge of a word, unless a word of the list stands in it. Each other
word becomes one mark. CLOBs are masked as they are, of any length.

Guarantees: deterministic; irreversible; never longer than the original; punctuation stays; NULL stays NULL. A
text of nothing but allowed words stays as it was. Nothing is recognised: what the list does not name is gone,
which is the safe way round. Long lists cost: each 400 characters of it are two passes over the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from oracle_refresh.masking.algorithms import base, proofs, samples
from oracle_refresh.masking.algorithms.protocol import (
    Algorithm,
    Column,
    DomainKey,
    Guarantees,
    SqlContext,
    register,
)

#: Around a word that stays, and for a word that goes, while the text is worked on.
_OPEN, _CLOSE, _GONE = "\x01", "\x02", "\x03"
#: What separates words, as the inside of a bracket expression; ] comes first, - last.
_SEPARATORS = "] \t\n\r!\"#$%&'()*+,./:;<=>?@[`{|}~-"
_WORD = f"[^{_SEPARATORS[:-1]}{_OPEN}{_CLOSE}{_GONE}-]"
_EDGE = f"[{_SEPARATORS}]"
_KEPT = f"{_OPEN}[^{_OPEN}{_CLOSE}]*{_CLOSE}"
#: Bytes of a text that stay a VARCHAR2 with two signs around each of its words: each has a byte at least, and
#: a separator. Longer ones are worked on as CLOBs (ORA-01489).
_LONGEST_TEXT = 1999
#: Oracle takes patterns of up to 512 bytes.
_LONGEST_PATTERN = 400


@register
@dataclass(frozen=True)
class FreeText(Algorithm):
    """`words` stay; so do words that fit one of `patterns`, in the syntax that Oracle and POSIX share."""

    kind = "free_text"
    types = (*base.CHARACTER_TYPES, "CLOB")
    keeps = "allowed words, punctuation"
    guarantees = Guarantees(changes=False)
    keyed = False

    words: tuple[str, ...] = ()
    patterns: tuple[str, ...] = ()
    mark: Annotated[str, Field(pattern=r"^[*#_xX?]$")] = "*"

    def __post_init__(self) -> None:
        for word in self.words:
            if not re.fullmatch(r"[A-Za-z0-9_]{1,100}", word):
                raise ValueError(f"{word!r} is not a word of ASCII letters and digits")
        for pattern in self.patterns:
            try:
                groups = re.compile(pattern).groups
            except re.error as error:
                raise ValueError(f"{pattern!r} is no pattern: {error}") from error
            if groups or "\\" in pattern or "(?" in pattern or len(pattern.encode()) > _LONGEST_PATTERN:
                raise ValueError(
                    f"{pattern!r}: a pattern has no groups, no backslashes, at most {_LONGEST_PATTERN} bytes"
                )

    def proof(self, column: Column, scope: proofs.Scope) -> proofs.Proof:
        return proofs.Proof(always=f"NVL(LENGTH({self._other_words(column, scope)}), 0) = 0")

    def _other_words(self, column: Column, scope: proofs.Scope) -> str:
        """SQL: a masked text without marks, allowed words, what fits a pattern, and separators.

        Each word gets two blanks of its own, so that one pass takes all words of a list out. Everything here
        is a function that takes CLOBs of any length, which TRANSLATE is not.
        """
        clob = column.data_type == "CLOB"
        text = proofs.name(column) if clob else f"TO_CLOB({proofs.text(column)})"
        for pattern in self.patterns:
            matched, around = scope.bind(f"(^|{_EDGE})({pattern})({_EDGE}|$)"), scope.bind(r"\1\3")
            for _ in range(2):
                text = f"REGEXP_REPLACE({text}, {matched}, {around})"
        text = f"' ' || REGEXP_REPLACE({text}, {scope.bind(_EDGE)}, '  ') || ' '"
        words = (*sorted({word.lower() for word in self.words}), f"[{self.mark}]")
        for group in _alternations(words):
            text = f"REGEXP_REPLACE({text}, {scope.bind(f' ({group}) ')}, ' ', 1, 0, 'i')"
        return f"REPLACE({text}, ' ')"

    @classmethod
    def samples(cls) -> tuple[samples.Sample, ...]:
        words, text = cls(("order", "of"), ("[0-9]+",)), samples.text("V", 200)
        return (
            samples.Sample(words, text),
            samples.Sample(cls(("order", "of")), samples.plain("V", "CLOB"), name="in CLOB"),
        )

    def _allowed(self) -> list[tuple[str, str]]:
        """Alternations that Oracle takes, each with the match parameter."""
        alternations: list[tuple[str, str]] = []
        parts: list[str] = []
        for word in (*sorted({word.lower() for word in self.words}), ""):
            if parts and (not word or sum(map(len, parts)) + len(parts) + len(word) > _LONGEST_PATTERN):
                alternations.append(("|".join(parts), "i"))
                parts = []
            parts.append(word)
        return [*alternations, *((pattern, "c") for pattern in self.patterns)]

    def mask(self, key: DomainKey | None, value: str | None, *others: object) -> str | None:
        if not value:
            return None
        text = re.sub(f"[{_OPEN}{_CLOSE}{_GONE}]", "", value)
        for allowed, how in self._allowed():
            match = re.compile(f"(^|{_EDGE})({allowed})({_EDGE}|\\Z)", re.ASCII | (re.I if how == "i" else 0))
            for _ in range(2):
                text = match.sub(f"\\1{_OPEN}\\2{_CLOSE}\\3", text)
        text = re.sub(f"({_KEPT})|{_WORD}+", lambda match: match[1] or self.mark, text)
        return re.sub(f"[{_OPEN}{_CLOSE}]", "", text) or None

    def expression(self, context: SqlContext, column: Column, reference: str) -> str:
        """The masked value of a column reference that is not NULL.

        Allowed words are put between two signs first, in two passes because neighbours share their separator;
        then words between signs are kept and all others replaced; then the signs are removed.
        """
        large = column.data_type != "CLOB" and column.text_bytes > _LONGEST_TEXT
        text = reference
        if large:
            text = f"TO_CLOB({reference})"
        elif column.data_type != "CLOB":
            text = base.text_sql(column, reference)
        for sign in (1, 2, 3):
            text = f"REPLACE({text}, CHR({sign}))"
        for allowed, how in self._allowed():
            pattern = context.bind(f"(^|{_EDGE})({allowed})({_EDGE}|$)")
            kept = context.bind(f"\\1{_OPEN}\\2{_CLOSE}\\3")
            for _ in range(2):
                text = f"REGEXP_REPLACE({text}, {pattern}, {kept}, 1, 0, '{how}')"
        words = context.bind(f"({_KEPT})|{_WORD}+")
        text = f"REGEXP_REPLACE({text}, {words}, {context.bind(chr(92) + '1' + _GONE)})"
        text = f"REPLACE(REPLACE(REPLACE({text}, CHR(2) || CHR(3)), CHR(2)), CHR(1))"
        text = f"REPLACE({text}, CHR(3), '{self.mark}')"
        return f"{'TO_NCHAR' if column.is_national else 'TO_CHAR'}({text})" if large else text


def _alternations(words: Sequence[str]) -> Iterator[str]:
    """The words as patterns of at most 500 bytes; Oracle takes 512."""
    group: list[str] = []
    for word in words:
        if sum(map(len, group)) + len(group) + len(word) > 490:
            yield "|".join(group)
            group = []
        group.append(word)
    yield "|".join(group)
