"""The schema of its own that a benchmark makes, and the documents that say so."""

from __future__ import annotations

from collections.abc import Iterator
from uuid import uuid4

import oracledb
import pytest

from oracle_refresh.run.documents import Documents
from support.demo import DemoDatabase

RUN = "benchmark__1"


@pytest.fixture
def documents(target: oracledb.Connection, demo_target: DemoDatabase) -> Documents:
    found = Documents(target, RUN)
    found.ensure()
    return found


@pytest.fixture
def name(demo_target: DemoDatabase) -> Iterator[str]:
    name = f"BENCH_{uuid4().hex[:8].upper()}"
    yield name
    with demo_target.system() as system, system.cursor() as cursor:
        cursor.execute("SELECT COUNT(*) FROM DBA_USERS WHERE USERNAME = :1", [name])
        if cursor.fetchone() == (1,):
            cursor.execute(f"DROP USER {name} CASCADE")


def as_system(database: DemoDatabase, *statements: str) -> None:
    with database.system() as system, system.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)
