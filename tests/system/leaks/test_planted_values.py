"""Search what four runs of Airflow leave for planted values of their rows and for secrets.

One run has a killed task and a failed script and is published, one is deleted, one rejects rows, one is
cancelled. The search covers everything outside the databases, and the target except its rows.

Lower tiers cover loads by the API that reject rows (`system/oracle_refresh/operators/test_rejected_rows.py`)
and the number of attempts of a killed task (`unit/dags/test_bundle.py`).
"""

from __future__ import annotations

import contextlib
import json
import urllib.error
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest
import yaml

import localoracle.client
from support.chaos.components import Components, resumed
from support.demo import MOST_OF_APP
from support.home import MASKING_KEY, Home, a_home, until
from support.planted import in_folders, in_restored_statistics, in_target
from support.webhook import SECRET, Webhook, a_webhook

CLIENTS = Path(localoracle.client.__file__).parent / "bin"
DAG = "test_data_refresh"
#: The runs refresh COUNTRIES, EMPLOYEES and CUSTOMERS.
LEFT_OUT = [name for name in MOST_OF_APP if name != "CUSTOMERS"] + ["DOCS.DOCUMENTS", "TEST.TESTTABLE"]
#: Of rows in columns with rules; the last name has 16 characters, two of which need two bytes each.
FIRST, LAST, MAIL = "Plantfirst7313", "Äußplantlast7313", "plantmail7313@planted.example"
VALUES = (FIRST, "plantlast7313", "plantmail7313")
SECRETS = (MASKING_KEY, SECRET, "refresh_source_demo", "refresh_target_demo")
PLANT = (
    "UPDATE APP.EMPLOYEES SET FIRST_NAME = :first_name, LAST_NAME = :last_name, EMAIL = :email"
    " WHERE EMPLOYEE_ID = (SELECT MIN(EMPLOYEE_ID) FROM APP.EMPLOYEES)",
    "UPDATE APP.EMPLOYEES SET FIRST_NAME = :first_name || ' longer', LAST_NAME = :last_name,"
    " EMAIL = 'and' || :email WHERE EMPLOYEE_ID = (SELECT MAX(EMPLOYEE_ID) FROM APP.EMPLOYEES)",
    "UPDATE APP.CUSTOMERS SET FIRST_NAME = :first_name, LAST_NAME = :last_name, EMAIL = :email"
    " WHERE CUSTOMER_ID = (SELECT MIN(CUSTOMER_ID) FROM APP.CUSTOMERS)",
)
#: Run before the rows come, as somebody has it who makes tables narrower than the source's: a value has too
#: many characters, another one only too many bytes, as where a text has come from another character set (a
#: refresh between two of them is refused), and a third one violates a constraint.
TOO_NARROW = (
    "ALTER TABLE APP.EMPLOYEES MODIFY (FIRST_NAME VARCHAR2(14 CHAR), LAST_NAME VARCHAR2(17 BYTE));\n"
    f"ALTER TABLE APP.CUSTOMERS ADD CONSTRAINT NOT_PLANTED CHECK (LENGTH(EMAIL) <> {len(MAIL)})"
)
REJECTED = (
    "ORA-12899: value too large for column FIRST_NAME (actual: 21, maximum: 14)",
    "ORA-12899: value too large for column LAST_NAME (actual: 18, maximum: 17)",
    "ORA-02290: check constraint (APP.NOT_PLANTED) violated",
)
#: Says what it has read, in several lines.
TALKING = f"""\
DECLARE
  FOUND VARCHAR2(100) := '{FIRST[:5]}' || '{FIRST[5:]}';
BEGIN
  RAISE_APPLICATION_ERROR(-20001, 'not ' || FOUND || CHR(10) || FOUND);
END;
/"""


@pytest.fixture(scope="module")
def webhook() -> Iterator[Webhook]:
    with a_webhook() as server:
        yield server


@pytest.fixture(scope="module")
def home(webhook: Webhook) -> Iterator[Home]:
    with a_home("leaks_", LEFT_OUT) as made:
        made.environment.update(
            AIRFLOW_CONN_CHAT=webhook.connection,
            AIRFLOW__ORACLE_REFRESH__NOTIFY_CONN_ID="chat",
            AIRFLOW__ORACLE_REFRESH__CLIENT_DIRECTORY=str(CLIENTS),
            AIRFLOW__OPENLINEAGE__TRANSPORT=json.dumps(
                {"type": "file", "log_file_path": str(events(made)), "append": True}
            ),
        )
        done = made.stack("up", "--scale", "0.02")
        assert done.returncode == 0, done.stdout[-4000:]
        with made.connect("source", "SYS") as connection, connection.cursor() as cursor:
            for statement in PLANT:
                cursor.execute(statement, first_name=FIRST, last_name=LAST, email=MAIL)
                assert cursor.rowcount == 1
            connection.commit()
        yield made


