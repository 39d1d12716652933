"""What a refresh refuses, leaves out or changes of the schemas, and which tables of a clone are not masked,
by name and count. Pure.

One table of rules over the catalogue says it for the preflight, the plan and the report alike.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from oracle_refresh.catalog import left_out
from oracle_refresh.catalog.model import Catalogue, Table
from oracle_refresh.jsonable import Jsonable
from oracle_refresh.oracle.findings import Finding, error, warning

Treatment = Literal["refused", "left out", "changed", "not masked"]
#: Names of one kind that a finding lists; the page has all of them.
NAMED = 10
_EXCLUDE = "name them in `exclude_tables` of the definition, and copy them by other means"
_LEAVE = "where they hold nothing personal, name them in `exclude_tables` of the definition: they stay"


@dataclass(frozen=True)
class Exotic(Jsonable):
    """One kind of thing: what becomes of it, its names, why, and what can be done."""

    kind: str
    treatment: Treatment
    names: tuple[str, ...]
    why: str
    remedy: str


@dataclass(frozen=True)
class _Rule:
    """Tables that are refused: why they are not copied, and why they are not masked where they are."""

    kind: str
    holds: Callable[[Table], bool]
    not_copied: str
    not_masked: str


_REFUSED = (
    _Rule(
        "tables partitioned by reference",
        lambda table: table.partitioning == "REFERENCE",
        "their foreign key has to be there before they are (ORA-14652)",
        "their foreign key cannot be disabled while keys are masked (ORA-14650)",
    ),
    _Rule(
        "tables in a cluster",
        lambda table: table.clustered,
        "clusters are not built (ORA-00943), and their tables cannot be truncated (ORA-03292)",
        "they cannot be moved, should flashback queries still show their former rows",
    ),
    _Rule(
        "tables with bitmap join indexes",
        lambda table: any(index.joins for index in table.indexes),
        "their indexes need the keys of other tables, which are there only when all indexes are (ORA-25954)",
        "their indexes need the keys of other tables, enabled only when all indexes are there (ORA-25954)",
    ),
    _Rule(
        "blockchain and immutable tables",
        lambda table: table.unchangeable,
        "they can be neither masked nor dropped for the next refresh (ORA-05715)",
        "no row of theirs can be changed (ORA-05715)",
    ),
)


def exotics(catalogue: Catalogue) -> tuple[Exotic, ...]:
    """Everything of the catalogue that does not come to the target, or not as it is; refusals first."""
    refused = (_refusal(rule.kind, _of(rule, catalogue), rule.not_copied) for rule in _REFUSED)
    kinds = (*_objects(catalogue), *refused, *_left_out(catalogue), *_changed(catalogue))
    return tuple(kind for kind in kinds if kind.names)


def clone_exotics(catalogue: Catalogue) -> tuple[Exotic, ...]:
    """The tables of a clone that cannot be masked where they are. Nothing of it is left out or changed; what
    is no table that rules could name is for the preflight to tell (`preflight.clone.check_unmasked`)."""
    kinds = (
        Exotic(rule.kind, "not masked", _of(rule, catalogue), rule.not_masked, _LEAVE) for rule in _REFUSED
    )
    return tuple(kind for kind in kinds if kind.names)


def findings_of(exotics: Iterable[Exotic]) -> list[Finding]:
    """The same as findings: errors for what is refused or not masked, warnings for what is left out or
    changed."""
    return [_finding(each) for each in exotics]


def _of(rule: _Rule, catalogue: Catalogue) -> tuple[str, ...]:
    return tuple(table.key for table in catalogue.tables if rule.holds(table))


def _objects(catalogue: Catalogue) -> Iterator[Exotic]:
    skipped = _skipped(catalogue)
    for kind in (left_out.OBJECT_TABLE, left_out.XML_TABLE):
        yield _refusal(
            f"{kind}s" if kind.endswith("table") else "tables of XMLTYPE",
            skipped[kind],
            "their rows are objects, which are neither built nor masked column by column",
        )


def _left_out(catalogue: Catalogue) -> Iterator[Exotic]:
    why = {
        left_out.EXTERNAL: ("external tables", "their rows are in files of the source's host"),
        left_out.MATERIALIZED_VIEW: ("materialized views", "they are made by a query, not by rows"),
        left_out.MATERIALIZED_VIEW_LOG: ("materialized view logs", "they belong to materialized views"),
        left_out.QUEUE_TABLE: ("queue tables", "messages of the source are not for the target"),
        left_out.HISTORY: ("histories of flashback archives", "they hold rows of the past, unmasked"),
    }
    skipped = _skipped(catalogue)
    for reason, (kind, text) in why.items():
        yield Exotic(kind, "left out", skipped[reason], text, "create them on the target if they are needed")


def _changed(catalogue: Catalogue) -> Iterator[Exotic]:
    described = (
        f"{table.key} ({', '.join(table.attributes)})" for table in catalogue.tables if table.attributes
    )
    yield Exotic(
        "tables with attributes of their storage",
        "changed",
        tuple(described),
        "the target stores rows its own way: compression, PCTFREE and the like are not carried over",
        "ALTER TABLE in a script of `masking.after`, or none",
    )
    addresses = (
        f"{table.key}.{column.name}"
        for table in catalogue.tables
        for column in table.columns
        if column.data_type in ("ROWID", "UROWID") and not (table.temporary or column.virtual)
    )
    yield Exotic(
        "columns of type ROWID or UROWID",
        "changed",
        tuple(addresses),
        "their values are copied, but address rows of the source: a table that is loaded has other rowids",
        "compute them again in a script of `masking.after`, or exclude their tables",
    )
    yield Exotic(
        "sequences at their end",
        "changed",
        tuple(each.key for each in catalogue.sequences if each.at_its_end),
        "no sequence can begin behind its bounds (ORA-04008): the target's gives its last number, or cycles",
        "none is needed",
    )


def _refusal(kind: str, names: tuple[str, ...], why: str) -> Exotic:
    return Exotic(kind, "refused", names, why, _EXCLUDE)


def _skipped(catalogue: Catalogue) -> dict[str, tuple[str, ...]]:
    by_reason: dict[str, tuple[str, ...]] = defaultdict(tuple)
    for each in catalogue.skipped:
        by_reason[each.reason] += (each.key,)
    return by_reason


def _finding(each: Exotic) -> Finding:
    more = f" and {len(each.names) - NAMED} more" if len(each.names) > NAMED else ""
    named = ", ".join(each.names[:NAMED]) + more
    message = f"{len(each.names)} {each.kind} are {each.treatment}: {each.why}: {named}"
    if each.treatment == "refused":
        return error("NOT_REFRESHED", message, each.remedy)
    if each.treatment == "not masked":
        return error("NOT_MASKED_IN_PLACE", message, each.remedy)
    if each.treatment == "left out":
        return warning("LEFT_OUT", message, each.remedy)
    return warning("CHANGED_ON_THE_WAY", message, each.remedy)
