"""Oracle's sample schemas HR, CO and SH, installed by their own scripts (see tests/sample_schemas)."""

from __future__ import annotations

from pathlib import Path

import oracledb

from support.sqlplus import Outcome, Script

SCRIPTS = Path(__file__).parents[1] / "sample_schemas"
FOLDERS = {"HR": "human_resources", "CO": "customer_orders", "SH": "sales_history"}
PASSWORD = "Sample_schemas_1"


def install(connection: oracledb.Connection, schema: str, **options: object) -> Outcome:
    """Run the installation script of a schema in a session of a DBA; `options` are those of `Script`."""
    script = Script(connection, {"pass": PASSWORD}, **options)  # type: ignore[arg-type]
    return script.run(SCRIPTS / FOLDERS[schema] / f"{schema.lower()}_install.sql")
