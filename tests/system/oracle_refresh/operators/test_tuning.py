"""The tasks around a refresh that tune the target's instance and restore it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, cast

import oracledb
import pytest
import yaml

from oracle_refresh.definition import load_definition
from oracle_refresh.integration.retries import decide
from oracle_refresh.labs.change_capture.objects import TrialObjects, remove, set_up
from oracle_refresh.operators.quarantine import LockTarget
from oracle_refresh.operators.tuning import COUNTERS, MODEL, TUNING, ReadCounters, RestoreTarget, TuneTarget
from oracle_refresh.oracle.errors import PreflightError, QuarantineError, TuningError
from oracle_refresh.oracle.session import execute, scalar
from oracle_refresh.preflight.capture import check_capture
from oracle_refresh.preflight.databases import Databases
from oracle_refresh.report.capture import capture_report
from oracle_refresh.report.tuning import END, LOADED, START
from oracle_refresh.run.documents import WHOLE
from oracle_refresh.tuning.cdc import around_work, calls
from oracle_refresh.tuning.cdc.around_work import CHOSEN, LOOK, WATCHED, watched_before
from oracle_refresh.tuning.cdc.change import read_values
from oracle_refresh.tuning.cdc.reader import read_picture
from oracle_refresh.tuning.cdc.watching import Look
from oracle_refresh.tuning.states import AFTER, BEFORE, DURING, STATES
from support.demo import DemoDatabase
from support.replicating import XOUT, Replicating
from support.tuning import at_work, whole
from support.waiting import until

PROFILE: dict[str, Any] = {
    "name": "small",
    "export": {"parameters": {"pga_aggregate_target": "1G"}},
    "load": {"parameters": {"pga_aggregate_target": "= max(current, 128M)"}, "log_mode": "archivelog"},
    "mask": {"parameters": {"commit_wait": "NOWAIT"}},
}
NewRun = Callable[..., Any]


def profile(folder: Path, **changes: Any) -> dict[str, str]:
    path = folder / "profile.yaml"
    path.write_text(yaml.safe_dump(PROFILE | changes))
    return {"profile": str(path)}


def test_tuned_and_restored(new_run: NewRun, demo_target: DemoDatabase, tmp_path: Path) -> None:
    run = new_run(tuning=profile(tmp_path))
    with demo_target.connect() as connection:
        before = whole(connection)
        run.execute(LockTarget)
        tuned = run.execute(TuneTarget)
        assert run.execute(TuneTarget) == tuned, "a repeated task changes nothing more"
        assert whole(connection) != before
        run.execute(ReadCounters)
        restored = run.execute(RestoreTarget)
        assert run.execute(RestoreTarget) == restored
        assert whole(connection) == before
    assert [item["state"] for item in tuned["items"]] == ["open", "open"]
    assert [item["state"] for item in restored["items"]] == ["restored", "restored"]
    assert [step["what"] for step in restored["runbook"]] == [
        "log mode: NOARCHIVELOG -> ARCHIVELOG",
        "parameter pga_aggregate_target of the source: 67108864 -> 1073741824",
    ]
    for reading in (START, LOADED, END):
        assert run.documents(lambda documents, name=reading: documents.find(COUNTERS, name))
    shown = run.documents(lambda documents: {each.item: each.value.shown for each in documents.saved(STATES)})
    commits, memory = "parameter commit_wait", "parameter pga_aggregate_target"
    assert shown == {
        BEFORE: {commits: "unset", memory: str(64 << 20)},
        DURING: {commits: "NOWAIT", memory: str(128 << 20)},
        AFTER: {commits: "unset", memory: str(64 << 20)},
    }


def test_what_a_killed_try_has_set_is_no_state_from_before(
    new_run: NewRun, demo_target: DemoDatabase, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = new_run(tuning=profile(tmp_path))
    run.execute(LockTarget)
    with monkeypatch.context() as killed:
        killed.setattr("oracle_refresh.operators.tuning._note_states", interrupted)
        with pytest.raises(KeyboardInterrupt):
            run.execute(TuneTarget)
    run.execute(TuneTarget)
    with demo_target.connect() as connection, connection.cursor() as cursor:
        cursor.execute("ALTER SYSTEM SET COMMIT_WAIT = 'FORCE_WAIT' SCOPE = MEMORY")
    run.execute(ReadCounters)
    run.execute(RestoreTarget)
    shown = run.documents(lambda documents: {each.item: each.value.shown for each in documents.saved(STATES)})
    assert [shown[moment]["parameter commit_wait"] for moment in (BEFORE, DURING, AFTER)] == [
        "unset",
        "FORCE_WAIT",
        "FORCE_WAIT",
    ], "somebody else's value is told, and left alone"
    assert shown[BEFORE]["parameter pga_aggregate_target"] == str(64 << 20)
    with demo_target.connect() as connection, connection.cursor() as cursor:
        cursor.execute("ALTER SYSTEM RESET COMMIT_WAIT SCOPE = MEMORY")


def interrupted(*_: object) -> None:
    raise KeyboardInterrupt


def test_what_cannot_be_restored_yet_is_tried_again(
    new_run: NewRun, demo_target: DemoDatabase, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("oracle_refresh.tuning.restore.ATTEMPTS", 1)
    run = new_run(tuning=profile(tmp_path))
    with demo_target.connect() as connection, connection.cursor() as cursor, at_work(demo_target) as other:
        before = whole(connection)
        run.execute(LockTarget)
        run.execute(TuneTarget)
        cursor.execute("SELECT ITEM, CHANGE FROM REFRESH$TUNING WHERE RUN_ID = :1", [run.run_id])
        changes = [(json.loads(change.read()), item) for item, change in cursor]
        # As if the task had been killed, and its session were at work still.
        cursor.executemany(
            "UPDATE REFRESH$TUNING SET CHANGE = :1 WHERE ITEM = :2",
            [(json.dumps(change | {"session": other.session.to_json()}), item) for change, item in changes],
        )
        connection.commit()
        with other.call(), pytest.raises(TuningError, match="not everything could be restored yet") as told:
            run.execute(RestoreTarget)
        decision = decide(told.value, 1)
        assert decision.action == "retry", decision.reason
        assert {item["state"] for item in run.execute(RestoreTarget)["items"]} == {"restored"}
        assert whole(connection) == before


def test_without_a_profile_nothing_is_touched(new_run: NewRun, demo_target: DemoDatabase) -> None:
    run = new_run()
    with demo_target.connect() as connection:
        before = whole(connection)
        run.execute(LockTarget)
        assert run.execute(TuneTarget) == {}
        assert whole(connection) == before
    assert run.execute(RestoreTarget)["items"] == []
    assert run.documents(lambda documents: documents.all(TUNING)) == []


def test_a_lost_run_is_restored_before_the_next_one_tunes(
    new_run: NewRun, demo_target: DemoDatabase, tmp_path: Path
) -> None:
    with demo_target.connect() as connection:
        before = whole(connection)
        lost, following = new_run(tuning=profile(tmp_path)), new_run(tuning=profile(tmp_path))
        for run in (lost, following):
            run.execute(LockTarget)
            run.execute(TuneTarget)
        with pytest.raises(QuarantineError, match="has taken the target over"):
            lost.execute(TuneTarget)
        assert {item["state"] for item in lost.execute(RestoreTarget)["items"]} == {"restored"}
        assert whole(connection) != before, "the late teardown of the lost run takes nothing away"
        following.execute(RestoreTarget)
        assert whole(connection) == before


def test_a_wrong_profile_is_refused_before_anything_is_changed(
    new_run: NewRun, demo_target: DemoDatabase, tmp_path: Path
) -> None:
    run = new_run(tuning=profile(tmp_path, load={"parameters": {"pga_agregate_target": 1}}))
    with demo_target.connect() as connection:
        before = whole(connection)
        run.execute(LockTarget)
        with pytest.raises(TuningError, match="did you mean pga_aggregate_target"):
            run.execute(TuneTarget)
        assert whole(connection) == before


def test_a_source_is_never_tuned(
    new_run: NewRun, demo_target: DemoDatabase, connections: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    run = new_run(tuning=profile(tmp_path))
    run.execute(LockTarget)
    with demo_target.connect() as connection:
        before = whole(connection)
        from support.demo import airflow_connection

        wrong = airflow_connection(demo_target).replace('"target"', '"source"')
        connections.setenv("AIRFLOW_CONN_ORACLE_TARGET", wrong)
        with pytest.raises(PreflightError, match="needs the refresh target"):
            run.execute(TuneTarget)
        assert whole(connection) == before


@pytest.fixture
def processes(demo_target: DemoDatabase) -> Iterator[TrialObjects]:
    """A capture and an apply process of the target, which is in ARCHIVELOG mode meanwhile; both run."""

    def log_mode(mode: str) -> None:
        done = demo_target.server.command("control", "log-mode", mode)
        assert done.returncode == 0, done.stdout + done.stderr

    names = TrialObjects("REFRESH_TARGET", "CDC_LOAD")
    log_mode("archivelog")
    try:
        with demo_target.connect() as connection:
            set_up(connection, names)
            with connection.cursor() as cursor:
                cursor.execute(calls.START_APPLY, apply_name=names.apply)
                cursor.execute(calls.START_CAPTURE, capture_name=names.capture)
            try:
                yield names
            finally:
                remove(connection, names)
    finally:
        log_mode("noarchivelog")


def test_processes_of_change_capture_are_tuned_for_the_work(
    new_run: NewRun, demo_target: DemoDatabase, tmp_path: Path, processes: TrialObjects
) -> None:
    given = {"apply": {"parallelism": 7, "txn_lcr_spill_threshold": 1234}}
    section = {"apply_name": processes.apply, "seconds": 1, "parameters": given}
    run = new_run(tuning=profile(tmp_path, load={"parameters": {}}), capture=section)
    wanted = {"apply.PARALLELISM": "7", "apply.TXN_LCR_SPILL_THRESHOLD": "1234"}
    with demo_target.connect() as connection:
        whole_before, before = whole(connection), read_values(connection, processes.apply, processes.capture)

        def set_now() -> dict[str, str | None]:
            return read_values(connection, processes.apply, processes.capture)

        written = load_definition(run.definition)
        both = Databases.of(connection, connection, written)
        assert check_capture(both) == [], "its roles let the refresh's user set what it says"
        with run.refresh_run() as before_lock:
            before_lock.documents.ensure()
            watched_before(before_lock, MODEL)
        run.execute(LockTarget)
        tuned = run.execute(TuneTarget)
        assert run.execute(TuneTarget) == tuned, "a repeated task changes nothing more"
        assert set_now() == before | wanted
        with connection.cursor() as cursor:
            cursor.execute(f"INSERT INTO {processes.source.sql} (ID, TRIAL) VALUES (1, 1)")
        connection.commit()
        changes = f"SELECT COUNT(*) FROM {processes.changes.sql}"
        until(lambda: scalar(connection, changes) == 1, "for the change to be applied")
        restored = run.execute(RestoreTarget)
        assert run.execute(RestoreTarget) == restored
        assert set_now() == before
        assert whole(connection) == whole_before
        assert read_picture(connection, processes.apply).status == "ENABLED"
    items = {item["item"]: item["state"] for item in restored["items"]}
    item = f"change capture {processes.capture} and {processes.apply}"
    assert items == {item: "restored", "parameter commit_wait": "restored"}
    shown = run.documents(
        lambda documents: {each.item: each.value.of(item) for each in documents.saved(STATES)}
    )
    assert "apply.PARALLELISM 7" in shown[DURING]
    assert shown[BEFORE] == shown[AFTER]
    report = run.documents(
        lambda documents: capture_report(
            documents.find(CHOSEN, WHOLE), {each.item: each.value for each in documents.saved(WATCHED)}
        )
    )
    assert [watch.moment for watch in report.watches] == [BEFORE, DURING, AFTER]
    assert {each.name: each.wanted for each in report.parameters} == wanted
    assert [each.during for each in report.parameters] == ["7", "1234"]
    counted = {step.step: step.count for step in report.watches[1].steps}
    assert counted["dequeued"] == 1


def test_a_diagnosis_that_loses_its_session_does_not_keep_the_target_tuned(
    new_run: NewRun, demo_target: DemoDatabase, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As when a call is not answered in time, and the driver gives the session up (DPY-4011)."""
    picture = read_picture(cast(Any, Replicating(XOUT)), "XOUT")

    def lost(*arguments: Any, **_: Any) -> Any:
        (session,) = (one for one in arguments if isinstance(one, oracledb.Connection))
        session.close()
        return scalar(session, "SELECT 1 FROM DUAL")

    monkeypatch.setattr(around_work, "look_at", lambda *_: Look(picture, (), 0.0))
    for reading in ("since", "watch"):
        monkeypatch.setattr(around_work, reading, lost)
    run = new_run(tuning=profile(tmp_path), capture={"apply_name": "XOUT", "seconds": 1})
    with demo_target.connect() as connection:
        before = whole(connection)
        run.execute(LockTarget)
        run.execute(TuneTarget)
        assert whole(connection) != before
        assert {item["state"] for item in run.execute(RestoreTarget)["items"]} == {"restored"}
        assert whole(connection) == before
    assert run.documents(lambda documents: documents.find(LOOK, WHOLE)) is not None
    assert run.documents(lambda documents: documents.all(WATCHED)) == []


def test_processes_that_a_lost_run_has_left_tuned_are_restored(
    new_run: NewRun,
    demo_target: DemoDatabase,
    processes: TrialObjects,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Without a profile; the run dies when apply is stopped, and the next one has no section of its own."""
    section = {"apply_name": processes.apply, "seconds": 1, "parameters": {"apply": {"parallelism": 7}}}
    lost, following = new_run(capture=section), new_run()
    with demo_target.connect() as connection:
        before = read_values(connection, processes.apply, processes.capture)
        lost.execute(LockTarget)

        def dies_before_it_starts(session: Any, _: str, call: str, **binds: Any) -> None:
            if call == calls.START_APPLY:
                raise KeyboardInterrupt
            execute(session, call, **binds)

        with monkeypatch.context() as killed:
            killed.setattr("oracle_refresh.tuning.cdc.change._execute", dies_before_it_starts)
            with pytest.raises(KeyboardInterrupt):
                lost.execute(TuneTarget)
        assert read_picture(connection, processes.apply).status == "DISABLED"
        following.execute(LockTarget)
        assert following.execute(TuneTarget) == {}
        assert read_values(connection, processes.apply, processes.capture) == before
        assert read_picture(connection, processes.apply).status == "ENABLED"
