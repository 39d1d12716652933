"""Whether children still have the parents that they had, where masked columns lead from one to the other.

Both sides join the children to their parents and sum up a hash of each pair's unmasked columns: a child that
leads to another row, or to none, changes the sum, and no key has to travel. References whose columns are not
masked need no such proof: the checksums of both tables hold them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from oracle_refresh.oracle.identifiers import Identifier
from oracle_refresh.oracle.session import row
from oracle_refresh.validation import statements
from oracle_refresh.validation.model import Verdict

if TYPE_CHECKING:
    import oracledb

    from oracle_refresh.catalog import Catalogue, Table
    from oracle_refresh.masking.rules import Reference, Ruleset

REFERENCES = "references"


def check_references(
    source: oracledb.Connection,
    target: oracledb.Connection,
    scn: int,
    catalogue: Catalogue,
    ruleset: Ruleset,
    references: Iterable[Reference],
) -> Iterator[Verdict]:
    """A verdict for each reference with a masked column."""
    for reference in references:
        child, parent = catalogue.table(*reference.child), catalogue.table(*reference.parent)
        if child is None or parent is None:
            continue
        masked = [
            frozenset(rule.column for rule in ruleset.rules(table.owner, table.name))
            for table in (child, parent)
        ]
        if not (masked[0] & set(reference.columns) or masked[1] & set(reference.parent_columns)):
            continue
        counts = []
        for connection, at_scn in ((source, True), (target, False)):
            sql = pairs(reference, child, parent, masked[0], masked[1], at_scn=at_scn)
            statements.prepare(connection)
            counted = row(connection, sql, **({"scn": scn} if at_scn else {})) or ()
            counts.append([int(value) for value in counted])
        yield verdict(reference, *counts)


def pairs(
    reference: Reference,
    child: Table,
    parent: Table,
    masked_child: frozenset[str],
    masked_parent: frozenset[str],
    *,
    at_scn: bool,
) -> str:
    """Children with a key, children without their parent, two sums over the hashes of the pairs."""
    ends = []
    for table, masked, columns in (
        (child, masked_child, reference.columns),
        (parent, masked_parent, reference.parent_columns),
    ):
        plain = tuple(each for each in statements.comparable(table)[0] if each.name not in masked)
        listed = "".join(f", T.{Identifier(name).sql} AS C{n}" for n, name in enumerate(columns, 1))
        scn = " AS OF SCN :scn" if at_scn else ""
        hashed = statements.row_hash(plain)
        ends.append(f"(SELECT /*+ NO_MERGE */ {hashed} AS R{listed} FROM {table.sql}{scn} T)")
    numbers = range(1, len(reference.columns) + 1)
    on = " AND ".join(f"P.C{n} = C.C{n}" for n in numbers)
    some = " AND ".join(f"C.C{n} IS NOT NULL" for n in numbers)
    pair = "STANDARD_HASH(RAWTOHEX(C.R) || RAWTOHEX(P.R), 'SHA256')"
    return (
        f"SELECT COUNT(*), COUNT(CASE WHEN R IS NULL THEN 1 END), {', '.join(statements.sums('H'))}\n"
        f"FROM (SELECT /*+ NO_MERGE */ P.R AS R, {pair} AS H\nFROM {ends[0]} C\nLEFT JOIN {ends[1]} P ON {on}"
        f"\nWHERE {some})"
    )


def verdict(reference: Reference, source: list[int], target: list[int]) -> Verdict:
    """Whether the children have the parents of the source, and as many of them none."""
    what = f"{reference.name} ({', '.join(reference.columns)}) to {reference.parent.key}"
    children, orphans = target[:2]
    detail = f"{children} children, {orphans} without a parent"
    if orphans != source[1]:
        detail += f", {source[1]} in the source"
    elif children != source[0]:
        detail += f"; the source has {source[0]} children"
    elif source != target:
        detail += "; some lead to another parent than in the source"
    return Verdict(REFERENCES, reference.child.key, what, source == target, detail)
