"""Oracle's sample schemas HR, CO and SH, installed by their own scripts (see tests/sample_schemas)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import oracledb
import pytest

from support.sqlplus import Outcome, Script
from support.stand_in import Server

SCRIPTS = Path(__file__).parents[1] / "sample_schemas"
FOLDERS = {"HR": "human_resources", "CO": "customer_orders", "SH": "sales_history"}
PASSWORD = "Sample_schemas_1"
Installed = tuple[Outcome, oracledb.Connection]


def install(connection: oracledb.Connection, schema: str, **options: object) -> Outcome:
    """Run the installation script of a schema in a session of a DBA; `options` are those of `Script`."""
    script = Script(connection, {"pass": PASSWORD}, **options)  # type: ignore[arg-type]
    return script.run(SCRIPTS / FOLDERS[schema] / f"{schema.lower()}_install.sql")


@pytest.fixture(scope="module")
def installed(oracle: Server) -> Iterator[Callable[..., Installed]]:
    """Installs a schema by its script: what became of the statements, and a session of its owner."""
    names: list[str] = []

    def run(schema: str, **options: object) -> Installed:
        names.append(schema)
        with oracle.connect() as system:
            outcome = install(system, schema, **options)
        return outcome, oracle.connect(schema, PASSWORD)

    yield run
    with oracle.connect() as system:
        for name in names:
            system.cursor().execute(f"DROP USER {name} CASCADE")
