"""Rows of the source that are to be masked: their hashes go into the target, and are summed up on the way.

One pass over the source serves both checks, that of the copy and that of the masked rows: afterwards nothing
of the table is read as of the SCN any more. Each piece is sent by one session of the source into one of the
target. One that a killed try has sent in part is removed and sent again; a try that stood still and sends
rows late is found out by their number (`RowComparison`).
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from oracle_refresh.oracle.session import execute, execute_tolerating, named, row, rows, scalar
from oracle_refresh.run.ledger import EXISTS
from oracle_refresh.run.progress import Progress, silent
from oracle_refresh.validation import statements
from oracle_refresh.validation.control_table import piece_bytes
from oracle_refresh.validation.model import LobSummary, Summary
from oracle_refresh.validation.notes import SOURCE_FACTS, Notes, PieceRead, SourceFacts
from oracle_refresh.validation.pieces import Piece, added_up, checksum_text
from oracle_refresh.validation.reading import FurtherSessions, Reading, Sessions

if TYPE_CHECKING:
    import oracledb

    from oracle_refresh.masking.keys import MasterKey
    from oracle_refresh.run.documents import Documents
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


@dataclass
class Sending:
    """The sending of one table's rows AS OF an SCN.

    :ivar salt: the key of the hashes.
    :ivar key: needed where masked values are computed again.
    :ivar documents: where is kept what was sent; `noted`: where pieces of it are noted.
    """

    source: oracledb.Connection
    target: oracledb.Connection
    scn: int
    pairing: Pairing
    salt: str = field(repr=False)
    key: MasterKey | None = None
    documents: Documents | None = None
    noted: Documents | None = None
    progress: Progress = silent
    _read: dict[int, PieceRead] = field(default_factory=dict, init=False)
    _pieces: tuple[Piece, ...] = field(default=(), init=False)

    @property
    def mark(self) -> str:
        """What is sent, and how: another ruleset, or release, sends something else."""
        told = f"{self.scn}\n{self.salt}\n{self.pairing.control.create}\n{self.pairing.source()}"
        return hashlib.sha256(told.encode()).hexdigest()

    @property
    def notes(self) -> Notes:
        return Notes(self.noted, self.pairing.table.key, "sent", self.mark)

    def sent(self) -> SourceFacts | None:
        """What a former try has sent, if it has sent everything."""
        facts = self._facts()
        return facts if facts is not None and facts.mark == self.mark and self._exists() else None

    def reading(self, cut: Callable[[], tuple[Piece, ...]], further: FurtherSessions) -> Reading[PieceRead]:
        """What `reading.read_all` has to read; the control table is there then."""
        notes = self.notes
        if not (notes.begun() and self._exists()):
            self.forget()
            execute(self.target, self.pairing.control.create)
        self._pieces = notes.cut(cut)
        for number in range(len(self._pieces)):
            if (read := notes.read(number)) is not None:
                self._read[number] = read
        for (piece,) in rows(self.target, self.pairing.control.pieces):
            if int(piece, 16) not in self._read:
                execute(self.target, self.pairing.control.forget, piece=piece)
        self.target.commit()
        waiting = [number for number in range(len(self._pieces)) if number not in self._read]
        count = min(further.degree, len(waiting))
        senders = further.senders(count) or [self.target]
        sessions = zip(further.sources(self.source, count), senders, strict=False)
        return Reading(waiting, list(sessions), self._send, self._done)

    def finish(self) -> SourceFacts:
        """Note that all rows are sent, and what else is known of the source."""
        pairing, pieces = self.pairing, [self._read[number] for number in range(len(self._pieces))]
        copied = added_up((each.summary for each in pieces), pairing.copied.lobs)
        covered = tuple(each.summary.rows for each in pieces)
        total = copied.rows if len(pieces) == 1 else int(self._asked(statements.count(pairing.table))[0])
        facts = SourceFacts(
            self.mark,
            replace(copied, rows=total, shards=covered),
            added_up((Summary(0, "0-0", each.kept) for each in pieces), pairing.copied.lobs).lobs,
            self._years(),
            {name: tuple(map(int, self._asked(sql))) for name, sql in pairing.totals(at_scn=True).items()},
        )
        if self.documents is not None:
            self.documents.put(SOURCE_FACTS, pairing.table.key, facts)
        self.notes.forget()
        return facts

    def forget(self) -> None:
        """Remove what was sent and all that was noted of it; what says that it is there goes first."""
        if self.documents is not None:
            self.documents.drop(SOURCE_FACTS, self.pairing.table.key)
        self.notes.forget()
        execute_tolerating(self.target, {"ORA-00942"}, f'DROP TABLE "{self.pairing.control.name}" PURGE')

    def _facts(self) -> SourceFacts | None:
        return None if self.documents is None else self.documents.find(SOURCE_FACTS, self.pairing.table.key)

    def _exists(self) -> bool:
        return bool(scalar(self.target, EXISTS, name=self.pairing.control.name))

    def _asked(self, sql: str) -> tuple[Any, ...]:
        return row(self.source, sql, scn=self.scn) or ()

    def _years(self) -> dict[str, tuple[int, int]]:
        ranges = self.pairing.ranges_of_days()
        if not ranges:
            return {}
        years = self._asked(statements.years(self.pairing.table, ranges))
        pairs = zip(ranges, years[::2], years[1::2], strict=True)
        return {name: (int(first), int(last)) for name, first, last in pairs if first is not None}

    def _done(self, number: int, read: PieceRead) -> None:
        self._read[number] = read
        self.notes.put(number, read)
        done, table = sum(each.summary.rows for each in self._read.values()), self.pairing.table
        self.progress.report(done, max(table.rows or 0, done), "rows", f"hash {table.key}")

    def _send(self, number: int, sessions: Sessions) -> PieceRead:
        """Send a piece, in its thread; what it adds up to."""
        source, target = sessions
        sums = _Sending(self.pairing, self.salt, self.key)
        for condition, partition in self._pieces[number].reads():
            sql = self.pairing.source(condition, partition)
            binds = named(sql, {**self.pairing.binds, "salt": self.salt, "scn": self.scn})
            with source.cursor() as reader, target.cursor() as writer:
                reader.arraysize = BATCH
                # Numbers of which values are computed again must not lose digits.
                reader.execute(sql, binds, fetch_decimals=bool(self.pairing.parts))
                while batch := reader.fetchmany(BATCH):
                    writer.executemany(self.pairing.control.insert, sums.rows(batch, piece_bytes(number)))
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

    def read(self) -> PieceRead:
        copied, kept = (
            tuple(LobSummary(name, each.count, each.length, each.checksum) for name, each in sums.items())
            for sums in (self._copied, self._kept)
        )
        return PieceRead(Summary(self._rows.count, self._rows.checksum, copied), kept)
