"""A Django project: its own applications' migrations, their tables inspected and used (`clients/django`)."""

from __future__ import annotations

from strangers import packages, places
from strangers.databases import database
from strangers.outcomes import Outcomes, read_junit

REQUIREMENTS = ("django==5.2.19", "oracledb==26.1.0", "pytest==9.2.0")
#: What Django's documentation, "Oracle notes", wants of its user; temporary tables are not among them.
GRANTS = (
    "CREATE SESSION, CREATE TABLE, CREATE SEQUENCE, CREATE PROCEDURE, CREATE TRIGGER, CREATE VIEW, "
    "CREATE MATERIALIZED VIEW, UNLIMITED TABLESPACE"
)


def run() -> Outcomes:
    python = packages.environment("django_project", *REQUIREMENTS)
    report = places.folder("django_project") / "report.xml"
    with database("django_project") as own:
        own.execute(["CREATE USER web IDENTIFIED BY web", f"GRANT {GRANTS} TO web"])
        packages.pytest(
            python,
            report,
            packages.own_tests("test_project.py"),
            directory=places.CLIENTS / "django",
            DATABASE_DSN=own.dsn,
            DJANGO_SETTINGS_MODULE="settings",
            PYTHONPATH=str(places.CLIENTS / "django"),
        )
    return read_junit(report)
