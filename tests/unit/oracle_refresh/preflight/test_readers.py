"""Who can read the tables of the schemas, by privileges, roles, PUBLIC, and gets a session."""

from __future__ import annotations

import pytest

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
