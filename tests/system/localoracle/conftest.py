"""Two running servers, one with a link to the other."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from support.stand_in import SYSTEM_PASSWORD, Server, new_server


@dataclass
class Pair:
    """Two running servers; link FAR of `near`'s SYSTEM leads to `far`'s SYSTEM."""

    near: Server
    far: Server

    def link(self, user: str, password: str) -> str:
        """What CREATE DATABASE LINK name needs to lead to a user of `far`."""
        return f"CONNECT TO {user} IDENTIFIED BY \"{password}\" USING '{self.far.dsn}'"


@pytest.fixture(scope="package")
def pair() -> Iterator[Pair]:
    far, end_far = new_server("far")
    near, end_near = new_server("near")
    both = Pair(near, far)
    with near.connect() as connection, connection.cursor() as cursor:
        cursor.execute(f"CREATE DATABASE LINK FAR {both.link('SYSTEM', SYSTEM_PASSWORD)}")
    yield both
    end_near()
    end_far()
