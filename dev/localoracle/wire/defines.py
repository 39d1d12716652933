"""What a client takes a query's columns as (its defines) when they have changed since it saw them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from localoracle.values import Column, DataType, OracleType
from localoracle.wire.values import LOBS

_LONG_FOR = {
    OracleType.CLOB: (OracleType.LONG, frozenset((OracleType.CHAR, OracleType.VARCHAR2, OracleType.LONG))),
    OracleType.BLOB: (OracleType.LONG_RAW, frozenset((OracleType.RAW, OracleType.LONG_RAW))),
}
"""A LOB goes to a client that knows the column as one of these types as LONG or LONG RAW."""


def defines_after_change(
    defines: Sequence[DataType] | None, described: Sequence[Column], columns: Sequence[Column]
) -> list[DataType] | None:
    """The defines that hold on for the new columns; None when the client has to define them again.

    python-oracledb's `_adjust_metadata` says what a client expects: a column that has become a LOB comes as
    the LONG of it where the client knew a string.
    """
    before = list(defines) if defines is not None else [column.datatype for column in described]
    after = []
    for position, column in enumerate(columns):
        datatype = column.datatype
        if datatype.type in _LONG_FOR and position < len(before):
            kind, strings = _LONG_FOR[datatype.type]
            if before[position].type in strings:
                datatype = replace(datatype, type=kind, national=before[position].national)
        after.append(datatype)
    changed = any(new != column.datatype for new, column in zip(after, columns, strict=True))
    if not changed or any(datatype.type in LOBS for datatype in after):
        return None
    return after
