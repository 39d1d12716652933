"""Trials for real: set up, run, advised, reported, removed; kills at every call; what is refused."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from uuid import uuid4

import oracledb
import pytest

from oracle_refresh.labs.change_capture import trial as trial_of_rows
from oracle_refresh.labs.change_capture.diagnosed import Diagnosed
from oracle_refresh.labs.change_capture.model import TriedScenario
from oracle_refresh.labs.change_capture.objects import TrialObjects, remove, set_up
from oracle_refresh.labs.change_capture.run import CaptureRun
from oracle_refresh.labs.change_capture.study import COSTS, MEGABYTE, MEMORY
from oracle_refresh.labs.change_capture.trial import Trials
from oracle_refresh.operators.cdc import DiagnoseCapture, TuneCapture
from oracle_refresh.operators.cdc_trials import (
    PlanCapture,
    PrepareCapture,
    RemoveCapture,
)
from oracle_refresh.oracle.errors import PreflightError, TuningError
from oracle_refresh.run.documents import Documents
from oracle_refresh.tuning.apply import apply_changes
from oracle_refresh.tuning.cdc import calls, statements
from oracle_refresh.tuning.cdc.change import (
    POOL,
    Record,
    change,
    intend,
    read_values,
    restore,
    values_of,
)
from oracle_refresh.tuning.cdc.model import Scenario, Settings, Workload
from oracle_refresh.tuning.cdc.processes import ProcessChange
from oracle_refresh.tuning.cdc.reader import read_picture
from oracle_refresh.tuning.cdc.rules import CaptureReadings, diagnose
from oracle_refresh.tuning.changes import Changes
from oracle_refresh.tuning.records import Records
from oracle_refresh.tuning.restore import restore as restore_changes
from support.demo import DemoDatabase, airflow_connection
from support.transfer import ROOT, Fuse, Killed, Mortal
from support.tuning import Silent
from support.waiting import PATIENCE

DEFINITION = str(ROOT / "include" / "refreshes" / "demo.yaml")
OBJECTS = """\
SELECT CAPTURE_NAME FROM DBA_CAPTURE UNION ALL SELECT APPLY_NAME FROM DBA_APPLY
UNION ALL SELECT NAME FROM DBA_QUEUES WHERE OWNER = 'REFRESH_TARGET'
UNION ALL SELECT TABLE_NAME FROM USER_TABLES WHERE TABLE_NAME NOT LIKE 'REFRESH$%'"""


@pytest.fixture(scope="module")
def captured(demo_target: DemoDatabase) -> DemoDatabase:
    """The demo target in ARCHIVELOG mode."""
    done = demo_target.server.command("control", "log-mode", "archivelog")
    assert done.returncode == 0, done.stdout + done.stderr
    return demo_target


@pytest.fixture
def connection(captured: DemoDatabase) -> Iterator[oracledb.Connection]:
    with captured.connect() as opened:
        yield opened


@pytest.fixture
def objects(connection: oracledb.Connection) -> Iterator[TrialObjects]:
    names = TrialObjects("REFRESH_TARGET", "CDC_TEST")
    yield names
    remove(connection, names)


@pytest.fixture(scope="class")
def kept_objects(captured: DemoDatabase) -> Iterator[TrialObjects]:
    """Objects of tests that leave parameters and processes as they were."""
    names = TrialObjects("REFRESH_TARGET", "CDC_KEPT")
    with captured.connect() as opened:
        set_up(opened, names)
        yield names
        remove(opened, names)


@pytest.fixture
def target(captured: DemoDatabase, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> pytest.MonkeyPatch:
    monkeypatch.setenv("AIRFLOW_CONN_ORACLE_TARGET", airflow_connection(captured))
    monkeypatch.setenv("AIRFLOW__ORACLE_REFRESH__REPORT_DIRECTORY", str(tmp_path))
    return monkeypatch


def execute(operator: Any, run: str, **arguments: Any) -> Any:
    task = operator(task_id=operator.__name__.lower(), definition=DEFINITION, **arguments)
    return task.execute({"run_id": run, "ti": SimpleNamespace(map_index=-1)})


def left(connection: oracledb.Connection) -> list[str]:
    with connection.cursor() as cursor:
        cursor.execute(OBJECTS)
        return sorted(str(name) for (name,) in cursor)


def pool(connection: oracledb.Connection) -> str | None:
    return read_values(connection, "NONE", None)[POOL]


def tried(
    connection: oracledb.Connection, objects: TrialObjects, work: Workload, to: Settings
) -> tuple[TriedScenario, CaptureReadings]:
    change(connection, objects.apply, objects.capture, values_of(to), None, lambda record: None)
    return Trials(connection, objects, PATIENCE).run(Scenario("any", work, to), MEMORY)


def test_what_a_preparation_that_failed_has_left_is_removed(
    connection: oracledb.Connection, target: pytest.MonkeyPatch
) -> None:
    def too_slow(*_: Any) -> None:
        raise TuningError("the changes have not all arrived")

    run = f"cdc__{uuid4().hex[:8]}"
    execute(PlanCapture, run)
    target.setattr(Trials, "probe", too_slow)
    with pytest.raises(TuningError, match="have not all arrived"):
        execute(PrepareCapture, run, scale="0.05", scenarios="[1]")
    assert len(left(connection)) == 6
    execute(RemoveCapture, run)
    assert left(connection) == []


def test_the_pool_of_a_lost_run_is_brought_back(
    connection: oracledb.Connection, target: pytest.MonkeyPatch
) -> None:
    """Its value is not taken for what the instance had before: the next run would bring back that."""
    before = pool(connection)
    names = TrialObjects("REFRESH_TARGET", "CDC_TUNING")
    lost, following = (f"cdc__{uuid4().hex[:8]}" for _ in range(2))
    execute(PlanCapture, lost)
    set_up(connection, names)
    lost_pool = Settings(streams_pool_bytes=64 * MEGABYTE)
    CaptureRun(Documents(connection, lost)).set_parameters(lost_pool)
    assert pool(connection) != before
    execute(PlanCapture, following)
    for _ in range(2):
        execute(PrepareCapture, following, scale="0.05", scenarios="[1]")
        assert pool(connection) == before
    mine = Settings(streams_pool_bytes=32 * MEGABYTE)
    CaptureRun(Documents(connection, following)).set_parameters(mine)
    assert pool(connection) != before
    execute(RemoveCapture, following)
    assert pool(connection) == before
    with connection.cursor() as cursor:
        cursor.execute(calls.set_streams_pool(64 * MEGABYTE))
    execute(RemoveCapture, following)
    assert pool(connection) != before, "what a DBA sets afterwards is none of its business"
    with connection.cursor() as cursor:
        cursor.execute(calls.set_streams_pool(int(before or 0)))
    assert left(connection) == []


def test_where_messages_wait(connection: oracledb.Connection, objects: TrialObjects) -> None:
    """The order of the published tests, at a size at which the smallest pool overflows."""
    set_up(connection, objects)
    work = Workload(7_000, 7_000)
    queue, readings = tried(connection, objects, work, Settings(2, 10_000, 4 * MEGABYTE))
    assert queue.queue_spilled
    assert not queue.reader_spilled
    assert 300 < readings.memory.message_bytes < 3_000
    reader, after = tried(connection, objects, work, Settings(4, 1_000, 4 * MEGABYTE))
    assert (reader.queue_spilled, reader.reader_spilled) == (0, 7_000)
    assert reader.busy_servers == 1
    assert after.moved.transactions == after.moved.applied == 1
    large, _ = tried(connection, objects, work, Settings(2, 10_000, 64 * MEGABYTE))
    assert not large.queue_spilled
    small, _ = tried(connection, objects, Workload(300, 1), Settings(4))
    assert small.busy_servers == 4


def test_rows_that_are_not_captured_are_not_applied(
    connection: oracledb.Connection, objects: TrialObjects
) -> None:
    set_up(connection, objects)
    _, readings = tried(connection, objects, Workload(100, 10, unrelated_rows=500), Settings())
    assert readings.moved.dequeued == readings.moved.enqueued == 100
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT COUNT(*), COUNT(DISTINCT ID) FROM {objects.changes.sql}")
        assert cursor.fetchone() == (100, 100)


@pytest.mark.parametrize(
    "work",
    [
        Workload(1, 1, 500, marker=True),
        Workload(1, 1, 24, 1, marker=True),
        Workload(1, 1, marker=True),
    ],
    ids=["one commit", "a commit each", "no rows"],
)
def test_of_what_is_not_captured_only_the_marker_arrives(
    connection: oracledb.Connection, objects: TrialObjects, work: Workload, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trial_of_rows, "SINGLES", 20)  # two blocks
    set_up(connection, objects)
    log = "SELECT SEQUENCE# FROM V$LOG WHERE STATUS = 'CURRENT'"
    with connection.cursor() as cursor:
        (sequence,) = cursor.execute(log).fetchone()
        trial, readings = tried(connection, objects, work, Settings())
        assert trial.seconds > 0
        assert (readings.moved.dequeued, readings.moved.enqueued, readings.moved.applied) == (1, 1, 1)
        cursor.execute(f"SELECT COUNT(*) FROM {objects.changes.sql}")
        assert cursor.fetchone() == (1,)
        cursor.execute(f"SELECT COUNT(*), COUNT(DISTINCT ID) FROM {objects.unrelated.sql}")
        assert cursor.fetchone() == (work.unrelated_rows, work.unrelated_rows)
        if not work.unrelated_rows:
            (switched,) = cursor.execute(log).fetchone()
            assert switched > sequence


def test_what_a_killed_trial_wrote_elsewhere_is_passed_before_the_next(
    connection: oracledb.Connection, objects: TrialObjects, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its time would be part of the next trial's: capture reads on from where it stopped."""
    set_up(connection, objects)
    scenario = Scenario("any", Workload(1, 1, 50, 10, marker=True), Settings())
    trials = Trials(connection, objects, PATIENCE)
    write = Trials._write

    def killed(self: Trials, table: Any, *rest: Any) -> None:
        if table == objects.source:
            raise Killed
        write(self, table, *rest)

    monkeypatch.setattr(Trials, "_write", killed)
    with pytest.raises(Killed):
        trials.run(scenario, MEMORY)
    monkeypatch.undo()
    assert trials.arrived(1, objects.unrelated) == 50
    trials.run(scenario, MEMORY)
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT TRIAL FROM {objects.changes.sql} ORDER BY TRIAL")
        assert cursor.fetchall() == [(1,), (2,)], "a row that says that the first was passed, and the marker"
    assert [trials.arrived(number, objects.unrelated) for number in (1, 2)] == [50, 50]


