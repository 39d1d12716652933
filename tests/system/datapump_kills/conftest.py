"""A refresh of one small table with LOBs, whose tasks are stopped at a chosen moment of their job."""

from __future__ import annotations

import hashlib
import json
import os
import signal
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from uuid import uuid4

import oracledb
import pytest
import yaml

from localoracle.server.control import ControlError, send
from oracle_refresh.datapump.dumpset import EXPORT
from oracle_refresh.datapump.status import JobStatus, status
from oracle_refresh.integration import endings
from oracle_refresh.operators.base import RefreshOperator
from oracle_refresh.operators.jobs import DataPumpTask
from oracle_refresh.operators.planning import FreezeSource, PlanShards
from oracle_refresh.operators.quarantine import LockTarget
from oracle_refresh.operators.store import DropDumps, PrepareStage
from oracle_refresh.operators.tables import BuildTables
from oracle_refresh.operators.transfer import ExportShard, LoadShard, StageDump
from oracle_refresh.plan.model import JOB
from oracle_refresh.run.documents import WHOLE, Documents
from oracle_refresh.run.freeze import FROZEN
from oracle_refresh.run.ledger import DONE, Ledger
from support.demo import DemoDatabase, airflow_connection, database_link, running
from support.gateway import Gateway
from support.killed_server import kill_and_start
from support.transfer import demo

TABLE = '"TEST"."TESTTABLE"'
LINK = "SOURCE_LINK"
PASSWORD_CONN = "dump_password"
END_SECONDS = 240.0
Rows = dict[int, tuple[str, str | None]]
ROLES: dict[type[RefreshOperator], str] = {ExportShard: "source", LoadShard: "target"}


@pytest.fixture(scope="module")
def demo_source() -> Iterator[DemoDatabase]:
    """A source of its own, since it is killed; of its tables only TEST.TESTTABLE is used."""
    yield from running("source", "load-demo", "--scale", "0.01")


@pytest.fixture(scope="module")
def link(demo_source: DemoDatabase, demo_target: DemoDatabase) -> Iterator[None]:
    """A link of the target's refresh user that leads to the source's."""
    with database_link(LINK, demo_target, demo_source):
        yield


def until(condition: Callable[[], Any], what: str) -> None:
    end = time.monotonic() + END_SECONDS
    while not condition():
        assert time.monotonic() < end, f"waited in vain for {what}"
        time.sleep(0.01)


class Task:
    """A task in a process of its own, as Airflow runs it: SIGTERM calls `on_kill` in the middle of it."""

    def __init__(self, task: RefreshOperator, context: Any) -> None:
        self.pid = os.fork()
        if self.pid == 0:
            endings._task_states = lambda instance: {instance.key: "failed"}  # somebody has marked it
            if isinstance(task, DataPumpTask):
                signal.signal(signal.SIGTERM, lambda *_: task.on_kill())
            try:
                task.execute(context)
            except BaseException:
                traceback.print_exc()
                os._exit(1)
            os._exit(0)

    def kill(self, number: signal.Signals) -> None:
        os.kill(self.pid, number)

    def wait(self) -> int:
        """Its exit code, negative for a signal."""
        _, ended = os.waitpid(self.pid, 0)
        return os.waitstatus_to_exitcode(ended)


