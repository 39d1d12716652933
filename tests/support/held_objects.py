"""Users and objects of a database."""

from __future__ import annotations

from typing import Any

import oracledb


def held(target: oracledb.Connection) -> list[tuple[Any, ...]]:
    """Users, and objects with their owners."""
    with target.cursor() as cursor:
        cursor.execute("SELECT USERNAME, 'USER', USERNAME FROM DBA_USERS")
        users = cursor.fetchall()
        cursor.execute("SELECT OWNER, OBJECT_TYPE, OBJECT_NAME FROM DBA_OBJECTS")
        return sorted([*users, *cursor.fetchall()])
