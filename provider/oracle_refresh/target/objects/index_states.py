"""How the indexes of tables are, as the dictionary of either end says it: asked for many tables at once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import TYPE_CHECKING

from oracle_refresh.catalog.model import Table
from oracle_refresh.catalog.rows import grouped
from oracle_refresh.jsonable import Jsonable
from oracle_refresh.oracle.identifiers import ObjectName, TableName
from oracle_refresh.oracle.session import rows
from oracle_refresh.target.objects import statements

if TYPE_CHECKING:
    import oracledb

#: Tables of one query: a list takes a thousand expressions (ORA-01795).
TABLES = 500


@dataclass(frozen=True)
class IndexState(Jsonable):
    """How an index is (DBA_INDEXES), its size if asked for (DBA_SEGMENTS), its unusable partitions."""

    degree: str
    logging: str | None
    status: str
    bytes: int = 0
    unusable: tuple[tuple[str, str], ...] = ()
    """Each as PARTITION or SUBPARTITION and its name."""

    @property
    def broken(self) -> bool:
        return self.status == "UNUSABLE" or bool(self.unusable)

    def beyond(self, wanted: IndexState | None) -> IndexState:
        """This state without what is to be unusable: what is left of that has to be rebuilt."""
        if wanted is None:
            return self
        unusable = tuple(each for each in self.unusable if each not in wanted.unusable)
        return replace(
            self, status="VALID" if wanted.status == "UNUSABLE" else self.status, unusable=unusable
        )


#: Of one table.
IndexStates = dict[ObjectName, IndexState]


def index_states(
    connection: oracledb.Connection, tables: Sequence[Table], sized: bool = False
) -> defaultdict[TableName, IndexStates]:
    """The indexes of tables. Sizes cost a query of DBA_SEGMENTS.

    Only a partitioned index has unusable partitions, and it has them at both ends.
    """
    unusable = defaultdict[ObjectName, list[tuple[str, str]]](list)
    partitioned = [table for table in tables if any(index.partitioned for index in table.indexes)]
    for owner, names in _batches(partitioned):
        found_rows = rows(connection, statements.UNUSABLE_PARTITIONS_OF, names=names, owner=owner)
        for index, parts in grouped(ObjectName, found_rows).items():
            unusable[index] += [(kind, partition) for kind, partition in parts]
    states = defaultdict[TableName, IndexStates](dict)
    statement = statements.SIZED_INDEXES_OF if sized else statements.INDEXES_OF
    for owner, names in _batches(tables):
        for index_owner, name, degree, logging, status, size, table in rows(
            connection, statement, names=names, owner=owner
        ):
            index, written = ObjectName(index_owner, name), str(degree or "1").strip()
            states[TableName(owner, table)][index] = IndexState(
                "1" if written in ("0", "") else written,
                logging,
                status,
                int(size or 0),
                tuple(unusable[index]),
            )
    return states


def _batches(tables: Sequence[Table]) -> Iterator[tuple[str, list[str]]]:
    """An owner, and names of some of his tables."""
    for owner, owned in groupby(sorted(tables, key=lambda table: table.owner), key=lambda table: table.owner):
        names = [table.name for table in owned]
        for first in range(0, len(names), TABLES):
            yield owner, names[first : first + TABLES]
