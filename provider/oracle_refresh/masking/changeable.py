"""Columns that Oracle lets nobody change, or not by every statement: refused before anything is loaded.

Sources: SQL Language Reference 19c, UPDATE, CREATE TABLE (identity_clause, row_movement_clause)
and Data Types; the messages of the codes named.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from oracle_refresh.oracle.errors import MaskingError
from oracle_refresh.oracle.identifiers import TableName

if TYPE_CHECKING:
    from oracle_refresh.catalog import Catalogue, Column, Table
    from oracle_refresh.masking.rules import ColumnRule, Ruleset

_EXEMPT = "or sign an exemption for the column"
_LONG = ("LONG", "LONG RAW")
#: Types of 21c and 23ai: that CASE may have them beside NULL, which is text, is not documented for 19c.
_LATER = ("JSON", "BOOLEAN", "VECTOR")


def require_changeable(table: Table, rule: ColumnRule, column: Column) -> None:
    """:raises MaskingError: when no statement may change the column as the rule says."""
    if column.virtual:
        raise misfit(table, rule, "the column is virtual and follows from others", "mask those")
    if column.always_generated:
        raise misfit(
            table,
            rule,
            "the column is GENERATED ALWAYS AS IDENTITY, and its values cannot be changed (ORA-32796)",
            f"leave it as it is, its numbers are the database's own, {_EXEMPT}",
        )
    if column.name in table.partition_columns and not table.may_change_partition:
        raise misfit(
            table,
            rule,
            "the column decides the partition of a row, and a masked row may belong to another one"
            " (ORA-14402) or to none (ORA-14400)",
            "ALTER TABLE ... ENABLE ROW MOVEMENT at the source, where the table is partitioned by hash or"
            f" interval; else mask other columns, {_EXEMPT}",
        )
    if rule.algorithm.mapped == "by_row" and table.iot:
        raise misfit(
            table,
            rule,
            f"{rule.kind} keeps the addresses of rows, and rows of an index-organized table have none that"
            " stay (UROWID)",
            "choose an algorithm that masks by value",
        )
    if rule.where is not None and not _may_stand_in_case(column):
        raise misfit(
            table,
            rule,
            f"a condition makes the value an expression, which {column.data_type} cannot be (ORA-00932,"
            " ORA-00997)",
            "mask all values of the column",
        )


def changeable(table: Table, column: Column) -> bool:
    """Whether some rule may change the column."""
    fixed = column.name in table.partition_columns and not table.may_change_partition
    return not (column.virtual or column.always_generated or fixed)


def tables_whose_rows_move(catalogue: Catalogue, ruleset: Ruleset) -> frozenset[TableName]:
    """The tables that masking changes a column of which decides the partition of a row."""
    return frozenset(
        TableName(table.owner, table.name)
        for table in catalogue.tables
        if any(rule.column in table.partition_columns for rule in ruleset.rules(table.owner, table.name))
    )


def misfit(table: Table, rule: ColumnRule, why: str, remedy: str) -> MaskingError:
    return MaskingError(why, object_name=f"{table.key}.{rule.column}", step="masking plan", remedy=remedy)


def _may_stand_in_case(column: Column) -> bool:
    """Whether the column's own value may be the result of a CASE beside a masked one: LONGs may not stand in
    expressions, and there is no masked value of the types of users and of SYS but NULL, which is text."""
    return column.data_type not in (*_LONG, *_LATER, "BFILE") and column.type_owner is None