@dataclass
class Scene:
    """One run; the tasks of its first job are stopped, those of a second one are its siblings."""

    definition: Path
    source: DemoDatabase
    target: DemoDatabase
    run_id: str = field(default_factory=lambda: f"kills__{uuid4().hex[:10]}")
    expected: Rows = field(default_factory=dict)
    jobs: tuple[str, ...] = ()

    @property
    def context(self) -> Any:
        names = {"dag_id": "dag", "run_id": self.run_id, "task_id": "task"}
        instance = SimpleNamespace(id="first-try", try_number=1, **names)
        return {"run_id": self.run_id, "dag_run": SimpleNamespace(start_date=None), "ti": instance}

    def task(self, operator: type[RefreshOperator], **arguments: Any) -> Any:
        return operator(task_id=operator.__name__.lower(), definition=str(self.definition), **arguments)

    def execute(self, operator: type[RefreshOperator], **arguments: Any) -> Any:
        return self.task(operator, **arguments).execute(self.context)

    def database(self, operator: type[RefreshOperator]) -> DemoDatabase:
        """Where the operator's Data Pump job runs."""
        return self.source if ROLES[operator] == "source" else self.target

    def prepare(self, shards: int) -> None:
        """Until the empty table stands; then the source moves on."""
        for operator in (FreezeSource, PlanShards, LockTarget, PrepareStage, BuildTables):
            self.execute(operator)
        with self.target.connect() as connection:
            documents = Documents(connection, self.run_id)
            self.jobs = tuple(job.id for job in documents.all(JOB))
            scn = documents.get(FROZEN, WHOLE).scn
        assert len(self.jobs) == shards
        with self.source.connect("TEST") as connection, connection.cursor() as cursor:
            self.expected = rows(connection, f"{TABLE} AS OF SCN {scn}")
            cursor.execute(f"SELECT MAX(ID) FROM {TABLE}")
            (last,) = cursor.fetchone() or (0,)
            cursor.execute(f"INSERT INTO {TABLE} (ID, LABEL) VALUES (:1, 'new')", [last + 1])
            cursor.execute(f"UPDATE {TABLE} SET LABEL = LABEL || '!' WHERE ID = :1", [last])
            cursor.execute(f"DELETE FROM {TABLE} WHERE ID = (SELECT MIN(ID) FROM {TABLE})")
            connection.commit()
        assert len(self.expected) > 100

    def until_staged(self, *jobs: str) -> None:
        for job in jobs:
            for operator in (ExportShard, StageDump):
                self.execute(operator, job=job)

    def until_loaded(self) -> None:
        for job in self.jobs:
            for operator in (StageDump, LoadShard):
                self.execute(operator, job=job)

    @contextmanager
    def started(
        self, operator: type[RefreshOperator], job: str, patch: pytest.MonkeyPatch
    ) -> Iterator[tuple[Task, Gateway]]:
        """The job's task, whose sessions in the job's database pass a gateway."""
        database, role = self.database(operator), ROLES[operator]
        with Gateway(database.server.instance.port) as gateway, patch.context() as through:
            through.setenv(
                f"AIRFLOW_CONN_ORACLE_{role.upper()}", airflow_connection(database, port=gateway.port)
            )
            gateway.hold(b"START_JOB")
            task = Task(self.task(operator, job=job), self.context)
            through.undo()
            try:
                until(gateway.holding.is_set, "the start of the job")
                yield task, gateway
            finally:
                gateway.release()
                task.wait()

    def job_name(self, job: str) -> str:
        with self.target.connect() as connection:
            return Documents(connection, self.run_id).get(JOB, job).job_name

    def state(self, database: DemoDatabase, name: str) -> JobStatus | None:
        with database.connect() as connection:
            return status(connection, name)

    def control(self, database: DemoDatabase, *words: str) -> str:
        return send(database.server.instance, *words)

    def kill_worker(self, database: DemoDatabase, name: str) -> bool:
        """Whether there was one at work."""
        try:
            return self.control(database, "kill-worker", database.user, name) == "killed"
        except ControlError:
            return False

    def kill_server(self, database: DemoDatabase) -> None:
        kill_and_start(database.server)

    def suspended(self) -> bool:
        with self.target.system() as connection, connection.cursor() as cursor:
            cursor.execute("SELECT COUNT(*) FROM DBA_RESUMABLE WHERE STATUS = 'SUSPENDED'")
            return cursor.fetchone() != (0,)

    def check(self) -> None:
        """The target has the source's rows as of the SCN, and nothing else is left of the jobs."""
        with self.target.connect() as connection, connection.cursor() as cursor:
            ledger = Ledger(connection, self.run_id)
            assert ledger.states("load") == dict.fromkeys(self.jobs, DONE)
            cursor.execute(f"SELECT COUNT(*) FROM {TABLE}")
            assert cursor.fetchone() == (len(self.expected),), "lost or doubled"
            assert rows(connection, TABLE) == self.expected
        for job in self.jobs:
            assert self.execute(LoadShard, job=job)["rows"] >= 0
        with self.target.connect() as connection:
            assert rows(connection, TABLE) == self.expected, "what is done is not done again"
        names = [self.job_name(job) for job in self.jobs]
        for database in (self.source, self.target):
            with database.connect() as connection, connection.cursor() as cursor:
                cursor.execute("SELECT JOB_NAME FROM USER_DATAPUMP_JOBS")
                assert not cursor.fetchall(), "no job is left"
                cursor.execute("SELECT TABLE_NAME FROM USER_TABLES")
                assert not {name for (name,) in cursor} & set(names), "no master table is left"
        self.execute(DropDumps)
        with self.target.connect() as connection:
            dump_sets = Documents(connection, self.run_id).all(EXPORT)
        logs = {dump_set.log_file for dump_set in dump_sets}
        folder = self.source.server.instance.dump_directory / "refresh"
        ours = [path.name for path in folder.iterdir() if path.name.upper().startswith(tuple(names))]
        assert {name for name in ours if not name.endswith(".log")} == set(), "no (half) dump file is left"
        assert logs <= {*ours, ""}


