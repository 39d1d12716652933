"""Alembic's own tests on Oracle, and a project that upgrades and downgrades (`clients/alembic`)."""

from __future__ import annotations

from strangers import packages, places
from strangers.databases import database
from strangers.outcomes import Outcomes, read_junit
from strangers.suites import sqlalchemy_tests

VERSION = "1.20.1"
#: Some of its tests run Black as a hook.
REQUIREMENTS = (f"alembic=={VERSION}", *sqlalchemy_tests.REQUIREMENTS, "black==26.10.1")


def run() -> Outcomes:
    python = packages.environment("alembic_tests", *REQUIREMENTS)
    sources = packages.sources("alembic_tests", "alembic", VERSION)
    own_report, project_report = (
        places.folder("alembic_tests") / f"{name}.xml" for name in ("report", "project")
    )
    with database("alembic_tests") as own:
        own.execute(sqlalchemy_tests.users(own))
        arguments = ("--maxfail=100000", "--dburi", sqlalchemy_tests.url(own), "tests")
        packages.pytest(python, own_report, arguments, directory=sources)
        own.execute(
            [
                "CREATE USER migrations IDENTIFIED BY migrations",
                "GRANT CREATE SESSION, CREATE TABLE, CREATE SEQUENCE, UNLIMITED TABLESPACE TO migrations",
            ]
        )
        packages.pytest(
            python,
            project_report,
            packages.own_tests("test_migrations.py"),
            directory=places.CLIENTS / "alembic",
            DATABASE_URL=f"oracle+oracledb://migrations:migrations@127.0.0.1:{own.port}"
            f"/?service_name={own.service}",
        )
    return read_junit(own_report) | read_junit(project_report)
