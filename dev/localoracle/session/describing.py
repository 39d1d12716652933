"""The description of a query's columns beyond PostgreSQL's types: NOT NULL, JSON, FLOAT, length in bytes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from localoracle.dictionary.column_types import HEADER_BYTES
from localoracle.postgres.backend import Field
from localoracle.values import Column, OracleType

if TYPE_CHECKING:
    from localoracle.server.database import Database

_FLOAT = re.compile(r"FLOAT\((\d+)\)")
_FLOATING_SCALE = -127
_NOTHING = (False, None, None, None)
_IS_JSON = r'^\(?(ora\.)?is_json\(\(*(\w+|"[^"]+")(\)*::[\w .]+)*\)*$'
"""IS JSON alone as PostgreSQL writes a constraint's condition."""
_DECLARED = """
SELECT c.attrelid::int8, c.attnum, c.attnotnull, d.value, j.number IS NOT NULL, u.value = 'B'
FROM pg_attribute c
LEFT JOIN localoracle.object_attributes d
  ON d.relation = c.attrelid AND d.column_number = c.attnum AND d.attribute = 'data_type'
LEFT JOIN localoracle.object_attributes u
  ON u.relation = c.attrelid AND u.column_number = c.attnum AND u.attribute = 'char_used'
LEFT JOIN (
  SELECT DISTINCT conrelid, conkey[1] AS number FROM pg_constraint
  WHERE conrelid = ANY(%s::oid[]) AND contype = 'c' AND cardinality(conkey) = 1
  AND pg_get_expr(conbin, conrelid) ~ %s
) j ON j.conrelid = c.attrelid AND j.number = c.attnum
WHERE c.attrelid = ANY(%s::oid[])
AND (c.attnotnull OR d.value LIKE 'FLOAT(%%' OR j.number IS NOT NULL OR u.value = 'B')
"""


async def as_declared(database: Database, columns: Sequence[Column], fields: Sequence[Field]) -> list[Column]:
    """The columns, those of tables with their NOT NULL constraints and primary keys.

    As JSON where a constraint says so, and as FLOAT where they are declared so: a NUMBER with a binary
    precision (SQL Language Reference, "FLOAT Data Type"); VARCHAR2(n BYTE) with its bytes.
    """
    tables = {field.table for field in fields if field.table}
    if not tables:
        return list(columns)
    rows = await database.system(_DECLARED, [list(tables), _IS_JSON, list(tables)])
    declarations = {(table, number): declared for table, number, *declared in rows}
    result = []
    for column, field in zip(columns, fields, strict=True):
        filled, declared, is_json, in_bytes = declarations.get((field.table, field.table_column), _NOTHING)
        datatype = column.datatype
        if bits := _FLOAT.fullmatch(declared or ""):
            datatype = replace(datatype, precision=int(bits[1]), scale=_FLOATING_SCALE)
        if in_bytes and datatype.type is OracleType.VARCHAR2:
            datatype = replace(datatype, size=field.modifier - HEADER_BYTES, in_bytes=True)
        result.append(replace(column, datatype=datatype, nullable=not filled, is_json=bool(is_json)))
    return result
