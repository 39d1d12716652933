"""What the values of a masked column have to look like, by the algorithm of their rule, as SQL. Pure.

The tests are written here once more instead of being taken from the expressions that mask, so that an error
there is not repeated here. `always` holds for every masked value; `kept` is an expression that has the same
value for a row before and after: the shape of a text, whether Luhn's test passes, the time of day.

Sources: ISO/IEC 7812-1 annex B (Luhn), ISO 13616 with ISO 7064 MOD 97-10 (IBAN), the formats of
`national_formats`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from functools import singledispatch
from typing import TYPE_CHECKING, Protocol

from oracle_refresh.identifiers import Identifier
from oracle_refresh.masking import algorithms as known
from oracle_refresh.masking.algorithms import base
from oracle_refresh.masking.algorithms.compact import CompactAlgorithm
from oracle_refresh.masking.algorithms.national_formats import FORMATS, Sliced

if TYPE_CHECKING:
    from oracle_refresh.catalog import Column
    from oracle_refresh.masking.algorithms import Algorithm
    from oracle_refresh.masking.rules import ColumnRule

#: Characters of a CLOB that are looked at, and the longest entry of a list that is compared.
HEAD = 900
_DIGITS, _UPPER = "0123456789", "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_LONGEST_CARD = 19


class Scope(Protocol):
    """What a test can ask the statement that it becomes a part of."""

    def bind(self, value: str | int | float) -> str:
        """The placeholder of a value."""

    def once(self, expression: str) -> str:
        """A reference to an expression over the row that is computed once per row."""


@dataclass(frozen=True)
class Format:
    """What is promised of a column; SQL over the row T."""

    always: str | None = None
    kept: str | None = None
    entries: tuple[str, ...] = ()
    """The only values there may be, compared without letter case."""
    days: tuple[int, int] | None = None
    """The least and the most days that a date moves."""


def format_of(rules: tuple[ColumnRule, ...], column: Column, scope: Scope) -> Format:
    """What the rules of one column promise together.

    Rows that no rule masks have no format, so a column with conditions keeps only what a single rule keeps.
    """
    only = rules[0] if len(rules) == 1 else None
    if only is None:
        return Format()
    found = _format(only.algorithm, column, scope)
    if only.where is not None:
        return Format(kept=found.kept)
    return found


@singledispatch
def _format(algorithm: Algorithm, column: Column, scope: Scope) -> Format:
    if algorithm.guarantees.format_kept and column.is_character:
        return Format(kept=shape(_text(column)))
    return Format()


@_format.register(known.SecureLookup)
@_format.register(known.Name)
@_format.register(known.PoolMapping)
def _(algorithm: known.SecureLookup, column: Column, scope: Scope) -> Format:
    return _listed(algorithm.values)


@_format.register(known.RecordLookup)
def _(algorithm: known.RecordLookup, column: Column, scope: Scope) -> Format:
    return _listed(tuple(row[algorithm.field - 1] for row in algorithm.records.rows))


@_format.register(known.Email)
def _(algorithm: known.Email, column: Column, scope: Scope) -> Format:
    hosts = "|".join(host.replace(".", "[.]") for host in (algorithm.hosts or (algorithm.host,)))
    digits = algorithm.digits(column)
    return Format(always=f"REGEXP_LIKE({_text(column)}, '^([a-z0-9.]+[.])?[0-9a-f]{{{digits}}}@({hosts})$')")


@_format.register(known.DateShift)
def _(algorithm: known.DateShift, column: Column, scope: Scope) -> Format:
    kept = f"TO_CHAR({_name(column)}, 'HH24:MI:SS')"
    return Format(kept=kept, days=(algorithm.minimum_days, algorithm.maximum_days))


@_format.register(known.Redaction)
def _(algorithm: known.Redaction, column: Column, scope: Scope) -> Format:
    return Format() if algorithm.constants is None else _constants(algorithm.constants, column, scope)


@_format.register(known.Constant)
def _(algorithm: known.Constant, column: Column, scope: Scope) -> Format:
    if isinstance(algorithm.value, date):
        return Format(always=f"{_name(column)} = {base.literal(scope.bind, column, algorithm.value)}")
    return _constants((algorithm.value,), column, scope)


@_format.register(known.MinMax)
def _(algorithm: known.MinMax, column: Column, scope: Scope) -> Format:
    low, high = (base.literal(scope.bind, column, bound) for bound in (algorithm.minimum, algorithm.maximum))
    return Format(always=f"{_name(column)} BETWEEN {low} AND {high}")


@_format.register(known.SegmentMapping)
def _(algorithm: known.SegmentMapping, column: Column, scope: Scope) -> Format:
    return Format(kept=f"LENGTH({_text(column)})")


@_format.register(known.NumberMapping)
def _(algorithm: known.NumberMapping, column: Column, scope: Scope) -> Format:
    name = _name(column)
    # 0 is one of ten numbers of one digit: it may become another one, and another one 0.
    sign = f"CASE WHEN {name} < 0 THEN '-' ELSE '+' END"
    return Format(kept=f"{sign} || LENGTH(TO_CHAR(ABS({name}), 'TM9'))")


@_format.register(CompactAlgorithm)
def _(algorithm: CompactAlgorithm, column: Column, scope: Scope) -> Format:
    text = _text(column)
    compact = scope.once(_compact(algorithm, text))
    return Format(always=f"REGEXP_LIKE({compact}, '{algorithm.pattern}')", kept=shape(text))


@_format.register(known.PaymentCard)
def _(algorithm: known.PaymentCard, column: Column, scope: Scope) -> Format:
    text = _text(column)
    compact = scope.once(_compact(algorithm, text))
    issuer = f"SUBSTR({compact}, 1, {algorithm.keep_first})"
    passes = passes_luhn(compact, _compact(algorithm, text), scope)
    return Format(
        always=f"REGEXP_LIKE({compact}, '{algorithm.pattern}')",
        kept=f"CASE WHEN {passes} THEN 'L' END || {issuer} || {shape(text)}",
    )


@_format.register(known.Iban)
def _(algorithm: known.Iban, column: Column, scope: Scope) -> Format:
    text = _text(column)
    compact = scope.once(_compact(algorithm, text))
    rest = iban_rest(scope.once(iban_numbers(_compact(algorithm, text))))
    return Format(
        always=f"CASE WHEN REGEXP_LIKE({compact}, '{algorithm.pattern}') THEN {rest} END = 1",
        kept=f"SUBSTR(UPPER({text}), 1, 2) || {shape(text)}",
    )


@_format.register(known.NationalId)
def _(algorithm: known.NationalId, column: Column, scope: Scope) -> Format:
    text = _text(column)
    compact = scope.once(_compact(algorithm, text))
    tests = []
    for each in FORMATS[algorithm.country]:
        right = "1 = 1"
        if isinstance(each, Sliced) and each.check is not None:
            right = f"SUBSTR({compact}, {each.length + 1}) = {each.check.sql(compact)}"
        tests.append(f"WHEN REGEXP_LIKE({compact}, '^({each.pattern})$') THEN CASE WHEN {right} THEN 1 END")
    return Format(always=f"CASE {' '.join(tests)} END = 1", kept=shape(text))


def shape(text: str) -> str:
    """SQL: a text with 9 for digits and A or a for letters, all else as it is."""
    letters = _DIGITS + _UPPER + _UPPER.lower()
    return f"TRANSLATE({text}, '{letters}', '{'9' * 10}{'A' * 26}{'a' * 26}')"


def passes_luhn(digits: str, expression: str, scope: Scope) -> str:
    """SQL: whether a text of up to 19 digits passes Luhn's test; false for any other text."""
    padded = scope.once(f"LPAD({expression}, {_LONGEST_CARD}, '0')")
    doubled = scope.once(f"TRANSLATE(LPAD({expression}, {_LONGEST_CARD}, '0'), '{_DIGITS}', '0246813579')")
    terms = [
        f"TO_NUMBER(SUBSTR({doubled if (_LONGEST_CARD - place) % 2 else padded}, {place}, 1))"
        for place in range(1, _LONGEST_CARD + 1)
    ]
    total = " + ".join(terms)
    return f"CASE WHEN REGEXP_LIKE({digits}, '^[0-9]{{1,{_LONGEST_CARD}}}$') THEN MOD({total}, 10) END = 0"


