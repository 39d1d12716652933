"""Exemptions: columns that stay as they are although they look sensitive, and who answers for that.

    exemptions:
      APP.CUSTOMERS.CITY: {reason: a city of this size tells nobody apart, signed_by: A. Officer,
                           on: 2026-11-01, until: 2027-11-01}

They stand in the ruleset's file, so one review and one signature cover both. `*` stands for any characters of
a table's or a column's name (`APP.*.COUNTRY_CODE`, `APP.LOG_*.*`), never of the owner's.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, model_validator

from oracle_refresh.oracle.identifiers import Identifier, InvalidIdentifier

WILDCARD = "*"
_PART = r'("[^"]+"|[^".]+)'


class ExemptionEntry(BaseModel):
    """One exemption as it is written in the file. `until` is the last day on which it holds."""

    model_config = ConfigDict(extra="forbid", frozen=True, str_strip_whitespace=True)

    reason: str = Field(min_length=10)
    signed_by: str = Field(min_length=2)
    on: date
    until: date | None = None

    @model_validator(mode="before")
    @classmethod
    def _unquoted_on(cls, entry: Any) -> Any:
        # YAML 1.1 reads the key `on` as the truth value.
        if isinstance(entry, dict) and True in entry and "on" not in entry:
            return {"on" if key is True else key: value for key, value in entry.items()}
        return entry

    @model_validator(mode="after")
    def _order(self) -> ExemptionEntry:
        if self.until is not None and self.until < self.on:
            raise ValueError("until is before on")
        return self


@dataclass(frozen=True)
class Exemption:
    """One signed exemption of a column, by stored names."""

    owner: str
    table: str
    column: str
    reason: str
    signed_by: str
    on: date
    until: date | None = None

    @property
    def key(self) -> str:
        """`OWNER.TABLE.COLUMN`, as it is written in rulesets and reports."""
        return column_key(self.owner, self.table, self.column)

    @property
    def names(self) -> tuple[str, str, str]:
        """Owner, table and column."""
        return self.owner, self.table, self.column

    @property
    def many(self) -> bool:
        """Whether it stands for more than one column."""
        return WILDCARD in self.table + self.column

    def covers(self, owner: str, table: str, column: str) -> bool:
        """Whether a column, by its stored names, is one that it stands for."""
        return (
            owner == self.owner
            and _like(self.table).fullmatch(table) is not None
            and _like(self.column).fullmatch(column) is not None
        )

    def holds(self, today: date) -> bool:
        """Whether it is in force: signed, and not past its last day."""
        return self.on <= today and (self.until is None or today <= self.until)


def _like(pattern: str) -> re.Pattern[str]:
    return re.compile(".*".join(map(re.escape, pattern.split(WILDCARD))), re.DOTALL)


def column_key(owner: str, table: str, column: str) -> str:
    """`OWNER.TABLE.COLUMN`; names that need quotation marks keep them. The inverse is `parse_column`."""
    return ".".join(name if WILDCARD in name else Identifier(name).written for name in (owner, table, column))


def parse_column(text: str) -> tuple[str, str, str]:
    """Stored names of `OWNER.TABLE.COLUMN`; those of table and column may hold wildcards.

    :raises InvalidIdentifier: if the text is not three names with dots between.
    """
    match = re.fullmatch(rf"{_PART}\.{_PART}\.{_PART}", text)
    if match is None:
        raise InvalidIdentifier(f"invalid identifier {text!r}: OWNER.TABLE.COLUMN is expected")
    owner, table, column = match.groups()
    return Identifier.parse(owner).name, _pattern(table), _pattern(column)


def _pattern(written: str) -> str:
    """A stored name, or a pattern of such names."""
    if WILDCARD not in written:
        return Identifier.parse(written).name
    for part in filter(None, written.split(WILDCARD)):
        Identifier.parse(f"A{part}")  # whatever may follow a letter
    return written.upper()


def read_exemptions(
    entries: Mapping[str, ExemptionEntry], ruled: Collection[tuple[str, str, str]] = ()
) -> tuple[Exemption, ...]:
    """The exemptions of a file, ordered by column.

    :param ruled: (owner, table, column) of every column with a rule.
    :raises InvalidIdentifier: for a key that is no column.
    :raises ValueError: for a column that is named twice, or has a rule as well.
    """
    exemptions: dict[tuple[str, str, str], Exemption] = {}
    for text, entry in entries.items():
        key = parse_column(text)
        if key in exemptions:
            raise ValueError(f"exemptions: {text} is exempted twice")
        if key in ruled:  # of many columns, those with a rule are masked
            raise ValueError(f"exemptions: {text} has a rule; remove one of both")
        exemptions[key] = Exemption(*key, entry.reason, entry.signed_by, entry.on, entry.until)
    return tuple(exemptions[key] for key in sorted(exemptions))
