"""Sums over a table of one end, read in pieces."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from oracle_refresh.oracle.session import named, row
from oracle_refresh.run.documents import Documents
from oracle_refresh.validation.model import Summary
from oracle_refresh.validation.notes import Notes, PieceRead
from oracle_refresh.validation.pieces import Piece, added_up, read_piece
from oracle_refresh.validation.reading import Reading, Sessions
from oracle_refresh.validation.verdicts import read_summary

#: SQL for the rows of a condition and a partition, whose row `read_summary` reads.
Statement = Callable[[str | None, str | None], str]


@dataclass(frozen=True)
class Question:
    """What is asked of an end.

    :ivar table: OWNER.NAME.
    :ivar lobs: the columns that the statement reads.
    """

    table: str
    statement: Statement
    lobs: tuple[str, ...]
    binds: Mapping[str, Any] = field(default_factory=dict, repr=False)

    @property
    def mark(self) -> str:
        """Tells it from any other: a note about pieces is an answer to one question only."""
        told = f"{self.statement(None, None)}\n{sorted(self.binds.items())}"
        return hashlib.sha256(told.encode()).hexdigest()


@dataclass
class Summing:
    """The answer to a question: `reading` reads it, `total` adds it up, `forget` drops the notes about it.

    :ivar what: the end, and what is read of it, in the names of notes.
    """

    question: Question
    what: str
    documents: Documents | None = None
    done: Callable[[int], None] | None = None
    """Is told the rows that have been read."""
    _pieces: tuple[Piece, ...] = field(default=(), init=False)
    _read: dict[int, Summary] = field(default_factory=dict, init=False)

    @property
    def _notes(self) -> Notes:
        return Notes(self.documents, self.question.table, self.what, self.question.mark)

    def reading(
        self, cut: Callable[[], tuple[Piece, ...]], sessions: Callable[[int], Sequence[Sessions]]
    ) -> Reading[Summary]:
        """:param sessions: those that so many pieces are read by."""
        notes = self._notes
        self._pieces = notes.cut(cut)
        for number in range(len(self._pieces)):
            if (read := notes.read(number)) is not None:
                self._read[number] = read.summary
        waiting = [number for number in range(len(self._pieces)) if number not in self._read]
        return Reading(waiting, sessions(len(waiting)), self._sum, self._done)

    def total(self) -> Summary:
        """Of all pieces; `shards` has the rows of each."""
        read = [self._read[number] for number in range(len(self._pieces))]
        return replace(added_up(read, self.question.lobs), shards=tuple(each.rows for each in read))

    def forget(self) -> None:
        self._notes.forget()

    def _sum(self, number: int, sessions: Sessions) -> Summary:
        (session,) = sessions

        def read(condition: str | None, partition: str | None) -> Summary:
            sql = self.question.statement(condition, partition)
            counted = row(session, sql, **named(sql, self.question.binds))
            assert counted is not None, "a query of sums has a row"
            return read_summary(counted, self.question.lobs)

        return read_piece(self._pieces[number], read, self.question.lobs)

    def _done(self, number: int, summary: Summary) -> None:
        self._read[number] = summary
        self._notes.put(number, PieceRead(summary))
        if self.done is not None:
            self.done(sum(each.rows for each in self._read.values()))
