"""The DAGs to copy from, run one after the other on a small source and target, by Airflow's `dag.test()`."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from airflow.dag_processing.dagbag import DagBag
from airflow.models.dagrun import DagRun
from airflow.models.taskinstance import TaskInstance
from airflow.models.xcom import XComModel
from airflow.utils.session import create_session
from sqlalchemy import select

from oracle_refresh import example_dags
from oracle_refresh.labs.change_capture.objects import TrialObjects, remove, set_up
from support.demo import MOST_OF_APP, DemoDatabase, airflow_connection
from support.grants import make_user_anew
from support.transfer import count, demo

EXAMPLES = Path(example_dags.__file__).parent
RULES = {
    "name": "small",
    "tables": {"APP.EMPLOYEES": {"EMAIL": {"algorithm": "email", "domain": "email"}}},
}
#: Columns that the demo's ruleset masks and this small one does not.
NOT_SENSITIVE_FROM = 1.0


@pytest.fixture(scope="module")
def target(demo_target: DemoDatabase) -> DemoDatabase:
    """With a user as include/sql/grants.sql prints it."""
    make_user_anew(demo_target)
    return demo_target


@pytest.fixture(scope="module")
def definition_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two tables of one schema, one of them masked."""
    folder = tmp_path_factory.mktemp("examples")
    (folder / "rules.yaml").write_text(yaml.safe_dump(RULES))
    document = demo().to_json() | {
        "schemas": ["APP"],
        "exclude_tables": [f"APP.{name}" for name in MOST_OF_APP],
        "application_accounts": ["APP_READER", "APP"],
        "masking": {
            "ruleset": str(folder / "rules.yaml"),
            "key_conn_id": "refresh_masking_key",
            "sensitive_from": NOT_SENSITIVE_FROM,
        },
        "expectations": None,
    }
    path = folder / "small.yaml"
    path.write_text(yaml.safe_dump(document))
    return path


@pytest.fixture(scope="module")
def definition(definition_path: Path) -> str:
    return definition_path.stem


@pytest.fixture(scope="module")
def run(
    demo_source: DemoDatabase,
    target: DemoDatabase,
    definition_path: Path,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Callable[..., Ran]]:
    """Runs an example by its name with these params."""
    from airflow.utils.db import initdb

    bundle = {
        "name": "examples",
        "classpath": "airflow.dag_processing.bundles.local.LocalDagBundle",
        "kwargs": {"path": str(EXAMPLES)},
    }
    with pytest.MonkeyPatch.context() as environment:
        for name, text in {
            "AIRFLOW__DAG_PROCESSOR__DAG_BUNDLE_CONFIG_LIST": json.dumps([bundle]),
            "AIRFLOW__ORACLE_REFRESH__DEFINITIONS_DIRECTORY": str(definition_path.parent),
            "AIRFLOW__ORACLE_REFRESH__REPORT_DIRECTORY": str(tmp_path_factory.mktemp("reports")),
            "AIRFLOW__ORACLE_REFRESH__POLL_SECONDS": "0.05",
            "AIRFLOW_CONN_ORACLE_SOURCE": airflow_connection(demo_source),
            "AIRFLOW_CONN_ORACLE_TARGET": airflow_connection(target),
            "AIRFLOW_CONN_REFRESH_MASKING_KEY": json.dumps(
                {"conn_type": "generic", "password": "0123456789abcdef" * 4}
            ),
        }.items():
            environment.setenv(name, text)
        initdb()
        dags = DagBag(str(EXAMPLES), bundle_path=EXAMPLES, bundle_name="examples").dags
        logger = logging.getLogger("airflow")
        before = logger.level
        logger.setLevel(logging.WARNING)
        yield lambda name, **params: Ran(dags[name].test(run_conf=params))
        logger.setLevel(before)


class Ran:
    """A run that has ended."""

    def __init__(self, dag_run: DagRun) -> None:
        with create_session() as session:
            this = (TaskInstance.dag_id == dag_run.dag_id, TaskInstance.run_id == dag_run.run_id)
            found = session.scalars(select(TaskInstance).where(*this)).all()
            self.state = str(dag_run.state)
            self.states = {(one.task_id, one.map_index): str(one.state) for one in found}
            self.names = {
                one.rendered_map_index for one in found if one.map_index >= 0 and one.rendered_map_index
            }
            rows = XComModel.get_many(run_id=dag_run.run_id, key="return_value", dag_ids=dag_run.dag_id)
            self.returned = {
                (row.task_id, row.map_index): XComModel.deserialize_value(row)
                for row in session.scalars(rows)
            }

    def expect(self, **states: str) -> None:
        """All has gone well, but for tasks that are named with another state."""
        assert self.state == "success", {
            task: state for task, state in self.states.items() if state != "success"
        }
        wrong = {
            task: state for task, state in self.states.items() if state != states.get(task[0], "success")
        }
        assert wrong == {}


