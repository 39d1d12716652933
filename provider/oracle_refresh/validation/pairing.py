"""The comparison of a masked table with its source row by row, in the target, over keyed hashes. Pure.

The source sends one row of hashes for each of its rows: of the key, of all unmasked columns together, of each
masked column. They lie in a control table of the target (`REFRESH$P_...`) while one pass over the masked
table joins them and counts. The key of the hashes is drawn for the comparison and forgotten after it, so the
control table tells nothing; it is dropped all the same. Without a primary or unique key that is not masked,
the hash of the unmasked columns stands for the key, for those rows that it tells apart.

A date is sent as its day number plus a pad that follows from the part of the key's hash that is not sent:
what is left after the same pad is taken off again is by how many days the row's date moved.

Source: SQL Language Reference 19c, STANDARD_HASH; the Julian day is the J of TO_CHAR.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from oracle_refresh.identifiers import Identifier
from oracle_refresh.masking.fit import redaction_of
from oracle_refresh.masking.rules import by_column
from oracle_refresh.validation import statements
from oracle_refresh.validation.formats import HEAD, Format, format_of

if TYPE_CHECKING:
    from oracle_refresh.catalog import Column, Table
    from oracle_refresh.masking.rules import ColumnRule

#: Hex digits that tell rows and values apart: 10^9 of them meet by chance with a probability of 10^-6.
DIGITS = 20
#: Hex digits of a row's hash that are summed up.
ROW_DIGITS = 30
#: Larger than any day number, and what pads are taken from.
DAYS = 10_000_000
CONTROL_TABLES = """\
SELECT TABLE_NAME FROM USER_TABLES WHERE TABLE_NAME LIKE 'REFRESH$P!_%' ESCAPE '!' ORDER BY TABLE_NAME"""


def no_original(rules: Sequence[ColumnRule]) -> bool:
    """Whether no masked value can be an original: what comes out is nothing that anybody had."""
    only = rules[0]
    return (
        len(rules) == 1
        and only.where is None
        and only.algorithm.guarantees.unique == "practically"
        and not only.algorithm.empties
    )


@dataclass(frozen=True)
class Paired:
    """A masked column in the comparison."""

    number: int
    column: Column
    rules: tuple[ColumnRule, ...]
    format: Format
    redaction: str | None
    """The placeholder of what stands for values that do not conform."""

    @property
    def name(self) -> str:
        return f"T.{Identifier(self.column.name).sql}"

    @property
    def forbidden(self) -> bool:
        return no_original(self.rules)

    @property
    def one_to_one(self) -> bool:
        only = self.rules[0]
        return len(self.rules) == 1 and only.policy == "fail" and only.algorithm.guarantees.unique == "always"


@dataclass
class Pairing:
    """The statements of one comparison; `binds` are those of `source` and `compare` beside salt and scn."""

    table: Table
    masked: frozenset[str]
    columns: tuple[Paired, ...]
    binds: dict[str, str | int | float] = field(default_factory=dict)
    computed: list[str] = field(default_factory=list)
    """Expressions that are computed once for each row."""

    @classmethod
    def of(cls, table: Table, rules: Sequence[ColumnRule]) -> Pairing:
        pairing = cls(table, frozenset(rule.column for rule in rules), ())
        found = []
        grouped = by_column(rules)
        for number, name in enumerate(sorted(grouped), 1):
            column = statements.column_of(table, name)
            redaction = None
            if column.is_character and any(rule.policy == "redact" for rule in grouped[name]):
                redaction = pairing.bind(redaction_of(column))
            promised = format_of(grouped[name], column, pairing)
            found.append(Paired(number, column, grouped[name], promised, redaction))
        pairing.columns = tuple(found)
        return pairing

    def bind(self, value: str | int | float) -> str:
        name = f"c{len(self.binds) + 1}"
        self.binds[name] = value
        return f":{name}"

    def once(self, expression: str) -> str:
        if expression not in self.computed:
            self.computed.append(expression)
        return f"T.Z{self.computed.index(expression) + 1}"

    @property
    def key(self) -> str | None:
        return statements.key_text(self.table, self.masked)

    @property
    def name(self) -> str:
        """The control table: one of each table, so that a repeated task finds what a killed one left."""
        return f"REFRESH$P_{hashlib.sha256(self.table.key.encode()).hexdigest()[:12].upper()}"

    def list_name(self, paired: Paired) -> str:
        return f"{self.name}_{paired.number}"

    @property
    def creates(self) -> dict[str, str]:
        """CREATE TABLE of the control table and of the lists of entries, by name."""
        parts = [f"K VARCHAR2({DIGITS})", f"R VARCHAR2({ROW_DIGITS})"]
        for paired in self.columns:
            parts += [f"{name} {kind}" for name, kind, _ in self._sent(paired)]
        made = {self.name: f'CREATE TABLE "{self.name}" ({", ".join(parts)})'}
        for paired in self.columns:
            if paired.format.entries:
                name = self.list_name(paired)
                made[name] = f'CREATE TABLE "{name}" (ENTRY VARCHAR2({HEAD} CHAR))'
        return made

    @property
    def insert(self) -> str:
        count = 2 + sum(len(self._sent(paired)) for paired in self.columns)
        places = ", ".join(f":{place}" for place in range(1, count + 1))
        return f'INSERT INTO "{self.name}" VALUES ({places})'

    def entries(self) -> dict[str, tuple[str, ...]]:
        """What goes into the lists, by the statement that inserts it."""
        return {
            f'INSERT INTO "{self.list_name(paired)}" VALUES (:1)': paired.format.entries
            for paired in self.columns
            if paired.format.entries
        }

    def source(self) -> str:
        """One row of hashes for each row of the table AS OF SCN :scn."""
        outer = [f"SUBSTR(K, 1, {DIGITS})", "R"]
        for paired in self.columns:
            outer += [expression for _, _, expression in self._sent(paired)]
        return f"SELECT {', '.join(outer)}\nFROM ({self._rows(' AS OF SCN :scn', True)})"

    def sums(self) -> str:
        """What the source has sent: rows, two sums over their hashes; per masked column its values."""
        found = ["COUNT(*)", *statements.sums("R")]
        for paired in self.columns:
            found.append(f"COUNT(H{paired.number})")
            found.append(f"COUNT(DISTINCT H{paired.number})" if paired.one_to_one else "0")
        return f'SELECT {", ".join(found)} FROM "{self.name}"'

    def compare(self, lobs: tuple[str, ...]) -> str:
        """One pass over the masked table.

        Rows, two sums over their hashes; per LOB column as `statements.summary`; rows that were found, rows
        found with other unmasked columns; per masked column in the order of `MEASURES`.
        """
        outer = ["COUNT(*)", *statements.sums("T.R")]
        for number in range(1, len(lobs) + 1):
            outer += [f"COUNT(P{number})", f"NVL(SUM(N{number}), 0)", *statements.sums(f"T.L{number}")]
        outer += ["COUNT(S.K)", "COUNT(CASE WHEN S.R <> T.R THEN 1 END)"]
        joins = []
        for paired in self.columns:
            outer += self._measures(paired)
            n = paired.number
            if paired.forbidden:
                own = f'(SELECT DISTINCT SUBSTR(H{n}, 2) AS V FROM "{self.name}")'
                joins.append(f"LEFT JOIN {own} O{n} ON O{n}.V = T.H{n}")
            if paired.format.entries:
                entries = f'(SELECT DISTINCT UPPER(TRIM(ENTRY)) AS E FROM "{self.list_name(paired)}")'
                joins.append(f"LEFT JOIN {entries} E{n} ON E{n}.E = T.V{n}")
        listed = ",\n  ".join(outer)
        return (
            f"SELECT {listed}\nFROM (SELECT Q.*, SUBSTR(Q.K, 1, {DIGITS}) AS KEY\nFROM ("
            f"{self._rows('', False, lobs)}) Q) T\nLEFT JOIN {self._others()} S ON S.K = T.KEY\n"
            + "\n".join(joins)
        )

    def _others(self) -> str:
        """The source's rows; those that nothing tells apart are left out."""
        if self.key is not None:
            return f'"{self.name}"'
        names = [name for paired in self.columns for name, _, _ in self._sent(paired)]
        listed = "".join(f", MIN({name}) AS {name}" for name in ("R", *names))
        return f'(SELECT K{listed} FROM "{self.name}" GROUP BY K HAVING COUNT(*) = 1)'

    def _sent(self, paired: Paired) -> list[tuple[str, str, str]]:
        """Column, type and expression of what the source sends of a masked column."""
        n = paired.number
        found = [(f"H{n}", f"VARCHAR2({DIGITS + 1})", f"M{n} || H{n}")]
        if paired.format.kept:
            found.append((f"F{n}", "VARCHAR2(8)", f"F{n}"))
        if paired.format.days:
            found.append((f"D{n}", "NUMBER(8)", f"MOD(D{n} + {_pad('K', n)}, {DAYS})"))
        return found

    def _rows(self, scn: str, source: bool, lobs: tuple[str, ...] = ()) -> str:
        table = self.table
        columns, _ = statements.comparable(table)
        plain = tuple(column for column in columns if column.name not in self.masked)
        row = f"SUBSTR({statements.row_hash(plain)}, 1, {ROW_DIGITS})"
        inner = [f"RAWTOHEX(STANDARD_HASH(:salt || {self.key or row}, 'SHA256')) AS K", f"{row} AS R"]
        for number, name in enumerate(lobs, 1):
            inner += statements.lob_parts(table, name, number, self.key, f"L{number}")
        for paired in self.columns:
            n, some = paired.number, f"{paired.name} IS NOT NULL"
            whole = f"RAWTOHEX(STANDARD_HASH(:salt || {_content(paired.column)}, 'SHA256'))"
            hashed = f"SUBSTR({whole}, 1, {DIGITS})"
            inner.append(f"CASE WHEN {some} THEN {hashed} END AS H{n}")
            if source:
                inner.append(f"CASE WHEN {some} THEN {_must_change(paired.rules)} END AS M{n}")
            elif paired.format.always:
                inner.append(f"CASE WHEN {some} THEN {self._misfit(paired)} END AS A{n}")
            elif paired.format.entries:
                text = statements.canonical(paired.column)
                inner.append(f"UPPER(TRIM({text})) AS V{n}")
                inner.append(f"CASE WHEN {self._redacted(paired)} THEN 1 END AS A{n}")
            if paired.format.kept:
                kept = f"SUBSTR(RAWTOHEX(STANDARD_HASH('.' || {paired.format.kept}, 'SHA256')), 1, 8)"
                if not source and paired.redaction:
                    kept = f"CASE WHEN NOT ({self._redacted(paired)}) THEN {kept} END"
                inner.append(f"CASE WHEN {some} THEN {kept} END AS F{n}")
            if paired.format.days:
                inner.append(f"TO_NUMBER(TO_CHAR({paired.name}, 'J')) AS D{n}")
        listed = ",\n  ".join(inner)
        return f"SELECT /*+ NO_MERGE */\n  {listed}\nFROM {self._read(scn)} T"

    def _read(self, scn: str) -> str:
        """The table, with what is computed once."""
        if not self.computed:
            return f"{self.table.sql}{scn}"
        known = {column.name for column in statements.comparable(self.table)[0]} | self.masked
        names = [
            f"T.{Identifier(column.name).sql}"
            for column in self.table.columns
            if column.is_lob or column.name in known
        ]
        names += [f"{expression} AS Z{number}" for number, expression in enumerate(self.computed, 1)]
        return f"(SELECT /*+ NO_MERGE */ {', '.join(names)}\nFROM {self.table.sql}{scn} T)"

    def _misfit(self, paired: Paired) -> str:
        also = f" OR {self._redacted(paired)}" if paired.redaction else ""
        return f"CASE WHEN {paired.format.always}{also} THEN 0 ELSE 1 END"

    def _redacted(self, paired: Paired) -> str:
        return f"{paired.name} = {paired.redaction}" if paired.redaction else "1 = 0"

    def _measures(self, paired: Paired) -> list[str]:
        n, form = paired.number, paired.format
        misfits = shifted = reshaped = "NULL"
        if form.always:
            misfits = f"COUNT(CASE WHEN T.A{n} = 1 THEN 1 END)"
        elif form.entries:
            misfits = f"COUNT(CASE WHEN T.H{n} IS NOT NULL AND E{n}.E IS NULL AND T.A{n} IS NULL THEN 1 END)"
        if form.kept:
            reshaped = f"COUNT(CASE WHEN S.F{n} <> T.F{n} THEN 1 END)"
        if form.days:
            most = max(map(abs, form.days))
            moved = f"MOD(T.D{n} + {_pad('T.K', n)} - S.D{n} + {DAYS} + {most}, {DAYS})"
            # Dates at the ends of the calendar move inwards, so by the opposite of the range.
            within = f"T.D{n} BETWEEN {_FIRST_DAY + 2 * most} AND {_LAST_DAY - 2 * most}"
            low, high = (
                f"CASE WHEN {within} THEN {edge + most} ELSE {outermost} END"
                for edge, outermost in zip(form.days, (0, 2 * most), strict=True)
            )
            wrong = f"NOT ({moved} BETWEEN {low} AND {high})"
            shifted = f"COUNT(CASE WHEN S.D{n} IS NOT NULL AND T.D{n} IS NOT NULL AND {wrong} THEN 1 END)"
        same = f"S.H{n} = {{}} || T.H{n}"
        return [
            f"COUNT(T.H{n})",
            f"COUNT(CASE WHEN S.H{n} IS NOT NULL AND T.H{n} IS NOT NULL THEN 1 END)",
            f"COUNT(CASE WHEN {same.format(_CHANGES)} THEN 1 END)",
            f"COUNT(CASE WHEN {same.format(_MAY_STAY)} THEN 1 END)",
            f"COUNT(CASE WHEN S.K IS NOT NULL AND S.H{n} IS NULL AND T.H{n} IS NOT NULL THEN 1 END)",
            f"COUNT(CASE WHEN S.H{n} IS NOT NULL AND T.H{n} IS NULL THEN 1 END)",
            f"COUNT(O{n}.V)" if paired.forbidden else "NULL",
            misfits,
            reshaped,
            shifted,
            f"COUNT(DISTINCT T.H{n})" if paired.one_to_one else "NULL",
        ]


