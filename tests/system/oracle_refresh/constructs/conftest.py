"""Refresh the schemas of the bicycle rental into a target that has only their users."""

from __future__ import annotations

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
from support.demo import DemoDatabase, empty_source, prepared_target, set_connections
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
    """Source and target after a refresh, and the result of the inventory."""

    source: DemoDatabase
    target: DemoDatabase
    inventory: dict[str, int]

    def both(self, sql: str, *binds: Any) -> tuple[list[tuple[Any, ...]], list[tuple[Any, ...]]]:
        """Return the rows of a query at the source and at the target."""
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


def _published(folder: Path, target: DemoDatabase) -> dict[str, int]:
    """Refresh the target; return the counts of compared objects and accepted differences."""
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
    inventory = run.execute(CompareInventory)
    run.execute(ReleaseTarget)
    return dict(inventory)


@pytest.fixture(scope="package")
def refreshed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Refreshed]:
    folder = tmp_path_factory.mktemp("constructs")
    with ExitStack() as stack, pytest.MonkeyPatch.context() as environment:
        source = stack.enter_context(empty_source())
        target = stack.enter_context(contextmanager(prepared_target)())
        _fill(source)
        _users(target, (*SCHEMAS, READER))
        set_connections(environment, source, target)
        environment.setenv("AIRFLOW__ORACLE_REFRESH__REPORT_DIRECTORY", str(folder / "reports"))
        yield Refreshed(source, target, _published(folder, target))
