"""A masked column in the comparison: what each of its rules promises, and how that is counted. Pure.

The rule that masks a row is known only while its condition sees the originals. So which rule it is stands
beside the hashes, and the tests of a conditional rule look at the rows of that rule. A rule without a
condition is tested on every row of the target, found or not.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from oracle_refresh.masking.algorithms.proofs import Proof, Scope
from oracle_refresh.masking.fit import redaction_of
from oracle_refresh.masking.rules import by_column
from oracle_refresh.oracle.identifiers import Identifier
from oracle_refresh.validation import statements
from oracle_refresh.validation.expected import which_rule
from oracle_refresh.validation.packing import DIGITS, SHORT_DIGITS, content, digest, keyed, unkeyed

if TYPE_CHECKING:
    from oracle_refresh.catalog import Column, Table
    from oracle_refresh.masking.rules import ColumnRule

#: Larger than any day number, and what pads are taken from.
DAYS = 10_000_000
#: What a comparison counts of a masked column, as fields of `MaskedCheck`.
MEASURES = (
    *("count", "compared", "unchanged", "allowed", "filled", "emptied", "leaked", "misfits", "reshaped"),
    *("shifted", "distinct", "valid"),
)
#: Signs of a value that has to change, and of one that need not, in hexadecimal digits.
CHANGES, MAY_STAY = "'01'", "'00'"
SIGN_DIGITS = 2
#: Julian days of the ends of Oracle's calendar, 4712 B.C. and 9999.
_FIRST_DAY, _LAST_DAY = 1, 5373484


@dataclass(frozen=True)
class Promise:
    """What one rule of a column promises."""

    name: str
    """The column's number, and the rule's where there are several: part of the names of expressions."""
    place: int | None
    """Which of the column's rules it is, from 1, where not every row is masked by it."""
    rule: ColumnRule
    proof: Proof
    redaction: str | None
    """The placeholder of what stands for values that do not conform."""

    @property
    def forbidden(self) -> bool:
        """Whether no masked value can be an original: what comes out is nothing that anybody had."""
        return self.rule.algorithm.guarantees.unique == "practically" and not self.rule.algorithm.empties

    @property
    def one_to_one(self) -> bool:
        return self.rule.policy == "fail" and self.rule.algorithm.guarantees.unique == "always"


