"""Rows of the copy that are to be masked: their hashes are recorded in the target itself, before they are.

No row leaves the target, and the source only sums up its own. That what is recorded is what the source had is
proven by the sums over whole rows, which are taken of what was recorded, and those of LOBs.
"""

from __future__ import annotations

from dataclasses import replace

from oracle_refresh.oracle.errors import ValidationError
from oracle_refresh.oracle.session import named, row
from oracle_refresh.validation.control_table import piece_digits
from oracle_refresh.validation.model import Summary
from oracle_refresh.validation.notes import PieceHashed
from oracle_refresh.validation.pieces import added_up
from oracle_refresh.validation.reading import Sessions
from oracle_refresh.validation.row_hashes import RowHashes
from oracle_refresh.validation.verdicts import read_summary


class Recording(RowHashes):
    """Records hashes by statements of the target. The `pairing` is `recordable`."""

    def make(self, number: int, sessions: Sessions) -> PieceHashed:
        (session,) = sessions
        copied, recorded, summaries = self.pairing.copied, 0, list[Summary]()
        for condition, partition in self.pieces[number].reads():
            sql = self.pairing.record(condition, partition)
            with session.cursor() as cursor:
                cursor.execute(sql, named(sql, {**self.binds, "piece": piece_digits(number)}))
                recorded += cursor.rowcount
            session.commit()
            if copied.lobs:
                sql = copied.loaded(condition, partition)
                summaries.append(read_summary(row(session, sql, **named(sql, self.binds)) or (), copied.lobs))
        return PieceHashed(replace(added_up(summaries, copied.lobs), rows=recorded))

    def finish(self, source: Summary) -> Summary:
        """Sums over what was recorded, which is kept where it is what the source had: else it is worth
        nothing.

        :param source: sums over the source's rows; in `shards` the rows of each piece.
        :raises ValidationError: where hashes of other rows are there than this try and those before it have
            recorded.
        """
        copy, recorded = self._copy(), sum(each.summary.rows for each in self.made.values())
        if copy.rows != recorded:
            self.forget()
            raise ValidationError(
                f"hashes of {recorded} rows were recorded, {copy.rows} are there: another try has left some",
                object_name=self.pairing.table.key,
                step="validation",
                remedy="clear this task: they are recorded once more",
            )
        if (copy.rows, copy.checksum, copy.lobs) == (source.rows, source.checksum, source.lobs):
            kept = tuple(lob for lob in source.lobs if lob.column in self.pairing.copied.kept_lobs)
            self.keep(source, kept)
        elif self.found() is None:  # else a try beside this one has kept what was there before it was masked
            self.forget()
        return copy

    def _copy(self) -> Summary:
        counted = row(self.target, self.pairing.recorded()) or ()
        lobs = added_up((each.summary for each in self.made.values()), self.pairing.copied.lobs).lobs
        return replace(read_summary(counted, ()), lobs=lobs)
