"""The whole benchmark on a database: measured, reported, and everything as before; also after kills."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from uuid import uuid4

import pytest
import yaml

from oracle_refresh.labs.masking import workload
from oracle_refresh.labs.masking.model import ALL, BASELINE, MEASUREMENT
from oracle_refresh.labs.masking.run import put_back
from oracle_refresh.operators.masking_benchmark import (
    BenchmarkOperator,
    MakeTables,
    MeasureTrial,
    PlanTrials,
    ReportBenchmark,
    RestoreInstance,
)
from oracle_refresh.oracle.errors import PlanError, PreflightError, TuningError
from oracle_refresh.run.documents import AllRuns, Documents
from oracle_refresh.run.ledger import ensure_ledger
from oracle_refresh.tuning import log_mode
from oracle_refresh.tuning.instance import Instance, read_instance
from support.demo import DemoDatabase, airflow_connection
from support.killing import until_killed
from support.transfer import ROOT
from support.waiting import until

DEMO = ROOT / "include" / "benchmarks" / "masking.yaml"
SMALL = {"jobs": 2, "tables": 1, "rows": 400, "commit_rows": 100, "repetitions": 1}


@pytest.fixture
def database(demo_target: DemoDatabase, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> DemoDatabase:
    """The target, reachable for operators and for the demo's log_mode_command."""
    for name, value in demo_target.server.environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("AIRFLOW_CONN_ORACLE_TARGET", airflow_connection(demo_target))
    key = {"conn_type": "generic", "password": "0123456789abcdef" * 4}
    monkeypatch.setenv("AIRFLOW_CONN_REFRESH_MASKING_KEY", json.dumps(key))
    monkeypatch.setenv("AIRFLOW__ORACLE_REFRESH__REPORT_DIRECTORY", str(tmp_path / "reports"))
    monkeypatch.setenv("AIRFLOW__ORACLE_REFRESH__BENCHMARKS_DIRECTORY", str(DEMO.parent))
    return demo_target


class Run:
    """One run whose tasks are executed one by one."""

    def __init__(self, definition: str = "masking") -> None:
        self.definition = definition
        self.context: Any = {
            "run_id": f"benchmark__{uuid4().hex[:8]}",
            "ti": SimpleNamespace(map_index=0),
        }

    @property
    def run_id(self) -> str:
        return str(self.context["run_id"])

    def execute(self, operator: type[BenchmarkOperator], **arguments: Any) -> Any:
        task = operator(task_id=operator.__name__.lower(), definition=self.definition, **arguments)
        return task.execute(self.context)

    def until_killed(self, operator: type[BenchmarkOperator], after: float | None, **arguments: Any) -> bool:
        """Run a task in a process that is killed after so many seconds; whether it is to be tried again.

        Also where the command that a killed try has left behind restarts the instance under it.
        """
        return until_killed(lambda: self.execute(operator, **arguments), after)


@pytest.fixture
def run(database: DemoDatabase) -> Iterator[Run]:
    yield Run()
    _clean_up(database)


def _clean_up(database: DemoDatabase) -> None:
    """A test that fails must not make the others fail."""
    with database.connect() as target:
        put_back(target)
        mode = log_mode.read(target)
    if mode != "NOARCHIVELOG":
        database.server.command("control", "log-mode", "noarchivelog")
    with database.connect() as target, target.cursor() as cursor:
        AllRuns(target).ensure()
        cursor.execute('DELETE FROM "REFRESH$RUN"')
        target.commit()
        if left(database)["schema"]:
            cursor.execute("DROP USER MASKING_BENCHMARK CASCADE")


def state(database: DemoDatabase) -> dict[str, Any]:
    """What a benchmark might have changed of the instance; statuses of redo groups are not its doing."""
    with database.connect() as target:
        found = read_instance(target)
    return {
        "log mode": found.log_mode,
        "redo": sorted((group.bytes, group.members) for group in found.redo),
        "undo": found.undo,
        "temp": found.temp,
        "modes": (found.flashback_on, found.force_logging),
        **{name: (one.memory, one.spfile) for name, one in found.parameters.items()},
    }


def left(database: DemoDatabase) -> dict[str, list[Any]]:
    """What a benchmark might have left in the database."""
    queries = {
        "schema": "SELECT USERNAME FROM DBA_USERS WHERE USERNAME = 'MASKING_BENCHMARK'",
        "control tables": (
            "SELECT TABLE_NAME FROM DBA_TABLES WHERE OWNER = 'REFRESH_TARGET'"
            " AND TABLE_NAME NOT IN ('REFRESH$RUN', 'REFRESH$LEDGER', 'REFRESH$TUNING')"
        ),
    }
    found = {}
    with database.connect() as target, target.cursor() as cursor:
        ensure_ledger(target)
        for what, query in queries.items():
            cursor.execute(query)
            found[what] = cursor.fetchall()
        cursor.execute('SELECT RUN_ID, STEP FROM "REFRESH$LEDGER"')
        found["ledger"] = cursor.fetchall()
    return found


