"""What a refresh refuses, leaves out or changes of the schemas, by name and count. Pure.

One table of rules over the catalogue says it for the preflight, the plan and the report alike.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from oracle_refresh.catalog import left_out
from oracle_refresh.catalog.model import Catalogue, Table
from oracle_refresh.jsonable import Jsonable
from oracle_refresh.oracle.findings import Finding, error, warning

Treatment = Literal["refused", "left out", "changed"]
#: Names of one kind that a finding lists; the page has all of them.
NAMED = 10
_EXCLUDE = "name them in `exclude_tables` of the definition, and copy them by other means"


@dataclass(frozen=True)
class Exotic(Jsonable):
    """One kind of thing: what becomes of it, its names, why, and what can be done."""

    kind: str
    treatment: Treatment
    names: tuple[str, ...]
    why: str
    remedy: str


def exotics(catalogue: Catalogue) -> tuple[Exotic, ...]:
    """Everything of the catalogue that does not come to the target, or not as it is; refusals first."""
    kinds = (*_refused(catalogue), *_left_out(catalogue), *_changed(catalogue))
    return tuple(kind for kind in kinds if kind.names)


def exotic_findings(catalogue: Catalogue) -> list[Finding]:
    """The same as findings: an error for what is refused, warnings for what is left out or changed."""
    return [_finding(each) for each in exotics(catalogue)]


def _refused(catalogue: Catalogue) -> Iterator[Exotic]:
    tables = catalogue.tables
    skipped = _skipped(catalogue)
    for kind in (left_out.OBJECT_TABLE, left_out.XML_TABLE):
        yield _refusal(
            f"{kind}s" if kind.endswith("table") else "tables of XMLTYPE",
            skipped[kind],
            "their rows are objects, which are neither built nor masked column by column",
        )
    yield _refusal(
        "tables partitioned by reference",
        _keys(table for table in tables if table.partitioning == "REFERENCE"),
        "their foreign key has to be there before they are (ORA-14652)",
    )
    yield _refusal(
        "tables in a cluster",
        _keys(table for table in tables if table.clustered),
        "clusters are not built (ORA-00943), and their tables cannot be truncated (ORA-03292)",
    )
    yield _refusal(
        "tables with bitmap join indexes",
        _keys(table for table in tables if any(index.joins for index in table.indexes)),
        "their indexes need the keys of other tables, which are there only when all indexes are (ORA-25954)",
    )
    yield _refusal(
        "blockchain and immutable tables",
        _keys(table for table in tables if table.unchangeable),
        "they can be neither masked nor dropped for the next refresh (ORA-05715)",
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


def _keys(tables: Iterable[Table]) -> tuple[str, ...]:
    return tuple(table.key for table in tables)


def _finding(each: Exotic) -> Finding:
    more = f" and {len(each.names) - NAMED} more" if len(each.names) > NAMED else ""
    named = ", ".join(each.names[:NAMED]) + more
    message = f"{len(each.names)} {each.kind} are {each.treatment}: {each.why}: {named}"
    if each.treatment == "refused":
        return error("NOT_REFRESHED", message, each.remedy)
    if each.treatment == "left out":
        return warning("LEFT_OUT", message, each.remedy)
    return warning("CHANGED_ON_THE_WAY", message, each.remedy)
