"""What Airflow and people are told of a published refresh, and what the command line says of it."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest import mock

import pytest
from airflow.sdk import AssetAlias
from airflow.sdk._shared.observability.metrics.base_stats_logger import NoStatsLogger
from airflow.sdk.observability import stats

from oracle_refresh.hooks.oracle import OracleRefreshConnection, database_uri
from oracle_refresh.integration import run_files, settings
from oracle_refresh.integration.assets import PUBLISHED, refresh_asset
from oracle_refresh.operators.planning import FreezeSource, PlanShards
from oracle_refresh.operators.publishing import PublishReport
from oracle_refresh.operators.quarantine import LockTarget, ReleaseTarget
from oracle_refresh.operators.store import DropDumps
from oracle_refresh.oracle.errors import QuarantineError, StagingError
from oracle_refresh.report import Report
from oracle_refresh.run import failures
from oracle_refresh.run.approval import APPROVAL, Approval
from oracle_refresh.run.documents import Documents
from oracle_refresh.run.kind import Kind
from oracle_refresh.target.quarantine.accounts import LOCK
from support.commands import command
from support.demo import DemoDatabase, airflow_connection
from support.small_run import SmallRun
from support.transfer import Killed

APPROVED = json.dumps({"definition": "small", "approve_publish": True, "reason": "to be sure"})


BEGAN = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
LOST_LINK = StagingError("the link broke", codes=("ORA-03113",))


class Events:
    """`outlet_events` of a task."""

    def __init__(self) -> None:
        self.added: list[tuple[Any, dict[str, Any]]] = []

    def __getitem__(self, alias: AssetAlias) -> Events:
        assert alias == PUBLISHED
        return self

    def add(self, asset: Any, extra: dict[str, Any]) -> None:
        self.added.append((asset, extra))


class Counted:
    """Airflow's metrics, kept."""

    def __init__(self) -> None:
        self.found: dict[str, Any] = {}

    def incr(self, name: str, count: int = 1, *_: Any, tags: dict[str, str], **__: Any) -> None:
        self.found[name] = (self.found.get(name, (0,))[0] + count, tags["refresh"])

    def timing(self, name: str, dt: Any, *, tags: dict[str, str], **_: Any) -> None:
        self.found[name] = (dt, tags["refresh"])


@pytest.fixture
def counted() -> Any:
    found = Counted()
    stats.initialize(factory=lambda: found, export_legacy_names=False)
    yield found
    stats.initialize(factory=NoStatsLogger, export_legacy_names=False)


