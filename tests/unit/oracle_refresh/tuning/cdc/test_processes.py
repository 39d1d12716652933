"""Parameters of capture and apply for the time of a run's work: set, taken back, killed anywhere."""

from __future__ import annotations

from dataclasses import dataclass
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
OTHERS: dict[str, str | None] = {"apply.PARALLELISM": "16", "apply.COMMIT_SERIALIZATION": "FULL"}
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


@dataclass
class OnRecord:
    """What a change is on record as; every version of it."""

    kept: list[Any]

    def set(self, database: Any) -> Any:
        return make(database, self.change, self.kept.append)

    def restored(self, database: Any) -> tuple[str, ...]:
        """As whoever has nothing but the record restores it."""
        lines: tuple[str, ...] = unpacked(packed(self.change)).restore(  # type: ignore[union-attr]
            database, self.kept.append
        )
        return lines

    @property
    def change(self) -> Any:
        return self.kept[-1]


def on_record(
    database: Any, former: OnRecord | None = None, wanted: dict[str, str | None] = WANTED
) -> OnRecord:
    return OnRecord([planned(database, former and former.change, wanted)])


def test_what_is_set_comes_back() -> None:
    database = settable()
    before = database.state
    recorded = on_record(database)
    change = recorded.change
    assert recorded.set(database) == change
    assert database.set_values[APPLY] == {"PARALLELISM": "8", "TXN_LCR_SPILL_THRESHOLD": "2000"}
    assert database.set_values[CAPTURE] == {"MAX_SGA_SIZE": "64"}
    assert (database.made[0], database.made[-1]) == (calls.STOP_APPLY, calls.START_APPLY)
    assert database.status == "ENABLED"
    assert recorded.restored(database) == ()
    assert database.state == before, "what had a default has it again, and is not set to the same value"
    made = len(database.made)
    assert recorded.restored(database) == ()
    assert len(database.made) == made, "restored once"


def test_the_record_is_what_the_database_keeps() -> None:
    change = planned(settable())
    assert unpacked(packed(change)) == change
    assert change.item == f"change capture {CAPTURE} and {APPLY}"
    assert "apply.PARALLELISM 2" in change.text
    assert "capture.MAX_SGA_SIZE the default -> apply.PARALLELISM 8" in change.text


def test_the_report_is_told_what_the_views_show() -> None:
    database = settable()
    recorded = on_record(database)
    change = recorded.change
    (before,) = read_states(database, [change]).shown.values()
    recorded.set(database)
    (during,) = read_states(database, [change]).shown.values()
    assert "apply.PARALLELISM 2" in before
    assert "apply.PARALLELISM 8" in during
    assert "capture.MAX_SGA_SIZE 64" in during


@pytest.mark.parametrize("at", range(5))
def test_killed_while_it_is_set_and_tried_again(at: int) -> None:
    """Stop, three values, start: at each of them."""
    database = settable(calls_left=at)
    before = settable().state
    recorded = on_record(database)
    with pytest.raises(Killed):
        recorded.set(database)
    database.calls_left = None
    again = on_record(database, recorded)
    again.set(database)
    assert database.status == "ENABLED", "a try that finds all values set starts apply again"
    assert database.set_values[APPLY] == {"PARALLELISM": "8", "TXN_LCR_SPILL_THRESHOLD": "2000"}
    assert again.change.record.former == recorded.change.record.former
    assert not again.change.record.stopped
    assert again.restored(database) == ()
    assert database.state == before


@pytest.mark.parametrize("at", range(5))
def test_killed_for_good_while_it_is_set(at: int) -> None:
    """Nobody tries again: `restore` has the record only."""
    database = settable(calls_left=at)
    recorded = on_record(database)
    with pytest.raises(Killed):
        recorded.set(database)
    database.calls_left = None
    assert recorded.restored(database) == ()
    assert database.state == settable().state


@pytest.mark.parametrize("at", range(5))
def test_killed_while_it_is_taken_back(at: int) -> None:
    database = settable()
    recorded = on_record(database)
    recorded.set(database)
    database.calls_left = at
    with pytest.raises(Killed):
        recorded.restored(database)
    database.calls_left = None
    assert recorded.restored(database) == ()
    assert database.state == settable().state


