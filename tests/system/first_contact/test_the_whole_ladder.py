"""The ladder as its how-to has it, from a fresh stack to a published first refresh."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from oracle_refresh.datapump.job import own_jobs
from support.home import MASKING_KEY, ROOT, Home, a_home

AIRFLOW = 'eval "$({python} -m stack env)" && '
COMMAND = (
    AIRFLOW + "airflow oracle-refresh first-contact"
    " oracle_source oracle_target --definition {definition} --write --refresh --folder {folder}"
)
#: Asked of Airflow while its DAG is paused.
ASKED = """
from oracle_refresh.cli.dag_runs import DagRuns
from oracle_refresh.oracle.errors import PreflightError
runs = DagRuns("test_data_refresh")
try:
    runs.trigger("later", {"definition": "first_contact"})
except PreflightError as error:
    print(error.remedy)
runs.require_ended("never triggered")
print("ended")
runs.require_ended("former")
"""
STEPS = [
    "Preflight",
    "Every statement parsed",
    "A throwaway schema",
    "Two shards of ten rows",
    "A refresh of one small schema",
]


@pytest.fixture(scope="module")
def home() -> Iterator[Home]:
    """A stack whose target has the link that the definition names, as docs/how-to/real-oracle.md makes it."""
    with a_home("first_contact_") as made:
        done = made.stack("up", "--scale", "0.02")
        assert done.returncode == 0, done.stdout[-4000:]
        with made.connect("target", "SYS") as system, system.cursor() as cursor:
            cursor.execute("GRANT EXECUTE ON SYS.DBMS_FILE_TRANSFER TO REFRESH_TARGET")
        with made.connect("target") as target, target.cursor() as cursor:
            cursor.execute(
                'CREATE DATABASE LINK TO_SOURCE CONNECT TO REFRESH_SOURCE IDENTIFIED BY "refresh_source_demo"'
                f" USING '{made.dsn('source')}'"
            )
        yield made


def shell(home: Home, command: str, **values: object) -> subprocess.CompletedProcess[str]:
    text = command.format(python=ROOT / ".venv" / "bin" / "python", **values)
    return subprocess.run(
        ["bash", "-c", text], cwd=ROOT, env=home.environment, capture_output=True, text=True, timeout=900
    )


def masters(home: Home) -> list[str]:
    found: list[str] = []
    for end in ("source", "target"):
        with home.connect(end) as connection:
            found += own_jobs(connection)
    return found


def test_step_that_fails_ends_the_climb_and_the_command(home: Home, tmp_path: Path) -> None:
    document = yaml.safe_load(home.definition.with_name("first_contact.yaml").read_text())
    document["deny_list"]["databases"] = ["TARGET"]
    home.definition.with_name("denied.yaml").write_text(yaml.safe_dump(document))
    done = shell(home, COMMAND, definition="denied", folder=tmp_path)
    assert done.returncode == 1, done.stdout + done.stderr
    bundle = json.loads((tmp_path / "first_contact.json").read_text())
    assert [step["title"] for step in bundle["steps"]] == STEPS[:1]
    assert len(bundle["not_climbed"]) == len(STEPS) - 1


def test_every_step_passes_and_the_bundle_tells_no_secrets(home: Home, tmp_path: Path) -> None:
    done = shell(home, COMMAND, definition="first_contact", folder=tmp_path)
    output = done.stdout + done.stderr
    assert done.returncode == 0, output[-4000:]
    bundle = json.loads((tmp_path / "first_contact.json").read_text())
    assert bundle["not_climbed"] == []
    assert re.search(r"publish_report: (\d+) of \1 tasks", output), "each task is told as it ends"
    assert "masking REFRESH$FIRST_CONTACT" not in output, "logs of rooms do not hide the steps"
    assert [step["title"] for step in bundle["steps"]] == STEPS
    refreshed = bundle["steps"][-1]
    assert {check["name"] for check in refreshed["checks"]} >= {"shard.export", "unit.mask", "published"}
    assert refreshed["facts"]["jobs"][0]["table"] == "DOCS.DOCUMENTS"
    kept = refreshed["facts"]["master tables"]
    assert kept["source"] == kept["target"] != []
    assert masters(home) == [], "they are removed when they have been looked at"
    assert home.dump_files() == []
    assert set(bundle["versions"]) >= {"python", "oracledb", "apache-airflow"}
    rows = home.query(
        "source", "SELECT AUTHOR_EMAIL, PATH FROM DOCS.DOCUMENTS WHERE AUTHOR_EMAIL IS NOT NULL"
    )
    assert rows
    for name in ("first_contact.json", "first_contact.html"):
        text = (tmp_path / name).read_text()
        told = [value for row in rows for value in row if value in text]
        assert told == [], name
        for secret in (MASKING_KEY, "refresh_source_demo", "refresh_target_demo", "127.0.0.1"):
            assert secret not in text, name
    masked = home.query("target", "SELECT AUTHOR_EMAIL FROM DOCS.DOCUMENTS WHERE AUTHOR_EMAIL IS NOT NULL")
    assert masked
    assert {value for (value,) in masked}.isdisjoint(value for value, _ in rows)


def test_runs_of_a_paused_dag_are_refused_and_one_that_waits_is_not_cleared_away(home: Home) -> None:
    """The last test: its run stays queued."""
    done = shell(
        home,
        AIRFLOW + "airflow dags pause test_data_refresh --yes"
        " && airflow dags trigger test_data_refresh --run-id former"
        ' --conf \'{{"definition": "first_contact"}}\''
        " && {python} -c '{asked}'",
        asked=ASKED,
    )
    assert done.returncode == 1
    assert "ended" in done.stdout.splitlines()
    assert "airflow dags unpause test_data_refresh" in done.stdout.splitlines()
    assert "the run former of a former climb has not ended" in done.stderr