NOTHING: dict[str, list[Any]] = {"schema": [], "control tables": [], "ledger": []}


def test_switches_and_a_series_are_measured_and_the_instance_is_as_before(
    run: Run, database: DemoDatabase, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[Instance] = []
    reset = workload.reset

    def watched(connection: Any, *rest: Any) -> Any:
        seen.append(read_instance(connection))
        return reset(connection, *rest)

    before = state(database)
    assert before["log mode"] == "NOARCHIVELOG"
    switches = ["redo", "commit", "undo", "memory", "noarchivelog"]
    steps = [f"commit_batches {step}" for step in ("1,000 rows", "5,000 rows", "all rows")]
    trials = run.execute(PlanTrials, **SMALL, switches=[*switches, "log_buffer", "commit_batches"])
    assert [trial.partition(" ")[2] for trial in trials] == [
        *(BASELINE, BASELINE, *switches, ALL, *steps, BASELINE)
    ]
    assert state(database) == before, "a plan changes nothing"
    kept = {BASELINE, "redo", ALL, steps[-1]}
    measured = [trial for trial in trials[1:] if trial.partition(" ")[2] in kept]
    run.execute(MakeTables)
    monkeypatch.setattr(workload, "reset", watched)
    for trial in measured:  # the first only warms up
        run.execute(MeasureTrial, trial=trial)
    assert run.execute(RestoreInstance) == []
    assert run.execute(ReportBenchmark).keys() == kept - {BASELINE}

    assert state(database) == before
    assert left(database) == NOTHING
    for trial, instance in zip(measured, seen, strict=True):
        name = trial.split()[1]
        on = {name} if name != ALL else set(switches)
        assert {group.bytes >> 20 for group in instance.redo} == ({320} if "redo" in on else {16}), name
        assert instance.value("commit_wait") == ("NOWAIT" if "commit" in on else "WAIT"), name
        assert instance.value("undo_retention") == ("86400" if "undo" in on else "900"), name
        assert any(undo.guarantee for undo in instance.undo) == ("undo" in on), name
        assert instance.log_mode == ("NOARCHIVELOG" if "noarchivelog" in on else "ARCHIVELOG"), name
    document = json.loads((tmp_path / "reports" / run.run_id / "report.json").read_text())
    for one in document["measurements"]:
        assert one["rows"] == 800
        assert one["transactions"] == (2 if one["trial"]["setting"] in steps else 8)
        assert one["statistics"]["redo size"] > 10_000
    page = (tmp_path / "reports" / run.run_id / "report.html").read_text()
    assert "<svg" in page
    assert "before and after in NOARCHIVELOG mode" in page
    assert "Not finished: 000 baseline" in page
    assert "Series: rows that one transaction masks" in page
    assert [missing["setting"] for missing in document["benchmark"]["not_measured"]] == ["log_buffer"]
    assert document["undo"]["bytes_per_second"] is None, "the stand-in does not count it"
    assert "SET UNDO_RETENTION = 900" in page
    assert run.execute(RestoreInstance) == [], "it may be repeated"


def test_kills_at_any_moment_leave_nothing_behind(run: Run, database: DemoDatabase, tmp_path: Path) -> None:
    before, moments = state(database), random.Random(5)
    run.definition = write(tmp_path, log_mode_seconds=120)  # waited for after a kill just before the command
    trials = run.execute(PlanTrials, **SMALL)
    run.until_killed(MakeTables, 0.05)
    run.execute(MakeTables)
    trial, kills, pause = trials[-2], 0, 0.05
    assert trial.split()[1] == ALL
    while run.until_killed(MeasureTrial, moments.uniform(pause / 2, pause), trial=trial):
        kills, pause = kills + 1, pause * 2.2
    assert kills > 2, "the kills came too late to show anything"
    with database.connect() as target:
        assert Documents(target, run.run_id).find(MEASUREMENT, trial) is not None
    run.until_killed(MeasureTrial, 1.0, trial=trials[1])
    pause = 0.2
    while run.until_killed(RestoreInstance, moments.uniform(pause / 2, pause)):
        pause *= 2.2
    assert state(database) == before
    assert left(database) == NOTHING


def test_a_run_whose_trials_never_began_is_taken_back(run: Run, database: DemoDatabase) -> None:
    with database.connect() as target, target.cursor() as cursor:
        ensure_ledger(target)
        cursor.execute('DROP TABLE "REFRESH$LEDGER"')
    before = state(database)
    run.execute(PlanTrials, **SMALL)
    run.execute(MakeTables)
    assert run.execute(RestoreInstance) == []
    assert state(database) == before
    assert left(database) == NOTHING
    with pytest.raises(PlanError, match="no trial of the baseline"):
        run.execute(ReportBenchmark)


def test_a_lost_run_is_taken_back_by_the_next_one(run: Run, database: DemoDatabase) -> None:
    """Its tuning by the command of the tuning, its log mode and its schema by the benchmark itself."""
    before = state(database)
    lost = Run()
    trials = lost.execute(PlanTrials, **SMALL, switches="noarchivelog")
    lost.execute(MakeTables)
    lost.execute(MeasureTrial, trial=trials[1])
    assert state(database)["log mode"] == "ARCHIVELOG"
    run.execute(PlanTrials, **SMALL, switches="noarchivelog")
    run.execute(MakeTables)
    with database.connect() as target:
        put_back(target)
    run.execute(RestoreInstance)
    assert state(database) == before
    assert left(database) == NOTHING


def write(folder: Path, **changes: Any) -> str:
    """The demo's definition with other fields."""
    document = yaml.safe_load(DEMO.read_text()) | changes
    path = folder / "benchmark.yaml"
    path.write_text(yaml.safe_dump(document, sort_keys=False))
    return str(path)


def test_the_command_that_a_killed_task_has_left_is_waited_for(
    run: Run, database: DemoDatabase, tmp_path: Path
) -> None:
    """It has begun, but the restart comes only when the way back would be over already."""
    ended = tmp_path / "ended"
    control = [sys.executable, "-m", "localoracle", "control", "target", "log-mode"]
    late = (
        "import subprocess, sys, time; time.sleep(2); "
        f"subprocess.run([*{control!r}, sys.argv[1]], check=True); open({str(ended)!r}, 'a').write('x')"
    )
    run.definition = write(tmp_path, log_mode_command=["{python}", "-c", late, "{log_mode}"])
    before = state(database)
    trials = run.execute(PlanTrials, **SMALL, switches="noarchivelog")
    run.execute(MakeTables)

    def killed(words: list[str], **_: Any) -> None:
        subprocess.Popen(words, stdout=subprocess.DEVNULL)
        os.kill(os.getpid(), signal.SIGKILL)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(log_mode.subprocess, "run", killed)
        assert run.until_killed(MeasureTrial, None, trial=trials[1])
    while run.until_killed(RestoreInstance, None):
        pass  # the restart has ended a session of a slow try
    until(lambda: ended.exists() and len(ended.read_text()) >= 2, "for both commands")
    assert state(database) == before
    assert left(database) == NOTHING


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"switches": {}}, "switches"),
        ({"switches": {"all": {"title": "x", "phase": {"log_mode": "archivelog"}}}}, "no name for a switch"),
        ({"switches": {"x": {"title": "x", "phase": {"log_mode": "sometimes"}}}}, "log_mode"),
        ({"baseline": {"redo": {"groups": 1}}}, "groups"),
        ({"log_mode_command": ["restart"]}, "no word with {log_mode}"),
        ({"target": {}}, "conn_id"),
        ({"jobs": 3}, "no such field"),
    ],
)
def test_wrong_definitions_are_refused(
    run: Run, tmp_path: Path, changes: dict[str, Any], message: str
) -> None:
    run.definition = write(tmp_path, **changes)
    with pytest.raises(PreflightError, match=message):
        run.execute(PlanTrials, **SMALL)


