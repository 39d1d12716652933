"""Every DAG of the bundle, run once by the scheduler as somebody does who triggers it and changes little."""

from __future__ import annotations

import argparse
import hashlib
import json
import urllib.error
from collections.abc import Iterator
from contextlib import redirect_stdout
from http import HTTPStatus
from io import StringIO
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import yaml

from oracle_refresh.labs.change_capture.study import TRIALS, UNRELATED
from stack import calibrate, load
from stack.run import Run
from support.browsing import CHROMIUM, a_browser, complaints
from support.demo import MOST_OF_APP
from support.home import ROOT, SCALE, Home, a_home, until

#: `refreshes` makes the DAG `demo`. tests/system/browser watches a run of `mask_database`.
ELSEWHERE = {"test_data_refresh", "refreshes", "refreshes_check", "mask_database"}
DAGS = sorted({path.stem for path in (ROOT / "dags").glob("*.py")} - ELSEWHERE)
#: Tables of APP that no run here refreshes.
LEFT_OUT = sorted({*MOST_OF_APP} - {"ACCOUNTS", "CUSTOMERS"})
#: Form values that keep each measurement small. Every trial of the study of change capture runs; all switches
#: of the masking benchmark are measured in tests/system/oracle_refresh/labs/masking.
FORMS: dict[str, dict[str, Any]] = {
    "datapump_calibration": {"degrees": [1, 2], "repeats": 1},
    "cdc_tuning": {"scale": 0.02, "batches": [], "parallelisms": [], "single_rows": 200},
    "dbfs_calibration": {"users": [1, 2], "blocks_kb": [32, 1024], "flat_files": 2},
    "masking_benchmark": {"switches": ["noarchivelog"], "jobs": 1, "rows": 1000, "repetitions": 1},
}
#: Make commands that trigger a DAG, with their arguments.
COMMANDS: dict[str, tuple[ModuleType, tuple[str, ...]]] = {
    calibrate.DAG_ID: (calibrate, ("--seconds", "0.1", "--flat-mb", "2", "--small-files", "20")),
    load.DAG_ID: (load, ("--schemas", "4", "--rows", "100")),
}
#: Plots that the page of each has at least.
PLOTS = {
    "cdc_tuning": 3,
    "datapump_calibration": 1,
    "dbfs_calibration": 5,
    "masking_benchmark": 1,
    "slob_data_load": 2,
}
#: A successful run of each DAG.
RUNS: dict[str, str] = {}
#: What a task ends in that has done its work, or had none to do.
WELL = {"success", "skipped"}


@pytest.fixture(scope="module")
def home() -> Iterator[Home]:
    """Everything as `make up` leaves it."""
    with a_home("bundle_", leaving_out=LEFT_OUT) as made:
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


def ended(home: Home, dag_id: str, run_id: str) -> str:
    """In what a run ends."""
    return str(until(lambda: (s := home.api.run_state(dag_id, run_id)) in ("success", "failed") and s))


def succeeds(home: Home, dag_id: str, conf: dict[str, Any]) -> str:
    """The id of the run."""
    until(lambda: known(home, dag_id))
    run_id = home.api.trigger(dag_id, conf)
    state = ended(home, dag_id, run_id)
    tasks = home.api.task_instances(dag_id, run_id)
    wrong = {
        (task["task_id"], task["map_index"]): home.api.log_tail(dag_id, run_id, task)
        if task["state"] == "failed"
        else task["state"]
        for task in tasks
        if task["state"] not in WELL
    }
    assert (state, wrong) == ("success", {}), wrong
    assert "success" in {task["state"] for task in tasks}
    return run_id


def rows(home: Home) -> dict[str, list[str]]:
    """All rows of the tables of the refreshed schemas in the target, sorted, each as its hash."""
    schemas = yaml.safe_load(home.definition.read_text())["schemas"]
    tables = home.query(
        "target",
        "SELECT OWNER, TABLE_NAME FROM DBA_TABLES WHERE NESTED = 'NO' AND SECONDARY = 'N' ORDER BY 1, 2",
    )
    found = {}
    for owner, name in tables:
        if owner in schemas:
            texts = map(repr, home.query("target", f'SELECT * FROM "{owner}"."{name}"'))
            found[f"{owner}.{name}"] = sorted(hashlib.sha256(text.encode()).hexdigest() for text in texts)
    return found


def definition(home: Home, name: str, **changes: Any) -> str:
    """Write the home's definition with these changes, without shards and expectations; return its name."""
    document = yaml.safe_load(home.definition.read_text())
    kept = {key: value for key, value in document.items() if key not in ("lob_shard_min_bytes", "max_shards")}
    masking = {"before": [], "after": []} | changes.pop("masking", {})
    path = home.definition.with_name(f"{name}.yaml")
    path.write_text(
        yaml.safe_dump(kept | {"expectations": None} | changes | {"masking": kept["masking"] | masking})
    )
    return path.stem


