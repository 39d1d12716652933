"""Extended rowids of smallfile tablespaces as numbers and as text.

Database Concepts 19c, "Rowid Format": 18 characters in base 64, data object number 6, relative file number 3,
block 6, row 3. Rowids of one data object are ordered by file, block and row.
"""

from __future__ import annotations

from dataclasses import dataclass

DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
VALUES = {digit: value for value, digit in enumerate(DIGITS)}
WIDTHS = (6, 3, 6, 3)
#: A block's row directory counts in 15 bits.
LAST_ROW = 32767


@dataclass(frozen=True, order=True)
class Rowid:
    """One extended rowid. Comparison is that of Oracle for rowids of smallfile tablespaces."""

    data_object: int
    relative_fno: int
    block: int
    row: int = 0

    @classmethod
    def parse(cls, text: str) -> Rowid:
        """:raises ValueError: if the text is no extended rowid."""
        if len(text) != sum(WIDTHS) or not all(digit in VALUES for digit in text):
            raise ValueError(f"not an extended rowid: {text!r}")
        numbers, place = [], 0
        for width in WIDTHS:
            number = 0
            for digit in text[place : place + width]:
                number = number * 64 + VALUES[digit]
            numbers.append(number)
            place += width
        return cls(*numbers)

    def __str__(self) -> str:
        numbers = (self.data_object, self.relative_fno, self.block, self.row)
        return "".join(_digits(number, width) for number, width in zip(numbers, WIDTHS, strict=True))


def _digits(number: int, width: int) -> str:
    digits = ""
    for _ in range(width):
        number, digit = divmod(number, 64)
        digits = DIGITS[digit] + digits
    if number:
        raise ValueError("a part of the rowid is too large for its digits")
    return digits
