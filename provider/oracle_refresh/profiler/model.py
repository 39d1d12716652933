"""What the profiler looks at and what it says: facts about a column in, its classification out. Immutable.

Neither holds a value of the database: evidence is counts, shares and the shape of values.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from oracle_refresh.jsonable import Jsonable
from oracle_refresh.masking.exemptions import column_key


class Kind(StrEnum):
    """What a sensitive column holds."""

    FIRST_NAME = "first_name"
    LAST_NAME = "last_name"
    FULL_NAME = "full_name"
    USER_NAME = "user_name"
    EMAIL = "email"
    PHONE = "phone"
    BIRTH_DATE = "birth_date"
    NATIONAL_ID = "national_id"
    PAYMENT_CARD = "payment_card"
    IBAN = "iban"
    BANK_ACCOUNT = "bank_account"
    STREET = "street"
    CITY = "city"
    POSTCODE = "postcode"
    LOCATION = "location"
    NETWORK_ADDRESS = "network_address"
    GENDER = "gender"
    NATIONALITY = "nationality"
    PERSONAL_FACT = "personal_fact"
    SALARY = "salary"
    CREDENTIAL = "credential"
    FREE_TEXT = "free_text"
    DOCUMENT = "document"


@dataclass(frozen=True)
class ColumnEvidence(Jsonable):
    """What a bounded sample of one column shows, without any of its values.

    `marks` counts distinct values by what they look like (`recognise.marks`); shares are over distinct
    values, so that a value repeated a thousand times weighs as one.
    """

    values: int
    """Sampled values that are not NULL."""
    distinct: int
    marks: dict[str, int] = field(default_factory=dict)
    average_length: float = 0.0
    average_words: float = 0.0
    shape: str | None = None
    """The most frequent shape, such as `9{3}-99-9{4}`: letters as A or a, digits as 9."""
    shape_share: float = 0.0

    def count(self, mark: str) -> int:
        return self.marks.get(mark, 0)

    def share(self, *marks: str) -> float:
        """Of distinct values with the most frequent of these marks."""
        return max((self.count(mark) for mark in marks), default=0) / self.distinct if self.distinct else 0.0


@dataclass(frozen=True)
class ColumnFacts:
    """One column as the dictionary describes it, and what its sample shows (None: not sampled).

    `length` counts characters of character columns and bytes of others. `person_table` says whether the table
    is about people: True, False, or None where nothing tells. `prefix` is the word that the names of its
    columns begin with.
    """

    owner: str
    table: str
    column: str
    data_type: str
    length: int = 0
    precision: int | None = None
    scale: int | None = None
    comment: str | None = None
    person_table: bool | None = None
    prefix: str = ""
    evidence: ColumnEvidence | None = None

    @property
    def key(self) -> str:
        return column_key(self.owner, self.table, self.column)


@dataclass(frozen=True)
class Classification(Jsonable):
    """A column that may be sensitive.

    `confidence` is between 0 and 1. `reasons` are sentences for a reviewer; they hold no values. `rule` is
    the proposed rule as it is written in a ruleset, None where no known algorithm fits the column.
    """

    owner: str
    table: str
    column: str
    kind: Kind
    confidence: float
    reasons: tuple[str, ...]
    rule: dict[str, Any] | None = None
    like: tuple[str, str, str] | None = None
    """Owner, table and name of the column whose values this one holds: one rule is to mask both."""

    @property
    def key(self) -> str:
        return column_key(self.owner, self.table, self.column)
