"""What a client is told of a query's columns beyond the types that PostgreSQL knows them by."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from localoracle.session.backend import Field
from localoracle.values import Column

if TYPE_CHECKING:
    from localoracle.server import Database

_FLOAT = re.compile(r"FLOAT\((\d+)\)")
_FLOATING_SCALE = -127


async def as_declared(database: Database, columns: Sequence[Column], fields: Sequence[Field]) -> list[Column]:
    """The columns, those of tables with their NOT NULL constraints and primary keys, and as FLOAT where they
    are declared so: a NUMBER with a binary precision (SQL Language Reference, "FLOAT Data Type").
    """
    tables = {field.table for field in fields if field.table}
    if not tables:
        return list(columns)
    rows = await database.system(
        "SELECT c.attrelid::int8, c.attnum, c.attnotnull, d.value FROM pg_attribute c"
        " LEFT JOIN localoracle.object_attributes d ON d.relation = c.attrelid AND d.column_number = c.attnum"
        " AND d.attribute = 'data_type' WHERE c.attrelid = ANY(%s::oid[])"
        " AND (c.attnotnull OR d.value LIKE 'FLOAT(%%')",
        [list(tables)],
    )
    known = {(table, number): (filled, declared or "") for table, number, filled, declared in rows}
    result = []
    for column, field in zip(columns, fields, strict=True):
        filled, declared = known.get((field.table, field.table_column), (False, ""))
        datatype = column.datatype
        if bits := _FLOAT.fullmatch(declared):
            datatype = replace(datatype, precision=int(bits[1]), scale=_FLOATING_SCALE)
        result.append(replace(column, datatype=datatype, nullable=not filled))
    return result
