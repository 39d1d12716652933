"""SQLAlchemy's own tests, out of its source distribution; its users as README.unittests.rst makes them."""

from __future__ import annotations

from strangers import packages, places
from strangers.databases import Database, database
from strangers.outcomes import Outcomes, read_junit

VERSION = "2.1.9"
REQUIREMENTS = (f"sqlalchemy[asyncio]=={VERSION}", "oracledb==26.1.0", "pytest==9.2.0")
_LINK = "CREATE PUBLIC DATABASE LINK {name} CONNECT TO {user} IDENTIFIED BY tiger USING '{dsn}'"


def run(suite: str, tests: str) -> Outcomes:
    """:param tests: which, as pytest takes it."""
    python = packages.environment("sqlalchemy", *REQUIREMENTS)
    sources = packages.sources("sqlalchemy", "sqlalchemy", VERSION)
    report = places.folder(suite) / "report.xml"
    with database(suite) as own:
        own.execute(users(own))
        arguments = ("--maxfail=100000", "--dburi", url(own), tests)
        packages.pytest(python, report, arguments, directory=sources)
    return read_junit(report)


def url(own: Database) -> str:
    return f"oracle+oracledb://scott:tiger@127.0.0.1:{own.port}/?service_name={own.service}"


def users(own: Database) -> list[str]:
    return [
        "CREATE USER scott IDENTIFIED BY tiger",
        "CREATE USER test_schema IDENTIFIED BY tiger",
        "GRANT DBA TO scott",
        "GRANT CREATE TABLE TO scott",
        "GRANT CREATE TABLE TO test_schema",
        "GRANT UNLIMITED TABLESPACE TO scott",
        "GRANT UNLIMITED TABLESPACE TO test_schema",
        "GRANT CREATE SESSION TO test_schema",
        _LINK.format(name="test_link", user="scott", dsn=own.dsn),
        _LINK.format(name="test_link2", user="test_schema", dsn=own.dsn),
    ]
