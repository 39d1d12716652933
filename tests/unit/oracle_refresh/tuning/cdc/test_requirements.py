"""What trials of change capture need of the database, and what cannot be set from a pluggable one."""

from __future__ import annotations

from typing import Any

import pytest

from oracle_refresh.labs.change_capture import objects
from oracle_refresh.oracle.errors import TuningError
from oracle_refresh.tuning.cdc import change, statements

NOBODY: Any = None


@pytest.mark.parametrize(
    ("containers", "replication", "code"),
    [("NO", "TRUE", None), ("NO", "FALSE", "ORA-26947"), ("YES", "TRUE", "ORA-26932")],
)
def test_trials_are_refused_up_front(
    containers: str, replication: str, code: str | None, monkeypatch: pytest.MonkeyPatch, caplog: Any
) -> None:
    answers = {
        objects.CONTAINERS: containers,
        objects.REPLICATION: replication,
        objects.RELEASE: "19.0.0.0.0",
    }
    monkeypatch.setattr(objects, "scalar", lambda _connection, statement: answers[statement])
    if code is None:
        objects.require_capture(NOBODY)
        assert "desupported from 19c" in caplog.text
        return
    with pytest.raises(TuningError) as refused:
        objects.require_capture(NOBODY)
    assert refused.value.codes == (code,)
    assert refused.value.remedy


@pytest.mark.parametrize(("container", "left"), [(0, True), (1, True), (3, False)])
def test_a_pluggable_database_says_what_it_cannot_set_and_sets_the_rest(
    container: int, left: bool, monkeypatch: pytest.MonkeyPatch, caplog: Any
) -> None:
    rows = {
        statements.SYSTEM_PARAMETERS: [("streams_pool_size", "0", "IMMEDIATE", "FALSE")],
        statements.CONTAINER: [(str(container),)],
    }
    monkeypatch.setattr(change, "rows", lambda _, statement: rows[statement])
    monkeypatch.setattr(change, "scalar", lambda _, statement: rows[statement][0][0])
    wanted = {"apply.PARALLELISM": "4", change.POOL: "67108864"}
    assert (change.POOL in change._settable(NOBODY, wanted)) == left
    assert change._settable(NOBODY, wanted)["apply.PARALLELISM"] == "4"
    assert ("ALTER SYSTEM SET streams_pool_size = 67108864" in caplog.text) != left