def test_a_repeated_try_with_other_values_keeps_the_first_former_ones() -> None:
    database = settable()
    first = on_record(database)
    first.set(database)
    second = on_record(database, first, OTHERS)
    second.set(database)
    assert database.set_values[APPLY]["PARALLELISM"] == "16"
    assert second.restored(database) == ()
    assert database.state == settable().state


def test_what_somebody_else_has_set_meanwhile_stays() -> None:
    database = settable()
    recorded = on_record(database)
    recorded.set(database)
    database.set_values[APPLY]["PARALLELISM"] = "3"
    (line,) = recorded.restored(database)
    assert "apply.PARALLELISM is 3" in line
    assert "before it was 2" in line
    assert database.set_values == {APPLY: {"PARALLELISM": "3"}, CAPTURE: {}}


def test_an_apply_process_that_did_not_run_is_not_started() -> None:
    database = settable(status="DISABLED")
    recorded = on_record(database)
    recorded.set(database)
    assert recorded.restored(database) == ()
    assert database.status == "DISABLED"
    assert calls.START_APPLY not in database.made


def test_the_record_says_that_apply_is_stopped_as_long_as_it_is() -> None:
    database = settable()
    recorded = on_record(database)
    seen: list[tuple[bool, str]] = []

    def keep(change: Any) -> None:
        seen.append((change.record.stopped, database.status))
        recorded.kept.append(change)

    make(database, recorded.change, keep)
    recorded.change.restore(database, keep)
    assert seen == [(True, "ENABLED"), (False, "ENABLED")] * 2


@pytest.mark.parametrize("status", ["DISABLED", "ABORTED"])
def test_an_apply_process_that_was_stopped_meanwhile_is_told_and_stays_so(status: str) -> None:
    database = settable()
    recorded = on_record(database)
    recorded.set(database)
    database.status = status
    started = database.made.count(calls.START_APPLY)
    (line,) = recorded.restored(database)
    assert line.startswith(f"{APPLY} is {status}")
    assert database.status == status
    assert database.made.count(calls.START_APPLY) == started
    assert database.set_values == settable().set_values, "its parameters come back all the same"


def test_a_repeated_try_does_not_start_what_was_stopped_meanwhile() -> None:
    database = settable()
    first = on_record(database)
    first.set(database)
    database.status = "DISABLED"
    second = on_record(database, first, OTHERS)
    second.set(database)
    assert database.set_values[APPLY]["PARALLELISM"] == "16"
    assert database.status == "DISABLED"


@dataclass(eq=False)
class Refusing(Settable):
    """Refuses one kind of call."""

    of: str = calls.SET_CAPTURE_PARAMETER

    def call(self, sql: str, binds: Any) -> None:
        if sql == self.of:
            raise TuningError("ORA-26786")
        super().call(sql, binds)


@pytest.mark.parametrize("of", [calls.SET_CAPTURE_PARAMETER, calls.STOP_APPLY])
def test_where_a_call_is_refused_apply_runs_and_is_not_ours_any_more(of: str) -> None:
    database: Any = Refusing(of=of)
    recorded = on_record(database)
    with pytest.raises(TuningError, match="ORA-26786"):
        recorded.set(database)
    assert database.status == "ENABLED"
    assert not recorded.change.record.stopped


def test_an_apply_process_that_does_not_start_again_stays_ours() -> None:
    database: Any = Refusing(of=calls.START_APPLY)
    recorded = on_record(database)
    with pytest.raises(TuningError, match="ORA-26786"):
        recorded.set(database)
    assert (database.status, recorded.change.record.stopped) == ("DISABLED", True)
    database.of = ""
    assert recorded.restored(database) == ()
    assert database.status == "ENABLED"


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
    recorded = OnRecord([change])
    recorded.set(database)
    assert database.set_values[CAPTURE] == {"MAX_SGA_SIZE": "64"}
    assert database.made == [calls.SET_CAPTURE_PARAMETER], "no apply process is stopped"
    assert recorded.restored(database) == ()
    assert len(recorded.kept) == 1, "and the record does not speak of one"
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
