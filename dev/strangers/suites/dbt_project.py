"""A dbt project: seeds, models of every kind, tests, a snapshot, documentation (`clients/dbt`)."""

from __future__ import annotations

from strangers import packages, places
from strangers.databases import database
from strangers.outcomes import Outcomes, read_junit

#: dbt-core 1.12 comes with a parser that is not in the package index.
REQUIREMENTS = ("dbt-oracle==1.11.1", "dbt-core==1.11.16", "oracledb==26.1.0", "pytest==9.2.0")


def run() -> Outcomes:
    python = packages.environment("dbt_project", *REQUIREMENTS)
    report = places.folder("dbt_project") / "report.xml"
    with database("dbt_project") as own:
        own.execute(
            [
                "CREATE USER dbt IDENTIFIED BY dbt",
                "CREATE USER reader IDENTIFIED BY reader",
                "GRANT CREATE SESSION, CREATE TABLE, CREATE VIEW, UNLIMITED TABLESPACE TO dbt",
            ]
        )
        packages.pytest(
            python,
            report,
            packages.own_tests("test_project.py"),
            directory=places.CLIENTS / "dbt",
            DATABASE_PORT=str(own.port),
            DATABASE_SERVICE=own.service,
        )
    return read_junit(report)
