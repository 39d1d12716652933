"""The run of a row-by-row comparison: a masked table against hashes of the source's rows."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from oracle_refresh.oracle.errors import ValidationError
from oracle_refresh.oracle.session import execute, execute_tolerating, named, row, rows
from oracle_refresh.validation import statements
from oracle_refresh.validation.control_table import CONTROL_TABLES, control_table
from oracle_refresh.validation.model import Comparison, MaskedCheck
from oracle_refresh.validation.notes import PIECE_COUNTED, Counted
from oracle_refresh.validation.promises import MEASURES
from oracle_refresh.validation.summing import Question
from oracle_refresh.validation.verdicts import read_summary

if TYPE_CHECKING:
    import oracledb

    from oracle_refresh.validation.notes import SourceFacts
    from oracle_refresh.validation.pairing import Pairing

#: A control table, or a list of it by the numbers of column and rule (`pairing`).
_OWN = re.compile(r"(REFRESH\$P_[0-9A-F]{12})(?:_\d+){0,2}")


@dataclass(frozen=True)
class RowComparison:
    """The comparison of the rows of a masked table with the source's (`row_hashes`).

    :ivar salt: the key of the hashes.
    :ivar count: answers a question about the masked rows, `in_pieces` or in one statement.
    :ivar degree: processes of the database that work on a statement about all rows.
    """

    target: oracledb.Connection
    pairing: Pairing
    source: SourceFacts
    salt: str = field(repr=False)
    count: Callable[[Question[Counted]], Counted]
    in_pieces: bool = False
    degree: int = 1

    def run(self) -> Comparison:
        """Without the LOBs. Errors of the database are raised as they are; the lists are gone then, too.

        :raises ValidationError: where hashes of other rows are there than were noted.
        """
        pairing = self.pairing
        statements.prepare(self.target)
        count, *whole_and_sent = row(self.target, pairing.sums()) or (0,)
        noted = replace(self.source.copied, rows=sum(self.source.copied.shards))
        there, sent = read_summary([count, *whole_and_sent[:2]], ()), whole_and_sent[2:]
        if (there.rows, there.checksum) != (noted.rows, noted.checksum):
            raise self._spoiled(
                f"hashes of {noted.rows} rows were kept to be compared with, {there.rows} are there"
                f"{'' if there.rows != noted.rows else ', others'}"
            )
        with self._lists():
            counted = self.count(self._question).numbers
            keys, (paired_rows, changed_rows) = counted[3:5], (number or 0 for number in counted[5:7])
            checks = self._checks(sent[4:], counted[7:])
        before, after = read_summary([count, *sent[:2]], ()), read_summary(counted[:3], ())
        if pairing.found_by == "key" and before == after and paired_rows != after.rows:
            # Their hashes are there, and their keys are: what was counted was counted while they were not.
            raise self._spoiled(
                f"{after.rows - paired_rows} rows were not found among the hashes kept of them"
            )
        unpaired = None
        if pairing.parts:
            unpaired = after.rows - paired_rows if pairing.exact else int(keys != tuple(sent[2:4]))
        return Comparison(before, after, checks, changed_rows, unpaired, pairing.found_by)

    def _spoiled(self, found: str) -> ValidationError:
        return ValidationError(
            f"{found}: another try has changed some meanwhile",
            object_name=self.pairing.table.key,
            step="validation",
            remedy="clear this task: the source sends them once more",
        )

    @property
    def _binds(self) -> dict[str, Any]:
        return {**self.pairing.binds, "salt": self.salt}

    @property
    def _question(self) -> Question[Counted]:
        degree = 1 if self.in_pieces else self.degree
        compare = partial(self.pairing.compare, whole=not self.in_pieces, degree=degree)
        return Question(self.pairing.table.key, PIECE_COUNTED, compare, _counted, _added, self._binds)

    def _row(self, sql: str) -> tuple[Any, ...]:
        """The row that a statement counts on the target."""
        return row(self.target, sql, **named(sql, self._binds)) or ()

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
            self.target.commit()  # other sessions count pieces
            yield
        finally:
            _drop(self.target, lists)

    def _checks(self, sent: list[Any], measured: Sequence[int | None]) -> tuple[MaskedCheck, ...]:
        """What was counted of each masked column.

        :param sent: on the source's side, its values and the distinct ones.
        :param measured: in the pass over the target, `MEASURES`.
        """
        apart, totals, distinct_masked = self._moved_apart(), self._totals_kept(), self._distinct()
        checks = []
        for place, paired in enumerate(self.pairing.columns):
            values = measured[place * len(MEASURES) : (place + 1) * len(MEASURES)]
            distinct, name = sent[1 + 2 * place], paired.column.name
            counts = dict(zip(MEASURES, values, strict=True))
            counts |= {"distinct": distinct_masked[name]} if name in distinct_masked else {}
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

    def _distinct(self) -> dict[str, int]:
        """The distinct values of columns, where the pass over the target has not counted them."""
        counted: dict[str, int] = {}
        for names, sql in (self.pairing.distinct(self.degree) if self.in_pieces else {}).items():
            counted |= zip(names, map(int, self._row(sql)), strict=True)
        return counted

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


def _counted(numbers: Sequence[Any]) -> Counted:
    """The row that `Pairing.compare` selects."""
    return Counted(int(numbers[0]), tuple(None if number is None else int(number) for number in numbers))


def _added(parts: Iterable[Counted]) -> Counted:
    columns = zip(*(part.numbers for part in parts), strict=True)
    sums = [[number for number in column if number is not None] for column in columns]
    numbers = tuple(sum(column) if column else None for column in sums)
    return Counted(numbers[0] or 0, numbers)


def drop_hashes(connection: oracledb.Connection, tables: Iterable[str]) -> tuple[str, ...]:
    """Drop the control tables that killed comparisons of these tables (OWNER.NAME) have left in the connected
    user's schema, and name them. DDL commits."""
    own = {control_table(table) for table in tables}
    found = (str(name) for (name,) in rows(connection, CONTROL_TABLES))
    names = tuple(name for name in found if (stem := _OWN.fullmatch(name)) and stem[1] in own)
    _drop(connection, names)
    return names


def _drop(connection: oracledb.Connection, names: Iterable[str]) -> None:
    for number, name in enumerate(names):
        if not number:
            statements.wait_for_locks(connection)
        execute_tolerating(connection, {"ORA-00942"}, f'DROP TABLE "{name}" PURGE')