def test_what_a_killed_trial_left_is_no_part_of_the_next(
    connection: oracledb.Connection, objects: TrialObjects
) -> None:
    set_up(connection, objects)
    scenario = Scenario("any", Workload(200, 50), Settings())
    for calls_until in (8, 16, 24, 32):
        mortal: Any = Mortal(connection, Fuse(calls_until))
        with pytest.raises(Killed):
            Trials(mortal, objects, PATIENCE).run(scenario, MEMORY)
        connection.rollback()
        trial, readings = Trials(connection, objects, PATIENCE).run(scenario, MEMORY)
        assert readings.moved.dequeued == 200
        assert trial.seconds > 0
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT COUNT(*) - COUNT(DISTINCT ID) FROM {objects.changes.sql}"
            " WHERE TRIAL = (SELECT MAX(TRIAL) FROM " + objects.source.sql + ")"
        )
        assert cursor.fetchone() == (0,)


def test_setting_up_and_removing_can_be_killed_anywhere(
    connection: oracledb.Connection, objects: TrialObjects
) -> None:
    def killed(step: Any, burn: int) -> bool:
        try:
            step(Mortal(connection, Fuse(burn)), objects)
        except Killed:
            return True
        return False

    burn = 0
    while killed(set_up, burn):
        burn += 3
    assert burn > 20, "it has that many calls"
    assert len(left(connection)) == 6
    burn = 0
    while killed(remove, burn):
        burn += 2
        if burn % 6 == 0:
            set_up(connection, objects)
    assert burn > 8
    remove(connection, objects)
    assert left(connection) == []