def iban_numbers(iban: str) -> str:
    """SQL: an IBAN in capitals, without blanks, as the number that its check digits are computed from."""
    numbers = f"SUBSTR({iban}, 5) || SUBSTR({iban}, 1, 4)"
    for number, letter in enumerate(_UPPER, 10):
        numbers = f"REPLACE({numbers}, '{letter}', '{number}')"
    return numbers


def iban_rest(numbers: str) -> str:
    """SQL: the remainder of that number, which is 1 if the check digits are right. NUMBER holds 38 digits, so
    it is divided in three steps."""
    rest = f"MOD(TO_NUMBER(SUBSTR({numbers}, 1, 30)), 97)"
    for start in (31, 61):
        rest = f"MOD(TO_NUMBER(TO_CHAR({rest}) || SUBSTR({numbers}, {start}, 30)), 97)"
    return rest


def _listed(values: tuple[str, ...]) -> Format:
    return Format(entries=values) if max(map(len, values)) <= HEAD else Format()


def _constants(values: tuple[str | int | float, ...], column: Column, scope: Scope) -> Format:
    if column.data_type == "CLOB":
        if any(len(str(value)) > HEAD for value in values):
            return Format()
        text = f"DBMS_LOB.SUBSTR({_name(column)}, {HEAD + 1}, 1)"
    else:
        text = _text(column) if column.is_character else _name(column)
    listed = ", ".join(scope.bind(value.rstrip(" ") if isinstance(value, str) else value) for value in values)
    return Format(always=f"{f'RTRIM({text})' if isinstance(values[0], str) else text} IN ({listed})")


def _compact(algorithm: CompactAlgorithm, text: str) -> str:
    separators = re.sub("'", "''", algorithm.separators)
    return f"TRANSLATE(UPPER({text}), '#{separators}', '#')"


def _text(column: Column) -> str:
    return base.text_sql(column, _name(column))


def _name(column: Column) -> str:
    return f"T.{Identifier(column.name).sql}"
