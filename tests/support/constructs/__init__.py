"""Two schemas of a bicycle rental whose scripts use the constructs of typical application schemas.

`depot.sql` has keys, triggers, procedures, types and a package. `rental.sql` has identities, JSON,
partitions, bitmap and text indexes, views, a materialized view and a dimension.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import oracledb
import pytest

from support.sqlplus import Outcome, Script
from support.stand_in import Server

PASSWORD = "Bicycle_rental_1"
SCHEMAS = ("DEPOT", "RENTAL")
Installed = tuple[Outcome, oracledb.Connection]


def install(connection: oracledb.Connection, schema: str) -> Outcome:
    """Run the script of a schema in a session of a DBA."""
    script = Path(__file__).with_name(f"{schema.lower()}.sql")
    return Script(connection, {"pass": PASSWORD}).run(script)


@pytest.fixture(scope="module")
def installed(oracle: Server) -> Iterator[Callable[[str], Installed]]:
    """Install a schema; return the outcome of its script and a session of its owner."""
    names: list[str] = []

    def run(schema: str) -> Installed:
        names.append(schema)
        with oracle.connect() as system:
            outcome = install(system, schema)
        return outcome, oracle.connect(schema, PASSWORD)

    yield run
    with oracle.connect() as system:
        for name in names:
            system.cursor().execute(f"DROP USER {name} CASCADE")