def rows(connection: oracledb.Connection, table: str) -> Rows:
    """Label and checksum of the LOB, by id; fails when an id is there twice."""
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT ID, LABEL, PAYLOAD FROM {table}", fetch_lobs=False)
        found = [
            (int(number), (label, None if body is None else hashlib.sha256(body).hexdigest()))
            for number, label, body in cursor
        ]
    assert len({number for number, _ in found}) == len(found)
    return dict(found)


@pytest.fixture
def new_scene(
    tmp_path: Path,
    demo_source: DemoDatabase,
    demo_target: DemoDatabase,
    link: None,
    connections: pytest.MonkeyPatch,
) -> Iterator[Callable[..., Scene]]:
    """Makes a run with so many shards, prepared; its quarantine is given up at the end."""
    connections.setenv("AIRFLOW__ORACLE_REFRESH__REPORT_DIRECTORY", str(tmp_path / "reports"))
    password = {"conn_type": "generic", "password": "correct horse battery staple"}
    connections.setenv(f"AIRFLOW_CONN_{PASSWORD_CONN.upper()}", json.dumps(password))
    made: list[Scene] = []

    def new(shards: int = 1, **datapump: Any) -> Scene:
        ruleset = tmp_path / "rules.yaml"
        ruleset.write_text(yaml.safe_dump({"name": "nothing", "tables": {}}))
        document = demo().to_json() | {
            "schemas": ["TEST"],
            "exclude_tables": [],
            "lob_shard_min_bytes": 100_000 if shards > 1 else 10**9,
            "max_shards": max(2, shards),
            "degree": 2,
            "masking": {"ruleset": str(ruleset), "key_conn_id": "refresh_masking_key"},
            "expectations": None,
            "datapump": datapump,
        }
        if datapump.get("transport") == "network_link":
            document["staging"]["target_directory"] = "DATA_PUMP_DIR"  # for logs: no store is made
        path = tmp_path / "kills.yaml"
        path.write_text(yaml.safe_dump(document))
        made.append(Scene(path, demo_source, demo_target))
        made[-1].prepare(shards)
        return made[-1]

    yield new
    with demo_target.connect() as connection, connection.cursor() as cursor:
        for scene in made:
            cursor.execute('DELETE FROM "REFRESH$LEDGER" WHERE RUN_ID = :1', [scene.run_id])
        connection.commit()
