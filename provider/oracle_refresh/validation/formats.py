"""What the values of a masked column have to look like, by the algorithm of their rule, as SQL. Pure.

The tests are written here once more instead of being taken from the expressions that mask, so that an error
there is not repeated here. `always` holds for every masked value; `kept` is an expression that has the same
value for a row before and after: the shape of a text, whether Luhn's test passes, the time of day.

Sources: ISO/IEC 7812-1 annex B (Luhn), ISO 13616 with ISO 7064 MOD 97-10 (IBAN), the formats of
`national_formats`.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from functools import singledispatch
from typing import TYPE_CHECKING, Protocol

from oracle_refresh.masking import algorithms as known
from oracle_refresh.masking.algorithms import base
from oracle_refresh.masking.algorithms.compact import CompactAlgorithm
from oracle_refresh.masking.algorithms.identity_numbers import GermanTaxId
from oracle_refresh.masking.algorithms.national_formats import FORMATS, Sliced
from oracle_refresh.oracle.identifiers import Identifier

if TYPE_CHECKING:
    from oracle_refresh.catalog import Column
    from oracle_refresh.masking.algorithms import Algorithm
    from oracle_refresh.masking.rules import ColumnRule

#: Characters or bytes of a LOB that are compared with the original, and the longest entry of a list.
HEAD = 900
_DIGITS, _UPPER = "0123456789", "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_USUAL = " -+./()"
_LONGEST_CARD = 19
#: What separates the words of a free text, as the inside of a bracket expression: ] comes first, - last.
_SEPARATORS = "] \t\n\r!\"#$%&'()*+,./:;<=>?@[`{|}~-"


def _product(product: int, digits: int) -> int:
    """The product of ISO 7064, MOD 11,10, after two further digits."""
    for digit in divmod(digits, 10):
        product = ((product + digit) % 10 or 10) * 2 % 11
    return product


#: The products (1 to 10, each one less) after each product and each pair of digits: nested arithmetic over
#: single digits would be too deep for a parser.
_PRODUCTS = "".join(str(_product(product, digits) - 1) for product in range(1, 11) for digits in range(100))


def computed(number: int) -> str:
    """The column of the row T that holds what is computed once, by its number from 1."""
    return f"T.Z${number}"


#: Such a column in an expression.
COMPUTED = re.compile(r"\bT\.Z\$(\d+)")


class Scope(Protocol):
    """What a test can ask the statement that it becomes a part of."""

    def bind(self, value: str | int | float) -> str:
        """The placeholder of a value."""

    def once(self, expression: str) -> str:
        """A reference to an expression over the row that is computed once per row; it may hold others."""


@dataclass(frozen=True)
class Format:
    """What is promised of a column; SQL over the row T."""

    always: str | None = None
    kept: str | None = None
    entries: tuple[str, ...] = ()
    """The only values there may be, compared without letter case and outer blanks."""
    entry: str | None = None
    """What is compared with them, where it is not the text itself."""
    excused: str | None = None
    """Values that need not be among them."""
    days: tuple[int, int] | None = None
    """The least and the most days that a date moves."""
    changes: str | None = None
    """Which originals have to change, for an algorithm that need not change every value."""
    valid: str | None = None
    """A test that masked values pass where the originals passed it."""


def format_of(rule: ColumnRule, column: Column, scope: Scope) -> Format:
    """What a rule promises of the values that it masks."""
    return _format(rule.algorithm, column, scope)


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
    return Format(always=f"REGEXP_LIKE({_text(column)}, '{email_pattern(algorithm, column)}')")


@_format.register(known.BinaryLookup)
def _(algorithm: known.BinaryLookup, column: Column, scope: Scope) -> Format:
    # The whole document has to be one of the folder's. A CLOB is hashed in AL32UTF8 (DBMS_CRYPTO.HASH).
    name = _name(column)
    some = f"DBMS_LOB.GETLENGTH({name}) > 0"
    digest = scope.once(f"CASE WHEN {some} THEN RAWTOHEX(DBMS_CRYPTO.HASH({name}, 4)) END")
    found = (hashlib.sha256(document.content).hexdigest().upper() for document in algorithm.documents)
    return Format(entries=tuple(dict.fromkeys(found)), entry=digest, excused=f"{digest} IS NULL")


@_format.register(known.FreeText)
def _(algorithm: known.FreeText, column: Column, scope: Scope) -> Format:
    return Format(always=f"NVL(LENGTH({_other_words(algorithm, column, scope)}), 0) = 0")


@_format.register(known.Decomposition)
def _(algorithm: known.Decomposition, column: Column, scope: Scope) -> Format:
    text = _text(column)
    pattern = "^" + "".join(f"({part.pattern})" for part in algorithm.parts) + "$"
    # A value changes as soon as one of its parts does.
    changes = " OR ".join(
        f"REGEXP_SUBSTR({text}, {scope.bind(pattern)}, 1, 1, 'c', {number}) IS NOT NULL"
        for number, part in enumerate(algorithm.parts, 1)
        if part.algorithm is not None and part.algorithm.guarantees.changes
    )
    kept = shape(text) if algorithm.guarantees.format_kept else None
    return Format(kept=kept, changes=changes or None)


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
    return Format(kept=f"TO_CHAR(LENGTH({_text(column)}))")


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
    passes = passes_luhn(compact, scope)
    return Format(
        always=only_digits(compact, 12, _LONGEST_CARD),
        kept=f"CASE WHEN {passes} THEN 'L' END || {issuer} || {shape(text)}",
        valid=passes,
    )


@_format.register(known.Iban)
def _(algorithm: known.Iban, column: Column, scope: Scope) -> Format:
    text = _text(column)
    compact = scope.once(_compact(algorithm, text))
    rest = iban_rest(scope.once(iban_numbers(compact)))
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
        if isinstance(each, GermanTaxId):
            right = right_tax_id(compact)
        elif isinstance(each, Sliced) and each.check is not None:
            right = f"SUBSTR({compact}, {each.length + 1}) = {each.check.sql(compact)}"
        tests.append(f"WHEN REGEXP_LIKE({compact}, '^({each.pattern})$') THEN CASE WHEN {right} THEN 1 END")
    return Format(always=f"CASE {' '.join(tests)} END = 1", kept=shape(text))


def email_pattern(algorithm: known.Email, column: Column) -> str:
    """What a masked address looks like, as a regular expression."""
    hosts = "|".join(host.replace(".", "[.]") for host in (algorithm.hosts or (algorithm.host,)))
    return f"^([a-z0-9.]+[.])?[0-9a-f]{{{algorithm.digits(column)}}}@({hosts})$"


def shape(text: str) -> str:
    """SQL: a text with 9 for digits and A or a for letters, all else as it is."""
    # What usually separates digits is named before the letters, though it stays: a character is looked for in
    # the list up to where it is found. Digits alone need no list.
    listed = _DIGITS + _USUAL + _UPPER + _UPPER.lower()
    translated = f"TRANSLATE({text}, '{listed}', '{'9' * 10}{_USUAL}{'A' * 26}{'a' * 26}')"
    digits = f"RPAD('9', LENGTH({text}), '9')"
    return f"CASE WHEN LTRIM({text}, '{_DIGITS}') IS NULL THEN {digits} ELSE {translated} END"


def only_digits(text: str, least: int, most: int) -> str:
    """SQL: whether a text is so many digits. A regular expression that counts costs several times as much."""
    return f"LTRIM({text}, '{_DIGITS}') IS NULL AND LENGTH({text}) BETWEEN {least} AND {most}"


def passes_luhn(digits: str, scope: Scope) -> str:
    """SQL: whether a text of up to 19 digits passes Luhn's test; false for any other text.

    RAWTOHEX writes a digit d as 3d, so a text of digits becomes a number whose digits to the base of 100 are
    30 + d. The number's remainder by 9999 is their sum at every other place, and a hundred times that at the
    places between; what the thirties add up to is made a multiple of 9999, too.
    """
    padded = f"LPAD({digits}, {_LONGEST_CARD}, '0')"
    odd, even = (_LONGEST_CARD + 1) // 2, _LONGEST_CARD // 2
    thirties = -30 * (odd + 100 * even) % 9999
    plain, doubled = (
        f"MOD(TO_NUMBER(RAWTOHEX({text})) + {thirties}, 9999)"
        for text in (padded, f"TRANSLATE({padded}, '{_DIGITS}', '0246813579')")
    )
    total = f"MOD({plain}, 100) + TRUNC({doubled} / 100)"
    right = only_digits(digits, 1, _LONGEST_CARD)
    return f"{scope.once(f'CASE WHEN {right} THEN MOD({total}, 10) END')} = 0"


def right_tax_id(digits: str) -> str:
    """SQL: whether eleven digits are a German tax id: of the first ten one comes twice or three times and all
    others once, and the last is the check digit of ISO 7064, MOD 11,10."""
    state = "9"
    for place in range(1, 11, 2):
        pair = f"TO_NUMBER(SUBSTR({digits}, {place}, 2))"
        state = f"TO_NUMBER(SUBSTR('{_PRODUCTS}', 100 * {state} + {pair} + 1, 1))"
    body = f"SUBSTR({digits}, 1, 10)"
    different = " + ".join(f"SIGN(INSTR({body}, '{digit}'))" for digit in _DIGITS)
    three = " OR ".join(f"INSTR({body}, '{digit}', 1, 3) > 0" for digit in _DIGITS)
    return (
        f"MOD(10 - {state}, 10) = TO_NUMBER(SUBSTR({digits}, 11)) AND "
        f"({different} = 9 OR {different} = 8 AND ({three}))"
    )


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


def _other_words(algorithm: known.FreeText, column: Column, scope: Scope) -> str:
    """SQL: a masked text without marks, allowed words, what fits a pattern, and separators.

    Each word gets two blanks of its own, so that one pass takes all words of a list out. Everything here is
    a function that takes CLOBs of any length, which TRANSLATE is not.
    """
    text = _name(column) if column.data_type == "CLOB" else f"TO_CLOB({_text(column)})"
    edge = f"[{_SEPARATORS}]"
    for pattern in algorithm.patterns:
        found, around = scope.bind(f"(^|{edge})({pattern})({edge}|$)"), scope.bind(r"\1\3")
        for _ in range(2):
            text = f"REGEXP_REPLACE({text}, {found}, {around})"
    text = f"' ' || REGEXP_REPLACE({text}, {scope.bind(edge)}, '  ') || ' '"
    for words in _alternations((*sorted({word.lower() for word in algorithm.words}), f"[{algorithm.mark}]")):
        text = f"REGEXP_REPLACE({text}, {scope.bind(f' ({words}) ')}, ' ', 1, 0, 'i')"
    return f"REPLACE({text}, ' ')"


def _alternations(words: Sequence[str]) -> Iterator[str]:
    """The words as patterns of at most 500 bytes; Oracle takes 512."""
    group: list[str] = []
    for word in words:
        if sum(map(len, group)) + len(group) + len(word) > 490:
            yield "|".join(group)
            group = []
        group.append(word)
    yield "|".join(group)


def _compact(algorithm: CompactAlgorithm, text: str) -> str:
    compact = f"UPPER({text})"
    for separator in algorithm.separators:
        quoted = separator.replace("'", "''")
        compact = f"REPLACE({compact}, '{quoted}')"
    return compact


def _text(column: Column) -> str:
    return base.text_sql(column, _name(column))


def _name(column: Column) -> str:
    return f"T.{Identifier(column.name).sql}"