@dataclass(frozen=True)
class Paired:
    """A masked column in the comparison."""

    number: int
    column: Column
    promises: tuple[Promise, ...]

    @property
    def name(self) -> str:
        return f"T.{Identifier(self.column.name).sql}"

    @property
    def conditional(self) -> bool:
        """Whether the source says which rule masks a row."""
        return self.promises[0].place is not None

    @property
    def dates(self) -> bool:
        return any(promise.proof.days for promise in self.promises)

    @property
    def kept(self) -> str | None:
        """SQL: what the rule of a row keeps, None where no rule keeps anything."""
        by_rule = [(promise.place, promise.proof.kept) for promise in self.promises if promise.proof.kept]
        if not by_rule or not self.conditional:
            return by_rule[0][1] if by_rule else None
        cases = " ".join(f"WHEN {place} THEN {kept}" for place, kept in by_rule)
        return f"CASE {self.rule_of_row} {cases} END"

    @property
    def rule_of_row(self) -> str:
        return which_rule(tuple(promise.rule for promise in self.promises))

    @property
    def sign(self) -> str | None:
        """Whether every value has to change, or none, as a sign; None where the row decides."""
        only = self.promises[0]
        if self.conditional or self.column.is_lob or only.proof.changes:
            return None
        return self._sign(only)

    def must_change(self) -> str:
        """SQL over the source's row: the sign that the first rule whose condition holds changes the value."""
        signs = [self._sign(promise) for promise in self.promises]
        if self.conditional:
            cases = " ".join(f"WHEN {n} THEN {sign}" for n, sign in enumerate(signs, 1))
            sign = f"CASE {self.rule_of_row} {cases} ELSE {MAY_STAY} END"
        else:
            sign = signs[0]
        if self.column.is_lob:  # an empty document stays empty
            sign = f"CASE WHEN DBMS_LOB.GETLENGTH({self.name}) > 0 THEN {sign} ELSE {MAY_STAY} END"
        return sign

    @staticmethod
    def _sign(promise: Promise) -> str:
        if promise.rule.algorithm.guarantees.changes:
            return CHANGES
        if promise.proof.changes:
            return f"CASE WHEN {promise.proof.changes} THEN {CHANGES} ELSE {MAY_STAY} END"
        return MAY_STAY

    def measures(self, exact: bool, whole: bool) -> list[str]:
        """SQL over T, the masked row, and S, the source's: one expression for each of `MEASURES`.

        :param whole: whether these are all rows: distinct values of some do not add up, and are not counted.
        """
        n = self.number
        shifted = (self._shifted(each) for each in self.promises if each.proof.days)
        return [
            f"COUNT(T.H{n})",
            f"COUNT(CASE WHEN S.H{n} IS NOT NULL AND T.H{n} IS NOT NULL THEN 1 END)",
            self._same(CHANGES),
            self._same(MAY_STAY),
            f"COUNT(CASE WHEN S.K IS NOT NULL AND S.H{n} IS NULL AND T.H{n} IS NOT NULL THEN 1 END)",
            f"COUNT(CASE WHEN S.H{n} IS NOT NULL AND T.H{n} IS NULL THEN 1 END)",
            _sum(self._count(p, f"O{n}.V IS NOT NULL") for p in self.promises if p.forbidden),
            _sum(self._count(p, test) for p in self.promises if (test := _misfit(p, n))),
            _sum(self._count(p, f"S.F{n} <> T.F{p.name}") for p in self.promises if p.proof.kept),
            _sum(shifted),
            self.distinct(exact) if whole else "NULL",
            _sum(f"COUNT(T.W{p.name})" for p in self.promises if p.proof.valid and p.place is None),
        ]

    def distinct(self, exact: bool) -> str:
        """SQL over T and S: the distinct values of the rules that are one to one.

        :param exact: whether every row of the target should be found: only then can those of a rule with a
            condition be counted.
        """
        return _sum(self._distinct(p) for p in self.promises if p.one_to_one and (p.place is None or exact))

    def originals(self) -> list[str]:
        """SQL over the source's row: what is kept of the column."""
        n, some = self.number, f"{self.name} IS NOT NULL"
        parts = [f"CASE WHEN {some} THEN {keyed(content(self.column))} END AS H{n}", *self._day()]
        if self.sign is None:
            parts.append(f"{self.must_change()} AS M{n}")
        if self.conditional:
            parts.append(f"{self.rule_of_row} AS B{n}")
        if self.kept:
            parts.append(f"CASE WHEN {some} THEN {unkeyed(self.kept, self.column)} END AS F{n}")
        return parts

    def tested(self) -> list[str]:
        """SQL over the masked row: what is compared with what was kept, and the tests of the rules."""
        some = f"{self.name} IS NOT NULL"
        parts = [self.hashed(), *self._day()]
        for promise in self.promises:
            name, proof = promise.name, promise.proof
            redacted = f"{self.name} = {promise.redaction}" if promise.redaction else None
            if proof.always:
                right = f"{proof.always} OR {redacted}" if redacted else proof.always
                parts.append(f"CASE WHEN {some} THEN CASE WHEN {right} THEN 0 ELSE 1 END END AS A{name}")
            elif proof.entries:
                entry = proof.entry or f"UPPER(TRIM({statements.canonical(self.column)}))"
                excused = " OR ".join(test for test in (proof.excused, redacted) if test) or "1 = 0"
                parts += [f"{entry} AS V{name}", f"CASE WHEN {excused} THEN 1 END AS A{name}"]
            if proof.kept:
                kept = digest(unkeyed(proof.kept, self.column), SHORT_DIGITS)
                if redacted:
                    kept = f"CASE WHEN NOT ({redacted}) THEN {kept} END"
                parts.append(f"CASE WHEN {some} THEN {kept} END AS F{name}")
            if proof.valid:
                parts.append(f"CASE WHEN {proof.valid} THEN 1 END AS W{name}")
        return parts

    def hashed(self) -> str:
        """SQL over the masked row: the hash of its value."""
        own = digest(keyed(content(self.column)), DIGITS)
        return f"CASE WHEN {self.name} IS NOT NULL THEN {own} END AS H{self.number}"

    def _day(self) -> list[str]:
        """SQL: the day number of a masked date."""
        return [f"TO_NUMBER(TO_CHAR({self.name}, 'J')) AS D{self.number}"] if self.dates else []

    def _same(self, sign: str) -> str:
        """SQL: the values of a sign that are what they were."""
        if self.sign not in (sign, None):
            return "0"
        n = self.number
        own = f"S.M{n} = {sign} AND " if self.sign is None else ""
        return f"COUNT(CASE WHEN {own}S.H{n} = T.H{n} THEN 1 END)"

    def distinct_originals(self, exact: bool) -> str:
        """SQL over the hashes of the source's rows: the distinct values of the rules that are one to one."""
        n = self.number
        return _sum(
            f"COUNT(DISTINCT H{n})"
            if p.place is None
            else f"COUNT(DISTINCT CASE B{n} WHEN {p.place} THEN H{n} END)"
            for p in self.promises
            if p.one_to_one and (p.place is None or exact)
        )

    def moved(self, promise: Promise, most: int) -> str:
        """SQL: by how many days the date of a row moved, plus `most`."""
        n = self.number
        return f"MOD(T.D{n} + {pad('T.K', n)} - S.D{n} + {DAYS} + {most}, {DAYS})"

    def within(self, most: int) -> str:
        """SQL: whether a masked date is so far inside the calendar that its shift was not turned round."""
        return f"T.D{self.number} BETWEEN {_FIRST_DAY + 2 * most} AND {_LAST_DAY - 2 * most}"

    def _shifted(self, promise: Promise) -> str:
        n, days = self.number, promise.proof.days
        assert days is not None
        most = max(map(abs, days))
        # Dates at the ends of the calendar move inwards, so by the opposite of the range.
        low, high = (
            f"CASE WHEN {self.within(most)} THEN {edge + most} ELSE {outermost} END"
            for edge, outermost in zip(days, (0, 2 * most), strict=True)
        )
        wrong = f"NOT ({self.moved(promise, most)} BETWEEN {low} AND {high})"
        return self._count(promise, f"S.D{n} IS NOT NULL AND T.D{n} IS NOT NULL AND {wrong}")

    def _distinct(self, promise: Promise) -> str:
        n = self.number
        if promise.place is None:
            return f"COUNT(DISTINCT T.H{n})"
        return f"COUNT(DISTINCT CASE S.B{n} WHEN {promise.place} THEN T.H{n} END)"

    def _count(self, promise: Promise, test: str) -> str:
        own = f"S.B{self.number} = {promise.place} AND " if promise.place else ""
        return f"COUNT(CASE WHEN {own}{test} THEN 1 END)"


