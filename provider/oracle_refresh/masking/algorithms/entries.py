"""What the algorithms that replace values by entries of a list share: the control table, and the choice."""

from __future__ import annotations

import hashlib
import unicodedata
from typing import TYPE_CHECKING

from oracle_refresh.masking.algorithms import base
from oracle_refresh.masking.algorithms.protocol import LookupTable, SqlContext, entries_table

if TYPE_CHECKING:
    from oracle_refresh.masking.keys import DomainKey


def _bases() -> dict[str, str]:
    """Latin letters with accents (Latin-1 Supplement, Latin Extended-A) and what they are made from."""
    letters = {"Ø": "O", "ø": "o", "Ł": "L", "ł": "l", "Đ": "D", "đ": "d", "Ħ": "H", "ħ": "h"}
    for code in range(0xC0, 0x180):
        first = unicodedata.normalize("NFD", chr(code))[0]
        if first.isascii() and first.isalpha():
            letters[chr(code)] = first
    return letters


BASES = _bases()
_STRIP = str.maketrans(BASES)


def stripped(text: str) -> str:
    """Python: accents of Latin letters removed, letter by letter."""
    return text if text.isascii() else text.translate(_STRIP)


def stripped_sql(context: SqlContext, text: str) -> str:
    """SQL: what `stripped` does. In AL32UTF8 a text of as many bytes as characters has no accents."""
    stripped = f"TRANSLATE({text}, {context.bind(''.join(BASES))}, {context.bind(''.join(BASES.values()))})"
    return f"CASE WHEN LENGTHB({text}) = LENGTH({text}) THEN {text} ELSE {stripped} END"


def normal(text: str, fold: str, accents: str = "keep") -> str:
    """Python: the form in which values are compared and hashed."""
    folded = base.folded(text, fold)
    return stripped(folded) if accents == "strip" else folded


def normal_sql(context: SqlContext, text: str, fold: str, accents: str = "keep") -> str:
    """SQL: what `normal` does."""
    folded = base.folded_sql(text, fold)
    return stripped_sql(context, folded) if accents == "strip" else folded


def checked(values: tuple[str, ...], *, repeats: bool = False, accents: str = "keep") -> None:
    """Raise ValueError for an empty entry, or unless two differ in more than case and blanks.

    :param repeats: whether an entry may come more than once, as a weight.
    """
    if len(values) < 2:
        raise ValueError("a lookup needs at least two entries")
    seen: dict[str, int] = {}
    for row, value in enumerate(values, 1):
        same = seen.setdefault(normal(value, "upper", accents), row)
        if not value.strip():
            raise ValueError(f"row {row} is empty")
        if same != row and not repeats:
            raise ValueError(f"row {row} repeats row {same}: {value!r}")
    if len(seen) < 2:
        raise ValueError("all rows are the same entry")


def chosen(key: DomainKey, values: tuple[str, ...], value: str, fold: str, accents: str = "keep") -> str:
    """The reference: the entry a value points to, the next other one where that is the value itself."""
    index = key.number(normal(value, fold, accents)) % len(values)
    if normal(values[index], "upper", accents) == normal(value, "upper", accents):
        return values[_next(values, index, accents)]
    return values[index]


def table(values: tuple[str, ...], accents: str = "keep") -> LookupTable:
    """The control table: index, entry, and the entry for the value that is this entry itself."""
    longest = max(map(len, values))
    rows = [(n, value, values[_next(values, n, accents)]) for n, value in enumerate(values)]
    digest = hashlib.sha256("\0".join(values).encode()).hexdigest()[:16]
    columns = [("IDX", "NUMBER(9) NOT NULL")]
    columns += [(name, f"VARCHAR2({longest} CHAR) NOT NULL") for name in ("ENTRY", "NEXT_ENTRY")]
    return entries_table(f"entries {digest} {accents}", columns, rows)


def chosen_sql(
    context: SqlContext,
    pads: base.Pads,
    values: tuple[str, ...],
    text: str,
    fold: str,
    accents: str = "keep",
) -> str:
    """SQL: what `chosen` gives, by a join."""
    index = f"MOD({pads.number(normal_sql(context, text, fold, accents))}, {len(values)})"
    alias = context.join(context.lookup(table(values, accents)), f"{{alias}}.IDX = {index}")
    entry, own = (normal_sql(context, one, "upper", accents) for one in (f"{alias}.ENTRY", text))
    return f"CASE WHEN {entry} = {own} THEN {alias}.NEXT_ENTRY ELSE {alias}.ENTRY END"


def _next(values: tuple[str, ...], index: int, accents: str) -> int:
    own = normal(values[index], "upper", accents)
    step = index
    while True:
        step = (step + 1) % len(values)
        if step == index or normal(values[step], "upper", accents) != own:
            return step
