"""IN with binds that are strings: each is compared as by itself, whatever the column is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import oracledb
import pytest

if TYPE_CHECKING:
    from support.stand_in import Schema


def test_a_list_of_strings_is_compared_one_by_one(schema: Schema) -> None:
    with schema.connection.cursor() as cursor:
        cursor.execute("CREATE TABLE t (N NUMBER, C CHAR(4), V VARCHAR2(4))")
        cursor.execute("INSERT INTO t VALUES (1, 'a', 'a')")
        for column, found, other in (("N", "1", "2"), ("C", "a   ", "b"), ("V", "a", "b")):
            for operator, rows in (("IN", 1), ("NOT IN", 0)):
                cursor.execute(f"SELECT COUNT(*) FROM t WHERE {column} {operator} (:1, :2)", [other, found])
                assert cursor.fetchone() == (rows,), (column, operator)
        cursor.execute("SELECT COUNT(*) FROM t WHERE V NOT IN (:1, :2)", ["b", None])
        assert cursor.fetchone() == (0,)
        with pytest.raises(oracledb.DatabaseError, match="ORA-01722"):
            cursor.execute("SELECT COUNT(*) FROM t WHERE N IN (:1, :2)", ["x", "y"]).fetchall()
