"""The same rows by other ways: over a database link, by the clients, encrypted and compressed."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import localoracle.client
from oracle_refresh.definition import RefreshDefinition, load_definition
from oracle_refresh.operators.planning import CheckPreflight
from oracle_refresh.operators.store import DropDumps, PrepareStage
from oracle_refresh.operators.transfer import ExportShard, LoadShard, StageDump
from oracle_refresh.operators.validation import VerifyCopy
from oracle_refresh.oracle.errors import DataPumpError, PreflightError
from oracle_refresh.preflight import check
from support.demo import DemoDatabase, database_link
from support.small_run import SmallRun
from support.transfer import demo

CLIENTS = Path(localoracle.client.__file__).parent / "bin"
PASSWORD = "correct horse battery staple"
TESTTABLE = "TEST.TESTTABLE"
FIELDS: dict[str, Any] = {
    "schemas": ["TEST"],
    "exclude_tables": [],
    "lob_shard_min_bytes": 100_000,
    "max_shards": 2,
    "degree": 2,
}
NO_RULES: dict[str, Any] = {"name": "nothing", "tables": {}}


@pytest.fixture
def link(demo_source: DemoDatabase, demo_target: DemoDatabase) -> Iterator[str]:
    """A link of the target's refresh user that leads to the source's."""
    with database_link("SOURCE_LINK", demo_target, demo_source) as name:
        yield name


def moved(run: SmallRun) -> dict[str, Any]:
    """Every job of the run from source to target, then its table compared."""
    for job in run.jobs:
        for operator in (ExportShard, StageDump, LoadShard):
            run.execute(operator, job=job)
    found: dict[str, Any] = run.execute(VerifyCopy, unit=TESTTABLE)[TESTTABLE]
    return found


def over(link: str) -> dict[str, Any]:
    """Fields of a definition whose rows travel over a link; of its DIRECTORY only logs are written."""
    staging = demo().staging.model_dump(mode="json") | {"target_directory": "DATA_PUMP_DIR"}
    return {"datapump": {"transport": "network_link", "database_link": link}, "staging": staging}


def test_over_a_database_link_no_store_is_needed(
    new_run: Callable[..., SmallRun], link: str, demo_target: DemoDatabase
) -> None:
    """A managed database has no DBFS."""
    run = new_run(NO_RULES, **FIELDS, **over(link)).until_built()
    with demo_target.system() as connection, connection.cursor() as cursor:
        cursor.execute(f"REVOKE DBFS_ROLE FROM {demo_target.user}")
        try:
            run.execute(CheckPreflight)
            assert run.execute(PrepareStage) == []
            dump_set = run.execute(ExportShard, job=run.jobs[0])
            assert dump_set["files"] == []
            assert dump_set["tables"][0]["rows"] > 0
            assert moved(run)["verdict"] == "equal"
            loaded = run.execute(LoadShard, job=run.jobs[0])["rows"]
            assert loaded == dump_set["tables"][0]["rows"], "not twice"
            assert run.execute(DropDumps) == 0
            assert moved(run)["verdict"] == "equal", "cleared after the end, nothing is read again"
        finally:
            cursor.execute(f"GRANT DBFS_ROLE TO {demo_target.user}")


def test_from_server_to_server(
    new_run: Callable[..., SmallRun], link: str, demo_target: DemoDatabase
) -> None:
    with demo_target.sys() as connection:
        for statement in (
            f"GRANT EXECUTE ON DBMS_FILE_TRANSFER TO {demo_target.user}",
            f"CREATE OR REPLACE DIRECTORY FETCHED AS '{demo_target.server.instance.dump_directory}'",
            f"GRANT READ, WRITE ON DIRECTORY FETCHED TO {demo_target.user}",
        ):
            connection.cursor().execute(statement)
    root = Path(__file__).parents[4]
    staging = load_definition(root / "include" / "refreshes" / "demo.yaml").staging.model_dump(mode="json")
    staging |= {"transport": "file_transfer", "database_link": link, "target_directory": "FETCHED"}
    run = new_run(NO_RULES, **FIELDS, staging=staging).until_built()
    assert run.execute(PrepareStage) == []
    assert moved(run)["verdict"] == "equal"
    assert run.execute(DropDumps) > 0
    assert moved(run)["verdict"] == "equal", "cleared after the end, nothing is fetched again"


def test_many_tables_of_several_schemas_over_a_link(new_run: Callable[..., SmallRun], link: str) -> None:
    fields = {"schemas": ["APP", "DOCS"], "lob_shard_min_bytes": 10**9, "exclude_tables": ["APP.ORDERS"]}
    run = new_run(NO_RULES, **fields, **over(link)).until_built()
    for job in run.jobs:
        for operator in (ExportShard, StageDump, LoadShard):
            run.execute(operator, job=job)
    assert run.execute(VerifyCopy, unit="APP.EMPLOYEES")["APP.EMPLOYEES"]["verdict"] == "equal"


def test_the_preflight_knows_the_link(
    link: str, demo_source: DemoDatabase, demo_target: DemoDatabase, source: Any, target: Any
) -> None:
    def codes(name: str) -> list[str]:
        root = Path(__file__).parents[4]
        demo = load_definition(root / "include" / "refreshes" / "demo.yaml")
        datapump = {"transport": "network_link", "database_link": name}
        definition = RefreshDefinition.from_json(demo.to_json() | {"datapump": datapump})
        return [finding.code for finding in check(source, target, definition, "source", "target")]

    assert codes(link) == []
    assert codes("NOWHERE") == ["UNKNOWN_LINK"]
    with (
        database_link("BACK", demo_target, demo_target),
        database_link("SHUT", demo_target, demo_source, "wrong"),
    ):
        assert codes("BACK") == ["LINK_LEADS_ELSEWHERE"]
        assert codes("SHUT") == ["BROKEN_LINK"]
    with demo_target.system() as connection, connection.cursor() as cursor:
        cursor.execute(
            f"CREATE PUBLIC DATABASE LINK OPEN_TO_ALL CONNECT TO {demo_source.user}"
            f" IDENTIFIED BY \"{demo_source.user.lower()}_demo\" USING '{demo_source.dsn}'"
        )
        assert codes("OPEN_TO_ALL") == ["PUBLIC_LINK"]
        cursor.execute("DROP PUBLIC DATABASE LINK OPEN_TO_ALL")


def test_by_the_clients(
    new_run: Callable[..., SmallRun], connections: pytest.MonkeyPatch, tmp_path: Path, caplog: Any
) -> None:
    connections.setenv("AIRFLOW__ORACLE_REFRESH__CLIENT_DIRECTORY", str(CLIENTS))
    connections.setattr(tempfile, "tempdir", str(tmp_path))
    connections.setenv("AIRFLOW_CONN_DUMPS", json.dumps({"conn_type": "generic", "password": PASSWORD}))
    datapump = {"runner": "client", "encryption_conn_id": "dumps", "logtime": "all", "file_size": "200K"}
    run = new_run(NO_RULES, **FIELDS, datapump=datapump).until_built()
    caplog.set_level("INFO")
    assert moved(run)["verdict"] == "equal"
    assert "expdp: " in caplog.text
    assert "impdp: " in caplog.text
    assert PASSWORD not in caplog.text
    assert not list(tmp_path.glob("datapump-*")), "parameter files do not stay"


def test_without_clients(
    new_run: Callable[..., SmallRun], connections: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    connections.setenv("AIRFLOW__ORACLE_REFRESH__CLIENT_DIRECTORY", str(tmp_path))
    run = new_run(NO_RULES, **FIELDS, datapump={"runner": "client"})
    with pytest.raises(PreflightError, match="CLIENT_MISSING: expdp is not in"):
        run.execute(CheckPreflight)
    run.until_planned()
    with pytest.raises(DataPumpError, match=r"install Oracle's client .* client_directory"):
        run.execute(ExportShard, job=run.jobs[0])


def test_encrypted_compressed_and_in_small_files(
    new_run: Callable[..., SmallRun],
    connections: pytest.MonkeyPatch,
    demo_source: DemoDatabase,
    demo_target: DemoDatabase,
    caplog: Any,
) -> None:
    connections.setenv("AIRFLOW_CONN_DUMPS", json.dumps({"conn_type": "generic", "password": PASSWORD}))
    datapump = {
        "encryption_conn_id": "dumps",
        "encryption_algorithm": "AES128",
        "compression": "data_only",
        "compression_algorithm": "low",
        "file_size": "100K",
        "logtime": "all",
        "metrics": False,
    }
    run = new_run(NO_RULES, **FIELDS, datapump=datapump).until_built()
    caplog.set_level("DEBUG")
    dump_set = run.execute(ExportShard, job=run.jobs[0])
    assert len(dump_set["files"]) > 1
    assert moved(run)["verdict"] == "equal"
    evidence = caplog.text + json.dumps(dump_set)
    for database in (demo_source, demo_target):
        evidence += database.server.statement_log.read_text()
        logs = list(database.server.instance.root.rglob("*.log"))
        evidence += "".join(path.read_text("utf-8", "replace") for path in logs)
    assert "SET_PARAMETER" in evidence
    assert "successfully completed" in evidence
    assert PASSWORD not in evidence
    assert run.execute(DropDumps) > 1
    connections.setenv("AIRFLOW_CONN_DUMPS", json.dumps({"conn_type": "generic"}))
    new = new_run(NO_RULES, **FIELDS, datapump=datapump).until_planned()
    with pytest.raises(PreflightError, match="has no password"):
        new.execute(ExportShard, job=new.jobs[0])