def test_a_change_is_taken_back_after_a_kill_at_any_call(
    connection: oracledb.Connection, objects: TrialObjects
) -> None:
    set_up(connection, objects)
    with connection.cursor() as cursor:
        cursor.execute(calls.START_APPLY, apply_name=objects.apply)
    before = read_values(connection, objects.apply, objects.capture)
    wanted = values_of(Settings(7, 1_234, 32 * MEGABYTE, "FULL"))
    status = "SELECT STATUS FROM DBA_APPLY WHERE APPLY_NAME = :name"
    finished = False
    for burn in range(0, 60, 3):
        kept: list[Record] = []
        mortal: Any = Mortal(connection, Fuse(burn))
        try:
            change(mortal, objects.apply, objects.capture, wanted, None, kept.append)
            finished = True
        except Killed:
            pass
        if kept:
            assert restore(connection, kept[-1], kept.append) == ()
            assert restore(connection, kept[-1], kept.append) == ()
        assert read_values(connection, objects.apply, objects.capture) == before
        with connection.cursor() as cursor:
            assert cursor.execute(status, name=objects.apply).fetchone() == ("ENABLED",), (
                f"after {burn} calls"
            )
        if finished:
            break
    assert finished, "the last try went through"


def test_what_others_have_set_meanwhile_stays(connection: oracledb.Connection, objects: TrialObjects) -> None:
    set_up(connection, objects)
    kept: list[Record] = []
    first = values_of(Settings(7, 1_234, 0))
    record = change(connection, objects.apply, objects.capture, first, None, kept.append)
    record = change(
        connection, objects.apply, objects.capture, values_of(Settings(8, 99, 0)), record, kept.append
    )
    with connection.cursor() as cursor:
        cursor.execute(
            calls.SET_APPLY_PARAMETER,
            {"apply_name": objects.apply, "parameter": "parallelism", "value": "3"},
        )
    (drifted,) = restore(connection, Record.from_json(record.to_json()), kept.append)
    assert "PARALLELISM is 3" in drifted
    found = read_picture(connection, objects.apply).settings
    assert (found.parallelism, found.txn_lcr_spill_threshold) == (3, 10_000)


