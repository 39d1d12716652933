"""External tables over files of a DIRECTORY that is the test schema's own."""

from __future__ import annotations

import oracledb

from support.stand_in import Schema


def create(
    cursor: oracledb.Cursor,
    schema: Schema,
    columns: str,
    access: str,
    *,
    location: str = "'data.csv'",
    name: str = "x",
    tail: str = "",
) -> str:
    statement = (
        f"CREATE TABLE {name} ({columns}) ORGANIZATION EXTERNAL (TYPE ORACLE_LOADER"
        f" DEFAULT DIRECTORY ext_{schema.name} ACCESS PARAMETERS ({access}) LOCATION ({location})) {tail}"
    )
    cursor.execute(statement)
    return statement
