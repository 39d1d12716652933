"""Columns that foreign keys hold together: what is true of one end is true of the other. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from oracle_refresh.catalog.model import Catalogue
from oracle_refresh.masking.exemptions import column_key
from oracle_refresh.profiler.model import Classification

Key = tuple[str, str, str]


def linked_columns(
    catalogue: Catalogue, declared: Iterable[tuple[Key, Key]] = ()
) -> dict[Key, frozenset[Key]]:
    """For every column of a foreign key, and every column referred to, all columns it must stay equal to.

    :param declared: pairs of columns that are linked without a constraint.
    """
    tables = {(table.owner, table.name) for table in catalogue.tables}
    pairs = list(declared)
    for child, foreign in catalogue.foreign_keys():
        key = foreign.references
        if key is None or (key.owner, key.table) not in tables:
            continue
        pairs += [
            ((child.owner, child.name, column), (key.owner, key.table, referred))
            for column, referred in zip(foreign.columns, key.columns, strict=True)
        ]
    groups: dict[Key, set[Key]] = {}
    for one, other in pairs:
        merged = groups.get(one, {one}) | groups.get(other, {other})
        for member in merged:
            groups[member] = merged
    return {member: frozenset(group) for member, group in groups.items()}


def judged_alike(classifications: Iterable[Classification], catalogue: Catalogue) -> list[Classification]:
    """Findings, with those of a key given to the columns that refer to it and the other way round.

    Linked columns end with one kind and nearly the confidence of the surest of them.
    """
    by_column = {
        (classification.owner, classification.table, classification.column): classification
        for classification in classifications
    }
    for group in set(linked_columns(catalogue).values()):
        known = [by_column[member] for member in group if member in by_column]
        if not known:
            continue
        surest = max(known, key=lambda classification: classification.confidence)
        for member in group:
            own = by_column.get(member)
            if own is surest:
                continue
            reason = f"a foreign key links it with {column_key(surest.owner, surest.table, surest.column)}"
            reasons = (*(own.reasons if own else ()), reason)
            confidence = max(own.confidence if own else 0.0, round(surest.confidence * 0.97, 2))
            by_column[member] = replace(
                surest,
                owner=member[0],
                table=member[1],
                column=member[2],
                confidence=confidence,
                reasons=reasons,
            )
    return [by_column[key] for key in sorted(by_column)]
