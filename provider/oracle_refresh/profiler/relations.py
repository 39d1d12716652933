"""Columns that belong together: by foreign keys, by their name, or by the values that they share. Pure."""

from __future__ import annotations

import re
from array import array
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias

from oracle_refresh.catalog.model import Catalogue
from oracle_refresh.masking.exemptions import column_key
from oracle_refresh.profiler.judge import BY_CONTEXT, contradicts
from oracle_refresh.profiler.model import Classification, ColumnFacts, Kind
from oracle_refresh.profiler.names import spaced

Key = tuple[str, str, str]
Prints: TypeAlias = "array[int]"
"""Hashes of the different texts of a column."""

SURE = 0.6
"""From this confidence on the verdict on one column is one on others."""
FEW_HOLDERS = 8
"""Columns that are known to hold a value; of more, those are enough."""
FEWEST_SHARED = 8
"""Fewer values in common are chance: months, colours and towns are names, too."""
LONGEST = 60
"""Characters of a text that may be a name, a login or a number of a person."""

#: Kinds that identify a person in any table.
_IDENTIFYING = frozenset(
    {
        Kind.FIRST_NAME,
        Kind.LAST_NAME,
        Kind.FULL_NAME,
        Kind.USER_NAME,
        Kind.EMAIL,
        Kind.PHONE,
        Kind.NATIONAL_ID,
        Kind.IBAN,
        Kind.PAYMENT_CARD,
        Kind.BANK_ACCOUNT,
    }
)
#: Names of columns that say who did something, or whose something is.
_WHO = re.compile(
    r"\b(BY|USER|USR|USER ?ID|USERID|USER ?NAME|LOGIN|CREATOR|CREATED ?BY|AUTHOR|OWNER|ASSIGNEE|LEADER"
    r"|MANAGER|OPERATOR|APPROVER|REVIEWER|EDITOR|MODIFIER|UPDATER|INITIATOR|REQUESTE?R|REPORTER|CLERK|AGENT|STAFF"
    r"|ERFASSER|BEARBEITER|SACHBEARBEITER|BENUTZER|UTILISATEUR|USUARIO)( ID| NAME)?$|(CREATED|UPDATED)BY$"
)
#: Names that mean something else in each table.
_GENERIC = re.compile(
    r"(NAME|NAMEN?|NM|NOM|NOMBRE|ID|CODE|TYPE|STATUS|STATE|KEY|NO|NR|NUM|NUMBER|SEQ|LABEL|TITLE|VALUE|DATA"
    r"|DESCRIPTION|DESC|KIND|CATEGORY|COUNTRY|FIRST|LAST|DATE|SOURCE|TARGET|OWNER|USER)"
)


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


def prints(values: Iterable[object]) -> Prints:
    """Return the hashes of the different short texts among some values, without letter case and outer blanks.

    The hashes differ from process to process. Single characters and short numbers identify no person.
    """
    texts = {value.strip().casefold() for value in values if isinstance(value, str)}
    telling = (
        text
        for text in texts
        if 2 <= len(text) <= LONGEST and (len(text) >= 6 or any(letter.isalpha() for letter in text))
    )
    return array("q", sorted(map(hash, telling)))


def holding_alike(
    classifications: Sequence[Classification], prints_of: Mapping[Key, Prints]
) -> list[Classification]:
    """Add classifications of columns that hold values of identifying columns.

    For a column that says who did something, such as CREATED_BY, one value in common with a column of names
    or logins is enough. Any other column needs `FEWEST_SHARED`, and two thirds of its values.
    """
    found = {(one.owner, one.table, one.column): one for one in classifications}
    holders = defaultdict[int, list[Key]](list)
    for key, one in found.items():
        if one.confidence >= SURE and one.kind in _IDENTIFYING:
            for number in prints_of.get(key, ()):
                if len(holders[number]) < FEW_HOLDERS:
                    holders[number].append(key)
    for key, numbers in prints_of.items():
        own = found.get(key)
        if own is not None and own.confidence >= SURE:
            continue
        shared = [holders[number] for number in numbers if number in holders]
        who = _WHO.search(spaced(key[2])) is not None
        if shared and (who or (len(shared) >= max(FEWEST_SHARED, 2 / 3 * len(numbers)))):
            ((holder, _),) = Counter(each for of_value in shared for each in of_value).most_common(1)
            reason = (
                f"{len(shared)} of {len(numbers)} different sampled values are values of sensitive columns, "
                f"most of {column_key(*holder)}"
            )
            verdict = _alike(found[holder], key, own, reason, 0.97 if who else 0.9)
            found[key] = replace(verdict, like=holder)
    return [found[key] for key in sorted(found)]


def named_alike(
    classifications: Sequence[Classification], facts: Mapping[Key, ColumnFacts]
) -> list[Classification]:
    """Add classifications of columns that share their name with a sensitive column of another table.

    Names that mean something else in each table, such as NAME and CODE, and columns whose sample contradicts
    the verdict are left alone.
    """
    found = {(one.owner, one.table, one.column): one for one in classifications}
    surest = dict[tuple[str, str], Classification]()
    for key, one in found.items():
        words = spaced(key[2])
        if one.confidence >= SURE and not _GENERIC.fullmatch(words) and key in facts:
            name = words, _family(facts[key])
            if name not in surest or one.confidence > surest[name].confidence:
                surest[name] = one
    for key, of_column in facts.items():
        own, other = found.get(key), surest.get((spaced(key[2]), _family(of_column)))
        if other is None or (own is not None and own.confidence >= SURE):
            continue
        about_things = of_column.person_table is False and other.kind in BY_CONTEXT
        if not about_things and not contradicts(other.kind, of_column):
            reason = f"{column_key(other.owner, other.table, other.column)} has this name"
            found[key] = _alike(other, key, own, reason, 0.97)
    return [found[key] for key in sorted(found)]


def _family(facts: ColumnFacts) -> str:
    return facts.data_type.partition("(")[0].replace("NVARCHAR2", "VARCHAR2")


def _alike(
    other: Classification, key: Key, own: Classification | None, reason: str, weight: float
) -> Classification:
    """The classification of another column, for this one."""
    return replace(
        other,
        owner=key[0],
        table=key[1],
        column=key[2],
        confidence=max(SURE, round(other.confidence * weight, 2)),
        reasons=(*(own.reasons if own else ()), reason),
    )
