"""Date shift: every date of one subject moves by the same keyed number of days.

Guarantees: deterministic; never zero days, so no date stays; intervals between the dates of one subject, the
time of day and fractions of seconds survive; dates at the ends of Oracle's calendar (such as 9999-12-31)
move inwards; NULL stays NULL. A shift is undone by whoever knows one true date of the subject: choose the
range with that in mind. With `minimum_days` = `maximum_days` the shift is fixed: 1:1 inside the calendar.
Without a subject each date is shifted by its own day, which keeps date keys consistent but no intervals.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Annotated, Any

from pydantic import Field

from oracle_refresh.masking.algorithms import proofs, samples
from oracle_refresh.masking.algorithms.protocol import (
    Algorithm,
    Column,
    DomainKey,
    Guarantees,
    SqlContext,
    register,
)
from oracle_refresh.oracle.errors import MaskingError

TYPES = ("DATE", "TIMESTAMP")
FIRST = datetime(1, 1, 1)
LAST = datetime(9999, 12, 31)


Days = Annotated[int, Field(ge=-36500, le=36500)]


@register
@dataclass(frozen=True)
class DateShift(Algorithm):
    """Shift by `minimum_days` to `maximum_days`, both included, zero left out, by a column such as
    CUSTOMER_ID."""

    kind = "date_shift"
    types = TYPES
    keeps = "time of day, intervals"
    guarantees = Guarantees(reversible="by one known date", format_kept=True)
    column_fields = ("subject",)

    minimum_days: Days
    maximum_days: Days
    subject: str | None = None

    def __post_init__(self) -> None:
        if self.minimum_days > self.maximum_days or self.minimum_days == self.maximum_days == 0:
            raise ValueError("maximum_days must not be below minimum_days, and the two may not both be 0")

    @property
    def distinct_within(self) -> tuple[str, ...] | None:
        return None if self.subject is None else (self.subject,)

    @property
    def _limit(self) -> int:
        return max(abs(self.minimum_days), abs(self.maximum_days))

    def check(self, column: Column) -> None:
        """Raise MaskingError unless the column is a DATE or a TIMESTAMP without time zone."""
        if "TIME ZONE" in column.data_type or column.data_type.partition("(")[0] not in TYPES:
            raise MaskingError(
                f"date_shift masks DATE and TIMESTAMP, not {column.data_type}",
                object_name=column.name,
                step="masking plan",
            )

    def proof(self, column: Column, scope: proofs.Scope) -> proofs.Proof:
        kept = f"TO_CHAR({proofs.name(column)}, 'HH24:MI:SS')"
        days = (self.minimum_days, self.maximum_days)
        return proofs.Proof(kept=kept, days=days, subject=self.subject)

    @classmethod
    def samples(cls) -> tuple[samples.Sample, ...]:
        whose = cls(-90, 90, "SUBJECT")
        prices = samples.number("SUBJECT", 10, 2)
        stamp = samples.plain("V", "TIMESTAMP(6)", 11)
        return (
            samples.Sample(whose, samples.DAY, (samples.SUBJECT,)),
            samples.Sample(whose, samples.DAY, (prices,), "by a subject with decimal places"),
            samples.Sample(cls(30, 30), stamp, name="of timestamps"),
        )

    def days(self, key: DomainKey, subject: str) -> int:
        """The shift of a subject, in days."""
        span = self.maximum_days - self.minimum_days + 1
        number = key.number(subject)
        if self.minimum_days <= 0 <= self.maximum_days:
            # The residues 1 .. span - 1, taken as the numbers minimum_days .. maximum_days: zero cannot come
            # out.
            return self.minimum_days + (1 + number % (span - 1) - self.minimum_days) % span
        return self.minimum_days + number % span

    def mask(self, key: DomainKey, value: datetime | None, *others: Any) -> datetime | None:
        """The reference; a row without a subject is shifted by its own date."""
        if value is None:
            return None
        subject = others[0] if others else None
        days = self.days(key, subject or value.strftime("%Y-%m-%d"))
        if value >= LAST - timedelta(days=self._limit):
            return value - timedelta(days=abs(days))
        if value < FIRST + timedelta(days=self._limit):
            return value + timedelta(days=abs(days))
        return value + timedelta(days=days)

    def expression(self, context: SqlContext, column: Column, reference: str) -> str:
        pads = context.pads()
        span = self.maximum_days - self.minimum_days + 1
        own = f"TO_CHAR({reference}, 'YYYY-MM-DD')"
        number = pads.number(f"NVL({context.other(self.subject)}, {own})" if self.subject else own)
        low = self.minimum_days
        if low <= 0 <= self.maximum_days:
            days = f"({low} + MOD(MOD({number}, {span - 1}) + {1 - low}, {span}))"
        else:
            days = f"({low} + MOD({number}, {span}))"
        timestamp = column.data_type.startswith("TIMESTAMP")

        def interval(amount: str) -> str:
            # A number added to a TIMESTAMP would turn it into a DATE and drop its fraction of a second.
            return f"NUMTODSINTERVAL({amount}, 'DAY')" if timestamp else amount

        inwards = interval(f"ABS({days})")
        late = f"DATE '{(LAST - timedelta(days=self._limit)).date()}'"
        early = f"DATE '{(FIRST + timedelta(days=self._limit)).date()}'"
        return (
            f"CASE WHEN {reference} >= {late} THEN {reference} - {inwards} "
            f"WHEN {reference} < {early} THEN {reference} + {inwards} ELSE {reference} + {interval(days)} END"
        )
