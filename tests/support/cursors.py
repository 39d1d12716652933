"""Short forms for tests that look at one value or one error."""

from __future__ import annotations

from typing import Any

import oracledb
import pytest


def fails(cursor: oracledb.Cursor, code: int, sql: str, *binds: Any, text: str = "") -> None:
    with pytest.raises(oracledb.DatabaseError) as caught:
        cursor.execute(sql, *binds)
    assert caught.value.args[0].code == code, str(caught.value)
    assert text in str(caught.value)


def one(cursor: oracledb.Cursor, sql: str, *binds: Any) -> Any:
    row = cursor.execute(sql, *binds).fetchone()
    return row[0] if row and len(row) == 1 else row
