"""Where the indexes of a table are known from: the source of a refresh, or what was recorded of a clone
before they were dropped for its masking."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Protocol

from oracle_refresh.catalog.model import Index, Table
from oracle_refresh.oracle.identifiers import TableName
from oracle_refresh.target.objects.index_states import IndexStates, index_states
from oracle_refresh.target.objects.metadata import SourceDdl

if TYPE_CHECKING:
    import oracledb

    from oracle_refresh.target.objects.suspended import IndexBefore


class IndexOrigin(Protocol):
    """How the indexes of tables have to be.

    :ivar in_place: whether the indexes come back where they were: keys are there, disabled, and are enabled
        in place of being added; index partitions keep their names, and what was unusable stays so.
    """

    in_place: bool

    def states(self, tables: Sequence[Table], sized: bool = False) -> defaultdict[TableName, IndexStates]:
        """See `index_states`."""

    def ddl(self, index: Index) -> Sequence[str]:
        """CREATE INDEX, and what DBMS_METADATA says behind it."""


class SourceIndexes:
    """As the source has them now."""

    in_place = False

    def __init__(self, connection: oracledb.Connection) -> None:
        self._connection = connection

    def states(self, tables: Sequence[Table], sized: bool = False) -> defaultdict[TableName, IndexStates]:
        return index_states(self._connection, tables, sized)

    def ddl(self, index: Index) -> Sequence[str]:
        return self._reader.read("INDEX", index.full_name)

    @cached_property
    def _reader(self) -> SourceDdl:
        return SourceDdl(self._connection)


class SuspendedIndexes:
    """As the target itself had them: of tables that are masked as recorded before, of others as they stand.

    Those that were not dropped are not as they were either: a table that was moved (`masking.history`) has
    made all of its indexes unusable.
    """

    in_place = True

    def __init__(self, target: oracledb.Connection, recorded: Iterable[IndexBefore]) -> None:
        self._target = target
        self._recorded = {each.full_name: each for each in recorded}

    def states(self, tables: Sequence[Table], sized: bool = False) -> defaultdict[TableName, IndexStates]:
        states = defaultdict[TableName, IndexStates](dict)
        for each in self._recorded.values():
            states[each.table][each.full_name] = each.state
        states.update(
            index_states(self._target, [table for table in tables if table.full_name not in states], sized)
        )
        return states

    def ddl(self, index: Index) -> Sequence[str]:
        return self._recorded[index.full_name].ddl
