"""What the preflight makes of what a database link and a folder of clients show it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import oracledb
import pytest

from oracle_refresh.preflight.transport import check_clients, check_link
from support.fake_connection import FakeConnection
from support.planner_tables import SOURCE, definition

OVER_LINK = definition(datapump={"transport": "network_link", "database_link": "prod"})


class Target(FakeConnection):
    """A target with these links, `PUBLIC:NAME` being a public one; the question over them has this answer."""

    def __init__(self, links: list[str], answer: Any) -> None:
        self.links, self.answer, self.rows = links, answer, []

    def execute(self, statement: str, binds: dict[str, str], **_: Any) -> None:
        if "@" not in statement:
            assert binds == {"link": "PROD"}
            self.rows: list[tuple[Any, ...]] = [
                (owner or "REFRESH_TARGET", name)
                for owner, _, name in (link.rpartition(":") for link in self.links)
            ]
            return
        assert statement.endswith("@PROD")
        if isinstance(self.answer, Exception):
            raise self.answer
        self.rows = [(self.answer,)]

    def fetchone(self) -> tuple[Any, ...]:
        return self.rows[0]

    def __iter__(self) -> Any:
        return iter(self.rows)


@pytest.mark.parametrize(
    ("links", "answer", "code"),
    [
        (["PROD"], SOURCE.con_dbid, None),
        (["PROD.WORLD"], SOURCE.con_dbid, None),
        (["PRODUCTS"], SOURCE.con_dbid, "UNKNOWN_LINK"),
        ([], None, "UNKNOWN_LINK"),
        (["PUBLIC:PROD"], SOURCE.con_dbid, "PUBLIC_LINK"),
        (["PUBLIC:PROD", "PROD"], SOURCE.con_dbid, "PUBLIC_LINK"),
        (["PROD"], 4711, "LINK_LEADS_ELSEWHERE"),
        (["PROD"], oracledb.DatabaseError("ORA-00942: table or view does not exist"), "LINK_NOT_COMPARED"),
        (["PROD"], oracledb.DatabaseError("ORA-12541: TNS:no listener"), "BROKEN_LINK"),
        (["PROD"], oracledb.DatabaseError("ORA-01017: invalid username/password"), "BROKEN_LINK"),
    ],
)
def test_a_link(links: list[str], answer: Any, code: str | None) -> None:
    target: Any = Target(links, answer)
    assert [finding.code for finding in check_link(target, SOURCE, OVER_LINK)] == ([code] if code else [])


def test_without_a_link_nothing_is_asked() -> None:
    nobody: Any = None
    assert check_link(nobody, SOURCE, definition()) == []


def test_clients(tmp_path: Path) -> None:
    wish = definition(datapump={"runner": "client"})
    assert check_clients(definition(), tmp_path) == []
    assert [finding.code for finding in check_clients(wish, tmp_path)] == ["CLIENT_MISSING"] * 2
    for name in ("expdp", "impdp"):
        (tmp_path / name).write_text("#!/bin/sh\n")
        (tmp_path / name).chmod(0o755)
    assert check_clients(wish, tmp_path) == []