@pytest.mark.parametrize("dag_id", DAGS)
def test_it_succeeds_with_what_the_files_say(home: Home, dag_id: str) -> None:
    before, form = log_mode(home), FORMS.get(dag_id, {})
    if dag_id in COMMANDS:
        form = form | form_of_command(dag_id)
    if dag_id == calibrate.DAG_ID:
        form["mounted_paths"] = [str(home.folder / "target" / "dbfs" / "REFRESH")]
    run_id = RUNS[dag_id] = succeeds(home, dag_id, form)
    assert log_mode(home) == before
    if dag_id == calibrate.DAG_ID:
        tells_of_the_mount(home, run_id)
        check_summary_of_make_calibrate(home, run_id)
    if dag_id == load.DAG_ID:
        assert "4 of 4 schemas, 400 rows" in summary_of_command(home, dag_id, run_id)
    if dag_id == "cdc_tuning":
        every_trial_of_the_study_stands_beside_it(home.reports / run_id)


def form_of_command(dag_id: str) -> dict[str, Any]:
    """Return the form values of the make command with its arguments."""
    command, words = COMMANDS[dag_id]
    parser = argparse.ArgumentParser()
    command.arguments(parser)
    values: dict[str, Any] = command.conf(parser.parse_args(words))
    return values


def summary_of_command(home: Home, dag_id: str, run_id: str) -> str:
    """Return what the make command prints after a successful run."""
    command, _ = COMMANDS[dag_id]
    with redirect_stdout(StringIO()) as printed:
        assert command.summary(Run(home.api, dag_id, run_id, "success"))
    return printed.getvalue()


def check_summary_of_make_calibrate(home: Home, run_id: str) -> None:
    assert "report:" in summary_of_command(home, calibrate.DAG_ID, run_id)
    page = (home.reports / run_id / "report.html").read_text()
    for part in ("load external table", "import dump", "20 small files"):
        assert part in page, part
    assert home.dump_files() == []


def every_trial_of_the_study_stands_beside_it(folder: Path) -> None:
    report, page = (folder / name for name in ("report.json", "report.html"))
    document = json.loads(report.read_text())
    for trials, ratios, published in (
        ("trials", "ratios", TRIALS),
        ("unrelated", "unrelated_ratios", UNRELATED),
    ):
        names = [trial.scenario.name for trial in published]
        assert [trial["scenario"]["name"] for trial in document[trials]] == names
        beside = document[ratios][: len(names)]
        assert [ratio["scenario"] for ratio in beside] == names
        for ratio in beside:
            assert ratio["here"] > 0
            assert f">{ratio['here']:.3f}<" in page.read_text()
            assert f">{ratio['study']:.3f}<" in page.read_text()


def tells_of_the_mount(home: Home, run_id: str) -> None:
    """The store's mount without FUSE is checked and named so, and the worker's processors are there."""
    recommended = home.api.xcom("dbfs_calibration", run_id, {"task_id": "recommend", "map_index": -1})
    page = Path(recommended["report"])
    document = json.loads(page.with_name("report.json").read_text())
    (mount,) = document["mounts"]
    checks = {check["what"]: check["holds"] for check in mount["checks"]}
    assert (checks["the store has what is written to the path"], checks["mounted through FUSE"]) == (
        True,
        False,
    )
    assert document["seen"]["mounted"].startswith("without FUSE")
    assert {point["way"] for point in document["points"] if point["write_cpu"]} == {"stream", "mounted"}
    assert {one["workers"] for one in document["operations"]["mounted"]} == {1, 2}
    assert "without FUSE" in page.read_text()


def test_a_failed_refresh_next_to_previous_tables_leaves_them_open(home: Home) -> None:
    form = {"definition": definition(home, "masked"), "prepare": "beside"}
    RUNS["test_data_refresh"] = succeeds(home, "test_data_refresh", form)
    before = rows(home)
    script = home.folder / "fails.sql"
    script.write_text("BEGIN RAISE_APPLICATION_ERROR(-20001, 'it fails when all is masked'); END;\n/\n")
    failing = definition(home, "failing", masking={"after": [str(script)]})
    run_id = home.api.trigger("test_data_refresh", {"definition": failing, "prepare": "beside"})
    assert ended(home, "test_data_refresh", run_id) == "failed"
    states = {task["task_id"]: task["state"] for task in home.api.task_instances("test_data_refresh", run_id)}
    assert states["scripts_after"] == "failed"
    assert (states["former_tables"], states["release_target"]) == ("success", "success")
    assert rows(home) == before
    home.connect("target", "APP_READER").close()
    page = (home.reports / run_id / "report.html").read_text()
    assert "put back under their names" in page
    assert "was not taken back: masking.after: fails.sql" in page


def test_dry_run_of_the_demo_dag_writes_its_plan(home: Home) -> None:
    """tests/system/whole_refresh refreshes all tables of the demo."""
    run_id = succeeds(home, "demo", {"dry_run": True})
    assert "DOCS.DOCUMENTS" in (home.reports / run_id / "plan.txt").read_text()


@pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium (Debian's package `chromium`)")
def test_a_browser_has_nothing_to_complain_about_in_their_pages(home: Home) -> None:
    """Those of the tests before; a run that has failed has none."""
    pages = {dag_id: home.reports / run_id / "report.html" for dag_id, run_id in RUNS.items()}
    assert pages
    with a_browser() as browser:
        found = {
            dag_id: complaints(browser, page, plots=PLOTS.get(dag_id, 1)) for dag_id, page in pages.items()
        }
    assert found == {dag_id: [] for dag_id in pages}
