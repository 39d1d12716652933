"""`make load` as users run it, with few rows, in a home where everything was stopped."""

from __future__ import annotations

from pathlib import Path

import pytest

from .conftest import Home, Kept

STOPPED = 3  # exit code of `python -m localoracle status`


@pytest.fixture(autouse=True)
def _after_all_was_stopped(stopped: Kept) -> None:
    """The first command starts what it needs."""


def _reports(home: Home) -> set[Path]:
    return {path for path in home.reports.iterdir() if path.name != "latest"}


def test_schemas_are_loaded_and_reported(home: Home) -> None:
    before = _reports(home)
    done = home.stack(
        *("load", "--schemas", "3", "--rows", "40", "--degree", "2", "--profile", "study", "--keep")
    )
    assert done.returncode == 0, done.stdout
    assert "3 of 3 schemas, 120 rows" in done.stdout
    assert home.localoracle("status", "source").returncode == STOPPED, "it is not needed"
    accounts = home.query(
        "target", "SELECT username, account_status FROM dba_users WHERE username LIKE 'SLOB\\_%' ESCAPE '\\'"
    )
    assert sorted(name for name, _ in accounts) == ["SLOB_1", "SLOB_2", "SLOB_3"]
    assert all("LOCKED" in status for _, status in accounts), accounts
    indexed = home.query(
        "target",
        "SELECT owner, uniqueness FROM dba_indexes"
        " WHERE owner LIKE 'SLOB\\_%' ESCAPE '\\' AND index_type = 'NORMAL'",
    )
    assert sorted(indexed) == [(f"SLOB_{number}", "UNIQUE") for number in (1, 2, 3)]
    (report,) = _reports(home) - before
    page = (report / "report.html").read_text()
    assert page.count("<svg") >= 1
    assert "TB/h" in page