@pytest.fixture(scope="module")
def published(run: Callable[..., Ran], definition: str) -> Ran:
    """The target as the example of a whole refresh leaves it."""
    ran = run("example_own_refresh", definition=definition, reason="as an example")
    ran.expect()
    return ran


def test_a_refresh_of_ones_own_is_published(published: Ran, target: DemoDatabase) -> None:
    assert "U001: 2 tables" in published.names
    assert published.returned["unit.verify_masked", 0].keys() == {"APP.COUNTRIES", "APP.EMPLOYEES"}
    assert published.returned["count_tables", -1] == 2
    with target.connect("APP_READER") as reader:
        assert reader.username == "APP_READER"


@pytest.mark.usefixtures("published")
def test_the_copy_is_found_equal_where_nothing_is_masked(run: Callable[..., Ran], definition: str) -> None:
    ran = run("example_compare", definition=definition, exclude_tables=["APP.EMPLOYEES"])
    ran.expect()
    assert ran.returned["units", -1] == ["U001: APP.COUNTRIES"]
    assert ran.returned["compare", 0]["APP.COUNTRIES"]["verdict"] == "equal"


@pytest.mark.usefixtures("published")
def test_masking_is_shown_and_nothing_changed(
    run: Callable[..., Ran], definition: str, target: DemoDatabase
) -> None:
    query = "SELECT EMPLOYEE_ID, EMAIL FROM APP.EMPLOYEES ORDER BY 1"
    with target.connect() as connection:
        before = connection.cursor().execute(query).fetchall()
        ran = run("example_preview_masking", definition=definition)
        ran.expect()
        assert connection.cursor().execute(query).fetchall() == before
    previews = {value["name"]: value for value in ran.returned["preview", 0].values()}
    assert {name: len(preview["sample"]) for name, preview in previews.items()} == {
        "COUNTRIES": 0,
        "EMPLOYEES": 3,
    }
    assert not previews["COUNTRIES"]["statements"]


@pytest.mark.usefixtures("published")
def test_a_table_is_exported_and_imported_as_a_copy(run: Callable[..., Ran], target: DemoDatabase) -> None:
    with target.system() as system:
        system.cursor().execute(f"GRANT DATAPUMP_EXP_FULL_DATABASE TO {target.user}")
    run("example_datapump").expect()
    with target.connect() as connection:
        assert count(connection, "APP.EMPLOYEES_COPY") == count(connection, "APP.EMPLOYEES") > 0


def test_change_capture_is_diagnosed_and_tuned(
    run: Callable[..., Ran], definition: str, target: DemoDatabase
) -> None:
    done = target.server.command("control", "log-mode", "archivelog")
    assert done.returncode == 0, done.stdout + done.stderr
    with target.connect() as connection:
        names = TrialObjects(target.user, "EXAMPLE")
        set_up(connection, names)
        try:
            asked: dict[str, Any] = {"definition": definition, "apply_name": names.apply, "seconds": 1}
            ran = run("example_change_capture", **asked)
            ran.expect()
            assert ran.returned["tune", -1] in ("not approved", "nothing to do")
            ran = run("example_change_capture", approved=True, capture_name=names.capture, **asked)
            ran.expect()
            assert ran.returned["tune", -1] in ("kept", "taken back", "nothing to do")
        finally:
            remove(connection, names)


def test_closed_month_announced_once_is_skipped_by_the_next_run(
    run: Callable[..., Ran], demo_source: DemoDatabase
) -> None:
    with demo_source.system() as system:
        cursor = system.cursor()
        cursor.execute("CREATE USER FINANCE IDENTIFIED BY f_1 QUOTA UNLIMITED ON USERS")
        cursor.execute("CREATE TABLE FINANCE.CLOSED_PERIODS (PERIOD VARCHAR2(7))")
        cursor.execute(
            "INSERT INTO FINANCE.CLOSED_PERIODS VALUES (TO_CHAR(ADD_MONTHS(SYSDATE, -1), 'YYYY-MM'))"
        )
        cursor.execute(f"GRANT SELECT ON FINANCE.CLOSED_PERIODS TO {demo_source.user}")
        system.commit()
    run("example_month_closed").expect()
    assert run("example_month_closed").states == {("await_closing", -1): "skipped"}
