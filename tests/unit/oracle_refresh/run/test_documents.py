"""How documents of a run are bound."""

from __future__ import annotations

import json
from typing import Any

import oracledb

from oracle_refresh.catalog.limits import Limits
from oracle_refresh.plan import build_plan
from oracle_refresh.plan.storage import save_plan
from oracle_refresh.run.documents import Documents
from support.fake_connection import FakeConnection
from support.planner_tables import FROZEN, MB, catalogue, definition, table


class Connection(FakeConnection):
    """Takes every statement, and keeps the documents that came in arrays and by themselves."""

    def __init__(self) -> None:
        self.in_arrays: list[str] = []
        self.alone: list[tuple[str, Any]] = []
        self.sizes: dict[str, Any] = {}

    def commit(self) -> None:
        pass

    rowcount = 1

    def setinputsizes(self, **sizes: Any) -> None:
        self.sizes = sizes

    def execute(self, _statement: str, binds: dict[str, Any]) -> None:
        self.alone.append((binds["document"], self.sizes.get("document")))
        self.sizes = {}

    def executemany(self, _statement: str, rows: list[dict[str, Any]]) -> None:
        self.in_arrays += [row["document"] for row in rows]


def test_documents_too_long_for_an_array_are_bound_as_clobs() -> None:
    many = [table(f"T{number:0120d}", MB) for number in range(1000)]
    tables = catalogue(*many)
    plan = build_plan(tables, definition(), Limits(cpus=2), FROZEN, "run")
    connection: Any = Connection()
    assert save_plan(Documents(connection, "run"), plan, tables)
    long = [document for document, _ in connection.alone if len(document) > 32767]
    assert long, "the bulk job names all tables"
    assert all(kind is oracledb.DB_TYPE_CLOB for document, kind in connection.alone if document in long)
    assert max(map(len, connection.in_arrays)) <= 32767
    assert {job["id"] for job in map(json.loads, [*long, *connection.in_arrays]) if "job_name" in job} == {
        job.id for job in plan.jobs
    }
