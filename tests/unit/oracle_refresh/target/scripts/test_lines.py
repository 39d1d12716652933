"""The line of a script that the database points to."""

from __future__ import annotations

from types import SimpleNamespace

import oracledb

from oracle_refresh.target.scripts import split
from oracle_refresh.target.scripts.run import _offset


def test_the_line_that_the_database_points_to() -> None:
    (statement,) = split("\n\nUPDATE T\nSET A = 1\nWHERE NOTHING = 1;\n")
    error = oracledb.DatabaseError(SimpleNamespace(offset=statement.text.index("NOTHING")))
    assert statement.line + _offset(statement, error) == 5