def test_what_must_not_be_measured_is_refused(
    run: Run, database: DemoDatabase, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(PlanError, match="no switch and no series speed"):
        run.execute(PlanTrials, **SMALL, switches=["speed"])
    with pytest.raises(PreflightError, match="APP_READER: the schema exists"):
        run.execute(PlanTrials, **SMALL, schema="app_reader")
    run.definition = write(tmp_path, deny_list={"databases": ["target"]})
    with pytest.raises(TuningError, match="on the deny list"):
        run.execute(PlanTrials, **SMALL)
    run.definition = "masking"
    unmarked = json.loads(airflow_connection(database))
    unmarked["extra"].pop("refresh_role")
    monkeypatch.setenv("AIRFLOW_CONN_ORACLE_TARGET", json.dumps(unmarked))
    for operator, arguments in ((PlanTrials, SMALL), (MakeTables, {}), (RestoreInstance, {})):
        with pytest.raises(PreflightError, match="not marked"):
            run.execute(operator, **arguments)  # type: ignore[type-abstract]


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ((), "no log_mode_command"),
        (("/nowhere/restart", "{log_mode}"), "cannot be started"),
        (("{python}", "-c", "print('no SYSDBA'); exit(3)  # {log_mode}"), "ended with 3: no SYSDBA"),
        (("{python}", "-c", "pass  # {log_mode}"), "after the command the instance is in NOARCHIVELOG mode"),
        (("{python}", "-c", "import time; time.sleep(600)  # {log_mode}"), "did not end within 1 s"),
    ],
)
def test_a_command_that_does_not_do_it_is_told(
    database: DemoDatabase, command: tuple[str, ...], message: str
) -> None:
    limit = 1 if "1 s" in message else 60
    with pytest.raises(TuningError, match=message):
        log_mode.switch(database.connect, command, "ARCHIVELOG", limit)
