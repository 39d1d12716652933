"""Every DAG of the bundle, run once by the scheduler as somebody does who triggers it and changes little."""

from __future__ import annotations

import hashlib
import json
import urllib.error
from collections.abc import Iterator, Sequence
from http import HTTPStatus
from pathlib import Path
from typing import Any

import pytest
import yaml

from oracle_refresh.definition import CloneDefinition
from oracle_refresh.labs.change_capture.study import TRIALS, UNRELATED
from support.browsing import CHROMIUM, a_browser, complaints
from support.home import ROOT, SCALE, Home, a_home, until

#: That of the demo's definition, which `refreshes.py` makes, is run with the clone.
OF_REFRESHES = {"test_data_refresh", "refreshes", "refreshes_check"}
OF_CLONES = {"mask_database"}
DAGS = sorted({path.stem for path in (ROOT / "dags").glob("*.py")} - OF_REFRESHES - OF_CLONES)
#: What the forms of these say in place of what the files do, which would take many minutes here. Both shapes
#: are exported and imported all the same, and each of the study's trials of change capture is made. All
#: switches of the masking benchmark are measured in tests/system/oracle_refresh/labs/masking.
FORMS: dict[str, dict[str, Any]] = {
    "datapump_calibration": {"degrees": [1, 2], "repeats": 1},
    "cdc_tuning": {"scale": 0.02, "batches": [], "parallelisms": [], "single_rows": 200},
    "dbfs_calibration": {"users": [1, 2], "blocks_kb": [32, 1024]},
    "masking_benchmark": {"switches": ["redo", "noarchivelog"], "rows": 1000, "repetitions": 1},
}
#: Plots that the page of each has at least.
PLOTS = {
    "cdc_tuning": 3,
    "datapump_calibration": 1,
    "dbfs_calibration": 5,
    "masking_benchmark": 1,
    "slob_data_load": 2,
}
#: The last run of each DAG here that has succeeded.
RUNS: dict[str, str] = {}
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
        (task["task_id"], task["map_index"]): (task["state"], home.api.log_tail(dag_id, run_id, task))
        for task in tasks
        if task["state"] not in WELL
    }
    assert (state, wrong) == ("success", {})
    assert "success" in {task["state"] for task in tasks}
    RUNS[dag_id] = run_id
    return run_id


def rows(home: Home, schemas: Sequence[str]) -> dict[str, list[str]]:
    """All rows of the target's tables, sorted, each as its hash."""
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


def definitions(home: Home) -> tuple[Path, Path]:
    """Of the demo without rules, and of its target as a clone: the same name, and the same key."""
    refreshes = ROOT / "include" / "refreshes"
    document = yaml.safe_load((refreshes / "demo.yaml").read_text())
    document["tuning"] = None
    unmasked, clone = home.folder / "unmasked.yaml", home.folder / "clone.yaml"
    no_rules = home.folder / "no_rules.yaml"
    no_rules.write_text(yaml.safe_dump({"name": "none", "tables": {}}))
    masking = document["masking"] | {"ruleset": str(no_rules), "sensitive_from": 1.0}
    unmasked.write_text(yaml.safe_dump(document | {"masking": masking, "expectations": None}))
    for name in ("masking", "expectations"):
        key = "ruleset" if name == "masking" else "path"
        document[name][key] = str((refreshes / document[name][key]).resolve())
    kept = {field.alias or name for name, field in CloneDefinition.model_fields.items()}
    document = {name: value for name, value in document.items() if name in kept}
    clone.write_text(yaml.safe_dump(document | {"database": "TARGET", "purge_statistics_history": True}))
    return unmasked, clone


@pytest.mark.parametrize("dag_id", DAGS)
def test_it_succeeds_with_what_the_files_say(home: Home, dag_id: str) -> None:
    before, form = log_mode(home), FORMS.get(dag_id, {})
    if dag_id == "dbfs_calibration":
        form = form | {"mounted_paths": [str(home.folder / "target" / "dbfs" / "REFRESH")]}
    run_id = succeeds(home, dag_id, form)
    assert log_mode(home) == before
    if dag_id == "dbfs_calibration":
        tells_of_the_mount(home, run_id)
    if dag_id == "cdc_tuning":
        every_trial_of_the_study_stands_beside_it(home.reports / run_id)


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


def test_a_clone_is_masked_as_a_refresh_masks_it(home: Home) -> None:
    schemas = yaml.safe_load(home.definition.read_text())["schemas"]
    unmasked, clone = definitions(home)
    with home.connect("target", "SYS") as system:
        system.cursor().execute("GRANT ANALYZE ANY DICTIONARY TO REFRESH_TARGET")
    succeeds(home, "demo", {})
    masked = rows(home, schemas)
    succeeds(home, "test_data_refresh", {"definition": str(unmasked)})
    assert rows(home, schemas) != masked
    succeeds(home, "mask_database", {"definition": str(clone)})
    assert rows(home, schemas) == masked


def test_a_refresh_beside_that_fails_leaves_the_last_good_data_open(home: Home) -> None:
    document = yaml.safe_load((ROOT / "include" / "refreshes" / "demo.yaml").read_text())
    script, failing = home.folder / "fails.sql", home.folder / "failing.yaml"
    script.write_text("BEGIN RAISE_APPLICATION_ERROR(-20001, 'it fails when all is masked'); END;\n/\n")
    document["masking"]["ruleset"] = str(ROOT / "include" / "rulesets" / "demo.yaml")
    document["masking"]["after"] = [str(script)]
    failing.write_text(yaml.safe_dump(document | {"expectations": None, "tuning": None}))
    succeeds(home, "test_data_refresh", {"definition": "demo", "prepare": "beside"})
    before = rows(home, document["schemas"])
    assert not [name for name in before if "REFRESH$A_" in name], "the former tables are gone"
    run_id = home.api.trigger("test_data_refresh", {"definition": str(failing), "prepare": "beside"})
    ended = until(
        lambda: (s := home.api.run_state("test_data_refresh", run_id)) in ("success", "failed") and s
    )
    assert ended == "failed"
    states = {task["task_id"]: task["state"] for task in home.api.task_instances("test_data_refresh", run_id)}
    assert states["scripts_after"] == "failed"
    assert (states["former_tables"], states["release_target"]) == ("success", "success")
    assert rows(home, document["schemas"]) == before
    home.connect("target", "APP_READER").close()
    page = (home.reports / run_id / "report.html").read_text()
    assert "put back under their names" in page
    assert "was not taken back: masking.after: fails.sql" in page


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
