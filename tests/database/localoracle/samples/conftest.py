"""A schema of Oracle's, installed for all tests of a module."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import oracledb
import pytest

from support.sample_schemas import PASSWORD, install
from support.sqlplus import Outcome
from support.stand_in import Server

Installed = tuple[Outcome, oracledb.Connection]


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
