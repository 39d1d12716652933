"""The control table of a comparison: hashes of a table's rows as they were before they were masked. Pure.

Hashes and other short values of a row stand in few values (`packing`). The last of these ends with the hash
of the whole row, whose sums say that the hashes are those of the source's rows, and the number of the piece
that the row came with, so that what a killed try has left in part can be removed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from oracle_refresh.validation.packing import Field, Pack

#: Hex digits of a row's hash that are summed up.
ROW_DIGITS = 30
#: Hex digits of the number of a piece.
PIECE_DIGITS = 4
CONTROL_TABLES = """\
SELECT TABLE_NAME FROM USER_TABLES WHERE TABLE_NAME LIKE 'REFRESH$P!_%' ESCAPE '!' ORDER BY TABLE_NAME"""


def control_table(table: str) -> str:
    """What the control table of a table (OWNER.NAME) is called; its lists' names begin so."""
    return f"REFRESH$P_{hashlib.sha256(table.encode()).hexdigest()[:12].upper()}"


def piece_digits(number: int) -> str:
    """The number of a piece as it stands in the control table, in hexadecimal digits."""
    return f"{number:0{PIECE_DIGITS}X}"


@dataclass(frozen=True)
class ControlTable:
    """One of each table, so that a repeated task finds what a killed one left.

    :ivar days: the names of the columns that hold day numbers, behind the packs.
    """

    name: str
    packs: tuple[Pack, ...]
    days: tuple[str, ...]

    @property
    def create(self) -> str:
        sizes = [pack.size for pack in self.packs]
        sizes[-1] += PIECE_DIGITS // 2
        parts = [f"{pack.name} RAW({size})" for pack, size in zip(self.packs, sizes, strict=True)]
        parts += [f"{name} NUMBER(8)" for name in self.days]
        return f'CREATE TABLE "{self.name}" ({", ".join(parts)})'

    @property
    def values(self) -> int:
        """How many a row has."""
        return len(self.packs) + len(self.days)

    @property
    def insert(self) -> str:
        places = ", ".join(f":{place}" for place in range(1, 1 + self.values))
        return f'INSERT INTO "{self.name}" VALUES ({places})'

    def record(self, days: Sequence[str], rows: str) -> str:
        """Inserts rows of piece :piece, in digits.

        :param rows: a query for the fields' values, of which `days` make the days.
        """
        *packs, last = self.packs
        with_piece = Pack(last.name, (*last.fields, Field.text("PIECE", PIECE_DIGITS, ":piece")))
        values = ", ".join([*(pack.sql for pack in (*packs, with_piece)), *days])
        return f'INSERT INTO "{self.name}"\nSELECT {values}\nFROM ({rows})'

    @property
    def pieces(self) -> str:
        """The pieces of which anything is there, as `piece_digits`."""
        return f'SELECT DISTINCT {self._piece} FROM "{self.name}"'

    @property
    def forget(self) -> str:
        """Removes what is there of piece :piece."""
        return f'DELETE FROM "{self.name}" WHERE {self._piece} = :piece'

    @property
    def _piece(self) -> str:
        last = self.packs[-1]
        return f"SUBSTR(RAWTOHEX({last.name}), {2 * last.size + 1}, {PIECE_DIGITS})"

    def whole_row(self, row: Sequence[Any]) -> bytes:
        """The first bytes of the hash of a whole row that is on its way, without the piece's number."""
        value: bytes = row[len(self.packs) - 1]
        return value[-ROW_DIGITS // 2 :]

    def with_piece(self, row: Sequence[Any], piece: bytes) -> list[Any]:
        """The row with the number of its piece."""
        made, last = list(row), len(self.packs) - 1
        made[last] = row[last] + piece
        return made

    def unpacked(self, rows: str) -> str:
        """SQL: rows of the table, in columns of the fields' names."""
        named = [f"{field.read(pack.name)} AS {field.name}" for pack in self.packs for field in pack.fields]
        return f"(SELECT /*+ NO_MERGE */ {', '.join([*named, *self.days])} FROM {rows})"

    def column(self, name: str) -> str:
        """SQL over the table: one of the fields."""
        return next(
            field.read(pack.name) for pack in self.packs for field in pack.fields if field.name == name
        )
