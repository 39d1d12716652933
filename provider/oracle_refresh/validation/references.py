"""Whether children still have the parents that they had, where masked columns lead from one to the other.

Both sides join the children to their parents and sum up a hash of each pair's unmasked columns: a child that
leads to another row, or to none, changes the sum, and no key has to travel. References whose columns are not
masked need no such proof: the checksums of both tables hold them. The source is counted when the copy of the
child is compared, so that nothing is read as of the SCN after that.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from oracle_refresh.jsonable import Jsonable
from oracle_refresh.oracle.identifiers import Identifier
from oracle_refresh.oracle.session import row
from oracle_refresh.run.kind import Kind
from oracle_refresh.validation import statements
from oracle_refresh.validation.model import Verdict

if TYPE_CHECKING:
    import oracledb

    from oracle_refresh.catalog import Catalogue, Table
    from oracle_refresh.masking.rules import Reference, Ruleset

REFERENCES = "references"


@dataclass(frozen=True)
class Pairs(Jsonable):
    """What one end counts of a reference.

    :ivar children: with a key; `orphans`: those of them without their parent.
    :ivar checksum: two sums over the hashes of children with their parents.
    """

    children: int
    orphans: int
    checksum: tuple[int, int]


#: Of the source, by `item`.
SOURCE_PAIRS: Kind[Pairs] = Kind("source pairs", Pairs)


def item(reference: Reference) -> str:
    """What the pairs of a reference are kept under."""
    told = repr((reference.columns, reference.parent, reference.parent_columns, reference.name))
    return f"{reference.child.key}#{hashlib.sha256(told.encode()).hexdigest()[:12]}"


def count_at_source(
    source: oracledb.Connection,
    scn: int,
    catalogue: Catalogue,
    ruleset: Ruleset,
    references: Iterable[Reference],
) -> Iterator[tuple[Reference, Pairs]]:
    """What the source has of each reference with a masked column."""
    for reference, ends in _to_be_proven(catalogue, ruleset, references):
        yield reference, _count(source, pairs(reference, *ends, at_scn=True), scn=scn)


def check_references(
    target: oracledb.Connection,
    catalogue: Catalogue,
    ruleset: Ruleset,
    references: Iterable[Reference],
    of_source: Callable[[Reference], Pairs],
) -> Iterator[Verdict]:
    """A verdict for each reference with a masked column.

    :param of_source: what `count_at_source` counted.
    """
    for reference, ends in _to_be_proven(catalogue, ruleset, references):
        after = _count(target, pairs(reference, *ends, at_scn=False))
        yield verdict(reference, of_source(reference), after)


#: Child and parent, and the masked columns of each.
_Pair = tuple["Table", "Table", frozenset[str], frozenset[str]]


def _to_be_proven(
    catalogue: Catalogue, ruleset: Ruleset, references: Iterable[Reference]
) -> Iterator[tuple[Reference, _Pair]]:
    for reference in references:
        child, parent = catalogue.table(*reference.child), catalogue.table(*reference.parent)
        if child is None or parent is None or child.temporary or parent.temporary:
            continue
        masked_child, masked_parent = (
            frozenset(rule.column for rule in ruleset.rules(table.owner, table.name))
            for table in (child, parent)
        )
        if masked_child & set(reference.columns) or masked_parent & set(reference.parent_columns):
            yield reference, (child, parent, masked_child, masked_parent)


def _count(connection: oracledb.Connection, sql: str, **binds: int) -> Pairs:
    statements.prepare(connection)
    children, orphans, first, second = map(int, row(connection, sql, **binds) or (0, 0, 0, 0))
    return Pairs(children, orphans, (first, second))


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


def verdict(reference: Reference, source: Pairs, target: Pairs) -> Verdict:
    """Whether the children have the parents of the source, and as many of them none."""
    what = f"{reference.name} ({', '.join(reference.columns)}) to {reference.parent.key}"
    detail = f"{target.children} children, {target.orphans} without a parent"
    if target.orphans != source.orphans:
        detail += f", {source.orphans} in the source"
    elif target.children != source.children:
        detail += f"; the source has {source.children} children"
    elif source != target:
        detail += "; some lead to another parent than in the source"
    return Verdict(REFERENCES, reference.child.key, what, source == target, detail)
