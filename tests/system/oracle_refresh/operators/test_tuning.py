"""The tasks around a refresh that tune the target's instance and restore it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from airflow.sdk.definitions.retry_policy import RetryAction

from oracle_refresh.integration.retries import OracleRetryPolicy
from oracle_refresh.operators.planning import CheckPreflight
from oracle_refresh.operators.quarantine import LockTarget
from oracle_refresh.operators.tuning import COUNTERS, TUNING, ReadCounters, RestoreTarget, TuneTarget
from oracle_refresh.oracle.errors import PreflightError, QuarantineError, TuningError
from oracle_refresh.report.tuning import END, LOADED, START
from oracle_refresh.tuning.states import AFTER, BEFORE, DURING, STATES
from support.demo import DemoDatabase
from support.tuning import at_work, whole

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
        decision = OracleRetryPolicy().evaluate(told.value, 1, 3)
        assert decision.action == RetryAction.RETRY, decision.reason
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


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"load": {"parameters": {"pga_agregate_target": 1}}}, "did you mean pga_aggregate_target"),
        ({"mask": {"parameters": {"pga_aggregate_target": "2G"}}}, "want different things"),
        ({"mask": {"speed": "high"}}, "no such field"),
    ],
)
def test_a_wrong_profile_is_refused_before_anything_is_changed(
    new_run: NewRun, demo_target: DemoDatabase, tmp_path: Path, changes: dict[str, Any], complaint: str
) -> None:
    run = new_run(tuning=profile(tmp_path, **changes))
    with demo_target.connect() as connection:
        before = whole(connection)
        with pytest.raises(PreflightError, match=complaint):
            run.execute(CheckPreflight)
        run.execute(LockTarget)
        with pytest.raises((TuningError, PreflightError), match=complaint):
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
