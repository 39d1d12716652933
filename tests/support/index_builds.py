"""The indexes of a single table."""

from __future__ import annotations

from typing import Any

from oracle_refresh.catalog import Table
from oracle_refresh.definition import RefreshDefinition
from oracle_refresh.run.progress import Progress, silent
from oracle_refresh.target.objects.index_origins import SourceIndexes
from oracle_refresh.target.objects.indexes import IndexBuilder, IndexResult


def build_indexes(
    source: Any,
    target: Any,
    table: Table,
    definition: RefreshDefinition,
    progress: Progress = silent,
    connect: Any = None,
) -> IndexResult:
    return IndexBuilder(SourceIndexes(source), target, [table], definition, connect).build(table, progress)
