"""What validation finds out about a table, and what it concludes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from oracle_refresh.jsonable import Jsonable
from oracle_refresh.run.kind import Kind


@dataclass(frozen=True)
class LobSummary(Jsonable):
    """The LOBs of a column that are not NULL, their length and their order-free checksum."""

    column: str
    count: int
    length: int
    checksum: str


@dataclass(frozen=True)
class Summary(Jsonable):
    """One side's summary of a table. Checksums are hex texts of two sums."""

    rows: int
    checksum: str
    lobs: tuple[LobSummary, ...] = ()
    shards: tuple[int, ...] = ()
    """At the source the rows of each piece that was read: those that each shard has to carry."""


@dataclass(frozen=True)
class Shard:
    """What one job was to carry of a table, and what is known of its way; None where nothing is.

    :ivar predicate: the condition without WHERE; None where it takes whole partitions, or the table.
    :ivar partitions: the partitions it is confined to; all where empty.
    :ivar exported: rows of this table in its dump set.
    :ivar loaded: rows of this table that its load brought into the target.
    """

    job: str
    predicate: str | None = None
    partitions: tuple[str, ...] = ()
    exported: int | None = None
    loaded: int | None = None


@dataclass(frozen=True)
class ShardCheck(Jsonable):
    """The rows of a table that one job carries: at the SCN in the source, in the dump set, loaded."""

    job: str
    at_scn: int
    exported: int | None
    loaded: int | None

    @property
    def equal(self) -> bool:
        """A job over a database link exports nothing; every job has to load what the source had."""
        return self.loaded == self.at_scn and self.exported in (None, self.at_scn)


@dataclass(frozen=True)
class LobCheck(Jsonable):
    """One LOB column on both sides. `bytes` is DBMS_LOB.GETLENGTH summed up: characters for a CLOB."""

    column: str
    count: int
    bytes: int
    checksum_source: str
    checksum_target: str


@dataclass(frozen=True)
class MaskedCheck(Jsonable):
    """One masked column. None where a rule promises nothing of the kind.

    :ivar count: values on the target that are not NULL.
    :ivar compared: rows that were found on both sides and hold a value on both.
    :ivar unchanged: of these, those that kept their value although their rule changes every value.
    :ivar allowed: those that kept it as their rule allows: another condition, a range, an allowed word.
    :ivar filled: rows whose NULL became a value.
    :ivar emptied: rows whose value became NULL.
    :ivar leaked: values that are an original of any row.
    :ivar misfits: values without the format, or outside the list, that the rule gives.
    :ivar reshaped: rows without what the rule keeps: length and separators, Luhn's test, the time of day.
    :ivar shifted: rows whose date moved by more or less than the rule allows.
    :ivar distinct_source: distinct values of a column whose rule is one to one.
    :ivar distinct: the same on the target.
    :ivar totals_kept: whether the totals are the source's, where noise keeps them.
    :ivar valid: values that pass the test of a check digit that is kept right or wrong, as it was.
    :ivar apart: subjects whose dates moved by different days although their rule moves them together.
    :ivar years: the first and the last year that a date can have been moved to.
    """

    column: str
    count: int
    compared: int
    unchanged: int
    allowed: int = 0
    filled: int = 0
    emptied: int = 0
    leaked: int | None = None
    misfits: int | None = None
    reshaped: int | None = None
    shifted: int | None = None
    distinct_source: int | None = None
    distinct: int | None = None
    totals_kept: bool | None = None
    valid: int | None = None
    apart: int | None = None
    years: tuple[int, int] | None = None

    @property
    def changed_share(self) -> float | None:
        """Changed rows among those compared, 0 to 1."""
        kept = self.unchanged + self.allowed
        return (self.compared - kept) / self.compared if self.compared else None


@dataclass(frozen=True)
class Comparison:
    """Both sides of a table, and what was counted of its masked columns.

    :ivar changed_rows: rows that were found on both sides with other unmasked columns.
    :ivar unpaired: rows of the target that the key and the rules make of no row of the source; None where
        rows are not looked for by masked values.
    """

    source: Summary
    target: Summary
    checks: tuple[MaskedCheck, ...] = ()
    changed_rows: int = 0
    unpaired: int | None = None
    found_by: str = ""


@dataclass(frozen=True)
class TableCheck(Jsonable):
    """The comparison of a table. Verdicts: `equal` (a true copy), `masked` (masked columns differ in every
    compared row, all else is equal), `different`; `differences` says in sentences what is wrong."""

    owner: str
    name: str
    rows_source: int
    rows_target: int
    checksum_source: str
    checksum_target: str
    lobs: tuple[LobCheck, ...]
    masked: tuple[MaskedCheck, ...]
    uncompared: tuple[str, ...]
    """Columns of types without a canonical text, such as LONG; only their rows are counted."""
    differences: tuple[str, ...]
    verdict: Literal["equal", "masked", "different"]
    seconds: float
    shards: tuple[ShardCheck, ...] = ()
    """One per job that carries rows of the table; empty where it was not asked for."""
    found_by: str = ""
    """By what the rows of a masked table were found again: `key`, `masked key`, `content`."""


COPY_CHECK: Kind[TableCheck] = Kind("copy check", TableCheck)
MASKED_CHECK: Kind[TableCheck] = Kind("masked check", TableCheck)


@dataclass(frozen=True)
class Verdict(Jsonable):
    """One thing that has to hold of the masked target as a whole; `detail` says in words what is there."""

    kind: str
    object: str
    what: str
    holds: bool
    detail: str

    def __str__(self) -> str:
        place = "" if self.object == "-" else f"{self.object}: "
        return f"{self.kind}: {place}{self.what}: {self.detail}"


@dataclass(frozen=True)
class TargetCheck(Jsonable):
    """The proof of the masked target as a whole."""

    verdicts: tuple[Verdict, ...]
    seconds: float

    @property
    def objections(self) -> tuple[str, ...]:
        """What does not hold, in sentences."""
        return tuple(str(verdict) for verdict in self.verdicts if not verdict.holds)


TARGET_CHECK: Kind[TargetCheck] = Kind("target check", TargetCheck)
#: What is looked for once more before the target is released.
LEFTOVERS: Kind[TargetCheck] = Kind("leftovers", TargetCheck)
