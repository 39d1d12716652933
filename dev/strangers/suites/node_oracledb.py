"""node-oracledb in its thin mode, with checks of this project's (`clients/node`)."""

from __future__ import annotations

import shutil

from strangers import places
from strangers.databases import PASSWORD, database
from strangers.outcomes import Outcomes, read_tap
from strangers.programs import printed, run_program

_SOURCES = places.CLIENTS / "node"


def run() -> Outcomes:
    """`package.json` names the version; the package's own script, which looks for thick mode, is not run."""
    place = places.folder("node_oracledb")
    for file in ("package.json", "checks.js"):
        shutil.copy(_SOURCES / file, place)
    run_program(("npm", "install", "--silent", "--no-audit", "--no-fund", "--ignore-scripts"), place)
    with database("node_oracledb") as own:
        report = printed(
            ("node", "checks.js"),
            place,
            DSN=own.dsn,
            DATABASE_USER="SYSTEM",
            DATABASE_PASSWORD=PASSWORD,
        )
    return read_tap(report)
