"""A small refresh between databases that were created in other modes than the demo's.

`tests/unit/oracle_refresh/preflight/test_rules_of_rulesets.py` has the refusal of another character set.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest
import yaml

from oracle_refresh.operators.planning import CheckPreflight
from oracle_refresh.operators.quarantine import ReleaseTarget
from support.demo import DemoDatabase, airflow_connection
from support.grants import make_user_anew
from support.small_run import SmallRun, write_definition
from support.stand_in import new_server
from support.transfer import ROOT

#: Names with characters of Windows-1252 that are two or three bytes in UTF-8.
NAMES = ("Zoë", "Jürgen", "Renée", "O’Brien", "Søren")


@contextmanager
def database(name: str, options: tuple[str, ...], *filling: str) -> Iterator[DemoDatabase]:
    server, end = new_server(name, options=options)
    try:
        filled = server.command(*filling)
        assert filled.returncode == 0, filled.stdout + filled.stderr
        yield DemoDatabase(server, name)
    finally:
        end()


def rules() -> dict[str, Any]:
    path = ROOT / "include" / "rulesets" / "demo.yaml"
    whole = yaml.safe_load(path.read_text())
    lookups = {name: str(path.parent / file) for name, file in whole["lookups"].items()}
    employees = {"APP.EMPLOYEES": whole["tables"]["APP.EMPLOYEES"]}
    return {"name": "modes", "lookups": lookups, "tables": employees}


def employees(ends: DemoDatabase) -> list[tuple[Any, ...]]:
    with ends.system() as connection:
        cursor = connection.cursor()
        return cursor.execute(
            "SELECT EMPLOYEE_ID, FIRST_NAME, LAST_NAME, EMAIL FROM APP.EMPLOYEES ORDER BY 1"
        ).fetchall()


@contextmanager
def run_between(
    options: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[tuple[DemoDatabase, DemoDatabase, SmallRun]]:
    """A source and a target created with options, and a run between them."""
    with ExitStack() as stack:
        words = tuple(options.split())
        source = stack.enter_context(database("source", words, "load-demo", "--scale", "0.005"))
        target = stack.enter_context(database("target", words, "prepare-target"))
        make_user_anew(source)
        monkeypatch.setenv("AIRFLOW_CONN_ORACLE_SOURCE", airflow_connection(source))
        monkeypatch.setenv("AIRFLOW_CONN_ORACLE_TARGET", airflow_connection(target))
        key = {"conn_type": "generic", "password": "0123456789abcdef" * 4}
        monkeypatch.setenv("AIRFLOW_CONN_REFRESH_MASKING_KEY", json.dumps(key))
        monkeypatch.setenv("AIRFLOW__ORACLE_REFRESH__POLL_SECONDS", "0.05")
        monkeypatch.setenv("AIRFLOW__ORACLE_REFRESH__REPORT_DIRECTORY", str(folder / "reports"))
        yield source, target, SmallRun(write_definition(folder, rules()), target)


MODES = (
    "--max-string-size EXTENDED --language GERMAN --territory GERMANY"
    " --release 23ai --log-mode ARCHIVELOG --container pdb --tablespaces BIGFILE"
)


def test_refresh_between_databases_of_other_modes_is_published(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with run_between(MODES, tmp_path, monkeypatch) as (source, target, run):
        with source.system() as connection:
            connection.cursor().executemany(
                "UPDATE APP.EMPLOYEES SET FIRST_NAME = :1 WHERE EMPLOYEE_ID ="
                " (SELECT MIN(EMPLOYEE_ID) + :2 FROM APP.EMPLOYEES)",
                [(name, number) for number, name in enumerate(NAMES)],
            )
            connection.commit()
        run.execute(CheckPreflight)
        run.until_proven()
        run.execute(ReleaseTarget)

        before, after = employees(source), employees(target)
        assert [row[1] for row in before[: len(NAMES)]] == list(NAMES)
        assert [row[0] for row in after] == [row[0] for row in before]
        assert all(new[3] != old[3] for old, new in zip(before, after, strict=True))
        target.connect("APP_READER").close()
