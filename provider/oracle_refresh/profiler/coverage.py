"""Which columns are covered: by a rule, by a signed exemption, or not at all. Pure."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import TYPE_CHECKING, Literal

from oracle_refresh.catalog.model import Catalogue, Column
from oracle_refresh.jsonable import Jsonable
from oracle_refresh.masking.exemptions import Exemption, column_key
from oracle_refresh.oracle.errors import MaskingError
from oracle_refresh.profiler.model import Classification
from oracle_refresh.profiler.model import Kind as PersonalKind
from oracle_refresh.profiler.profile import Profile
from oracle_refresh.profiler.relations import linked_columns
from oracle_refresh.profiler.sampling import worth_reading
from oracle_refresh.run.kind import Kind

if TYPE_CHECKING:
    from oracle_refresh.masking.ruleset import Ruleset

Key = tuple[str, str, str]


class Status(StrEnum):
    """How a column is treated."""

    RULE = "rule"
    EXEMPT = "exempt"
    NOT_SENSITIVE = "not sensitive"
    UNCLASSIFIED = "unclassified"
    """A text in a table of personal data that nothing makes out as personal."""
    UNCOVERED = "uncovered"


@dataclass(frozen=True)
class ColumnCoverage(Jsonable):
    """One column that has a rule or an exemption, is sensitive or unclassified. `note` names who signed, or
    why an exemption does not hold."""

    column: str
    status: Status
    kind: PersonalKind | None
    confidence: float
    reasons: tuple[str, ...] = ()
    note: str | None = None


@dataclass(frozen=True)
class Coverage(Jsonable):
    """Coverage of all columns; harmless ones without rule and exemption are only counted."""

    threshold: float
    tables: int
    columns: int
    sampled_rows: int
    seconds: float
    listed: tuple[ColumnCoverage, ...]
    unread: tuple[str, ...] = ()
    """Tables and columns that could not be sampled, with the reason: they were judged by name and type."""
    blind: tuple[str, ...] = ()
    """Those of them that have neither rule nor exemption for each column that was to be read."""
    unknown_exemptions: tuple[str, ...] = ()

    @property
    def uncovered(self) -> tuple[ColumnCoverage, ...]:
        return tuple(column for column in self.listed if column.status is Status.UNCOVERED)

    @property
    def unclassified(self) -> tuple[ColumnCoverage, ...]:
        return tuple(column for column in self.listed if column.status is Status.UNCLASSIFIED)

    @property
    def statuses(self) -> tuple[Status, ...]:
        return tuple(Status)

    def count(self, status: Status) -> int:
        if status is Status.NOT_SENSITIVE:
            return self.columns - sum(column.status is not status for column in self.listed)
        return sum(column.status is status for column in self.listed)


COVERAGE: Kind[Coverage] = Kind("coverage", Coverage)


def _ruled_columns(ruleset: Ruleset, catalogue: Catalogue) -> frozenset[Key]:
    """Every column that the ruleset masks, by a rule of its own or along a reference.

    A rule that keeps values covers nothing: who wants that signs an exemption.
    """
    own = {
        (*table, rule.column)
        for table, rules in ruleset.tables.items()
        for rule in rules
        if rule.algorithm.masks
    }
    declared = [
        ((*reference.child, child), (*reference.parent, parent))
        for reference in ruleset.references
        for child, parent in zip(reference.columns, reference.parent_columns, strict=False)
    ]
    linked = linked_columns(catalogue, declared)
    return frozenset(own.union(*(linked.get(key, ()) for key in own)))


def coverage(
    profile: Profile,
    catalogue: Catalogue,
    ruleset: Ruleset,
    threshold: float,
    today: date,
    excluded: Collection[tuple[str, str]] = (),
) -> Coverage:
    """Hold classifications against the rules and exemptions of a ruleset.

    :param threshold: confidence from which on a column counts as sensitive.
    :param today: exemptions must be in force on this day.
    :param excluded: tables that are not copied; exemptions for them have no effect and are no error.
    """
    ruled = _ruled_columns(ruleset, catalogue)
    classifications = {
        (classification.owner, classification.table, classification.column): classification
        for classification in profile.classifications
    }
    stored = {
        (table.owner, table.name, column.name) for table in catalogue.tables for column in table.columns
    }
    signed: dict[Key, Exemption] = {}
    useless: list[str] = []
    # One that names a column alone says more than one for many.
    for exemption in sorted(ruleset.exemptions, key=lambda exemption: not exemption.many):
        if not exemption.many:
            signed[exemption.names] = exemption
            continue
        # What nothing speaks against needs no exemption, and would make a long list.
        meant = [key for key in classifications.keys() - ruled if exemption.covers(*key)]
        signed |= {key: exemption for key in meant if key not in signed}
        if not meant and not any(exemption.covers(*key) for key in stored):
            useless.append(exemption.key)
    sensitive = {key for key, found in classifications.items() if found.confidence >= threshold}
    undecided = unclassified(catalogue, sensitive | ruled)
    for exemption in ruleset.exemptions:
        signed |= {key: exemption for key in undecided if key not in signed and exemption.covers(*key)}
    open_ = {key for key in undecided if key not in signed or not signed[key].holds(today)}
    listed = [
        _one(key, classifications.get(key), key in ruled, signed.get(key), threshold, today, key in open_)
        for key in sorted(stored & (classifications.keys() | ruled | signed.keys() | open_))
    ]
    return Coverage(
        threshold=threshold,
        tables=profile.tables,
        columns=profile.columns,
        sampled_rows=profile.sampled_rows,
        seconds=profile.seconds,
        listed=tuple(listed),
        unread=tuple(f"{name}: {reason}" for name, reason in sorted(profile.unread.items())),
        blind=_blind(profile, catalogue, ruled, ruleset.exemptions, today),
        unknown_exemptions=(
            *(column_key(*key) for key in sorted(signed.keys() - stored) if key[:2] not in excluded),
            *useless,
        ),
    )


def unclassified(catalogue: Catalogue, personal: Collection[Key]) -> list[Key]:
    """Return the text columns of tables of personal data that are not personal themselves, in order.

    A single character identifies no person, and a virtual column follows from others.

    :param personal: columns that look sensitive or have a rule; a rule for a number, such as a key, makes no
        table of personal data.
    """
    found = []
    for table in catalogue.tables:
        keys = [(table.owner, table.name, column.name) for column in table.columns]
        if any(
            key in personal and column.data_type != "NUMBER"
            for key, column in zip(keys, table.columns, strict=True)
        ):
            found += [
                key
                for key, column in zip(keys, table.columns, strict=True)
                if key not in personal and not column.virtual and _is_text(column)
            ]
    return sorted(found)


def _is_text(column: Column) -> bool:
    characters = column.char_length or column.length
    return (column.is_character and characters > 1) or column.data_type in _LONG_TEXTS


_LONG_TEXTS = frozenset({"CLOB", "NCLOB", "LONG", "XMLTYPE", "JSON"})


def _blind(
    profile: Profile,
    catalogue: Catalogue,
    ruled: Collection[Key],
    exemptions: Sequence[Exemption],
    today: date,
) -> tuple[str, ...]:
    """Return what was not sampled and has a column without a rule and without an exemption in force."""
    blind = list[str]()
    for table in catalogue.tables if profile.unread else ():
        for column in table.columns:
            key = (table.owner, table.name, column.name)
            unread = profile.unread.keys() & {table.key, column_key(*key)}
            exempt = any(exemption.covers(*key) and exemption.holds(today) for exemption in exemptions)
            if unread and worth_reading(column) and key not in ruled and not exempt:
                blind += unread
    return tuple(f"{name}: {profile.unread[name]}" for name in sorted(set(blind)))


def _one(
    key: Key,
    classification: Classification | None,
    ruled: bool,
    exemption: Exemption | None,
    threshold: float,
    today: date,
    open_: bool,
) -> ColumnCoverage:
    confidence = classification.confidence if classification else 0.0
    note = None
    if ruled:
        status = Status.RULE
    elif exemption is not None and exemption.holds(today):
        status = Status.EXEMPT
        until = f" until {exemption.until}" if exemption.until else ""
        note = f"signed by {exemption.signed_by} on {exemption.on}{until}: {exemption.reason}"
    else:
        status = Status.UNCLASSIFIED if open_ else Status.NOT_SENSITIVE
        if confidence >= threshold:
            status = Status.UNCOVERED
        if exemption is not None:
            past = exemption.until is not None and exemption.until < today
            note = f"its exemption ended on {exemption.until}" if past else f"exempted from {exemption.on} on"
    return ColumnCoverage(
        column_key(*key),
        status,
        classification.kind if classification else None,
        confidence,
        classification.reasons if classification else (),
        note,
    )


def require_covered(
    result: Coverage, unclassified: Literal["refuse", "list"] = "list", lines: Mapping[str, str] | None = None
) -> None:
    """Refuse a refresh that would publish personal data.

    :param unclassified: whether text columns of tables of personal data have to be decided, too.
    :param lines: lines of a ruleset that cover uncovered columns, by column.
    :raises MaskingError: naming every sensitive column that has neither rule nor signed exemption, every
    table and column that could not be sampled and has neither, and every exemption of a column that is not
    there. Its first line is complete, because pages and messages show only that."""
    lines = lines or {}
    problems = [
        f"{column.column} looks like {column.kind} and has no rule"
        + (f": add {lines[column.column]} to the ruleset" if column.column in lines else "")
        + f" ({column.confidence:.2f}: {'; '.join(filter(None, (*column.reasons, column.note)))})"
        for column in result.uncovered
    ]
    if unclassified == "refuse":
        problems += [
            f"{column.column} is a text in a table of personal data, and nothing says what it holds"
            for column in result.unclassified
        ]
    problems += [f"{reason}: could not be sampled, so its values are unknown" for reason in result.blind]
    problems += [f"{key} is exempted, but the source has no such column" for key in result.unknown_exemptions]
    if not problems:
        return
    raise MaskingError(
        "\n- ".join(problems) + f"\n{len(problems)} finding{'s'[: len(problems) > 1]}, nothing was changed",
        step="profile",
        remedy="give each column a rule or a signed exemption in the ruleset (`OWNER.TABLE.*` for what could "
        "not be sampled); `airflow oracle-refresh profile` proposes rules",
    )
