"""The comparison of a masked table with its source row by row, in the target, over keyed hashes. Pure.

There is one row of hashes for each of the source's rows: of the key, of all unmasked columns together, of
each masked column, of the whole row. They are the bytes of few values (see `packing`) in a control table of
the target (`REFRESH$P_...`). The target makes them of the copy, before it is masked: that they are those of
the source's rows is proven by the sums over the hashes of whole rows, which the source computes as well.
Where Python references have to compute something, and where the copy is masked already, the source sends
them. Passes over the masked table join them and count. The key of the hashes is drawn for the comparison and
forgotten after it, so the control table tells nothing; it is dropped all the same.

Rows are found again by the first of these that the table has:

* `key`: a primary or unique key without masked columns;
* `masked key`: one with masked columns, whose values the references mask once more (see `expected`);
* `content`: the hash of the unmasked columns, and of the masked ones that can be computed again, for those
  rows that it tells apart.

A date is kept as its day number plus a pad that follows from the part of the key's hash that is not kept:
what is left after the same pad is taken off again is by how many days the row's date moved.

Source: SQL Language Reference 19c, STANDARD_HASH, PARALLEL hint; the Julian day is the J of TO_CHAR.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

from oracle_refresh.masking.algorithms.proofs import HEAD
from oracle_refresh.oracle.identifiers import Identifier
from oracle_refresh.validation import statements
from oracle_refresh.validation.computed import Computed
from oracle_refresh.validation.control_table import ROW_DIGITS, ControlTable, control_table
from oracle_refresh.validation.copied import CopiedRows
from oracle_refresh.validation.expected import SEPARATOR, Part, key_hash, masked_columns, masked_key
from oracle_refresh.validation.packing import (
    DIGITS,
    RULE_DIGITS,
    SHORT_DIGITS,
    Field,
    Pack,
    digest,
    keyed,
    packed,
)
from oracle_refresh.validation.promises import (
    DAYS,
    SIGN_DIGITS,
    Paired,
    Promise,
    moved_together,
    pad,
    promised,
)

if TYPE_CHECKING:
    from oracle_refresh.catalog import Table
    from oracle_refresh.masking.keys import MasterKey
    from oracle_refresh.masking.rules import ColumnRule

_NEVER = -1


@dataclass
class Pairing:
    """The statements of one comparison; `binds` are those of `source` and `compare` beside salt and scn."""

    table: Table
    masked: frozenset[str]
    columns: tuple[Paired, ...]
    parts: tuple[Part, ...] = ()
    """What a row is found by where its masked values are computed again."""
    scope: Computed = field(default_factory=Computed)

    @classmethod
    def of(cls, table: Table, rules: Sequence[ColumnRule], *, recompute: bool = False) -> Pairing:
        """:param recompute: whether the masking key is at hand, so that masked values can be computed."""
        pairing = cls(table, frozenset(rule.column for rule in rules), ())
        if recompute and pairing.key is None:
            pairing.parts = masked_key(table, rules) or masked_columns(table, rules)
        pairing.columns = promised(table, rules, pairing.scope)
        return pairing

    @property
    def binds(self) -> dict[str, str | int | float]:
        return self.scope.binds

    @property
    def key(self) -> str | None:
        return statements.key_text(self.table, self.masked)

    @property
    def copied(self) -> CopiedRows:
        """What has to be the same on both ends before anything is masked."""
        return CopiedRows(self.table, self.masked)

    @cached_property
    def found_by(self) -> Literal["key", "masked key", "content"]:
        """What finds a row again."""
        if self.key is not None:
            return "key"
        unique = any(
            constraint.type in ("P", "U")
            and constraint.columns == tuple(part.column.name for part in self.parts)
            for constraint in self.table.constraints
        )
        return "masked key" if unique else "content"

    @property
    def exact(self) -> bool:
        """Whether every row has to be found."""
        return self.found_by != "content"

    @cached_property
    def control(self) -> ControlTable:
        """Where the hashes of the source's rows lie in the target."""
        return ControlTable(
            control_table(self.table.key), self._packs(), tuple(name for name, _ in self._days())
        )

    def list_name(self, promise: Promise) -> str:
        return f"{self.control.name}_{promise.name}"

    @property
    def lists(self) -> dict[str, str]:
        """CREATE TABLE of the lists of entries, by name."""
        names = [self.list_name(promise) for promise, _ in self._lists()]
        return {name: f'CREATE TABLE "{name}" (ENTRY VARCHAR2({HEAD} CHAR))' for name in names}

    def entries(self) -> dict[str, tuple[str, ...]]:
        """What goes into the lists, by the statement that inserts it."""
        return {
            f'INSERT INTO "{self.list_name(promise)}" VALUES (:1)': promise.proof.entries
            for promise, _ in self._lists()
        }

    def source(self, condition: str | None = None, partition: str | None = None) -> str:
        """One row for each row of the table AS OF SCN :scn.

        What goes into the control table, hashes or what `sent` makes hashes of; then what is summed up on the
        way (`CopiedRows.summed_up`), beside the row's hash (`ControlTable.whole_row`).

        :param condition: of the rows that are read; `partition`: the only one that is.
        """
        outer = [*(pack.sql for pack in self.control.packs), *(expression for _, expression in self._days())]
        for number, part in enumerate(self.parts, 1):
            outer += [f"X{number}_{place}" for place in range(1, 1 + len(part.source(self.table)))]
        outer += self.copied.summed_up()
        inner = [*self.copied.values(), *self._kept_values()]
        rows = statements.origin(self.table, at_scn=True, condition=condition, partition=partition)
        return f"SELECT {', '.join(outer)}\nFROM ({self._rows(rows, inner)})"

    @property
    def recordable(self) -> bool:
        """Whether all that is needed of the rows can be made in the target (`record`): no Python reference
        computes any of it, LOBs are bound to a key that stays, and the sums that prove it cover every column
        that it is made of."""
        proven = {column.name for column in statements.comparable(self.table)[0]} | set(self.copied.lobs)
        named = {name for each in self.columns for promise in each.promises for name in promise.rule.columns}
        return not self.parts and named <= proven and not (self.copied.lobs and self.copied.key_changes)

    def record(self, condition: str | None = None, partition: str | None = None) -> str:
        """Inserts what `source` selects, but for LOBs, of rows of the copy that are not masked yet, as piece
        :piece."""
        rows = statements.origin(self.table, at_scn=False, condition=condition, partition=partition)
        days = [expression for _, expression in self._days()]
        return self.control.record(days, self._rows(rows, [self.copied.whole_row, *self._kept_values()]))

    def recorded(self) -> str:
        """Rows that are there, and two sums over the hashes of whole rows."""
        return (
            f"SELECT COUNT(*), {', '.join(statements.sums('W'))} FROM {self.control.unpacked(self._quoted)}"
        )

    def sent(self, row: Sequence[Any], salt: str, key: MasterKey | None) -> Sequence[Any]:
        """What goes into the control table of a row that `source` selected, where masked values are computed
        again."""
        assert key is not None, "nothing is computed again without it"
        made = list(row[: self.control.values])
        rest = row[len(made) :]
        first: bytes = made[0]
        own = DIGITS // 2  # bytes of the key's hash, which the row's follows
        texts = [] if self.exact else [first[own : own + ROW_DIGITS // 2].hex().upper()]
        for part in self.parts:
            text, used = part.expected(rest, key)
            texts.append(text)
            rest = rest[used:]
        whole = key_hash(salt, texts)
        made[0] = bytes.fromhex(whole[:DIGITS]) + first[own:]
        for place, number in enumerate(self._dated, len(self.control.packs)):
            if made[place] is not None:
                made[place] = (int(made[place]) + _pad(whole, number)) % DAYS
        return made

    def sums(self) -> str:
        """What is there of the source's rows: their number, two sums over the hashes of whole rows, two over
        those of their unmasked columns, two over their keys; per masked column its values, and its distinct
        ones."""
        sums = ["COUNT(*)", *statements.sums("W"), *statements.sums("R"), *self._key_sums("K")]
        for paired in self.columns:
            sums += [f"COUNT(H{paired.number})", paired.distinct_originals(self.exact)]
        return f"SELECT {', '.join(sums)} FROM {self.control.unpacked(self._quoted)}"

    def compare(
        self,
        condition: str | None = None,
        partition: str | None = None,
        *,
        whole: bool = True,
        degree: int = 1,
    ) -> str:
        """One pass over rows of the masked table, by so many processes of the database.

        Rows, two sums over their hashes; two sums over their keys, rows that were found, rows found with
        other unmasked columns; per masked column in the order of `MEASURES`.

        :param condition: of the rows that are read; `partition`: the only one that is.
        :param whole: whether distinct values are counted, which those of some rows do not add up to.
        """
        outer = ["COUNT(*)", *statements.sums("T.R")]
        outer += [*self._key_sums("T.KEY"), "COUNT(S.K)", "COUNT(CASE WHEN S.R <> T.R THEN 1 END)"]
        joins = []
        for paired in self.columns:
            outer += paired.measures(self.exact, whole)
            n = paired.number
            if any(promise.forbidden for promise in paired.promises):
                own = f"(SELECT DISTINCT {self.control.column(f'H{n}')} AS V FROM {self._quoted})"
                joins.append(f"LEFT JOIN {own} O{n} ON O{n}.V = T.H{n}")
        for promise, _ in self._lists():
            entries = f'(SELECT DISTINCT UPPER(TRIM(ENTRY)) AS E FROM "{self.list_name(promise)}")'
            joins.append(f"LEFT JOIN {entries} E{promise.name} ON E{promise.name}.E = T.V{promise.name}")
        listed = ",\n  ".join(outer)
        found = self._found(condition, partition)
        return f"SELECT {_parallel(degree)}{listed}\nFROM {found}\n" + "\n".join(joins)

    def distinct(self, degree: int = 1) -> dict[tuple[str, ...], str]:
        """For masked columns whose rules are one to one: by their names, a query for the distinct values of
        each in all rows."""
        queries = {}
        one_to_one = [paired for paired in self.columns if paired.distinct(self.exact) != "NULL"]
        for conditional in (False, True):
            columns = [paired for paired in one_to_one if paired.conditional is conditional]
            if columns:
                rows = statements.origin(self.table, at_scn=False)
                hashed = [paired.hashed() for paired in columns]
                found = self._found() if conditional else f"({self._rows(rows, hashed)}) T"
                counted = ", ".join(paired.distinct(self.exact) for paired in columns)
                names = tuple(paired.column.name for paired in columns)
                queries[names] = f"SELECT {_parallel(degree)}{counted}\nFROM {found}"
        return queries

    def together(self) -> dict[tuple[str, ...], str]:
        """For dates that move together: by the names of their columns, a query for the subjects whose dates
        moved by different days."""
        queries = {}
        for number, group in enumerate(self._groups(), 1):
            days = group[0].promises[0].proof.days
            assert days is not None, "a date shift has a range"
            most = max(map(abs, days))
            moved = [
                f"CASE WHEN {each.within(most)} THEN {each.moved(each.promises[0], most)} END"
                for each in group
            ]
            largest = _extreme("GREATEST", [f"NVL(MAX({each}), {_NEVER})" for each in moved])
            least = _extreme("LEAST", [f"NVL(MIN({each}), {DAYS})" for each in moved])
            queries[tuple(each.column.name for each in group)] = (
                f"SELECT COUNT(*) FROM (SELECT S.G{number} FROM {self._found()}\n"
                f"WHERE S.G{number} IS NOT NULL GROUP BY S.G{number}\nHAVING {largest} > {least})"
            )
        return queries

    def ranges_of_days(self) -> dict[str, tuple[int, int]]:
        """By how many days the dates of columns may move, for those that are all moved by one rule."""
        return {
            paired.column.name: days
            for paired in self.columns
            if (days := paired.promises[0].proof.days) and not paired.conditional
        }

    def totals(self, *, at_scn: bool) -> dict[str, str]:
        """For columns whose totals noise keeps: `statements.totals`."""
        return {
            paired.column.name: statements.totals(
                self.table, paired.column.name, proof.group, self.masked, at_scn=at_scn
            )
            for paired in self.columns
            if (proof := paired.promises[0].proof).totals and not paired.conditional
        }

    def _groups(self) -> tuple[tuple[Paired, ...], ...]:
        """Dates of one subject, unless each subject has one date only."""
        kept = statements.key_columns(self.table, self.masked)
        return tuple(
            group
            for group in moved_together(self.columns)
            if len(group) > 1 or kept != group[0].promises[0].rule.algorithm.reads
        )

    def _found(self, condition: str | None = None, partition: str | None = None) -> str:
        """Masked rows as T with the hashes of the source's as S."""
        rows = statements.origin(self.table, at_scn=False, condition=condition, partition=partition)
        return (
            f"(SELECT Q.*, {digest('Q.K', DIGITS)} AS KEY\nFROM ("
            f"{self._rows(rows, self._tested_values())}) Q) T\nLEFT JOIN {self._others()} S ON S.K = T.KEY"
        )

    def _others(self) -> str:
        """The source's rows; those that nothing tells apart are left out."""
        if self.exact:
            return self.control.unpacked(self._quoted)
        names = [*(pack.name for pack in self.control.packs), *self.control.days]
        listed = ", ".join(f"MIN({name}) AS {name}" for name in names)
        alone = f"SELECT {listed} FROM {self._quoted} GROUP BY {self.control.column('K')} HAVING COUNT(*) = 1"
        return self.control.unpacked(f"({alone})")

    @property
    def _quoted(self) -> str:
        return Identifier(self.control.name).sql

    def _key_sums(self, key: str) -> list[str]:
        """SQL: two sums over the keys, where nothing else says whether the rows are the same."""
        return statements.sums(key) if self.parts and not self.exact else ["NULL", "NULL"]

    @cached_property
    def _dated(self) -> list[int]:
        """The numbers of the columns whose days are kept."""
        return [paired.number for paired in self.columns if paired.dates]

    def _days(self) -> list[tuple[str, str]]:
        """Name and SQL of the days that are kept."""
        return [
            (f"D{n}", f"D{n}" if self.parts else f"MOD(D{n} + {pad('K', n)}, {DAYS})") for n in self._dated
        ]

    def _packs(self) -> tuple[Pack, ...]:
        """What is kept of a row in bytes; the hash of the key may be filled in on the way."""
        key = Field.zeros("K", DIGITS) if self.parts else Field.hashed("K", DIGITS, "K")
        fields = [key, Field.hashed("R", ROW_DIGITS, "R")]
        for paired in self.columns:
            n = paired.number
            fields.append(Field.hashed(f"H{n}", DIGITS, f"H{n}"))
            if paired.sign is None:
                fields.append(Field.text(f"M{n}", SIGN_DIGITS, f"M{n}"))
            if paired.conditional:
                fields.append(Field.number(f"B{n}", RULE_DIGITS, f"B{n}"))
            if paired.kept:
                fields.append(Field.hashed(f"F{n}", SHORT_DIGITS, f"F{n}"))
        for number, _ in enumerate(self._groups(), 1):
            fields.append(Field.hashed(f"G{number}", DIGITS, f"G{number}"))
        return packed([*fields, Field.hashed("W", ROW_DIGITS, "W")])

    def _lists(self) -> list[tuple[Promise, Paired]]:
        return [(p, paired) for paired in self.columns for p in paired.promises if p.proof.entries]

    def _rows(self, rows: str, values: Sequence[str]) -> str:
        """SQL: values of rows as `statements.origin` gives them, each computed once."""
        listed = ",\n  ".join(values)
        return f"SELECT /*+ NO_MERGE */\n  {listed}\nFROM {self.scope.over(self.table, rows, self.masked)}"

    def _kept_values(self) -> list[str]:
        """SQL over the source's row: what else is kept of it."""
        values = [f"{self.copied.row} AS R"]
        values += [] if self.parts else [f"{keyed(self._row_key())} AS K"]
        for paired in self.columns:
            values += paired.originals()
        for number, group in enumerate(self._groups(), 1):
            (subject,) = group[0].promises[0].rule.algorithm.reads
            text = statements.canonical(statements.column_of(self.table, subject))
            some = f"T.{Identifier(subject).sql} IS NOT NULL"
            values.append(f"CASE WHEN {some} THEN {keyed(str(text))} END AS G{number}")
        for number, part in enumerate(self.parts, 1):
            values += [f"{sql} AS X{number}_{n}" for n, sql in enumerate(part.source(self.table), 1)]
        return values

    def _tested_values(self) -> list[str]:
        """SQL over the masked row: what is compared with what was kept, and the tests of the rules."""
        values = [f"{keyed(self._row_key())} AS K", f"{digest(self.copied.row, ROW_DIGITS)} AS R"]
        for paired in self.columns:
            values += paired.tested()
        return values

    def _row_key(self) -> str:
        if self.key is not None or not self.parts:
            return self.key or f"RAWTOHEX({self.copied.row})"
        texts = [] if self.exact else [f"SUBSTR(RAWTOHEX({self.copied.row}), 1, {ROW_DIGITS})"]
        texts += [part.sql for part in self.parts]
        return f" || CHR({ord(SEPARATOR)}) || ".join(texts)


def _parallel(degree: int) -> str:
    return f"/*+ PARALLEL({degree}) */ " if degree > 1 else ""


def _extreme(function: str, values: list[str]) -> str:
    return values[0] if len(values) == 1 else f"{function}({', '.join(values)})"


def _pad(key: str, number: int) -> int:
    """What `promises.pad` is in SQL."""
    return int(hashlib.sha256(f"{key}:{number}".encode()).hexdigest()[:12], 16) % DAYS
