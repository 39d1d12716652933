"""A newcomer's first refresh of schemas that are not the demo's: from `init` to published."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from oracle_refresh.definition import load_definition
from oracle_refresh.masking.ruleset import load_ruleset
from support import sales_history
from support.demo import DemoDatabase, airflow_connection, running
from support.grants import make_user_anew
from support.sample_schemas import PASSWORD, install
from support.small_run import SmallRun
from support.transfer import ROOT

SCHEMAS = ("HR", "CO", "SH")


def run_airflow(*words: str) -> subprocess.CompletedProcess[str]:
    """Without connections in its environment; with one key for those in its database."""
    own = {name: value for name, value in os.environ.items() if not name.startswith("AIRFLOW_CONN_")}
    return subprocess.run(
        [str(Path(sys.executable).with_name("airflow")), *words],
        env=own | {"AIRFLOW__CORE__UNIT_TEST_MODE": "False"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=600,
    )


@dataclass(frozen=True)
class Place:
    """What a newcomer has: two databases, three Airflow connections, an empty folder of definitions."""

    folder: Path
    source: DemoDatabase
    target: DemoDatabase

    @property
    def definition(self) -> Path:
        return self.folder / "refreshes" / "first.yaml"

    @property
    def ruleset(self) -> Path:
        return self.folder / "rulesets" / "first.yaml"

    def airflow(self, *words: str) -> subprocess.CompletedProcess[str]:
        """`airflow oracle-refresh ...`, without a terminal, with the connections of Airflow's database."""
        return run_airflow("oracle-refresh", *words)

    def init(self, *words: str) -> subprocess.CompletedProcess[str]:
        return self.airflow("init", "--definition", "first", *words)


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    folder = tmp_path_factory.mktemp("newcomer")
    shutil.copytree(ROOT / "include" / "lookups", folder / "lookups")
    one = contextmanager(running)
    with ExitStack() as stack, pytest.MonkeyPatch.context() as environment:
        source = stack.enter_context(one("source", "load-demo", "--scale", "0.001"))
        target = stack.enter_context(one("target", "prepare-target"))
        make_user_anew(source)
        with source.system() as connection:
            for schema in SCHEMAS:
                install(connection, schema, load=sales_history.load)
            cursor = connection.cursor()
            cursor.execute("CREATE ROLE SHOP_ROLE")
            cursor.execute("GRANT SELECT ON CO.ORDERS TO SHOP_ROLE")
            cursor.execute("GRANT SHOP_ROLE TO APP_READER")
        connections = {
            "oracle_source": airflow_connection(source),
            "oracle_target": airflow_connection(target),
            "refresh_masking_key": json.dumps({"conn_type": "generic", "password": "0123456789abcdef" * 4}),
        }
        for name, value in {
            "AIRFLOW_HOME": folder / "airflow",
            # For the tasks below, which run in this process.
            **{f"AIRFLOW_CONN_{conn_id.upper()}": text for conn_id, text in connections.items()},
            "AIRFLOW__ORACLE_REFRESH__POLL_SECONDS": "0.05",
            "AIRFLOW__ORACLE_REFRESH__DEFINITIONS_DIRECTORY": folder / "refreshes",
            "AIRFLOW__ORACLE_REFRESH__REPORT_DIRECTORY": folder / "reports",
        }.items():
            environment.setenv(name, str(value))
        written = folder / "connections.json"
        written.write_text(json.dumps({conn_id: json.loads(text) for conn_id, text in connections.items()}))
        for words in (("db", "migrate"), ("connections", "import", str(written))):
            done = run_airflow(*words)
            assert done.returncode == 0, done.stdout + done.stderr
        yield Place(folder, source, target)


def test_without_a_terminal_what_is_not_said_is_asked_for_by_name(place: Place) -> None:
    done = place.init()
    assert done.returncode == 1
    assert "The source has APP, CO, DOCS, HR, SH, TEST" in done.stderr
    assert "--schemas" in done.stderr
    assert not place.definition.exists()


def test_what_the_target_lacks_is_told_with_the_sql_that_mends_it(place: Place) -> None:
    done = place.init("--schemas", "HR,CO,SH", "--signed-by", "A. Newcomer")
    assert done.returncode == 1, done.stdout + done.stderr
    assert "UNKNOWN_SCHEMA" in done.stdout
    statements = [
        line.strip().rstrip(";")
        for line in done.stdout.splitlines()
        if line.strip().startswith(("CREATE USER", "GRANT", "ALTER USER"))
    ]
    assert len(statements) >= len(SCHEMAS)
    with place.target.system() as connection:
        for statement in statements:
            connection.cursor().execute(statement.replace("<password>", PASSWORD))


def test_nothing_is_overwritten_unasked(place: Place) -> None:
    before = place.definition.read_text()
    done = place.init("--schemas", "HR")
    assert done.returncode == 1
    assert "--overwrite" in done.stderr
    assert place.definition.read_text() == before


def test_the_files_pass_the_preflight_and_the_refresh_is_published(place: Place) -> None:
    ready = place.airflow("preflight", "--definition", "first")
    assert ready.returncode == 0, ready.stdout + ready.stderr
    again = place.init("--schemas", "HR,CO,SH", "--signed-by", "A. Newcomer", "--overwrite")
    assert again.returncode == 0, again.stdout + again.stderr
    assert "airflow dags trigger test_data_refresh" in again.stdout
    definition = load_definition(place.definition)
    assert definition.application_accounts == ("HR", "CO", "SH", "APP_READER")
    assert "SOURCE" in definition.deny_list.databases
    SmallRun(place.definition, place.target).until_published()
    ruleset = load_ruleset(place.ruleset)
    assert ("CO", "CUSTOMERS") in ruleset.tables
    with place.source.system() as one, place.target.system() as other:
        for sql in ("SELECT EMAIL_ADDRESS FROM CO.CUSTOMERS", "SELECT CUST_LAST_NAME FROM SH.CUSTOMERS"):
            old, new = ({value for (value,) in end.cursor().execute(sql)} for end in (one, other))
            assert not old & new, sql
    place.target.connect("HR", PASSWORD).close()