def events(home: Home) -> Path:
    """What OpenLineage tells of each run and task."""
    return home.folder / "lineage.jsonl"


def definition(home: Home, name: str, **masking: Any) -> Path:
    document = yaml.safe_load(home.definition.read_text())
    runner = masking.pop("runner", "api")
    document["masking"] |= masking
    document["datapump"] = {**document.get("datapump", {}), "runner": runner}
    path = home.definition.with_name(f"{name}.yaml")
    path.write_text(yaml.safe_dump(document))
    return path


def script(home: Home, name: str, text: str) -> str:
    path = home.folder / "scripts" / f"{name}.sql"
    path.parent.mkdir(exist_ok=True)
    path.write_text(text + ("\n" if text.endswith("/") else ";\n"))
    return str(path)


def run(home: Home, name: str, path: Path) -> str:
    home.api.trigger(DAG, {"definition": path.stem}, name)
    return ended_as(home, name)


def ended_as(home: Home, name: str) -> str:
    return str(until(lambda: (state := home.api.run_state(DAG, name)) in ("success", "failed") and state))


def published_after_a_kill_and_a_failed_script(home: Home, name: str) -> str:
    """Kill a task of the masking, correct the script that fails after it, and resume the run."""
    path = definition(home, name, after=[script(home, "talking", TALKING)])
    home.api.trigger(DAG, {"definition": path.stem}, name)
    until(lambda: _tried_again(home, name, "unit.mask") or _strike(home, name, "unit.mask"))
    assert ended_as(home, name) == "failed"
    script(home, "talking", "BEGIN\n  NULL;\nEND;\n/")
    done = resumed(home, name)
    assert done.returncode == 0, done.stdout
    return ended_as(home, name)


def _tried_again(home: Home, name: str, task_id: str) -> bool:
    """Whether a task has failed once, also when its next try runs by now; or never will run."""
    tasks = [task for task in home.api.task_instances(DAG, name) if task["task_id"] == task_id]
    ended = ("up_for_retry", "upstream_failed")
    return any(task["try_number"] > 1 or task["state"] in ended for task in tasks)


def deleted_with_dumps(home: Home, name: str) -> list[Path]:
    """The dump files of a run that Airflow has deleted once all was exported.

    Airflow deletes no running run, but one that is queued again. Its scheduler ends where that comes in the
    middle of its work, so it is away meanwhile.
    """
    home.api.trigger(DAG, {"definition": home.definition.stem}, name)
    until(lambda: _exported(home, name))
    components, path = Components(home), f"/api/v2/dags/{DAG}/dagRuns/{name}"
    components.kill("scheduler")
    home.api.request("PATCH", path, {"state": "queued"})
    home.api.request("DELETE", path)
    components.start("scheduler")
    return home.dump_files()


def _exported(home: Home, name: str) -> bool:
    tasks = home.api.task_instances(DAG, name)
    states = {task["state"] for task in tasks if task["task_id"] == "shard.export" and task["map_index"] >= 0}
    return states == {"success"}


def _strike(home: Home, name: str, task_id: str) -> None:
    tasks = home.api.task_instances(DAG, name)
    running = {task["id"] for task in tasks if task["task_id"] == task_id and task["state"] == "running"}
    for supervisor in Components(home).supervisors(running):
        for process in supervisor.children(recursive=True):
            with contextlib.suppress(psutil.NoSuchProcess):
                process.kill()


def _is(home: Home, name: str, task_id: str, *states: str) -> bool:
    tasks = home.api.task_instances(DAG, name)
    return any(task["task_id"] == task_id and task["state"] in states for task in tasks)


@pytest.fixture(scope="module")
def kept(home: Home) -> dict[str, list[str]]:
    """Search the target after a published run, before the next run changes it; then again with a table that
    has a value and statistics."""
    assert published_after_a_kill_and_a_failed_script(home, "published") == "success"
    with home.connect("target") as connection, connection.cursor() as cursor:
        found = in_target([*VALUES, MASKING_KEY], connection)
        cursor.execute("CREATE TABLE KEPT (A VARCHAR2(60))")
        cursor.executemany("INSERT INTO KEPT VALUES (:1)", [[FIRST + digit] for digit in "1234"])
        connection.commit()
        cursor.callproc("DBMS_STATS.GATHER_TABLE_STATS", ["REFRESH_TARGET", "KEPT"])
        planted = in_target([*VALUES, MASKING_KEY], connection)
        cursor.execute("DELETE FROM KEPT")
        connection.commit()
        cursor.callproc("DBMS_STATS.GATHER_TABLE_STATS", ["REFRESH_TARGET", "KEPT"])
        restored = in_restored_statistics([*VALUES, MASKING_KEY], connection)
        cursor.execute("DROP TABLE KEPT PURGE")
    return {"published": found, "planted": planted, "restored": restored}


