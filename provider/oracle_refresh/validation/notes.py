"""What a try has read of a table, piece by piece: the next one goes on behind it.

Notes are of use only to a try that is cut off, and go with the verdict: a task that is cleared reads again.
What is known of the source's rows that are masked stays until they are proven: as of the SCN they do not
change.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from oracle_refresh.jsonable import Jsonable
from oracle_refresh.run.documents import Documents
from oracle_refresh.run.kind import Kind
from oracle_refresh.validation.model import LobSummary, Summary
from oracle_refresh.validation.pieces import Piece

T = TypeVar("T", bound=Jsonable)


@dataclass(frozen=True)
class Pieces(Jsonable):
    """How a table was cut. `mark` says what is read of the pieces: under another one, notes are worth
    nothing."""

    mark: str
    pieces: tuple[Piece, ...]


@dataclass(frozen=True)
class PieceHashed(Jsonable):
    """What the rows of a piece add up to that was hashed.

    :ivar kept: of rows that were sent: their LOBs once more, bound to the key that masking leaves as it is.
    """

    summary: Summary
    kept: tuple[LobSummary, ...] = ()


@dataclass(frozen=True)
class Counted(Jsonable):
    """What was counted in a piece of a masked table: numbers that add up, None where nothing was counted."""

    rows: int
    numbers: tuple[int | None, ...]


@dataclass(frozen=True)
class SourceFacts(Jsonable):
    """All that the comparison of a masked table has to know of the source beside the hashes of its rows.

    :ivar copied: as the copy has to be: sums over whole rows and all LOBs; in `shards` the rows of each
        piece.
    :ivar kept: see `PieceHashed`.
    :ivar years: per column of dates the first and the last year that they can have been moved to.
    :ivar totals: per column whose totals stay: groups of more than one value, two sums over their totals.
    """

    mark: str
    copied: Summary
    kept: tuple[LobSummary, ...]
    years: dict[str, tuple[int, int]]
    totals: dict[str, tuple[int, ...]]


PIECES: Kind[Pieces] = Kind("pieces", Pieces)
PIECE_HASHED: Kind[PieceHashed] = Kind("piece hashed", PieceHashed)
PIECE_SUMMED: Kind[Summary] = Kind("piece summed", Summary)
PIECE_COUNTED: Kind[Counted] = Kind("piece counted", Counted)
SOURCE_FACTS: Kind[SourceFacts] = Kind("source facts", SourceFacts)


@dataclass(frozen=True)
class Notes(Generic[T]):
    """The notes about what is read of one table (OWNER.NAME). Without documents nothing is noted.

    Only the thread that owns the documents' session uses them.
    """

    documents: Documents | None
    kind: Kind[T]
    table: str
    what: str
    mark: str

    @property
    def _item(self) -> str:
        return _item(self.table, self.what)

    def _of(self, number: int) -> str:
        return f"{self._item}#{number}"

    def begun(self) -> bool:
        """Whether a former try has read pieces of the same."""
        noted = None if self.documents is None else self.documents.find(PIECES, self._item)
        return noted is not None and noted.mark == self.mark

    def cut(self, cut: Callable[[], tuple[Piece, ...]]) -> tuple[Piece, ...]:
        """The pieces of the table, as a former try has cut it."""
        if self.begun():
            assert self.documents is not None
            return self.documents.get(PIECES, self._item).pieces
        self.forget()
        pieces = cut()
        if self.documents is None:
            return pieces
        for number in range(len(pieces)):  # what a try that stood still has noted since they were forgotten
            self.documents.drop(self.kind, self._of(number))
        return self.documents.keep(PIECES, self._item, Pieces(self.mark, pieces)).pieces

    def read(self, number: int) -> T | None:
        """What a former try has read of a piece."""
        return None if self.documents is None else self.documents.find(self.kind, self._of(number))

    def put(self, number: int, read: T) -> None:
        if self.documents is not None:
            self.documents.put(self.kind, self._of(number), read)

    def forget(self) -> None:
        """Remove them."""
        forget_notes(self.documents, self.kind, self.table, self.what)


def forget_notes(documents: Documents | None, kind: Kind[T], table: str, what: str) -> None:
    """Remove the notes about what is read of a table, under whichever mark.

    The pieces go last: while they are there, what is left of the others is valid.
    """
    item = _item(table, what)
    noted = None if documents is None else documents.find(PIECES, item)
    if noted is not None and documents is not None:
        for number in range(len(noted.pieces)):
            documents.drop(kind, f"{item}#{number}")
        documents.drop(PIECES, item)


def _item(table: str, what: str) -> str:
    return f"{table}#{what}"