def on_record(connection: Any, objects: TrialObjects, wanted: dict[str, str | None]) -> None:
    """What `TuneTarget` does with processes that a definition names."""
    record = intend(connection, objects.apply, objects.capture, wanted)
    assert record is not None
    changes = Changes((ProcessChange(record, wanted),))
    apply_changes(connection, changes, "a_run", "load", Silent())


def test_what_a_run_has_set_is_taken_back_from_its_record_after_a_kill_at_any_call(
    captured: DemoDatabase, connection: oracledb.Connection, objects: TrialObjects
) -> None:
    """By `airflow oracle-refresh restore`, or the next run: nobody tries the task again."""
    set_up(connection, objects)
    names = objects.apply, objects.capture
    with connection.cursor() as cursor:
        cursor.execute(calls.START_APPLY, apply_name=objects.apply)
        owned = {"apply_name": objects.apply, "parameter": "PARALLELISM", "value": "2"}
        cursor.execute(calls.SET_APPLY_PARAMETER, owned)
    wanted = {"apply.PARALLELISM": "7", "apply.TXN_LCR_SPILL_THRESHOLD": "1234"}
    before = read_values(connection, *names)
    finished = False
    for burn in range(0, 100, 5):
        with captured.connect() as own:
            mortal: Any = Mortal(own, Fuse(burn))
            try:
                on_record(mortal, objects, wanted)
                finished = True
            except Killed:
                own.rollback()
        if finished:
            set_now = read_values(connection, *names)
            assert {name: set_now[name] for name in wanted} == wanted
        restored = restore_changes(connection, "a_run")
        assert restored.drifted == (), f"after {burn} calls"
        assert restore_changes(connection, "a_run").text == "nothing is to be restored"
        assert read_values(connection, *names) == before, f"after {burn} calls"
        assert read_picture(connection, objects.apply).status == "ENABLED", f"after {burn} calls"
        if finished:
            break
    assert finished, "the last try went through"
    with connection.cursor() as cursor:
        cursor.execute(statements.APPLY_SET_BY_USER, apply_name=objects.apply)
        assert cursor.fetchall() == [("PARALLELISM",)], "what had its default has it again"


