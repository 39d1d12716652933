"""One home for the package, and one finished refresh in it."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml

from oracle_refresh import example_dags
from support.grammar import sent
from support.home import MASKING_KEY, ROOT, SCALE, Home, a_home
from support.logins import Logins
from support.webhook import Webhook, a_webhook

#: The DAG of the home's definition, each run of which asks before it touches the target.
OWN_DAG = "small.nightly"

__all__ = ["MASKING_KEY", "OWN_DAG", "ROOT", "Again", "First", "Home"]


#: Of its own refresh somebody has the checks only.
CHECKS_ONLY = """\
from airflow.sdk import DAG

from oracle_refresh.operators.planning import CheckPreflight

with DAG("checks_only", schedule=None, params={"definition": "demo"}):
    CheckPreflight(task_id="preflight", definition="{{ params.definition }}")
"""


@dataclass(frozen=True)
class First:
    """What the first refresh printed, what it sent to both databases, and what a user who kept trying to log
    in met meanwhile."""

    exit_code: int
    output: str
    logins: Logins
    statements: list[str]


@pytest.fixture(scope="package")
def webhook() -> Iterator[Webhook]:
    with a_webhook() as server:
        yield server


@pytest.fixture(scope="package")
def home(webhook: Webhook) -> Iterator[Home]:
    """A home that is there for the whole package, with a DAG that starts on each published refresh, one that
    checks only, one of its definition, and somebody to be told: of runs that take longer than six seconds
    too, as all do. Its target is tuned.
    """
    with a_home("whole_refresh_") as made:
        made.environment.update(
            AIRFLOW_CONN_CHAT=webhook.connection,
            AIRFLOW__ORACLE_REFRESH__NOTIFY_CONN_ID="chat",
            AIRFLOW__ORACLE_REFRESH__DEADLINE_MINUTES="0.1",
        )
        document = yaml.safe_load(made.definition.read_text())
        document["tuning"] = {"profile": str(ROOT / "include" / "tuning" / "demo.yaml")}
        document["dag"] = {"id": OWN_DAG, "approvals": ["target"], "owner": "nobody"}
        made.definition.write_text(yaml.safe_dump(document))
        after = made.folder / "after" / "example_after_refresh.py"
        after.parent.mkdir()
        shutil.copy(Path(example_dags.__file__).with_name(after.name), after)
        after.with_name("checks_only.py").write_text(CHECKS_ONLY)
        made.environment["STACK_EXTRA_DAGS"] = str(after.parent)
        yield made


@pytest.fixture(scope="package")
def first(home: Home) -> First:
    """The first refresh in a fresh home."""
    with Logins(home.dsn("target"), "APP_READER", "app_reader_demo") as logins:
        done = home.refresh()
    statements = sent(home.folder / "log" / "statements.jsonl", ["REFRESH_SOURCE", "REFRESH_TARGET"])
    return First(done.returncode, done.stdout, logins, statements)


@dataclass(frozen=True)
class Kept:
    """What no later command may make anew: the objects of the source, and the secrets by their path."""

    source: list[tuple[Any, ...]]
    secrets: dict[Path, str]

    @classmethod
    def of(cls, home: Home) -> Kept:
        objects = (
            "SELECT OWNER, OBJECT_NAME, OBJECT_ID, CREATED FROM DBA_OBJECTS"
            " WHERE OWNER IN ('APP', 'DOCS', 'TEST') ORDER BY OBJECT_ID"
        )
        secrets = {path: path.read_text() for path in (home.folder / "secrets").iterdir()}
        return cls(home.query("source", objects), secrets)


@dataclass(frozen=True)
class Again:
    """The home before everything was stopped, and after it was started again."""

    before: Kept
    after: Kept


@pytest.fixture(scope="package")
def stopped(home: Home, first: First) -> Kept:
    """The home when all that the first refresh had left running was stopped: what it held then."""
    assert first.exit_code == 0, first.output[-4000:]
    kept = Kept.of(home)
    done = home.stack("down")
    assert done.returncode == 0, done.stdout
    return kept


@pytest.fixture(scope="package")
def again(home: Home, stopped: Kept) -> Again:
    """Everything runs again, as `make up` leaves it."""
    done = home.stack("up", "--scale", SCALE)
    assert done.returncode == 0, done.stdout[-4000:]
    return Again(stopped, Kept.of(home))
