"""Oracle's JDBC thin driver, with checks of this project's (`clients/jdbc`)."""

from __future__ import annotations

from strangers import places
from strangers.databases import PASSWORD, database
from strangers.outcomes import Outcomes, read_tap
from strangers.programs import printed, run_program

_SOURCES = places.CLIENTS / "jdbc"


def run() -> Outcomes:
    """`pom.xml` names the version; the checks are one source file, compiled as it runs."""
    place = places.folder("jdbc")
    copy = ("dependency:copy-dependencies", f"-DoutputDirectory={place / 'libraries'}")
    run_program(("mvn", "--quiet", "--batch-mode", "--file", str(_SOURCES / "pom.xml"), *copy), place)
    with database("jdbc") as own:
        report = printed(
            ("java", "-cp", f"{place / 'libraries'}/*", str(_SOURCES / "Checks.java")),
            place,
            DSN=own.dsn,
            DATABASE_USER="SYSTEM",
            DATABASE_PASSWORD=PASSWORD,
        )
    return read_tap(report)