#: What `compare` counts of a masked column, as fields of `MaskedCheck`.
MEASURES = (
    *("count", "compared", "unchanged", "allowed", "filled", "emptied"),
    *("leaked", "misfits", "reshaped", "shifted", "distinct"),
)
_CHANGES, _MAY_STAY = "'1'", "'0'"
#: Julian days of the ends of Oracle's calendar, 4712 B.C. and 9999.
_FIRST_DAY, _LAST_DAY = 1, 5373484


def _must_change(rules: tuple[ColumnRule, ...]) -> str:
    """SQL: '1' where the first rule whose condition holds changes every value, '0' elsewhere."""
    signs = [_CHANGES if rule.algorithm.guarantees.changes else _MAY_STAY for rule in rules]
    pairs = zip(rules, signs, strict=True)
    cases = [f"WHEN {rule.where.sql()} THEN {sign}" for rule, sign in pairs if rule.where]
    rest = signs[-1] if rules[-1].where is None else _MAY_STAY
    return f"CASE {' '.join(cases)} ELSE {rest} END" if cases else rest


def _pad(key: str, number: int) -> str:
    """SQL: a number below DAYS that only who has the whole hash of the row's key can compute."""
    digits = f"SUBSTR(RAWTOHEX(STANDARD_HASH({key} || ':{number}', 'SHA256')), 1, 12)"
    return f"MOD(TO_NUMBER({digits}, '{'X' * 12}'), {DAYS})"


def _content(column: Column) -> str:
    """SQL: what is hashed of a masked column. Of LOBs it is the length and the first characters or bytes: a
    document that was left as it is cannot have others."""
    name = f"T.{Identifier(column.name).sql}"
    if column.is_lob:
        head = f"DBMS_LOB.SUBSTR({name}, {HEAD}, 1)"
        head = f"RAWTOHEX({head})" if column.data_type == "BLOB" else head
        return f"TO_CHAR(DBMS_LOB.GETLENGTH({name})) || ':' || {head}"
    text = statements.canonical(column) or f"TO_CHAR({name})"
    if statements.width(column) > statements.GROUP_BYTES:
        return f"RAWTOHEX(STANDARD_HASH({text}, 'SHA256'))"
    return text
