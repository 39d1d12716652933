"""Builds a table's indexes on the target after its rows are loaded and masked.

Each index is built in parallel and without redo for its blocks, then set back to NOPARALLEL LOGGING, so that
no later query runs in parallel by surprise. Indexes of primary and unique keys are built here too, and taken
up by their constraints afterwards (`constraints.py`). Source: CREATE INDEX in SQL Language Reference 19c.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from oracle_refresh.catalog.model import Index, Table
from oracle_refresh.identifiers import qualified, table_key
from oracle_refresh.jsonable import Jsonable
from oracle_refresh.objects import ddl, statements
from oracle_refresh.objects.metadata import SourceDdl, run
from oracle_refresh.progress import Progress, silent
from oracle_refresh.spec import RefreshDefinition

if TYPE_CHECKING:
    import oracledb

DEFAULT_DEGREE = 4
_PHYSICAL = frozenset({"PARALLEL", "NOPARALLEL", "LOGGING", "NOLOGGING"})


@dataclass(frozen=True)
class IndexResult(Jsonable):
    """Keys (OWNER.NAME) of the indexes that were built, and of those a former try had built."""

    table: str
    built: tuple[str, ...]
    ready: tuple[str, ...]
    seconds: float


def build_indexes(
    source: oracledb.Connection,
    target: oracledb.Connection,
    table: Table,
    definition: RefreshDefinition,
    progress: Progress = silent,
) -> IndexResult:
    """Build what is missing of the indexes that the source's table has.

    :param table: the table as the source's catalogue shows it.
    :param definition: its degree is that of each index; four processes where it has none.
    :raises PlanError: if DDL is refused or fails, as when a unique index meets duplicates (ORA-01452).
    """
    began = time.monotonic()
    present = _present(target, table)
    reader = (
        SourceDdl(source) if any((each.owner, each.name) not in present for each in table.indexes) else None
    )
    built, ready = [], []
    for number, index in enumerate(table.indexes, 1):
        name, key = (index.owner, index.name), table_key(index.owner, index.name)
        if name in present:
            ready.append(key)
            unsettled = present[name]
        else:
            assert reader is not None
            _build(reader, target, table, index, definition.degree or DEFAULT_DEGREE)
            built.append(key)
            unsettled = True
        if unsettled:
            for statement in (statements.NOPARALLEL, statements.LOGGING):
                run(target, statement.format(index=qualified(*name)), key)
        progress.report(number, len(table.indexes), "indexes", table.key)
    return IndexResult(table.key, tuple(built), tuple(ready), time.monotonic() - began)


def _build(reader: SourceDdl, target: oracledb.Connection, table: Table, index: Index, degree: int) -> None:
    for statement in reader.index(index.owner, index.name):
        about = ddl.guard(statement, {"CREATE INDEX", "ALTER INDEX"}, {index.owner}, index.name)
        if about.kind == "CREATE INDEX":
            plain = ddl.without_trailing(statement, _PHYSICAL)
            parallel = f" PARALLEL {degree:d}" if degree > 1 else ""
            run(target, f"{plain}{parallel} NOLOGGING", table_key(index.owner, index.name))


def _present(target: oracledb.Connection, table: Table) -> dict[tuple[str, str], bool]:
    """The indexes on the target's table; True for one that is not set back to NOPARALLEL LOGGING yet."""
    with target.cursor() as cursor:
        cursor.execute(statements.INDEXES_OF, owner=table.owner, name=table.name)
        return {
            (str(owner), str(name)): str(degree or "1").strip() not in ("0", "1") or logging == "NO"
            for owner, name, degree, logging in cursor
        }
