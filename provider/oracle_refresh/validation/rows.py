"""The run of a row-by-row comparison: a masked table against what the source has sent, in one pass."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from oracle_refresh.oracle.errors import ValidationError
from oracle_refresh.oracle.session import execute, execute_tolerating, named, row, rows
from oracle_refresh.validation import statements
from oracle_refresh.validation.control_table import CONTROL_TABLES, control_table
from oracle_refresh.validation.model import Comparison, MaskedCheck
from oracle_refresh.validation.promises import MEASURES
from oracle_refresh.validation.verdicts import read_summary

if TYPE_CHECKING:
    import oracledb

    from oracle_refresh.validation.notes import SourceFacts
    from oracle_refresh.validation.pairing import Pairing

#: A control table, or a list of it by the numbers of column and rule (`pairing`).
_OWN = re.compile(r"(REFRESH\$P_[0-9A-F]{12})(?:_\d+){0,2}")


@dataclass(frozen=True)
class RowComparison:
    """The comparison of the rows of a masked table with those that the source has sent (`sending`).

    :ivar salt: the key of the hashes.
    :ivar degree: processes of the database that work on it.
    """

    target: oracledb.Connection
    pairing: Pairing
    source: SourceFacts
    salt: str = field(repr=False)
    degree: int = 1

    def run(self) -> Comparison:
        """Without the LOBs. Errors of the database are raised as they are; the lists are gone then, too.

        :raises ValidationError: where other rows were sent than were noted.
        """
        pairing = self.pairing
        statements.prepare(self.target)
        count, *sent = row(self.target, pairing.sums()) or (0,)
        if count != sum(self.source.copied.shards):
            raise ValidationError(
                f"{sum(self.source.copied.shards)} rows were sent to be compared with, {count} are there:"
                " another try has sent some meanwhile",
                object_name=pairing.table.key,
                step="validation",
                remedy="clear this task: the rows are sent once more",
            )
        with self._lists():
            counted = list(self._row(pairing.compare(self.degree)))
            keys, (paired_rows, changed_rows) = counted[3:5], map(int, counted[5:7])
            checks = self._checks(sent[4:], counted[7:])
        before, after = read_summary([count, *sent[:2]], ()), read_summary(counted[:3], ())
        unpaired = None
        if pairing.parts:
            unpaired = after.rows - paired_rows if pairing.exact else int(keys != sent[2:4])
        return Comparison(before, after, checks, changed_rows, unpaired, pairing.found_by)

    def _row(self, sql: str) -> tuple[Any, ...]:
        """The row that a statement counts on the target."""
        return row(self.target, sql, **named(sql, {**self.pairing.binds, "salt": self.salt})) or ()

    @contextmanager
    def _lists(self) -> Iterator[None]:
        lists = self.pairing.lists
        _drop(self.target, lists)
        try:
            for create in lists.values():
                execute(self.target, create)
            with self.target.cursor() as cursor:
                for insert, entries in self.pairing.entries().items():
                    cursor.executemany(insert, [(entry,) for entry in entries])
            yield
        finally:
            _drop(self.target, lists)

    def _checks(self, sent: list[Any], measured: list[Any]) -> tuple[MaskedCheck, ...]:
        """What was counted of each masked column.

        :param sent: on the source's side, its values and the distinct ones.
        :param measured: in the pass over the target, `MEASURES`.
        """
        apart, totals = self._moved_apart(), self._totals_kept()
        checks = []
        for place, paired in enumerate(self.pairing.columns):
            values = measured[place * len(MEASURES) : (place + 1) * len(MEASURES)]
            counts = {name: None if v is None else int(v) for name, v in zip(MEASURES, values, strict=True)}
            distinct, name = sent[1 + 2 * place], paired.column.name
            checks.append(
                MaskedCheck(
                    name,
                    **counts,  # type: ignore[arg-type]
                    distinct_source=None if distinct is None else int(distinct),
                    totals_kept=totals.get(name),
                    apart=apart.get(name),
                    years=self.source.years.get(name),
                )
            )
        return tuple(checks)

    def _moved_apart(self) -> dict[str, int]:
        """Per column whose dates move with others: the subjects whose dates moved by different days."""
        subjects: dict[str, int] = {}
        for names, sql in self.pairing.together().items():
            subjects |= dict.fromkeys(names, int(self._row(sql)[0]))
        return subjects

    def _totals_kept(self) -> dict[str, bool]:
        """Whether noise kept the totals of the columns for which it is promised."""
        return {
            name: self.source.totals[name] == tuple(map(int, row(self.target, sql) or ()))
            for name, sql in self.pairing.totals(at_scn=False).items()
        }


def drop_hashes(connection: oracledb.Connection, tables: Iterable[str]) -> tuple[str, ...]:
    """Drop the control tables that killed comparisons of these tables (OWNER.NAME) have left in the connected
    user's schema, and name them. DDL commits."""
    own = {control_table(table) for table in tables}
    found = (str(name) for (name,) in rows(connection, CONTROL_TABLES))
    names = tuple(name for name in found if (stem := _OWN.fullmatch(name)) and stem[1] in own)
    _drop(connection, names)
    return names


def _drop(connection: oracledb.Connection, names: Iterable[str]) -> None:
    for name in names:
        execute_tolerating(connection, {"ORA-00942"}, f'DROP TABLE "{name}" PURGE')
