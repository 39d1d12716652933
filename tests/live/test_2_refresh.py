"""A whole refresh between the databases that are named: **the target's schemas are overwritten**."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import oracledb
import pytest

from oracle_refresh.catalog.reader import read_catalogue
from oracle_refresh.identifiers import qualified

from .conftest import ROOT, Login, Pair

pytestmark = pytest.mark.live


def connection(login: Login) -> str:
    """The Airflow connection, as JSON."""
    host, _, rest = login.dsn.partition(":")
    port, _, service = rest.partition("/")
    return json.dumps(
        {
            "conn_type": "oracle",
            "host": host,
            "port": int(port or 1521),
            "login": login.user,
            "password": login.password,
            "extra": {"service_name": service, "refresh_role": login.end},
        }
    )


@pytest.fixture(scope="module")
def environment(writable: Pair, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """An Airflow of its own, in which the DAG runs task after task in one process."""
    home = tmp_path_factory.mktemp("airflow")
    bundle = {
        "name": "refresh",
        "classpath": "airflow.dag_processing.bundles.local.LocalDagBundle",
        "kwargs": {"path": str(ROOT / "dags")},
    }
    definition = writable.definition
    key = os.environ.get("ORACLE_REFRESH_MASKING_KEY", "0123456789abcdef" * 4)
    environment = {
        **{name: text for name, text in os.environ.items() if not name.startswith("AIRFLOW")},
        "AIRFLOW_HOME": str(home),
        "AIRFLOW__CORE__LOAD_EXAMPLES": "false",
        "AIRFLOW__DATABASE__SQL_ALCHEMY_CONN": f"sqlite:///{home / 'airflow.db'}",
        "AIRFLOW__DAG_PROCESSOR__DAG_BUNDLE_CONFIG_LIST": json.dumps([bundle]),
        "AIRFLOW__ORACLE_REFRESH__REPORT_DIRECTORY": str(home / "reports"),
        f"AIRFLOW_CONN_{definition.source.conn_id.upper()}": connection(writable.source),
        f"AIRFLOW_CONN_{definition.target.conn_id.upper()}": connection(writable.target),
        f"AIRFLOW_CONN_{definition.masking.key_conn_id.upper()}": json.dumps(
            {"conn_type": "generic", "password": key}
        ),
        "GX_ANALYTICS_ENABLED": "false",
    }
    airflow(environment, "db", "migrate")
    return environment


def airflow(environment: dict[str, str], *words: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "airflow", *words],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert done.returncode == 0, done.stdout[-8000:]
    return done.stdout


def test_a_refresh_is_published_and_holds_as_many_rows(
    writable: Pair, environment: dict[str, str], source: oracledb.Connection, target: oracledb.Connection
) -> None:
    airflow(environment, "dags", "reserialize")
    conf = json.dumps({"definition": str(writable.path)})
    airflow(environment, "dags", "test", "test_data_refresh", "--conf", conf)
    latest = Path(environment["AIRFLOW__ORACLE_REFRESH__REPORT_DIRECTORY"]) / "latest" / "report.json"
    report = json.loads(latest.read_text())
    assert report["status"] == "published"
    assert {table["verdict"] for table in report["tables"]} == {"equal"}
    definition = writable.definition
    tables = read_catalogue(source, definition.schemas, definition.exclude_tables).tables
    for table in tables:
        name = qualified(table.owner, table.name)
        with source.cursor() as before, target.cursor() as after:
            before.execute(f"SELECT COUNT(*) FROM {name} AS OF SCN :scn", scn=report["scn"])
            after.execute(f"SELECT COUNT(*) FROM {name}")
            assert after.fetchone() == before.fetchone(), name
