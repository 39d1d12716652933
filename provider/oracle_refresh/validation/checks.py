"""The comparison of one table between source and target, through open connections.

Nothing of the data comes to the caller but sums and, on their way from source to target, keyed hashes of the
rows that are to be masked. Both ends are read at the same time, each in pieces by sessions of its own.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from oracle_refresh.oracle.errors import ValidationError
from oracle_refresh.oracle.session import scalar, translated
from oracle_refresh.run.progress import Progress, silent
from oracle_refresh.validation import statements
from oracle_refresh.validation.model import Comparison, LobSummary, Shard, Summary, TableCheck
from oracle_refresh.validation.notes import PIECE_COUNTED, PIECE_SUMMED, forget_notes
from oracle_refresh.validation.pairing import Pairing
from oracle_refresh.validation.pieces import (
    MOST_COUNTED,
    added_up,
    number_of_pieces,
    source_pieces,
    target_pieces,
)
from oracle_refresh.validation.reading import FurtherSessions, Reading, Sessions, read_all
from oracle_refresh.validation.recording import Recording
from oracle_refresh.validation.row_hashes import RowHashes
from oracle_refresh.validation.rows import RowComparison
from oracle_refresh.validation.sending import Sending
from oracle_refresh.validation.summing import Question, Statement, Summing, T
from oracle_refresh.validation.verdicts import copy_check, masked_check, read_summary

if TYPE_CHECKING:
    import oracledb

    from oracle_refresh.catalog import Table
    from oracle_refresh.masking.keys import MasterKey
    from oracle_refresh.masking.rules import ColumnRule
    from oracle_refresh.run.documents import Documents
    from oracle_refresh.validation.notes import SourceFacts


H = TypeVar("H", bound=RowHashes)
#: What is read of masked rows, in the names of notes: the comparison, and LOBs that stay.
COUNTED, MASKED = "counted", "masked"
_NO_ROWS = Summary(0, "0-0")


@dataclass(frozen=True)
class Means:
    """What a comparison may use beside a session of each end.

    :ivar further: sessions that read at the same time.
    :ivar documents: where is noted what a try has read, for the next one.
    :ivar key: what the table is masked with. Rows of a table whose keys are masked are found again by it;
        without it, as far as their unmasked columns tell them apart.
    :ivar salt: the key of the hashes of rows, the same in both checks of a table. Where there is none, one is
        drawn, and the rows are hashed in each check.
    :ivar keep_hashes: whether the hashes outlive a verdict, for one that is repeated: of a clone, whose rows
        were masked where they are, nobody can make them again. `drop_hashes` removes them in the end.
    """

    further: FurtherSessions = field(default_factory=FurtherSessions)
    documents: Documents | None = None
    key: MasterKey | None = None
    salt: str | None = field(default=None, repr=False)
    keep_hashes: bool = False


def verify_copy(
    source: oracledb.Connection,
    target: oracledb.Connection,
    scn: int,
    table: Table,
    progress: Progress = silent,
    shards: Sequence[Shard] = (),
    *,
    rules: Sequence[ColumnRule] = (),
    means: Means | None = None,
) -> TableCheck:
    """Compare a table of the source, as of the SCN, with the target's: rows, all columns, all LOBs.

    A temporary table is not read: its rows belong to sessions, and no job carries them.

    :param shards: the jobs that carry its rows; the pass over the source counts what each had to carry, and
        the verdict compares that with what it exported and loaded.
    :param rules: of a table that is to be masked. The same pass then keeps what `verify_masked` will compare
        with, into a control table `REFRESH$P_...` of the target; that commits.
    :raises ValidationError: when a side cannot be read (ORA-01555: the SCN is too old). A difference is no
        error here: it is in the verdict, see `verdicts.require`.
    """
    started = time.monotonic()
    if table.temporary:
        return copy_check(table, _NO_ROWS, _NO_ROWS)
    ends = _Ends(source, target, scn, table, progress, means or Means())
    with _translated(table):
        before, after = ends.hashed(rules, shards) if rules else ends.both(shards)
    return copy_check(table, before, after, shards, time.monotonic() - started)


def verify_masked(
    source: oracledb.Connection,
    target: oracledb.Connection,
    scn: int,
    table: Table,
    rules: tuple[ColumnRule, ...],
    progress: Progress = silent,
    *,
    copy: TableCheck | None = None,
    means: Means | None = None,
) -> TableCheck:
    """Compare a masked table with its source, row by row over keyed hashes: masked columns hold what their
    rules promise and no original, all else is unchanged.

    Every row is compared. The source is read where `verify_copy` has kept no hashes, or they are gone.
    The control tables `REFRESH$P_...` are dropped unless `means` keeps them; that commits.

    :param copy: the earlier verdict of `verify_copy` on a table without rules; the source is then not read
        again.
    :raises ValidationError: when a side cannot be read.
    """
    started = time.monotonic()
    if table.temporary:
        return copy_check(table, _NO_ROWS, _NO_ROWS)
    ends = _Ends(source, target, scn, table, progress, means or Means())
    with _translated(table):
        if rules:
            comparison = ends.masked(rules)
        elif copy is not None:
            comparison = Comparison(_taken_over(copy), ends.loaded())
        else:
            comparison = Comparison(*ends.both(()))
    return masked_check(table, rules, comparison, time.monotonic() - started)


def _taken_over(copy: TableCheck) -> Summary:
    """The source's side of an earlier check."""
    lobs = (LobSummary(lob.column, lob.count, lob.bytes, lob.checksum_source) for lob in copy.lobs)
    return Summary(copy.rows_source, copy.checksum_source, tuple(lobs))


