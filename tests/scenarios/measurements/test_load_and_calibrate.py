"""`make load` and `make calibrate` as a user runs them: real Airflow, small sizes, one home."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from support.home import Home, a_home

pytestmark = pytest.mark.scenario


@pytest.fixture(scope="module")
def home() -> Iterator[Home]:
    with a_home("measurements_") as made:
        yield made


def _pages(home: Home, dag_run_before: set[str]) -> list[str]:
    """What the report pages of the new runs hold."""
    new = {path.name for path in home.reports.iterdir() if path.name != "latest"} - dag_run_before
    return [(home.reports / name / "report.html").read_text() for name in new]


def test_schemas_are_loaded_and_reported(home: Home) -> None:
    done = home.stack(
        *("load", "--schemas", "3", "--rows", "40", "--degree", "2", "--profile", "study", "--keep")
    )
    assert done.returncode == 0, done.stdout
    assert "3 of 3 schemas, 120 rows" in done.stdout
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
    (page,) = _pages(home, set())
    assert page.count("<svg") >= 1
    assert "TB/h" in page


def test_the_store_is_measured_and_left_empty(home: Home) -> None:
    before = {path.name for path in home.reports.iterdir()}
    done = home.stack("calibrate", "--seconds", "0.1", "--flat-mb", "2", "--small-files", "20", "--keep")
    assert "report:" in done.stdout, done.stdout
    (page,) = _pages(home, before)
    assert page.count("<svg") >= 2
    for part in ("load external table", "import dump", "20 small files"):
        assert part in page, part
    assert home.dump_files() == []
