"""Rules of INSERT, UPDATE and MERGE that depend on what a table's columns are.

Source: SQL Language Reference 19c, INSERT, UPDATE, MERGE, CREATE TABLE (virtual_column_definition,
identity_clause, row_movement_clause); the codes are those of Database Error Messages 19c.
"""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from oracle_refresh.catalog import Catalogue, Table
from support.oracle_rules.parsed import parsed


def complaints(sql: str, catalogue: Catalogue) -> list[str]:
    """What a 19c would refuse of a change to a catalogue's tables; nothing of queries."""
    tree = parsed(sql)
    if isinstance(tree, exp.Insert | exp.Update | exp.Merge):
        return list(dict.fromkeys(_changed(tree, catalogue)))
    return []


def _changed(tree: exp.Expr, catalogue: Catalogue) -> Iterator[str]:
    target = tree.this.this if isinstance(tree.this, exp.Schema) else tree.this
    table = catalogue.table(target.db, target.name) if isinstance(target, exp.Table) else None
    if isinstance(tree, exp.Insert):
        names = [name.name for name in tree.this.expressions] if isinstance(tree.this, exp.Schema) else []
        yield from _inserted(table, names) if table else ()
        return
    if isinstance(tree, exp.Merge):
        assigned = [part.this.name for part in tree.args["whens"].find_all(exp.EQ) if _is_assignment(part)]
        met = {column.name for column in tree.args["on"].find_all(exp.Column) if column.table == target.alias}
        for name in assigned:
            if name in met:
                yield f"ORA-38104: {name} is in the ON clause"
    else:
        assigned = [part.this.name for part in tree.args["expressions"] if isinstance(part, exp.EQ)]
    yield from _updated(table, assigned) if table else ()


def _is_assignment(part: exp.EQ) -> bool:
    return isinstance(part.parent, exp.Update)


def _inserted(table: Table, names: list[str]) -> Iterator[str]:
    for column in filter(None, map(table.column, names)):
        if column.virtual:
            yield f"ORA-54013: {column.name} is virtual"
        if column.always_generated:
            yield f"ORA-32795: {column.name} is always generated"


def _updated(table: Table, names: list[str]) -> Iterator[str]:
    for column in filter(None, map(table.column, names)):
        if column.virtual:
            yield f"ORA-54017: {column.name} is virtual"
        if column.always_generated:
            yield f"ORA-32796: {column.name} is always generated"
        if column.name in table.partition_columns and not table.may_change_partition:
            yield f"ORA-14402: {column.name} decides the partition"
    if len(names) != len(set(names)):
        yield "ORA-00957: a column twice"
