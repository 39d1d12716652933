"""A newcomer's first refresh of a schema that is not the demo's: from `init` to published."""

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
from support.constructs import PASSWORD, SCHEMAS, install
from support.demo import DemoDatabase, airflow_connection, prepared_target, running
from support.grants import make_user_anew
from support.small_run import SmallRun
from support.transfer import ROOT

#: Import Airflow once, then fork a process for each command.
COMMANDS = """
import json, os, sys, tempfile
from airflow.__main__ import main
from airflow.cli.cli_parser import get_parser

get_parser()
ended = []
for words in json.loads(sys.argv[1]):
    files = [tempfile.TemporaryFile() for _ in range(2)]
    child = os.fork()
    if not child:
        for number, file in enumerate(files, 1):
            os.dup2(file.fileno(), number)
        sys.argv = ["airflow", *words]
        sys.exit(main())
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    ended.append([code, *(os.pread(file.fileno(), 1 << 20, 0).decode() for file in files)])
print(json.dumps(ended))
"""


@dataclass(frozen=True)
class Ended:
    """A command that has ended."""

    code: int
    out: str
    err: str


def run_airflow(*commands: tuple[str, ...]) -> list[Ended]:
    """Run `airflow ...` without a terminal and with the connections and the key of Airflow's database."""
    own = {name: value for name, value in os.environ.items() if not name.startswith("AIRFLOW_CONN_")}
    done = subprocess.run(
        [sys.executable, "-c", COMMANDS, json.dumps(commands)],
        env=own | {"AIRFLOW__CORE__UNIT_TEST_MODE": "False"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert done.returncode == 0, done.stderr
    return [Ended(*ended) for ended in json.loads(done.stdout.splitlines()[-1])]


def init(*words: str) -> tuple[str, ...]:
    return ("oracle-refresh", "init", "--definition", "first", *words)


@dataclass(frozen=True)
class Place:
    """What a newcomer has: two databases, three Airflow connections, and a folder of definitions.

    :ivar first: `init` without arguments.
    :ivar second: `init` with them, of a target that lacks the schema.
    """

    folder: Path
    source: DemoDatabase
    target: DemoDatabase
    first: Ended
    second: Ended

    @property
    def definition(self) -> Path:
        return self.folder / "refreshes" / "first.yaml"

    @property
    def ruleset(self) -> Path:
        return self.folder / "rulesets" / "first.yaml"


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    folder = tmp_path_factory.mktemp("newcomer")
    shutil.copytree(ROOT / "include" / "lookups", folder / "lookups")
    one = contextmanager(running)
    with ExitStack() as stack, pytest.MonkeyPatch.context() as environment:
        source = stack.enter_context(one("source", "load-demo", "--scale", "0.001"))
        target = stack.enter_context(contextmanager(prepared_target)())
        make_user_anew(source)
        with source.system() as connection:
            for schema in SCHEMAS:
                install(connection, schema)
            cursor = connection.cursor()
            cursor.execute("CREATE ROLE RENTAL_ROLE")
            cursor.execute("GRANT SELECT ON RENTAL.RIDES TO RENTAL_ROLE")
            cursor.execute("GRANT RENTAL_ROLE TO APP_READER")
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
        *prepared, first, second = run_airflow(
            ("db", "migrate"),
            ("connections", "import", str(written)),
            init(),
            init("--schemas", "RENTAL", "--signed-by", "A. Newcomer"),
        )
        assert [done.code for done in prepared] == [0, 0], prepared
        yield Place(folder, source, target, first, second)


def test_init_without_a_terminal_names_the_missing_options(place: Place) -> None:
    done = place.first
    assert done.code == 1
    assert "The source has APP, DEPOT, DOCS, RENTAL, TEST" in done.err
    assert "--schemas" in done.err


def test_init_prints_the_sql_that_creates_missing_schemas(place: Place) -> None:
    done = place.second
    assert done.code == 1, done
    assert "UNKNOWN_SCHEMA" in done.out
    statements = [
        line.strip().rstrip(";")
        for line in done.out.splitlines()
        if line.strip().startswith(("CREATE USER", "GRANT", "ALTER USER"))
    ]
    assert statements
    with place.target.system() as connection:
        for statement in statements:
            connection.cursor().execute(statement.replace("<password>", PASSWORD))


def test_init_overwrites_files_only_on_demand_and_they_pass_the_preflight(place: Place) -> None:
    before = place.definition.read_text()
    refused, ready, again = run_airflow(
        init("--schemas", "DEPOT"),
        ("oracle-refresh", "preflight", "--definition", "first"),
        init("--schemas", "RENTAL", "--signed-by", "A. Newcomer", "--overwrite"),
    )
    assert refused.code == 1
    assert "--overwrite" in refused.err
    assert place.definition.read_text() == before
    assert ready.code == 0, ready
    assert again.code == 0, again
    assert "airflow dags trigger test_data_refresh" in again.out


def test_refresh_of_the_written_definition_is_published(place: Place) -> None:
    definition = load_definition(place.definition)
    assert definition.application_accounts == ("RENTAL", "APP_READER")
    assert "SOURCE" in definition.deny_list.databases
    SmallRun(place.definition, place.target).until_published()
    ruleset = load_ruleset(place.ruleset)
    assert ("RENTAL", "RIDERS") in ruleset.tables
    with place.source.system() as one, place.target.system() as other:
        sql = "SELECT EMAIL FROM RENTAL.RIDERS"
        old, new = ({value for (value,) in end.cursor().execute(sql)} for end in (one, other))
        assert not old & new
    place.target.connect("RENTAL", PASSWORD).close()
