"""Refresh the schemas of the bicycle rental into a target that has only their users."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml

from oracle_refresh.operators.planning import CheckPreflight
from oracle_refresh.operators.quarantine import ReleaseTarget
from oracle_refresh.operators.tables import EnableConstraints, GatherStatistics
from oracle_refresh.operators.validation import CompareInventory, ProveMasking
from support.constructs import PASSWORD, SCHEMAS, install
from support.demo import DemoDatabase, airflow_connection, prepared_target, running
from support.grants import make_user_anew
from support.small_run import SmallRun, write_definition
from support.transfer import ROOT

READER = "RENTAL_READER"
GRANTS = (
    "SELECT ON DEPOT.STAFF",
    "EXECUTE ON DEPOT.PAYROLL",
    "SELECT ON RENTAL.RIDE_TOTALS",
    "SELECT ON RENTAL.PROFITS",
)
LOOKUPS = ("first_names", "last_names", "streets")
_WHOLE = {
    "algorithm": "full_name",
    "first_names": "first_names",
    "last_names": "last_names",
    "domain": "person",
}
_MAPPED = {"algorithm": "character_mapping"}
RULES: dict[str, Any] = {
    "DEPOT.STAFF": {
        "FIRST_NAME": {"algorithm": "name", "lookup": "first_names", "domain": "person.first"},
        "LAST_NAME": {"algorithm": "name", "lookup": "last_names", "domain": "person.last"},
        "EMAIL": _MAPPED | {"domain": "staff.email"},
        "PHONE": _MAPPED | {"domain": "phone"},
    },
    "RENTAL.RIDERS": {
        "EMAIL": {"algorithm": "email", "domain": "email"},
        "FULL_NAME": _WHOLE,
        "STREET": {"algorithm": "secure_lookup", "lookup": "streets", "domain": "street"},
        "PHONE": _MAPPED | {"domain": "phone"},
    },
}


@dataclass(frozen=True)
class Refreshed:
    """Both ends after a refresh, and the inventories' findings."""

    source: DemoDatabase
    target: DemoDatabase
    findings: list[dict[str, Any]]

    def both(self, sql: str, *binds: Any) -> tuple[list[tuple[Any, ...]], list[tuple[Any, ...]]]:
        """The rows of a query at the source and at the target."""
        return rows(self.source, sql, *binds), rows(self.target, sql, *binds)


def rows(database: DemoDatabase, sql: str, *binds: Any) -> list[tuple[Any, ...]]:
    with database.system() as connection:
        return connection.cursor().execute(sql, list(binds)).fetchall()


def _users(database: DemoDatabase, names: tuple[str, ...]) -> None:
    with database.system() as connection:
        cursor = connection.cursor()
        for name in names:
            cursor.execute(f'CREATE USER {name} IDENTIFIED BY "{PASSWORD}"')
            cursor.execute(f"GRANT CREATE SESSION, UNLIMITED TABLESPACE TO {name}")


def _fill(source: DemoDatabase) -> None:
    """Install the schemas, and create a user that may read some of their objects."""
    make_user_anew(source)
    _users(source, (READER,))
    with source.system() as connection:
        for schema in SCHEMAS:
            install(connection, schema)
        cursor = connection.cursor()
        for grant in GRANTS:
            cursor.execute(f"GRANT {grant} TO {READER}")
        # SELECT * omits an invisible column; a refresh must not.
        cursor.execute("ALTER TABLE DEPOT.STAFF MODIFY PHONE INVISIBLE")
        cursor.execute("UPDATE DEPOT.STAFF SET POST_ID = 'CLERK' WHERE STAFF_ID = 7")
        connection.commit()


def _published(folder: Path, target: DemoDatabase) -> list[dict[str, Any]]:
    lookups = {name: str(ROOT / "include" / "lookups" / f"{name}.csv") for name in LOOKUPS}
    rules = {"name": "constructs", "lookups": lookups, "tables": RULES}
    definition = write_definition(
        folder,
        yaml.safe_load(yaml.safe_dump(rules)),
        schemas=list(SCHEMAS),
        exclude_tables=[],
        application_accounts=[*SCHEMAS, READER],
    )
    run = SmallRun(definition, target).all(CheckPreflight).until_masked()
    run.all(EnableConstraints, GatherStatistics, ProveMasking)
    findings = run.execute(CompareInventory)
    run.execute(ReleaseTarget)
    return list(findings or [])


@pytest.fixture(scope="package")
def refreshed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Refreshed]:
    folder = tmp_path_factory.mktemp("constructs")
    with ExitStack() as stack, pytest.MonkeyPatch.context() as environment:
        source = stack.enter_context(contextmanager(running)("source", "load-demo", "--scale", "0.001"))
        target = stack.enter_context(contextmanager(prepared_target)())
        _fill(source)
        _users(target, (*SCHEMAS, READER))
        environment.setenv("AIRFLOW_CONN_ORACLE_SOURCE", airflow_connection(source))
        environment.setenv("AIRFLOW_CONN_ORACLE_TARGET", airflow_connection(target))
        key = {"conn_type": "generic", "password": "0123456789abcdef" * 4}
        environment.setenv("AIRFLOW_CONN_REFRESH_MASKING_KEY", json.dumps(key))
        environment.setenv("AIRFLOW__ORACLE_REFRESH__POLL_SECONDS", "0.05")
        environment.setenv("AIRFLOW__ORACLE_REFRESH__REPORT_DIRECTORY", str(folder / "reports"))
        yield Refreshed(source, target, _published(folder, target))
