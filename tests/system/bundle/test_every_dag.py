"""Every DAG of the bundle, run once by the scheduler as somebody does who triggers it and changes nothing."""

from __future__ import annotations

import urllib.error
from collections.abc import Iterator
from http import HTTPStatus

import pytest
import yaml

from support.home import ROOT, SCALE, Home, a_home, until

#: Of refreshes, that of the demo's definition, which `refreshes.py` makes: the one with the form is run by
#: `make refresh` (`whole_refresh/`), and does the same.
OF_REFRESHES = {"test_data_refresh", "refreshes", "refreshes_check"}
DAGS = sorted({path.stem for path in (ROOT / "dags").glob("*.py")} - OF_REFRESHES | {"demo"})
#: What a task ends in that has done its work, or had none to do.
WELL = {"success", "skipped"}


@pytest.fixture(scope="module")
def home() -> Iterator[Home]:
    """Everything as `make up` leaves it."""
    with a_home("bundle_") as made:
        done = made.stack("up", "--scale", SCALE)
        assert done.returncode == 0, done.stdout[-4000:]
        yield made


def known(home: Home, dag_id: str) -> bool:
    try:
        home.api.request("GET", f"/api/v2/dags/{dag_id}")
    except urllib.error.HTTPError as error:
        if error.code != HTTPStatus.NOT_FOUND:
            raise
        return False
    return True


def log_mode(home: Home) -> str:
    ((mode,),) = home.query("target", "SELECT LOG_MODE FROM V$DATABASE")
    return str(mode)


def a_clone(home: Home) -> dict[str, str]:
    """Two tables of the target with rows that are not masked, and what the form has to say to mask them."""
    document = yaml.safe_load(home.definition.read_text())
    with home.connect("source", "SYS") as system:
        tables = system.cursor().execute("SELECT TABLE_NAME FROM DBA_TABLES WHERE OWNER = 'APP'").fetchall()
    others = [f"APP.{name}" for (name,) in tables if name not in ("COUNTRIES", "EMPLOYEES")]
    names = {key: document[key] for key in ("target", "application_accounts")}
    masking = {"key_conn_id": document["masking"]["key_conn_id"], "sensitive_from": 1.0}
    rules = {
        "unmasked": {},
        "masked": {"APP.EMPLOYEES": {"EMAIL": {"algorithm": "email", "domain": "email"}}},
    }
    paths = {}
    for name, ruled in rules.items():
        paths[name] = home.folder / f"{name}.yaml"
        ruleset = home.folder / f"{name}_rules.yaml"
        ruleset.write_text(yaml.safe_dump({"name": name, "tables": ruled}))
        definition = {"name": name, "schemas": ["APP"], "exclude_tables": others, **names}
        definition["masking"] = {**masking, "ruleset": str(ruleset)}
        if name == "unmasked":
            definition |= {key: document[key] for key in ("source", "staging")}
        else:
            definition["purge_statistics_history"] = True
        paths[name].write_text(yaml.safe_dump(definition))
    with home.connect("target", "SYS") as system:
        system.cursor().execute("GRANT ANALYZE ANY DICTIONARY TO REFRESH_TARGET")
    run_id = home.api.trigger("test_data_refresh", {"definition": str(paths["unmasked"])})
    state = until(
        lambda: (s := home.api.run_state("test_data_refresh", run_id)) in ("success", "failed") and s
    )
    assert state == "success"
    return {"definition": str(paths["masked"])}


@pytest.mark.parametrize("dag_id", DAGS)
def test_it_succeeds_with_what_the_files_say(home: Home, dag_id: str) -> None:
    until(lambda: known(home, dag_id))
    before = log_mode(home)
    run_id = home.api.trigger(dag_id, a_clone(home) if dag_id == "mask_database" else {})
    state = until(lambda: (s := home.api.run_state(dag_id, run_id)) in ("success", "failed") and s)
    tasks = home.api.task_instances(dag_id, run_id)
    wrong = {
        (task["task_id"], task["map_index"]): (task["state"], home.api.log_tail(dag_id, run_id, task))
        for task in tasks
        if task["state"] not in WELL
    }
    assert (state, wrong) == ("success", {})
    assert "success" in {task["state"] for task in tasks}
    assert log_mode(home) == before
