"""What would keep originals behind the masking of a clone is found before anything is touched."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import oracledb
import pytest

from oracle_refresh.definition import CloneDefinition
from oracle_refresh.masking import ColumnRule, Ruleset
from oracle_refresh.masking.algorithms.phone import Phone
from oracle_refresh.oracle.identifiers import TableName
from oracle_refresh.preflight import Finding, clone
from oracle_refresh.preflight.clone import check_clone
from oracle_refresh.run.documents import WHOLE
from oracle_refresh.run.ledger import Ledger, ensure_ledger
from oracle_refresh.target.former.state import ASIDE, RETURNED, STEP, note

MASKED = Ruleset("test", {TableName("APP", "PEOPLE"): (ColumnRule("PHONE", "phone", "phone", Phone()),)}, "f")


def definition(**fields: Any) -> CloneDefinition:
    known = {
        "name": "clone",
        "target": {"conn_id": "oracle_target"},
        "database": "target",
        "schemas": ["APP", "TEST"],
        "application_accounts": ["APP", "TEST", "APP_READER"],
        "masking": {"ruleset": Path("/rules.yaml"), "key_conn_id": "key"},
        "purge_statistics_history": True,
    }
    return CloneDefinition.model_validate({**known, **fields})


def found(connection: oracledb.Connection, **fields: Any) -> dict[str, Finding]:
    errors = check_clone(connection, definition(**fields), "target", MASKED)
    return {each.code: each for each in errors if each.severity == "error"}


@pytest.fixture
def may_purge(demo_target: Any) -> Iterator[None]:
    with demo_target.system() as system:
        system.cursor().execute(f"GRANT ANALYZE ANY DICTIONARY TO {demo_target.user}")
        yield
        system.cursor().execute(f"REVOKE ANALYZE ANY DICTIONARY FROM {demo_target.user}")


@pytest.fixture(autouse=True)
def _people(instead: Callable[[str, str], Any]) -> Iterator[None]:
    with instead("CREATE TABLE APP.PEOPLE (PHONE VARCHAR2(40) UNIQUE)", "DROP TABLE APP.PEOPLE PURGE"):
        yield


@pytest.fixture
def instead(demo_target: Any) -> Callable[[str, str], Any]:
    """Does something as a DBA, and undoes it."""

    @contextmanager
    def made(before: str, after: str) -> Iterator[None]:
        with demo_target.sys() as connection, connection.cursor() as cursor:
            cursor.execute(before)
            try:
                yield
            finally:
                cursor.execute(after)

    return made


@pytest.mark.usefixtures("may_purge")
def test_a_target_may_be_masked(target: oracledb.Connection) -> None:
    assert found(target) == {}


def test_what_is_not_marked_as_a_target_is_refused(target: oracledb.Connection) -> None:
    codes = [each.code for each in check_clone(target, definition(), None, MASKED)]
    assert "NOT_MARKED_AS_TARGET" in codes


@pytest.mark.usefixtures("may_purge")
def test_another_database_is_refused(target: oracledb.Connection) -> None:
    refused = found(target, database="CRMCLONE")
    assert list(refused) == ["OTHER_DATABASE"]
    assert "answers to TARGET" in refused["OTHER_DATABASE"].message


@pytest.mark.usefixtures("may_purge")
def test_a_denied_database_is_refused(target: oracledb.Connection) -> None:
    assert list(found(target, deny_list={"databases": ["TARGET"]})) == ["TARGET_DENIED"]


@pytest.mark.slow
def test_the_history_of_statistics_has_to_go_and_that_takes_a_privilege(target: oracledb.Connection) -> None:
    assert "MISSING_GRANT" in found(target)
    kept = found(target, purge_statistics_history=False)
    assert list(kept) == ["STATISTICS_HISTORY"]
    assert "purge_statistics_history: true" in kept["STATISTICS_HISTORY"].remedy


@pytest.mark.slow
@pytest.mark.usefixtures("may_purge")
def test_a_child_outside_of_the_definition_would_lose_its_parents(
    target: oracledb.Connection, instead: Callable[[str, str], Any]
) -> None:
    child = "CREATE TABLE TEST.CALLS (PHONE VARCHAR2(40) REFERENCES APP.PEOPLE (PHONE))"
    with (
        instead(
            "GRANT REFERENCES (PHONE) ON APP.PEOPLE TO TEST",
            "REVOKE REFERENCES ON APP.PEOPLE FROM TEST CASCADE CONSTRAINTS",
        ),
        instead(child, "DROP TABLE TEST.CALLS PURGE"),
    ):
        assert "REFERENCED_FROM_OUTSIDE" not in found(target)
        told = found(target, exclude_tables=["TEST.CALLS"])["REFERENCED_FROM_OUTSIDE"]
    assert "of TEST.CALLS, which is not masked, references APP.PEOPLE" in told.message


@pytest.mark.slow
@pytest.mark.usefixtures("may_purge")
def test_tables_that_a_refresh_has_aside(target: oracledb.Connection) -> None:
    ensure_ledger(target)
    dead = Ledger(target, "dead")
    note(dead, ASIDE)
    told = found(target)["TABLES_ASIDE"]
    assert "dead" in told.message
    note(dead, RETURNED)
    assert "TABLES_ASIDE" not in found(target)
    dead.drop(STEP, WHOLE)


@pytest.mark.slow
@pytest.mark.usefixtures("may_purge")
def test_what_would_stay_unmasked_is_told(target: oracledb.Connection) -> None:
    assert "LEFT_UNMASKED" in found(target, exclude_tables=["APP.PEOPLE"])
    findings = check_clone(target, definition(exclude_tables=["APP.PEOPLE"]), "target", None)
    assert "EXCLUDED_STAYS" in [each.code for each in findings if each.severity == "warning"]


@pytest.mark.usefixtures("may_purge")
def test_a_table_that_takes_no_changes_is_refused(
    target: oracledb.Connection, instead: Callable[[str, str], Any]
) -> None:
    with instead("ALTER TABLE APP.PEOPLE READ ONLY", "ALTER TABLE APP.PEOPLE READ WRITE"):
        assert list(found(target)) == ["READ_ONLY_TABLE"]


@pytest.mark.parametrize(
    ("answers", "code"),
    [
        ([("APP", 3)], "RECYCLE_BIN"),
        ([("BEFORE_RELEASE",)], "GUARANTEED_RESTORE_POINT"),
        ([("APP", "SUMMARY", "APP", "PEOPLE", "TABLE")], "MATERIALIZED_VIEW"),
        ([("APP", "SUMMARY", "APP", "ANY_VIEW", "VIEW")], "MATERIALIZED_VIEW"),
        ([("APP", "SUMMARY", "APP", "COUNTRIES", "TABLE")], None),
        # Its own container table.
        ([("APP", "PEOPLE", "APP", "PEOPLE", "TABLE")], None),
    ],
)
def test_what_the_stand_in_does_not_have(
    monkeypatch: pytest.MonkeyPatch, answers: list[tuple[Any, ...]], code: str | None
) -> None:
    monkeypatch.setattr(clone, "rows", lambda *_, **__: iter(answers))
    asked = SimpleNamespace(
        target=SimpleNamespace(connection=None), definition=definition(), ruleset=MASKED, catalogue=None
    )
    checks = {
        "RECYCLE_BIN": clone.check_recycled,
        "GUARANTEED_RESTORE_POINT": clone.check_restore_points,
    }
    findings = checks.get(code or "", clone.check_materialized)(asked)  # type: ignore[arg-type]
    assert [each.code for each in findings] == ([code] if code else [])
