"""The hashes of a table's rows as they were before masking: what is in the control table, and noted of it.

They come piece by piece, each committed and then noted. Pieces that a killed try has left in part are removed
and made again; what a try that stood still adds late is found out by number and sums (`RowComparison`).
"""

from __future__ import annotations

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from oracle_refresh.oracle.session import execute, execute_tolerating, row, rows, scalar
from oracle_refresh.run.ledger import EXISTS
from oracle_refresh.run.progress import Progress, silent
from oracle_refresh.validation import statements
from oracle_refresh.validation.control_table import piece_digits
from oracle_refresh.validation.model import LobSummary, Summary
from oracle_refresh.validation.notes import PIECE_HASHED, SOURCE_FACTS, Notes, PieceHashed, SourceFacts
from oracle_refresh.validation.pieces import Piece
from oracle_refresh.validation.reading import Reading, Sessions

if TYPE_CHECKING:
    import oracledb

    from oracle_refresh.masking.keys import MasterKey
    from oracle_refresh.run.documents import Documents
    from oracle_refresh.validation.pairing import Pairing


@dataclass
class RowHashes(ABC):
    """The hashes of one table's rows AS OF an SCN.

    :ivar salt: the key of the hashes.
    :ivar key: needed where masked values are computed again.
    :ivar documents: where is kept what is known of the source; `noted`: where pieces are noted.
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
    pieces: tuple[Piece, ...] = field(default=(), init=False)
    made: dict[int, PieceHashed] = field(default_factory=dict, init=False)

    @abstractmethod
    def make(self, number: int, sessions: Sessions) -> PieceHashed:
        """Make the hashes of a piece, in its thread, and commit; what it adds up to."""

    @property
    def mark(self) -> str:
        """What is hashed, and how: another ruleset, or release, hashes something else."""
        told = f"{self.scn}\n{self.salt}\n{self.pairing.control.create}\n{self.pairing.source()}"
        return hashlib.sha256(told.encode()).hexdigest()

    @property
    def notes(self) -> Notes[PieceHashed]:
        return Notes(self.noted, PIECE_HASHED, self.pairing.table.key, type(self).__name__.lower(), self.mark)

    @property
    def binds(self) -> dict[str, Any]:
        return {**self.pairing.binds, "salt": self.salt}

    def found(self) -> SourceFacts | None:
        """What a former try has kept, if its hashes are all there."""
        facts = self._facts()
        return facts if facts is not None and facts.mark == self.mark and self._exists() else None

    def reading(
        self, cut: Callable[[], tuple[Piece, ...]], sessions: Callable[[int], Sequence[Sessions]]
    ) -> Reading[PieceHashed]:
        """What `reading.read_all` has to make; the control table is there then.

        :param sessions: those that so many pieces are made by.
        """
        notes = self.notes
        if not (notes.begun() and self._exists()):
            self.forget()
            execute(self.target, self.pairing.control.create)
        self.pieces = notes.cut(cut)
        for number in range(len(self.pieces)):
            if (made := notes.read(number)) is not None:
                self.made[number] = made
        noted = {piece_digits(number) for number in self.made}
        for (piece,) in rows(self.target, self.pairing.control.pieces):
            if piece not in noted:
                execute(self.target, self.pairing.control.forget, piece=piece)
        self.target.commit()
        waiting = [number for number in range(len(self.pieces)) if number not in self.made]
        return Reading(waiting, sessions(len(waiting)), self.make, self._done)

    def keep(self, copied: Summary, kept: tuple[LobSummary, ...]) -> SourceFacts:
        """Note that all hashes are there, and what else is known of the source."""
        pairing = self.pairing
        totals = {name: tuple(map(int, self.asked(sql))) for name, sql in pairing.totals(at_scn=True).items()}
        facts = SourceFacts(self.mark, copied, kept, self._years(), totals)
        if self.documents is not None:
            self.documents.put(SOURCE_FACTS, pairing.table.key, facts)
        self.notes.forget()
        return facts

    def forget(self) -> None:
        """Remove the hashes and what was noted of making them; what says that they are there goes first."""
        if self.documents is not None:
            self.documents.drop(SOURCE_FACTS, self.pairing.table.key)
        self.notes.forget()
        statements.wait_for_locks(self.target)
        execute_tolerating(self.target, {"ORA-00942"}, f'DROP TABLE "{self.pairing.control.name}" PURGE')

    def asked(self, sql: str) -> tuple[Any, ...]:
        """The row that the source answers as of the SCN."""
        return row(self.source, sql, scn=self.scn) or ()

    def _facts(self) -> SourceFacts | None:
        return None if self.documents is None else self.documents.find(SOURCE_FACTS, self.pairing.table.key)

    def _exists(self) -> bool:
        return bool(scalar(self.target, EXISTS, name=self.pairing.control.name))

    def _years(self) -> dict[str, tuple[int, int]]:
        ranges = self.pairing.ranges_of_days()
        if not ranges:
            return {}
        years = self.asked(statements.years(self.pairing.table, ranges))
        pairs = zip(ranges, years[::2], years[1::2], strict=True)
        return {name: (int(first), int(last)) for name, first, last in pairs if first is not None}

    def _done(self, number: int, made: PieceHashed) -> None:
        self.made[number] = made
        self.notes.put(number, made)
        done, table = sum(each.summary.rows for each in self.made.values()), self.pairing.table
        self.progress.report(done, max(table.rows or 0, done), "rows", f"hash {table.key}")