def test_a_run_that_is_approved_published_and_told(
    new_run: Callable[..., SmallRun],
    counted: Counted,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    run = new_run().until_proven()
    dag_id = run.task(PublishReport).dag_id
    for name in ("export", "load"):
        copy = settings.report_directory().read(dag_id, run.run_id, f"logs/B001_{name}.log")
        assert copy is not None
        assert b"successfully completed" in copy
    run.execute(DropDumps)

    with pytest.raises(QuarantineError, match="was to be approved, and nobody was asked"):
        run.execute(ReleaseTarget, form=APPROVED)
    for decision, complaint in (
        ("waiting", "waits for an approval"),
        ("rejected", "was rejected by Eve at "),
    ):
        answer = Approval("publish", decision, "Eve", "2026-01-01T00:00:00+00:00", "no")
        run.documents(lambda documents, answer=answer: documents.put(APPROVAL, "publish", answer))
        with pytest.raises(QuarantineError, match=complaint):
            run.execute(ReleaseTarget, form=APPROVED)
    assert command("report", "--run-id", run.run_id, "--dag-id", dag_id) == 1
    assert "has written no report" in capsys.readouterr().err
    answer = Approval("publish", "approved", "Eve", "2026-01-01T00:00:00+00:00")
    run.documents(lambda documents: documents.put(APPROVAL, "publish", answer))
    run.execute(ReleaseTarget, form=APPROVED)

    report, events = run.task(PublishReport, outlets=[PUBLISHED]), Events()
    run_files.keep_failure(failed_export(run, dag_id), failures.failure(LOST_LINK, 1))
    states = {run.run_id: {"shard.export_2": "success", "constraints": "failed"}}
    told = SimpleNamespace(get_task_states=lambda **_: states)
    report.execute({**run.context, "ti": told, "outlet_events": events})
    ((asset, extra),) = events.added
    assert asset == refresh_asset("demo")
    assert extra["target"] == f"oracle://{run.database.dsn}"
    assert extra["source"] == database_uri("oracle_source") != extra["target"]
    assert (extra["status"], extra["run_id"], extra["schemas"]) == ("published", run.run_id, ["APP"])
    assert (extra["tables"], extra["masked_columns"]) == (2, 1)
    assert extra["report"].endswith(f"{run.run_id}/report.html")
    assert counted.found["oracle_refresh.published"] == (1, "demo")
    assert counted.found["oracle_refresh.run.rows"] == (extra["rows"], "demo")
    moved = {
        f"oracle_refresh.shard.{step}.{unit}" for step in ("export", "load") for unit in ("rows", "duration")
    }
    assert moved <= counted.found.keys()

    written = Report.from_json(
        json.loads(settings.report_directory().read(dag_id, run.run_id, "report.json") or "")
    )
    constraints, export = sorted(written.failed_tries, key=lambda one: one.task)
    assert (export.what, export.telling, export.mended) == ("shard.export S003", "the link broke", True)
    assert (constraints.what, constraints.telling, constraints.mended) == (
        "constraints",
        failures.LOST,
        False,
    )
    assert written.passes[0].began == BEGAN
    assert len(written.passes) == 2
    assert written.worked_seconds > written.seconds
    assert written.quarantine.locked == written.quarantine.released == ("APP_READER", "APP")

    told = report.get_openlineage_facets_on_complete(SimpleNamespace())
    employees = next(table for table in told.outputs if table.name.endswith("APP.EMPLOYEES"))
    masked = {
        name: field.inputFields[0].transformations[0].masking
        for name, field in employees.facets["columnLineage"].fields.items()
    }
    assert [name for name, masking in masked.items() if masking] == ["EMAIL"]

    # The report does not depend on a file that somebody has changed since.
    rules, again = run.definition.with_name("rules.yaml"), run.task(PublishReport)
    former = rules.read_text()
    rules.write_text(former.replace("domain: email", "domain: other"))
    again.execute(run.context)
    assert again.get_openlineage_facets_on_complete(SimpleNamespace()) is None
    rules.write_text(former)

    definition = str(run.definition)
    capsys.readouterr()
    assert command("report", "--run-id", run.run_id, "--dag-id", dag_id) == 0
    assert "status: published" in capsys.readouterr().out
    assert command("report", "--run-id", run.run_id, "--dag-id", dag_id, "--json") == 0
    assert json.loads(capsys.readouterr().out)["run_id"] == run.run_id
    assert command("explain", "--definition", definition, "--run-id", run.run_id) == 0
    assert f"run {run.run_id}, as of SCN {extra['scn']}" in capsys.readouterr().out
    assert command("explain", "--definition", definition, "--run-id", "another") == 1
    assert "has left no plan" in capsys.readouterr().err
    assert (
        command("plan", "--definition", definition, "--degree", "2", "--parfiles", str(tmp_path / "p")) == 0
    )
    assert "2 workers at the same time" in capsys.readouterr().out
    assert list((tmp_path / "p").iterdir())
    assert command("restore", "--definition", definition) == 0
    assert command("plan", "--definition", str(tmp_path / "nothing.yaml")) == 1


def failed_export(run: SmallRun, dag_id: str) -> Any:
    """The context of a try of an earlier pass: the run was cleared since."""
    instance = SimpleNamespace(
        **{"dag_id": dag_id, "run_id": run.run_id, "task_id": "shard.export", "map_index": 2},
        **{"rendered_map_index": "S003", "start_date": BEGAN, "task": None},
    )
    return {"ti": instance, "dag_run": SimpleNamespace(start_date=BEGAN)}


def test_a_lock_that_was_killed_before_it_could_say_so_is_reported(new_run: Callable[..., SmallRun]) -> None:
    run, put = new_run(), Documents.put
    for operator in (FreezeSource, PlanShards):
        run.execute(operator)

    def killed(documents: Documents, kind: Kind[Any], item: str, value: Any) -> None:
        if kind is LOCK:
            raise Killed
        put(documents, kind, item, value)

    with mock.patch.object(Documents, "put", killed), pytest.raises(Killed):
        run.execute(LockTarget)
    dag_id = run.task(PublishReport).dag_id
    for passes in (1, 2):
        with pytest.raises(QuarantineError, match="not published; the target stays locked"):
            run.execute(PublishReport)
        content = settings.report_directory().read(dag_id, run.run_id, "report.json")
        report = Report.from_json(json.loads(content or ""))
        assert (report.status, report.quarantine.locked) == ("failed", ("APP_READER", "APP"))
        # Each pass of the run has a start of its own; the last report knows those before it.
        assert len(report.passes) == passes
        assert report.failed_tries == ()


def test_connections_with_a_form_of_their_own_serve_as_well(
    connections: pytest.MonkeyPatch, demo_target: DemoDatabase
) -> None:
    own = airflow_connection(demo_target, conn_type="oracle_refresh")
    connections.setenv("AIRFLOW_CONN_OWN", own)
    hook = OracleRefreshConnection(oracle_conn_id="own")
    with hook.session("target", "test") as connection, connection.cursor() as cursor:
        cursor.execute("SELECT USER FROM DUAL")
        assert cursor.fetchone() == (demo_target.user,)