@pytest.fixture(scope="module")
def left(home: Home, kept: dict[str, list[str]]) -> list[Path]:
    """The dump files of a run that was deleted in Airflow after its exports."""
    return deleted_with_dumps(home, "deleted")


@pytest.fixture(scope="module")
def states(home: Home, left: list[Path]) -> dict[str, str]:
    """Return how each run ended."""
    assert left
    too_narrow = script(home, "too_narrow", TOO_NARROW)
    rejecting = definition(home, "rejected", runner="client", before=[too_narrow])
    ended = {
        "published": home.api.run_state(DAG, "published"),
        "rejected": run(home, "rejected", rejecting),
    }
    home.api.trigger(DAG, {"definition": home.definition.stem}, "cancelled")
    # The first rows are on their way to the target, or there.
    until(lambda: _is(home, "cancelled", "shard.load", "running", "success"))
    home.api.request("PATCH", f"/api/v2/dags/{DAG}/dagRuns/cancelled", {"state": "failed"})
    return {**ended, "cancelled": ended_as(home, "cancelled")}  # its teardowns run before it ends


def test_the_runs_ended_as_they_had_to(states: dict[str, str]) -> None:
    assert states == {"published": "success", "rejected": "failed", "cancelled": "failed"}


def test_a_cancelled_run_leaves_a_report(home: Home, states: dict[str, str]) -> None:
    tasks = {task["task_id"]: task["state"] for task in home.api.task_instances(DAG, "cancelled")}
    assert tasks["release_target"] == tasks["publish_report"] == "failed"
    assert list(home.reports.glob("**/cancelled/report.html"))


def test_nothing_outside_the_databases_has_a_planted_value_or_a_secret(
    home: Home, states: dict[str, str], webhook: Webhook
) -> None:
    """Task logs, Airflow's metadata with XCom and the state stores, reports, Data Docs, statement log."""
    databases = [home.folder / name for name in ("source", "target", "secrets", "scripts")]
    assert in_folders([*VALUES, *SECRETS], [home.folder], databases) == []
    (posts := home.folder / "posts.json").write_text(json.dumps(webhook.texts))
    assert in_folders([*VALUES, *SECRETS], [posts]) == []


def test_the_search_had_something_to_find(home: Home, states: dict[str, str]) -> None:
    """Logs have the codes of the failed script and of the rejected rows; a task was killed; OpenLineage wrote
    events."""
    assert "ORA-20001" in told(home, "published")
    by_client = told(home, "rejected")
    for text in ("ORA-02372", *REJECTED):
        assert text in by_client, text
    tasks = home.api.task_instances(DAG, "published")
    masked = [task for task in tasks if task["task_id"] == "unit.mask"]
    assert max(int(task["try_number"]) for task in masked) > 1
    assert "publish_report" in events(home).read_text()


def told(home: Home, run_id: str) -> str:
    """Return the logs of the run's tasks, and those next to its report."""
    logs = [*(home.folder / "airflow" / "logs").rglob("*.log"), *home.reports.rglob("*.log")]
    return "\n".join(path.read_text(errors="replace") for path in logs if run_id in str(path))


def test_dump_files_of_a_deleted_run_are_dropped_by_the_next_one(
    home: Home, left: list[Path], states: dict[str, str]
) -> None:
    assert "source" in {path.relative_to(home.folder).parts[0] for path in left}
    assert [path for path in left if path.exists()] == []
    with pytest.raises(urllib.error.HTTPError, match="404"):
        home.api.run_state(DAG, "deleted")


def test_a_published_target_keeps_none(kept: dict[str, list[str]]) -> None:
    """In its dictionary, its statistics, the refresh's own tables and the recycle bin."""
    assert kept["published"] == []


def test_the_target_was_searched_where_values_are_kept(kept: dict[str, list[str]]) -> None:
    assert kept["planted"] == [
        f'SELECT * FROM "KEPT": {FIRST}',
        f"SELECT * FROM DBA_TAB_COL_STATISTICS: {FIRST}",
    ]
    assert kept["restored"] == [f"statistics of REFRESH_TARGET.KEPT: {FIRST}"]


def test_the_target_keeps_none(home: Home, states: dict[str, str]) -> None:
    """Nor after all runs."""
    with home.connect("target") as connection:
        assert in_target([*VALUES, MASKING_KEY], connection) == []
        assert in_restored_statistics([*VALUES, MASKING_KEY], connection) == []
