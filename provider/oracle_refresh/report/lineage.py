"""Lineage of a published refresh, table by table and column by column. Pure, and of names and counts only."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from oracle_refresh.catalog.model import Table
from oracle_refresh.masking.rules import Ruleset, by_column


@dataclass(frozen=True)
class ColumnLineage:
    """One column: of the same name at both ends. `masked_by`: kinds of algorithms, as in the ruleset; empty
    where the values are the source's."""

    name: str
    data_type: str
    masked_by: tuple[str, ...] = ()


@dataclass(frozen=True)
class TableLineage:
    """One table. `rows`: those of the target when it was compared; None where it was not."""

    owner: str
    name: str
    columns: tuple[ColumnLineage, ...]
    rows: int | None


@dataclass(frozen=True)
class RefreshLineage:
    """A refresh. `source` and `target` are `oracle://host:port/service`."""

    source: str
    target: str
    tables: tuple[TableLineage, ...]


def lineage_of(
    source: str,
    target: str,
    tables: Iterable[Table],
    ruleset: Ruleset,
    rows: Mapping[tuple[str, str], int],
) -> RefreshLineage:
    """The lineage of a run from its catalogue and its ruleset, with the inherited rules in it.

    :param rows: counted in the target, by owner and name.
    """
    return RefreshLineage(source, target, tuple(_table(table, ruleset, rows) for table in tables))


def _table(table: Table, ruleset: Ruleset, rows: Mapping[tuple[str, str], int]) -> TableLineage:
    rules = by_column(ruleset.rules(table.owner, table.name))
    columns = tuple(
        ColumnLineage(
            column.name,
            column.data_type,
            tuple(dict.fromkeys(rule.kind for rule in rules.get(column.name, ()) if rule.kind != "keep")),
        )
        for column in table.columns
    )
    return TableLineage(table.owner, table.name, columns, rows.get((table.owner, table.name)))