def test_what_somebody_else_sets_while_a_run_works_is_told_and_stays(
    connection: oracledb.Connection, objects: TrialObjects
) -> None:
    """Also that it has stopped the apply process, which then nobody starts."""
    set_up(connection, objects)
    with connection.cursor() as cursor:
        cursor.execute(calls.START_APPLY, apply_name=objects.apply)
        on_record(connection, objects, {"apply.PARALLELISM": "8", "apply.TXN_LCR_SPILL_THRESHOLD": "99"})
        assert read_picture(connection, objects.apply).status == "ENABLED"
        theirs = {"apply_name": objects.apply, "parameter": "PARALLELISM", "value": "3"}
        cursor.execute(calls.SET_APPLY_PARAMETER, theirs)
        cursor.execute(calls.STOP_APPLY, apply_name=objects.apply)
    restored = restore_changes(connection, "a_run")
    (drift,) = restored.drifted
    assert "apply.PARALLELISM is 3" in drift.found
    assert f"{objects.apply} is DISABLED" in drift.found
    assert read_picture(connection, objects.apply).status == "DISABLED"
    assert drift.former == "apply.PARALLELISM the default, apply.TXN_LCR_SPILL_THRESHOLD the default"
    (record,) = Records(connection).all("a_run")
    assert record.state == "drifted"
    found = read_picture(connection, objects.apply).settings
    assert (found.parallelism, found.txn_lcr_spill_threshold) == (3, 10_000)


def _report(folder: Path, run: str) -> Diagnosed:
    assert "Tables without keys" in (folder / run / "report.html").read_text()
    return Diagnosed.from_json(json.loads((folder / run / "report.json").read_text()))


