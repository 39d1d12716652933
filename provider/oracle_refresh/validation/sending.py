"""Rows of the source that are to be masked: their hashes go into the target, and are summed up on the way.

So where Python references compute what the masked values have to be, and where the copy is masked already.
One pass over the source serves both checks, that of the copy and that of the masked rows. Each piece is sent
by one session of the source into one of the target.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from oracle_refresh.oracle.session import named
from oracle_refresh.validation import statements
from oracle_refresh.validation.control_table import piece_digits
from oracle_refresh.validation.model import LobSummary, Summary
from oracle_refresh.validation.notes import PieceHashed, SourceFacts
from oracle_refresh.validation.pieces import added_up, checksum_text
from oracle_refresh.validation.reading import Sessions
from oracle_refresh.validation.row_hashes import RowHashes

if TYPE_CHECKING:
    from oracle_refresh.masking.keys import MasterKey
    from oracle_refresh.validation.pairing import Pairing

#: Rows of hashes that are on their way at once: what bounds the memory of a comparison.
BATCH = 5_000
#: Bytes of a hash that are summed up, in two halves of 60 bits (`statements.sums`).
_SUMMED, _HALF = 15, 60
_LOW = (1 << _HALF) - 1


@dataclass
class _Sums:
    """Two sums over hashes, as `statements.sums`; and of LOBs their number and length."""

    count: int = 0
    length: int = 0
    first: int = 0
    second: int = 0

    def add(self, hashes: list[int]) -> None:
        self.first += sum([value >> _HALF for value in hashes])
        self.second += sum([value & _LOW for value in hashes])

    @property
    def checksum(self) -> str:
        return checksum_text(self.first, self.second)


class Sending(RowHashes):
    """Sends the hashes of a table's rows."""

    def finish(self) -> SourceFacts:
        """Note that all rows are sent."""
        pairing, pieces = self.pairing, [self.made[number] for number in range(len(self.pieces))]
        copied = added_up((each.summary for each in pieces), pairing.copied.lobs)
        covered = tuple(each.summary.rows for each in pieces)
        total = copied.rows if len(pieces) == 1 else int(self.asked(statements.count(pairing.table))[0])
        kept = added_up((Summary(0, "0-0", each.kept) for each in pieces), pairing.copied.lobs).lobs
        return self.keep(replace(copied, rows=total, shards=covered), kept)

    def make(self, number: int, sessions: Sessions) -> PieceHashed:
        source, target = sessions
        sums, piece = _Sending(self.pairing, self.salt, self.key), bytes.fromhex(piece_digits(number))
        for condition, partition in self.pieces[number].reads():
            sql = self.pairing.source(condition, partition)
            binds = named(sql, {**self.binds, "scn": self.scn})
            with source.cursor() as reader, target.cursor() as writer:
                reader.arraysize = BATCH
                # Numbers of which values are computed again must not lose digits.
                reader.execute(sql, binds, fetch_decimals=bool(self.pairing.parts))
                while batch := reader.fetchmany(BATCH):
                    writer.executemany(self.pairing.control.insert, sums.rows(batch, piece))
                    target.commit()
        return sums.read()


class _Sending:
    """Rows that are on their way: what goes into the control table, and the sums over what does not."""

    def __init__(self, pairing: Pairing, salt: str, key: MasterKey | None) -> None:
        self._pairing, self._salt, self._key = pairing, salt, key
        self._rows = _Sums()
        self._copied = {name: _Sums() for name in pairing.copied.lobs}
        self._kept = {name: _Sums() for name in pairing.copied.lobs}
        #: Values that are summed up of each LOB column.
        self._per_lob = 3 if pairing.copied.key_changes else 2

    def rows(self, batch: Sequence[tuple[Any, ...]], piece: bytes) -> list[Sequence[Any]]:
        pairing = self._pairing
        first = len(batch[0]) - self._per_lob * len(self._copied)
        self._rows.count += len(batch)
        self._rows.add([int.from_bytes(pairing.control.whole_row(each)) for each in batch])
        for place, name in enumerate(self._copied):
            own = first + place * self._per_lob
            copied, kept = self._copied[name], self._kept[name]
            lengths = [int(each[own]) for each in batch if each[own] is not None]
            for sums, hashed in ((copied, own + 1), (kept, own + self._per_lob - 1)):
                sums.count += len(lengths)
                sums.length += sum(lengths)
                sums.add(
                    [int.from_bytes(each[hashed][:_SUMMED]) for each in batch if each[hashed] is not None]
                )
        rows: list[Sequence[Any]] = [pairing.control.with_piece(each[:first], piece) for each in batch]
        if not pairing.parts:
            return rows
        return [pairing.sent(each, self._salt, self._key) for each in rows]

    def read(self) -> PieceHashed:
        copied, kept = (
            tuple(LobSummary(name, each.count, each.length, each.checksum) for name, each in sums.items())
            for sums in (self._copied, self._kept)
        )
        return PieceHashed(Summary(self._rows.count, self._rows.checksum, copied), kept)
