"""Wrong input is refused with a clear message, and nothing is changed."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import yaml

from oracle_refresh.operators.planning import CheckPreflight
from oracle_refresh.oracle.errors import RefreshError
from support.demo import DemoDatabase, airflow_connection

ROOT = Path(__file__).parents[3]
DEMO = ROOT / "include" / "refreshes" / "demo.yaml"
OUTSIDE_OF_AIRFLOW: Any = {"run_id": "wrong_input__1", "ti": SimpleNamespace()}
Change = Callable[[dict[str, Any]], None]


def contents(database: DemoDatabase) -> list[tuple[Any, ...]]:
    """Every object and account of the database, with what would show a change."""
    with database.system() as connection, connection.cursor() as cursor:
        cursor.execute(
            "SELECT OWNER, OBJECT_NAME, OBJECT_TYPE, LAST_DDL_TIME FROM DBA_OBJECTS ORDER BY 1, 2, 3, 4"
        )
        objects = cursor.fetchall()
        cursor.execute("SELECT USERNAME, ACCOUNT_STATUS FROM DBA_USERS ORDER BY 1")
        return objects + cursor.fetchall()


def refusal(definition: Path) -> str:
    with pytest.raises((RefreshError, ValueError)) as caught:
        CheckPreflight(task_id="preflight", definition=str(definition)).execute(OUTSIDE_OF_AIRFLOW)
    return str(caught.value)


@pytest.fixture
def define(tmp_path: Path) -> Callable[[Change], Path]:
    def write(change: Change) -> Path:
        document = yaml.safe_load(DEMO.read_text())
        document["masking"]["ruleset"] = str(ROOT / "include" / "rulesets" / "demo.yaml")
        document["expectations"]["path"] = str(ROOT / "include" / "expectations" / "demo.yaml")
        document["tuning"]["profile"] = str(ROOT / "include" / "tuning" / "demo.yaml")
        change(document)
        path = tmp_path / "definition.yaml"
        path.write_text(yaml.safe_dump(document))
        return path

    return write


@pytest.fixture(autouse=True)
def _nothing_changes(
    demo_source: DemoDatabase, demo_target: DemoDatabase, connections: pytest.MonkeyPatch
) -> Any:
    before = contents(demo_source), contents(demo_target)
    yield
    assert (contents(demo_source), contents(demo_target)) == before


def test_the_untouched_demo_definition_passes(define: Callable[[Change], Path]) -> None:
    path = define(lambda document: None)
    CheckPreflight(task_id="preflight", definition=str(path)).execute(OUTSIDE_OF_AIRFLOW)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda d: d.update(schemas=["APP", "NO_SUCH_SCHEMA"]), "NO_SUCH_SCHEMA"),
        (lambda d: d.update(schemas=['"; DROP TABLE x --']), "invalid identifier"),
        (lambda d: d.update(exclude_tables=["APP.CUSTOMERS; DROP TABLE x"]), "invalid identifier"),
        (lambda d: d.update(application_accounts=["NOBODY_HERE"]), "NOBODY_HERE"),
        (lambda d: d.pop("staging"), "staging"),
        (lambda d: d.update(scheema=["APP"]), "scheema"),
        (lambda d: d["target"].update(conn_id="oracle_source"), "oracle_source"),
        (lambda d: d["deny_list"].update(databases=["TARGET"]), "TARGET"),
    ],
)
def test_definitions(define: Callable[[Change], Path], change: Change, message: str) -> None:
    assert message in refusal(define(change))


def test_bad_yaml_names_file_and_line(tmp_path: Path) -> None:
    path = tmp_path / "broken.yaml"
    path.write_text("name: demo\nschemas: [APP\nsource: {")
    assert "broken.yaml" in refusal(path)


def test_a_definition_that_is_not_there(tmp_path: Path) -> None:
    assert "missing.yaml" in refusal(tmp_path / "missing.yaml")


def test_a_mask_on_a_column_that_does_not_exist(define: Callable[[Change], Path], tmp_path: Path) -> None:
    ruleset = yaml.safe_load((ROOT / "include" / "rulesets" / "demo.yaml").read_text())
    table = next(iter(ruleset["tables"]))
    rule = dict(next(iter(ruleset["tables"][table].values())))
    ruleset["tables"][table]["NO_SUCH_COLUMN"] = rule
    ruleset["lookups"] = {
        name: str((ROOT / "include" / "rulesets" / path).resolve())
        for name, path in ruleset["lookups"].items()
    }
    path = tmp_path / "ruleset.yaml"
    path.write_text(yaml.safe_dump(ruleset))
    assert "NO_SUCH_COLUMN" in refusal(define(lambda d: d["masking"].update(ruleset=str(path))))


def test_source_and_target_are_the_same_database(
    define: Callable[[Change], Path], connections: pytest.MonkeyPatch, demo_source: DemoDatabase
) -> None:
    service = demo_source.dsn.rpartition("/")[2]
    extra = {"service_name": service, "refresh_role": "target"}
    connections.setenv("AIRFLOW_CONN_ORACLE_TARGET", airflow_connection(demo_source, extra=extra))
    assert "same database" in refusal(define(lambda d: None))


@pytest.mark.parametrize("role", ["source", "reporting", None])
def test_a_target_that_is_not_marked(
    define: Callable[[Change], Path],
    connections: pytest.MonkeyPatch,
    demo_target: DemoDatabase,
    role: str | None,
) -> None:
    extra = {"service_name": demo_target.dsn.rpartition("/")[2]} | ({"refresh_role": role} if role else {})
    connections.setenv("AIRFLOW_CONN_ORACLE_TARGET", airflow_connection(demo_target, extra=extra))
    assert "refresh_role" in refusal(define(lambda d: None))


def test_a_wrong_password(
    define: Callable[[Change], Path], connections: pytest.MonkeyPatch, demo_target: DemoDatabase
) -> None:
    connections.setenv(
        "AIRFLOW_CONN_ORACLE_TARGET", airflow_connection(demo_target, password="not it, really")
    )
    text = refusal(define(lambda d: None))
    assert "ORA-01017" in text
    assert "not it, really" not in text


def test_a_missing_grant(
    define: Callable[[Change], Path], connections: pytest.MonkeyPatch, demo_source: DemoDatabase
) -> None:
    changes = {"login": "APP_READER", "password": "app_reader_demo"}
    connections.setenv("AIRFLOW_CONN_ORACLE_SOURCE", airflow_connection(demo_source, **changes))
    text = refusal(define(lambda d: None))
    assert "APP_READER" in text
    assert "GRANT" in text.upper()


def test_extra_that_is_no_json_does_not_crash_the_check(
    define: Callable[[Change], Path], connections: pytest.MonkeyPatch, demo_target: DemoDatabase
) -> None:
    fields = json.loads(airflow_connection(demo_target))
    fields["extra"] = "refresh_role=target"
    connections.setenv("AIRFLOW_CONN_ORACLE_TARGET", json.dumps(fields))
    refusal(define(lambda d: None))
