"""Parameters of capture and apply for the time of a run's work: set, taken back, killed anywhere."""

from __future__ import annotations

from typing import Any

import pytest

from oracle_refresh.oracle.errors import TuningError
from oracle_refresh.tuning.cdc import calls
from oracle_refresh.tuning.cdc.change import intend
from oracle_refresh.tuning.cdc.processes import ProcessChange
from oracle_refresh.tuning.changes import merge, packed, unpacked
from oracle_refresh.tuning.make import make
from oracle_refresh.tuning.states import read_states
from support.settable import APPLY, CAPTURE, Killed, Settable

WANTED: dict[str, str | None] = {
    "apply.PARALLELISM": "8",
    "apply.TXN_LCR_SPILL_THRESHOLD": "2000",
    "capture.MAX_SGA_SIZE": "64",
}
#: One of them is set already by whoever owns the process, the others have their defaults.
OWN = {APPLY: {"PARALLELISM": "2"}, CAPTURE: {}}


def settable(**changes: Any) -> Any:
    return Settable(set_values={name: dict(values) for name, values in OWN.items()}, **changes)


def planned(database: Any, recorded: Any = None, wanted: dict[str, str | None] = WANTED) -> Any:
    """As a try plans it, whatever a former one has left on record."""
    record = intend(database, APPLY, CAPTURE, wanted)
    if record is None:
        return recorded
    change = ProcessChange(record, wanted)
    return merge(recorded, change) if recorded else change


def test_what_is_set_comes_back() -> None:
    database = settable()
    before = database.state
    change = planned(database)
    assert make(database, change) == change
    assert database.set_values[APPLY] == {"PARALLELISM": "8", "TXN_LCR_SPILL_THRESHOLD": "2000"}
    assert database.set_values[CAPTURE] == {"MAX_SGA_SIZE": "64"}
    assert (database.made[0], database.made[-1]) == (calls.STOP_APPLY, calls.START_APPLY)
    assert database.status == "ENABLED"
    assert change.restore(database) == ()
    assert database.state == before, "what had a default has it again, and is not set to the same value"
    made = len(database.made)
    assert change.restore(database) == ()
    assert len(database.made) == made, "restored once"


def test_the_record_is_what_the_database_keeps() -> None:
    change = planned(settable())
    assert unpacked(packed(change)) == change
    assert change.item == f"change capture {CAPTURE} and {APPLY}"
    assert "apply.PARALLELISM 2" in change.text
    assert "capture.MAX_SGA_SIZE the default -> apply.PARALLELISM 8" in change.text


def test_the_report_is_told_what_the_views_show() -> None:
    database = settable()
    change = planned(database)
    (before,) = read_states(database, [change]).shown.values()
    make(database, change)
    (during,) = read_states(database, [change]).shown.values()
    assert "apply.PARALLELISM 2" in before
    assert "apply.PARALLELISM 8" in during
    assert "capture.MAX_SGA_SIZE 64" in during


@pytest.mark.parametrize("at", range(5))
def test_killed_while_it_is_set_and_tried_again(at: int) -> None:
    """Stop, three values, start: at each of them."""
    database = settable(calls_left=at)
    before = settable().state
    recorded = planned(database)
    with pytest.raises(Killed):
        make(database, recorded)
    database.calls_left = None
    again = planned(database, recorded)
    make(database, again)
    assert database.status == "ENABLED", "a try that finds all values set starts apply again"
    assert database.set_values[APPLY] == {"PARALLELISM": "8", "TXN_LCR_SPILL_THRESHOLD": "2000"}
    assert again.record.former == recorded.record.former
    assert again.restore(database) == ()
    assert database.state == before


@pytest.mark.parametrize("at", range(5))
def test_killed_for_good_while_it_is_set(at: int) -> None:
    """Nobody tries again: `restore` has the record only."""
    database = settable(calls_left=at)
    recorded = planned(database)
    with pytest.raises(Killed):
        make(database, recorded)
    database.calls_left = None
    assert unpacked(packed(recorded)).restore(database) == ()
    assert database.state == settable().state


@pytest.mark.parametrize("at", range(5))
def test_killed_while_it_is_taken_back(at: int) -> None:
    database = settable()
    change = planned(database)
    make(database, change)
    database.calls_left = at
    with pytest.raises(Killed):
        change.restore(database)
    database.calls_left = None
    assert change.restore(database) == ()
    assert database.state == settable().state


def test_a_repeated_try_with_other_values_keeps_the_first_former_ones() -> None:
    database = settable()
    first = planned(database)
    make(database, first)
    second = planned(database, first, {"apply.PARALLELISM": "16", "apply.COMMIT_SERIALIZATION": "FULL"})
    make(database, second)
    assert database.set_values[APPLY]["PARALLELISM"] == "16"
    assert second.restore(database) == ()
    assert database.state == settable().state


def test_what_somebody_else_has_set_meanwhile_stays() -> None:
    database = settable()
    change = planned(database)
    make(database, change)
    database.set_values[APPLY]["PARALLELISM"] = "3"
    (line,) = change.restore(database)
    assert "apply.PARALLELISM is 3" in line
    assert "before it was 2" in line
    assert database.set_values == {APPLY: {"PARALLELISM": "3"}, CAPTURE: {}}


def test_an_apply_process_that_did_not_run_is_not_started() -> None:
    database = settable(status="DISABLED")
    change = planned(database)
    make(database, change)
    change.restore(database)
    assert database.status == "DISABLED"
    assert calls.START_APPLY not in database.made


def test_nothing_is_on_record_where_nothing_is_to_be_set() -> None:
    database = settable()
    assert intend(database, APPLY, CAPTURE, {"apply.PARALLELISM": "2"}) is None
    assert intend(database, APPLY, CAPTURE, {}) is None


def test_a_capture_alone() -> None:
    """Its changes leave for another database, or for an Extract's trail."""
    database = settable()
    record = intend(database, None, CAPTURE, {"capture.MAX_SGA_SIZE": "64"})
    assert record is not None
    change = ProcessChange(record, {"capture.MAX_SGA_SIZE": "64"})
    make(database, change)
    assert database.set_values[CAPTURE] == {"MAX_SGA_SIZE": "64"}
    assert database.made == [calls.SET_CAPTURE_PARAMETER], "no apply process is stopped"
    assert change.restore(database) == ()
    assert database.set_values[CAPTURE] == {}
    assert change.item == f"change capture {CAPTURE}"


@pytest.mark.parametrize(
    ("apply", "capture", "wanted", "says"),
    [
        (None, CAPTURE, {"apply.PARALLELISM": "8"}, "no apply process"),
        (APPLY, None, {"capture.MAX_SGA_SIZE": "8"}, "no capture process"),
    ],
)
def test_parameters_of_an_end_that_is_not_there(
    apply: str | None, capture: str | None, wanted: dict[str, str | None], says: str
) -> None:
    database = settable()
    with pytest.raises(TuningError, match=says):
        intend(database, apply, capture, wanted)
    assert database.made == []