def _summary(table: Table, at_scn: bool, condition: str | None, partition: str | None) -> str:
    return statements.summary(table, at_scn=at_scn, condition=condition, partition=partition)


@dataclass(frozen=True)
class _Ends:
    """Both ends of a table."""

    source: oracledb.Connection
    target: oracledb.Connection
    scn: int
    table: Table
    progress: Progress
    means: Means
    drawn: str = field(default_factory=lambda: secrets.token_hex(16), repr=False)
    """The key of the hashes where none is given."""

    def both(self, shards: Sequence[Shard]) -> tuple[Summary, Summary]:
        """Sums over both, of a table without rules."""
        pieces = number_of_pieces(self.table, len(shards))
        there = Summing(self._question(at_scn=True), "source", self._noted(pieces))
        here = self._summing(self._question(), "copy", pieces)
        before = self._at_source(there, shards, self._reading(here, pieces))
        after = here.total()
        there.forget()
        here.forget()
        return before, after

    def hashed(self, rules: Sequence[ColumnRule], shards: Sequence[Shard]) -> tuple[Summary, Summary]:
        """The same of a table with rules, whose rows are hashed by the way."""
        pieces = number_of_pieces(self.table, len(shards))
        pairing = self._pairing(rules)
        sending, copied = self._hashes(Sending, pairing, pieces), pairing.copied
        facts = sending.found()
        if facts is None and pairing.recordable:
            return self._recorded(self._hashes(Recording, pairing, pieces), shards, pieces)
        question = self._summed(copied.copied, copied.lobs, {"salt": sending.salt})
        here = self._summing(question, "copy", pieces)
        if facts is None:
            facts = self._sent(sending, shards, self._reading(here, pieces))
        else:
            read_all(self._reading(here, pieces))
        after = here.total()
        here.forget()
        return facts.copied, after

    def _recorded(
        self, recording: Recording, shards: Sequence[Shard], pieces: int
    ) -> tuple[Summary, Summary]:
        copied = recording.pairing.copied
        statement, binds = partial(copied.copied, at_scn=True), {"salt": recording.salt, "scn": self.scn}
        there = Summing(self._summed(statement, copied.lobs, binds), "source", self._noted(pieces))
        cut = partial(target_pieces, self.target, self.table, pieces)
        making = recording.reading(cut, partial(self._targets, pieces > 1))
        before = self._at_source(there, shards, making)
        after = recording.finish(before)
        there.forget()
        return before, after

    def _at_source(self, there: Summing[Summary], shards: Sequence[Shard], *others: Reading[Any]) -> Summary:
        """What the source answers, while others are read."""
        cut = partial(source_pieces, self.source, self.table, shards)
        read_all(there.reading(cut, self._sources), *others)
        summary = replace(there.total(), shards=there.rows)
        if len(summary.shards) == 1:
            return summary
        # What the pieces hold is one thing, what the table holds another.
        return replace(summary, rows=int(scalar(self.source, statements.count(self.table), scn=self.scn)))

    def loaded(self) -> Summary:
        """Sums over the target, of a table without rules."""
        answered = self._answered(self._question(), "again", number_of_pieces(self.table))
        answered.forget()
        return answered.total()

    def masked(self, rules: Sequence[ColumnRule]) -> Comparison:
        """What is counted of a masked table, against the hashes of its originals."""
        pieces = number_of_pieces(self.table)
        pairing = self._pairing(rules)
        sending, copied = self._hashes(Sending, pairing, pieces), pairing.copied
        facts = sending.found() or self._sent(sending, ())
        # What is found by its content alone is looked for in all hashes, grouped: not once for each piece.
        counted_in = min(pieces, MOST_COUNTED) if pairing.exact else 1
        try:
            comparison = RowComparison(
                *(self.target, pairing, facts, sending.salt),
                lambda question: self._answered(question, COUNTED, counted_in).total(),
                in_pieces=counted_in > 1,
                degree=self.means.further.degree if pieces > 1 else 1,
            ).run()
            if copied.kept_lobs:
                question = self._summed(copied.kept, copied.kept_lobs, {"salt": sending.salt})
                after = self._answered(question, MASKED, pieces).total()
                kept = tuple(lob for lob in facts.kept if lob.column in copied.kept_lobs)
                comparison = replace(
                    comparison,
                    source=replace(comparison.source, lobs=kept),
                    target=replace(comparison.target, lobs=after.lobs),
                )
        except BaseException as error:
            # Whatever another try can go on with is left to it.
            if self.means.salt is None or isinstance(error, ValidationError):
                self._forget(sending, pieces)
            raise
        self._forget(sending, pieces)
        rows = comparison.target.rows
        self.progress.report(rows, rows, "rows", f"verify masked {self.table.key}")
        return comparison

    def _forget(self, hashes: RowHashes, pieces: int) -> None:
        """What was counted, in whichever try, goes before what it was counted against."""
        noted = self._noted(pieces)
        forget_notes(noted, PIECE_COUNTED, self.table.key, COUNTED)
        forget_notes(noted, PIECE_SUMMED, self.table.key, MASKED)
        if not self.means.keep_hashes:
            hashes.forget()

    def _pairing(self, rules: Sequence[ColumnRule]) -> Pairing:
        return Pairing.of(self.table, rules, recompute=self.means.key is not None)

    def _hashes(self, of: type[H], pairing: Pairing, pieces: int) -> H:
        salt = self.means.salt
        return of(
            self.source,
            self.target,
            self.scn,
            pairing,
            salt or self.drawn,
            self.means.key,
            self.means.documents if salt else None,
            self._noted(pieces) if salt else None,
            self.progress,
        )

    def _sent(self, sending: Sending, shards: Sequence[Shard], *others: Reading[Summary]) -> SourceFacts:
        """Let the source send, while others are read."""
        cut = partial(source_pieces, self.source, self.table, shards)
        reading = sending.reading(cut, self._senders)
        if self.means.further.open_target is None:  # one session of the target, for one thing after the other
            read_all(*others)
            others = ()
        read_all(reading, *others)
        return sending.finish()

    def _question(self, *, at_scn: bool = False) -> Question[Summary]:
        statement = partial(_summary, self.table, at_scn)
        return self._summed(
            statement, statements.lob_columns(self.table), {"scn": self.scn} if at_scn else {}
        )

    def _summed(
        self, statement: Statement, lobs: Sequence[str], binds: Mapping[str, Any]
    ) -> Question[Summary]:
        """:param lobs: the columns that the statement reads."""
        read, add = partial(read_summary, lobs=lobs), partial(added_up, lobs=lobs)
        return Question(self.table.key, PIECE_SUMMED, statement, read, add, binds)

    def _noted(self, pieces: int) -> Documents | None:
        """Where pieces are noted, if there are several."""
        return self.means.documents if pieces > 1 else None

    def _summing(self, question: Question[T], what: str, pieces: int) -> Summing[T]:
        def done(rows: int) -> None:
            self.progress.report(rows, max(self.table.rows or 0, rows), "rows", f"verify {self.table.key}")

        return Summing(question, what, self._noted(pieces), done)

    def _answered(self, question: Question[T], what: str, pieces: int) -> Summing[T]:
        """What the target answers to a question."""
        summing = self._summing(question, what, pieces)
        read_all(self._reading(summing, pieces))
        return summing

    def _reading(self, summing: Summing[T], pieces: int) -> Reading[T]:
        cut = partial(target_pieces, self.target, self.table, pieces)
        return summing.reading(cut, partial(self._targets, pieces > 1))

    def _sources(self, pieces: int) -> list[Sessions]:
        further = self.means.further
        return [(each,) for each in further.sources(self.source, min(pieces, further.degree))]

    def _senders(self, pieces: int) -> list[Sessions]:
        """Of the source with one of the target."""
        further = self.means.further
        count = min(pieces, further.degree)
        senders = further.senders(count) or [self.target]
        return list(zip(further.sources(self.source, count), senders, strict=False))

    def _targets(self, noted: bool, pieces: int) -> list[Sessions]:
        further = self.means.further
        sessions = further.targets(min(pieces, further.degree)) if noted else []
        return [(each,) for each in sessions or [self.target]]


def _translated(table: Table) -> AbstractContextManager[None]:
    return translated("validation", table.key, ValidationError)