def promised(table: Table, rules: Sequence[ColumnRule], scope: Scope) -> tuple[Paired, ...]:
    """The masked columns of a table, by name."""
    paired = []
    grouped = by_column(rules)
    for number, name in enumerate(sorted(grouped), 1):
        column, own = statements.column_of(table, name), grouped[name]
        always = len(own) == 1 and own[0].where is None
        promises = []
        for place, rule in enumerate(own, 1):
            redact = column.is_character and rule.policy == "redact"
            redaction = scope.bind(redaction_of(column)) if redact else None
            proof = rule.algorithm.proof(column, scope)
            label = str(number) if always else f"{number}_{place}"
            promises.append(Promise(label, None if always else place, rule, proof, redaction))
        paired.append(Paired(number, column, tuple(promises)))
    return tuple(paired)


def no_original(rules: Sequence[ColumnRule]) -> bool:
    """Whether no masked value of a column can be an original."""
    only = rules[0]
    promise = Promise("", None, only, Proof(), None)
    return len(rules) == 1 and only.where is None and promise.forbidden


def moved_together(columns: Sequence[Paired]) -> tuple[tuple[Paired, ...], ...]:
    """The columns whose dates move by the same days for one subject, in groups: one domain, one range, one
    subject column, no condition."""
    groups: dict[object, list[Paired]] = {}
    for paired in columns:
        rule, subject = paired.promises[0].rule, paired.promises[0].proof.subject
        if not paired.conditional and subject:
            groups.setdefault((rule.domain, rule.settings, subject), []).append(paired)
    return tuple(map(tuple, groups.values()))


def pad(key: str, number: int) -> str:
    """SQL: a number below DAYS that only who has the whole hash of the row's key can compute."""
    digits = f"SUBSTR(RAWTOHEX(STANDARD_HASH(RAWTOHEX({key}) || ':{number}', 'SHA256')), 1, 12)"
    return f"MOD(TO_NUMBER({digits}, '{'X' * 12}'), {DAYS})"


def _misfit(promise: Promise, number: int) -> str | None:
    """SQL: whether a value has not the format, or is not in the list."""
    if promise.proof.always:
        return f"T.A{promise.name} = 1"
    if promise.proof.entries:
        return f"T.H{number} IS NOT NULL AND E{promise.name}.E IS NULL AND T.A{promise.name} IS NULL"
    return None


def _sum(counts: Iterable[str]) -> str:
    return " + ".join(counts) or "NULL"
