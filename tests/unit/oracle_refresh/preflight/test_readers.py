"""Who can read the tables of the schemas, by privileges, roles, PUBLIC, and gets a session."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from oracle_refresh.preflight import quarantine, statements
from oracle_refresh.preflight.quarantine import Account, readers

ANY = "SELECT ANY TABLE"
ROLES = [("ANALYSTS", "ANN"), ("READERS", "ANALYSTS"), ("DBA", "ROOT"), ("READERS", "ROOT")]


def account(name: str, **fields: object) -> Account:
    return Account(**{"name": name, "status": "OPEN", "authentication": "PASSWORD", **fields})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("fields", "may"),
    [
        ({}, True),
        ({"status": "EXPIRED"}, True),
        ({"status": "EXPIRED(GRACE)"}, True),
        ({"status": "LOCKED"}, False),
        ({"status": "EXPIRED & LOCKED"}, False),
        ({"status": "LOCKED(TIMED)"}, True),
        ({"authentication": "NONE"}, False),
        ({"authentication": "NONE", "proxies": ("WEB",)}, True),
        ({"authentication": "NONE", "proxies": ("WEB",), "status": "LOCKED"}, False),
        ({"authentication": "EXTERNAL"}, True),
        ({"authentication": "GLOBAL"}, True),
    ],
)
def test_whether_anybody_gets_a_session(fields: dict[str, object], may: bool) -> None:
    assert account("ANN", **fields).open is may


def test_by_privileges_and_roles_of_roles() -> None:
    found = readers(
        [account("ANN"), account("BOB"), account("EVE")],
        ROLES,
        [("READERS", ANY), ("BOB", "SELECT on objects of APP"), ("OTHERS", ANY)],
    )
    assert found == {"ANN": [f"{ANY} by role READERS"], "BOB": ["SELECT on objects of APP"]}


def test_dbas_and_what_oracle_maintains_are_spared() -> None:
    accounts = [account("ROOT"), account("SYSBACKUP", maintained=True)]
    assert readers(accounts, ROLES, [("READERS", ANY), ("SYSBACKUP", ANY)]) == {}


def test_a_locked_account_reads_by_its_jobs() -> None:
    locked = account("ANN", status="LOCKED")
    assert readers([locked], ROLES, [("READERS", ANY)]) == {}
    at_work = account("ANN", status="LOCKED", jobs=True)
    assert list(readers([at_work], ROLES, [("READERS", ANY)])) == ["ANN"]


def test_a_role_of_public_is_everybodys() -> None:
    assert list(readers([account("EVE")], [("READERS", "PUBLIC")], [("READERS", ANY)])) == ["EVE"]


@pytest.mark.parametrize("views", [[], [("DBA_SCHEMA_PRIVS",)]], ids=["19c", "23ai"])
def test_privileges_on_a_whole_schema_are_those_of_23ai(
    monkeypatch: pytest.MonkeyPatch, views: list[tuple[str]]
) -> None:
    """A database that has no such view is not asked for it: ORA-00942 would end the preflight."""
    asked: list[str] = []

    def rows(_: Any, statement: str, **binds: Any) -> list[tuple[str, ...]]:
        asked.append(statement)
        if statement == statements.SCHEMA_PRIVILEGES_VIEW:
            return list(views)
        if "FROM DBA_SCHEMA_PRIVS P" in statement:
            assert binds == {"names": ("APP",)}
            return [("ANN", ANY, "APP"), ("READERS", "READ ANY TABLE", "APP"), ("PUBLIC", ANY, "APP")]
        return [("READERS", "BOB")] if statement == statements.ROLES_OF_ALL else []

    monkeypatch.setattr(quarantine, "rows", rows)
    end = SimpleNamespace(connection=None, identity=SimpleNamespace(user="REFRESH"))
    both: Any = SimpleNamespace(
        source=end, target=end, definition=SimpleNamespace(schemas=("APP",), application_accounts=())
    )
    found = list(quarantine._check_readers(both, [account("ANN"), account("BOB"), account("EVE")]))
    told = [each.message for each in found]
    assert [each.code for each in found] == [
        *["READS_UNMASKED_ROWS"] * 2 * len(views),
        *["PUBLIC_READS"] * len(views),
    ]
    assert any("DBA_SCHEMA_PRIVS P" in statement for statement in asked) is bool(views)
    if views:
        assert told[0].startswith("ANN ")
        assert "SELECT ANY TABLE on schema APP" in told[0]
        assert "READ ANY TABLE on schema APP by role READERS" in told[1]
        assert "SELECT ANY TABLE on schema APP" in told[2]


@pytest.mark.parametrize(
    ("privileges", "expected"),
    [
        ([], []),
        ([("ANN", ANY)], [("warning", "READS_UNMASKED_ROWS")]),
        ([("WEB", ANY)], [("error", "READS_UNMASKED_ROWS")]),
        ([("READERS", "READ ANY TABLE")], [("warning", "READS_UNMASKED_ROWS")]),
        ([("PUBLIC", ANY)], [("error", "PUBLIC_READS")]),
        ([("REFRESH", ANY), ("ROOT", ANY)], []),
    ],
)
def test_an_imported_sample_is_read_by_whoever_reads_any_table(
    monkeypatch: pytest.MonkeyPatch, privileges: list[tuple[str, str]], expected: list[tuple[str, str]]
) -> None:
    """The application's account WEB counts although a refresh that is under way has locked it."""
    answers = {
        statements.PROXIES: [],
        statements.JOB_OWNERS: [],
        statements.ANY_TABLE: privileges,
        statements.ROLES_OF_ALL: [("READERS", "ANN"), ("DBA", "ROOT")],
        statements.ACCOUNTS: [
            *((name, "OPEN", "PASSWORD", "N") for name in ("ANN", "REFRESH", "ROOT")),
            ("WEB", "LOCKED", "PASSWORD", "N"),
            ("OLD", "LOCKED", "PASSWORD", "N"),
        ],
    }
    monkeypatch.setattr(quarantine, "rows", lambda _, statement: answers[statement])
    end = SimpleNamespace(connection=None, identity=SimpleNamespace(user="REFRESH"))
    both: Any = SimpleNamespace(target=end, definition=SimpleNamespace(application_accounts=("WEB",)))
    found = list(quarantine.check_sample_readers(both))
    assert [(each.severity, each.code) for each in found] == expected
