"""Failed tries and passes of a run: what the report makes of them."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import oracledb
import pytest

from oracle_refresh.oracle.errors import DataPumpError, TablesFailed, remedy_of
from oracle_refresh.report import Report, files
from oracle_refresh.report.former import RunSummary, former_runs
from oracle_refresh.report.passes import Pass, joined, worked_seconds
from oracle_refresh.report.summary import summary
from oracle_refresh.report.tries import FailedTry, TryNote, failed_tries, note, passes_of, waits_of
from oracle_refresh.run import failures

from .test_record import GOOD

ZERO = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
WRAPPED = "ORA-31693: Table data object failed\nORA-01555: snapshot too old\nmore of it"


def at(seconds: float) -> datetime:
    return ZERO + timedelta(seconds=seconds)


def span(began: float, ended: float) -> Pass:
    return Pass(at(began), at(ended))


def a_note(seconds: float, number: int = 1, task: str = "shard.export", index: int = 3) -> TryNote:
    error = DataPumpError(WRAPPED, codes=("ORA-31693", "ORA-01555"), remedy="enlarge undo")
    return note(
        failures.failure(error, number, at(seconds)),
        **{"task": task, "map_index": index, "item": "S004", "operator": "ExportShard"},
        **{"began": at(seconds - 5), "run_began": at(0)},
    )


def test_a_note_comes_back_from_its_file_and_sorts_by_time() -> None:
    one = a_note(10)
    assert TryNote.from_json(json.loads(json.dumps(one.to_json()))) == one
    assert one.name < a_note(10.5).name < a_note(7000, task="a").name
    assert "/" not in one.name


@pytest.mark.parametrize("code", ["DPY-4011", "DPY-4024", "DPY-1001", "ORA-01555"])
def test_an_error_of_the_driver_alone_has_a_remedy(code: str) -> None:
    """Not every statement is one whose errors the provider translates."""
    error = oracledb.DatabaseError(f"{code}: as the driver tells it")
    remedy = remedy_of([code])
    assert remedy
    assert failures.failure(error, 1)["remedy"] == remedy
    assert TablesFailed.of({"APP.A": error, "APP.B": error}, 3, "U001").remedy == remedy


def test_all_failed_tries_are_told_once_with_the_line_that_says_most() -> None:
    first, second = a_note(10), a_note(20, 2)
    told = failed_tries([second, first], [], {"shard.export_3": "success"}, at(99))
    assert [(one.number, one.mended, one.what) for one in told] == [
        (1, True, "shard.export S004"),
        (2, True, "shard.export S004"),
    ]
    assert told[0].telling == "ORA-01555: snapshot too old more of it"
    assert told[0].remedy == "enlarge undo"
    assert failed_tries([first, second], told, {"shard.export_3": "failed"}, at(200)) == tuple(
        replace(one, mended=False) for one in told
    )


def test_a_task_that_was_killed_is_told_of_without_an_error_and_only_once() -> None:
    states = {"constraints": "failed", "shard.export_3": "failed", "plan": "success", "x": None}
    told = failed_tries([a_note(10)], [], states, at(50))
    lost = FailedTry("constraints", -1, None, None, at(50).isoformat(), (), failures.LOST, None)
    assert told[1:] == (lost,)
    # The report is written again, and once more when the run was cleared and has succeeded.
    assert failed_tries([a_note(10)], told, states, at(60)) == told
    (first, mended) = failed_tries([a_note(10)], told, {"constraints": "success"}, at(900))
    assert (first.mended, mended) == (False, replace(lost, mended=True))


def test_rows_are_left_out_of_what_is_told() -> None:
    error = DataPumpError("ORA-02372: data for row: 'Eve Nobody'", codes=("ORA-02372",))
    assert "Eve" not in json.dumps(failures.failure(error, 1))


def test_passes_begin_anew_where_a_run_was_cleared() -> None:
    known = joined([span(1000, 1010), span(0, 10), *passes_of([a_note(20), a_note(15)])])
    assert known == (span(0, 20), span(1000, 1010))
    assert worked_seconds(known, ()) == 30
    assert worked_seconds((), ()) == 0


def test_who_waits_for_a_person_does_not_work() -> None:
    asked = replace(a_note(3700), operator="ApproveRefresh", began=at(100))
    assert waits_of([asked, a_note(5)]) == (span(100, 3700),)
    passes = [span(0, 3710), span(9000, 9100)]
    assert worked_seconds(passes, waits_of([asked])) == 110 + 100
    assert worked_seconds(passes, [span(9010, 9040)]) == 3710 + 100, "half a minute belongs to the work"


def cleared() -> Report:
    told = failed_tries([a_note(10)], [], {"shard.export_3": "success"}, at(99))
    passes = (span(0, 20), span(70_000, 70_100))
    return replace(GOOD, worked_seconds=120.0, passes=passes, failed_tries=told)


def test_the_page_and_the_figures_tell_of_it() -> None:
    made = files(cleared())
    page = made["report.html"]
    for text in ("1 try of tasks failed; 1 of them mended", "shard.export S004", "snapshot too old",
                 "To do: enlarge undo.", "100.0 s since the run was last cleared", "120.0 s of work",
                 "first began at 2026-01-02T03:04:05+00:00", "its 2 passes"):  # fmt: skip
        assert text in page
    assert Report.from_json(json.loads(made["report.json"])) == cleared()
    assert summary(cleared())["worked_seconds"] == 120.0
    plain = files(GOOD)["report.html"]
    assert "Failed tries" not in plain
    assert "100.0 s since the run began" in plain
    assert "40.0 s without long waits" in files(replace(GOOD, worked_seconds=40.0))["report.html"]


def test_the_report_says_for_how_long_the_source_was_read_as_of_the_scn() -> None:
    told = "the source was read as of it for 12.5 s"
    made = files(replace(GOOD, held_seconds=12.5))
    assert told in made["report.html"]
    assert json.loads(made["report.json"])["held_seconds"] == 12.5
    assert "wrote meanwhile" not in made["report.html"]
    with_undo = files(replace(GOOD, held_seconds=12.5, held_undo_bytes=3_000_000))["report.html"]
    assert "3.0 MB that it wrote meanwhile, at most" in with_undo
    assert "the source was read as of it" not in files(GOOD)["report.html"]


def test_former_runs_count_with_all_their_passes() -> None:
    kept = RunSummary(**summary(cleared()), run_id="cleared", at="t")
    document = {name: value for name, value in kept.to_json().items() if name != "worked_seconds"}
    old = RunSummary.from_json(document | {"run_id": "old"})
    assert [run.seconds for run in former_runs([kept, old], "now")] == [120.0, 100.0]