def test_diagnosis_and_change_of_a_capture_in_use(
    captured: DemoDatabase,
    connection: oracledb.Connection,
    objects: TrialObjects,
    target: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    set_up(connection, objects)
    work, poor = Workload(7_000, 7_000), Settings(2, 50_000, 4 * MEGABYTE)
    trial, readings = tried(connection, objects, work, poor)
    assert trial.queue_spilled
    found = execute(DiagnoseCapture, "cdc__use", apply_name=objects.apply, seconds=0.01)
    assert found["diagnosis"]["findings"], "the parallelism is below its default"
    reports = [_report(tmp_path, "cdc__use")]
    with connection.cursor() as cursor:
        cursor.execute(calls.START_CAPTURE, capture_name=objects.capture)
    execute(DiagnoseCapture, "cdc__name", capture_name=objects.capture, seconds=0.01)
    reports.append(_report(tmp_path, "cdc__name"))
    for report in reports:
        assert (report.picture.capture_name, report.picture.apply_name) == (objects.capture, objects.apply)
        assert (report.picture.family, report.picture.purpose) == ("STREAMS", "Streams")
        assert report.support.schemas == ("REFRESH_TARGET",)
        keyless = [each.table for each in report.support.keyless]
        assert objects.changes in keyless
        assert objects.source not in keyless
        assert report.support.not_read == ()
    roles = [process.role for process in reports[1].processes]
    assert roles == ["capture", "apply reader", "apply server", "apply server"], "the parallelism is 2"
    found = {"diagnosis": diagnose(readings, COSTS).to_json(), "moved": readings.moved.to_json()}
    asked: dict[str, Any] = {"apply_name": objects.apply, "found": json.dumps(found), "seconds": 0.01}
    before = read_values(connection, objects.apply, objects.capture)
    assert execute(TuneCapture, "cdc__use", **asked) == "not approved"
    assert read_values(connection, objects.apply, objects.capture) == before
    assert execute(TuneCapture, "cdc__use", approved="True", **asked) == "taken back", "nothing moved since"
    assert read_values(connection, objects.apply, objects.capture) == before

    def changes_arrive(_: float) -> None:
        with captured.connect() as other:
            Trials(other, objects, PATIENCE).run(Scenario("any", work, poor), MEMORY)

    waiting = SimpleNamespace(sleep=changes_arrive, time=time.time)
    target.setattr("oracle_refresh.tuning.cdc.watching.time", waiting)
    assert execute(TuneCapture, "cdc__use", approved="True", **asked) == "kept", "the queue spills no more"
    kept = read_picture(connection, objects.apply).settings
    assert (kept.parallelism, kept.txn_lcr_spill_threshold) == (4, 2_000)
    target.setenv(
        "AIRFLOW_CONN_ORACLE_TARGET", airflow_connection(captured, extra={"service_name": "TARGET"})
    )
    with pytest.raises(PreflightError, match="not marked"):
        execute(TuneCapture, "cdc__use", approved="True", **asked)


class TestRefusedValues:
    @pytest.fixture
    def objects(self, kept_objects: TrialObjects) -> TrialObjects:
        return kept_objects

    def test_a_value_that_oracle_refuses_leaves_the_processes_as_they_were(
        self, connection: oracledb.Connection, objects: TrialObjects
    ) -> None:
        before = read_values(connection, objects.apply, objects.capture)
        wanted: dict[str, str | None] = {"apply.PARALLELISM": "8", "apply.TXN_LCR_SPILL_THRESHOLD": "many"}
        with pytest.raises(TuningError, match=r"ORA-.*everything of this run was restored"):
            on_record(connection, objects, wanted)
        assert read_values(connection, objects.apply, objects.capture) == before
        assert Records(connection).open() == []

    @pytest.mark.parametrize(
        ("wanted", "says"),
        [
            ({"apply.NO_SUCH_PARAMETER": "1"}, "ORA-26"),
            ({"apply.PARALLELISM": "many"}, "ORA-2"),
            ({POOL: "much"}, "no number of bytes"),
        ],
    )
    def test_values_that_cannot_be(
        self, connection: oracledb.Connection, objects: TrialObjects, wanted: dict[str, str], says: str
    ) -> None:
        before = read_values(connection, objects.apply, objects.capture)
        with pytest.raises(TuningError, match=says):
            change(connection, objects.apply, objects.capture, wanted, None, lambda record: None)
        assert read_values(connection, objects.apply, objects.capture) == before

    def test_capture_parameters_need_a_capture(
        self, connection: oracledb.Connection, objects: TrialObjects
    ) -> None:
        with pytest.raises(TuningError, match="no capture process"):
            change(connection, objects.apply, None, {"capture.MAX_SGA_SIZE": "9"}, None, lambda record: None)


def test_names_of_somebody_else_are_left_alone(
    connection: oracledb.Connection, objects: TrialObjects
) -> None:
    with connection.cursor() as cursor:
        cursor.execute(f"CREATE TABLE {objects.source.sql} (ID NUMBER)")
        cursor.execute(f"INSERT INTO {objects.source.sql} VALUES (1)")
        connection.commit()
        with pytest.raises(TuningError, match="no trial has made"):
            set_up(connection, objects)
        cursor.execute(f"SELECT COUNT(*) FROM {objects.source.sql}")
        assert cursor.fetchone() == (1,)
        cursor.execute(f"DROP TABLE {objects.source.sql} PURGE")
        cursor.execute(
            calls.SET_UP_QUEUE, {"queue_table": objects.queue_table.name, "queue_name": objects.queue.name}
        )
        with pytest.raises(TuningError, match="choose another prefix"):
            set_up(connection, objects)
        cursor.execute(calls.REMOVE_QUEUE, {"queue_name": objects.queue.name})


def test_without_an_apply_process_or_views(captured: DemoDatabase, connection: oracledb.Connection) -> None:
    with pytest.raises(TuningError, match="no such apply process"):
        read_picture(connection, "NOBODY")
    with captured.system() as system, system.cursor() as cursor:
        cursor.execute('CREATE USER CDC_BLIND IDENTIFIED BY "cdc_blind_demo"')
        cursor.execute("GRANT CREATE SESSION TO CDC_BLIND")
    with captured.connect("CDC_BLIND") as blind, pytest.raises(TuningError, match="SELECT_CATALOG_ROLE"):
        read_picture(blind, "NOBODY")


def test_noarchivelog_is_refused_before_anything_is_made(captured: DemoDatabase) -> None:
    """Last of the module: the database stays in that mode."""
    done = captured.server.command("control", "log-mode", "noarchivelog")
    assert done.returncode == 0, done.stdout + done.stderr
    with captured.connect() as connection:
        names = replace(TrialObjects("REFRESH_TARGET", "CDC_NONE"))
        with pytest.raises(TuningError, match="NOARCHIVELOG") as refused:
            set_up(connection, names)
        assert "ALTER DATABASE ARCHIVELOG" in str(refused.value.remedy)
        assert left(connection) == []
