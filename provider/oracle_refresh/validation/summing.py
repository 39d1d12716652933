"""What one end answers to a question about a table, read in pieces whose answers add up."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from oracle_refresh.oracle.session import named, row
from oracle_refresh.run.documents import Documents
from oracle_refresh.run.kind import Kind
from oracle_refresh.validation.model import Summary
from oracle_refresh.validation.notes import Counted, Notes
from oracle_refresh.validation.pieces import Piece
from oracle_refresh.validation.reading import Reading, Sessions

T = TypeVar("T", Summary, Counted)
#: SQL for the rows of a condition and a partition, which selects one row.
Statement = Callable[[str | None, str | None], str]


@dataclass(frozen=True)
class Question(Generic[T]):
    """What is asked of an end.

    :ivar table: OWNER.NAME.
    :ivar kind: of notes about the answers.
    :ivar read: the row that the statement selects, as an answer.
    :ivar add: answers about some pieces as one about all of them.
    """

    table: str
    kind: Kind[T]
    statement: Statement
    read: Callable[[Sequence[Any]], T]
    add: Callable[[Iterable[T]], T]
    binds: Mapping[str, Any] = field(default_factory=dict, repr=False)

    @property
    def mark(self) -> str:
        """Tells it from any other: a note about pieces is an answer to one question only."""
        told = f"{self.statement(None, None)}\n{sorted(self.binds.items())}"
        return hashlib.sha256(told.encode()).hexdigest()


@dataclass
class Summing(Generic[T]):
    """The answer to a question: `reading` reads it, `total` adds it up, `forget` drops the notes about it.

    :ivar what: the end, and what is read of it, in the names of notes.
    """

    question: Question[T]
    what: str
    documents: Documents | None = None
    done: Callable[[int], None] | None = None
    """Is told the rows that have been read."""
    _pieces: tuple[Piece, ...] = field(default=(), init=False)
    _read: dict[int, T] = field(default_factory=dict, init=False)

    @property
    def _notes(self) -> Notes[T]:
        question = self.question
        return Notes(self.documents, question.kind, question.table, self.what, question.mark)

    def reading(
        self, cut: Callable[[], tuple[Piece, ...]], sessions: Callable[[int], Sequence[Sessions]]
    ) -> Reading[T]:
        """:param sessions: those that so many pieces are read by."""
        notes = self._notes
        self._pieces = notes.cut(cut)
        for number in range(len(self._pieces)):
            if (read := notes.read(number)) is not None:
                self._read[number] = read
        waiting = [number for number in range(len(self._pieces)) if number not in self._read]
        return Reading(waiting, sessions(len(waiting)), self._sum, self._done)

    @property
    def rows(self) -> tuple[int, ...]:
        """Those of each piece."""
        return tuple(self._read[number].rows for number in range(len(self._pieces)))

    def total(self) -> T:
        """The answer about all pieces."""
        return self.question.add(self._read[number] for number in range(len(self._pieces)))

    def forget(self) -> None:
        self._notes.forget()

    def _sum(self, number: int, sessions: Sessions) -> T:
        (session,) = sessions
        question, answers = self.question, []
        for condition, partition in self._pieces[number].reads():
            sql = question.statement(condition, partition)
            counted = row(session, sql, **named(sql, question.binds))
            assert counted is not None, "a query of sums has a row"
            answers.append(question.read(counted))
        return question.add(answers)

    def _done(self, number: int, answer: T) -> None:
        self._read[number] = answer
        self._notes.put(number, answer)
        if self.done is not None:
            self.done(sum(each.rows for each in self._read.values()))
