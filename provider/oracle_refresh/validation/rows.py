"""The run of a row-by-row comparison: hashes come from the source into the target, one pass counts."""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from oracle_refresh.oracle.session import execute, execute_tolerating, named, row, rows
from oracle_refresh.run.progress import Progress, silent
from oracle_refresh.validation import pairing, statements
from oracle_refresh.validation.model import Comparison, MaskedCheck
from oracle_refresh.validation.promises import MEASURES
from oracle_refresh.validation.verdicts import read_summary

if TYPE_CHECKING:
    import oracledb

    from oracle_refresh.masking.keys import MasterKey
    from oracle_refresh.validation.pairing import Pairing
    from oracle_refresh.validation.promises import Paired

#: Rows of hashes that are on their way at once: what bounds the memory of a comparison.
BATCH = 5_000
#: A control table, or a list of it by the numbers of column and rule (`pairing`).
_OWN = re.compile(r"(REFRESH\$P_[0-9A-F]{12})(?:_\d+){0,2}")


@dataclass(frozen=True)
class RowComparison:
    """The comparison of the rows of a masked table with the source's AS OF an SCN.

    :ivar key: needed where masked values are computed again.
    :ivar salt: the key of the hashes, drawn for this comparison.
    """

    source: oracledb.Connection
    target: oracledb.Connection
    scn: int
    pairing: Pairing
    key: MasterKey | None = None
    progress: Progress = silent
    salt: str = field(default_factory=lambda: secrets.token_hex(16), repr=False)

    def run(self) -> Comparison:
        """Errors of the databases are raised as they are; the control tables are gone then, too."""
        pairing, lobs = self.pairing, self.pairing.lobs
        for connection in (self.source, self.target):
            statements.prepare(connection)
        with self._control_tables():
            number = self._send()
            with self.target.cursor() as cursor:
                for insert, entries in pairing.entries().items():
                    cursor.executemany(insert, [(entry,) for entry in entries])
            count, *sent = row(self.target, pairing.sums()) or (0,)
            counted = list(self._row(pairing.compare()))
            split = 3 + 4 * len(lobs)
            keys, (paired_rows, changed_rows) = (
                counted[split : split + 2],
                map(int, counted[split + 2 : split + 4]),
            )
            checks = self._checks(sent[4:], counted[split + 4 :])
        self.progress.report(number, number, "rows", f"verify masked {pairing.table.key}")
        before, after = read_summary([count, *sent[:2]], ()), read_summary(counted[:split], lobs)
        unpaired = None
        if pairing.parts:
            unpaired = after.rows - paired_rows if pairing.exact else int(keys != sent[2:4])
        return Comparison(before, after, checks, changed_rows, unpaired, pairing.found_by)

    def _row(self, sql: str) -> tuple[Any, ...]:
        """The row that a statement counts on the target."""
        return row(self.target, sql, **named(sql, {**self.pairing.binds, "salt": self.salt})) or ()

    @contextmanager
    def _control_tables(self) -> Iterator[None]:
        creates = self.pairing.creates
        _drop(self.target, creates)
        try:
            for create in creates.values():
                execute(self.target, create)
            yield
        finally:
            _drop(self.target, creates)

    def _send(self) -> int:
        """How many rows the source has sent."""
        pairing, sql, number = self.pairing, self.pairing.source(), 0
        binds = named(sql, {**pairing.binds, "salt": self.salt, "scn": self.scn})
        with self.source.cursor() as reader, self.target.cursor() as writer:
            reader.arraysize = BATCH
            # Numbers of which values are computed again must not lose digits.
            reader.execute(sql, binds, fetch_decimals=bool(pairing.parts))
            while batch := reader.fetchmany(BATCH):
                writer.executemany(
                    pairing.insert, [pairing.sent(each, self.salt, self.key) for each in batch]
                )
                self.target.commit()
                number += len(batch)
                total = max(pairing.table.rows or 0, number)
                self.progress.report(number, total, "rows", f"hash {pairing.table.key}")
        return number

    def _checks(self, sent: list[Any], measured: list[Any]) -> tuple[MaskedCheck, ...]:
        """What was counted of each masked column.

        :param sent: on the source's side, its values and the distinct ones.
        :param measured: in the pass over the target, `MEASURES`.
        """
        apart, years = self._moved_apart(), self._years()
        checks = []
        for place, paired in enumerate(self.pairing.columns):
            values = measured[place * len(MEASURES) : (place + 1) * len(MEASURES)]
            counts = {name: None if v is None else int(v) for name, v in zip(MEASURES, values, strict=True)}
            distinct = sent[1 + 2 * place]
            checks.append(
                MaskedCheck(
                    paired.column.name,
                    **counts,  # type: ignore[arg-type]
                    distinct_source=None if distinct is None else int(distinct),
                    totals_kept=self._totals_kept(paired),
                    apart=apart.get(paired.column.name),
                    years=years.get(paired.column.name),
                )
            )
        return tuple(checks)

    def _moved_apart(self) -> dict[str, int]:
        """Per column whose dates move with others: the subjects whose dates moved by different days."""
        subjects: dict[str, int] = {}
        for names, sql in self.pairing.together().items():
            subjects |= dict.fromkeys(names, int(self._row(sql)[0]))
        return subjects

    def _years(self) -> dict[str, tuple[int, int]]:
        """Per column of dates the first and the last year that they can have been moved to."""
        ranges = {
            paired.column.name: days
            for paired in self.pairing.columns
            if (days := paired.promises[0].proof.days) and not paired.conditional
        }
        if not ranges:
            return {}
        years = row(self.source, statements.years(self.pairing.table, ranges), scn=self.scn) or ()
        pairs = zip(ranges, years[::2], years[1::2], strict=True)
        return {name: (int(first), int(last)) for name, first, last in pairs if first is not None}

    def _totals_kept(self, paired: Paired) -> bool | None:
        """Whether noise kept its totals; None where nothing of the kind is promised."""
        proof, pairing = paired.promises[0].proof, self.pairing
        if paired.conditional or not proof.totals:
            return None
        before, after = (
            statements.totals(pairing.table, paired.column.name, proof.group, pairing.masked, at_scn=at_scn)
            for at_scn in (True, False)
        )
        return row(self.source, before, scn=self.scn) == row(self.target, after)


def drop_hashes(connection: oracledb.Connection, tables: Iterable[str]) -> tuple[str, ...]:
    """Drop the control tables that killed comparisons of these tables (OWNER.NAME) have left in the connected
    user's schema, and name them. DDL commits."""
    own = {pairing.control_table(table) for table in tables}
    found = (str(name) for (name,) in rows(connection, pairing.CONTROL_TABLES))
    names = tuple(name for name in found if (stem := _OWN.fullmatch(name)) and stem[1] in own)
    _drop(connection, names)
    return names


def _drop(connection: oracledb.Connection, names: Iterable[str]) -> None:
    for name in names:
        execute_tolerating(connection, {"ORA-00942"}, f'DROP TABLE "{name}" PURGE')
