"""The document of a run's page: what is live, what went wrong, what is proven."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from oracle_refresh.monitor.comparison import Former, StageTime
from oracle_refresh.monitor.overview import MOST_TROUBLES, overview
from oracle_refresh.monitor.quarantine import quarantine
from oracle_refresh.monitor.results import MOST_TABLES, results
from oracle_refresh.monitor.sizes import sizes
from oracle_refresh.monitor.troubles import troubles
from oracle_refresh.oracle.identifiers import TableName
from oracle_refresh.run.failures import telling_line
from support.watched_runs import a_plan, a_run, a_try, exported

LOCKED = {"locked": ["APP", "APP_READER"], "released": [], "kept_locked": []}
OPENED = {"locked": ["APP", "APP_READER"], "released": ["APP"], "kept_locked": ["APP_READER"]}


@pytest.mark.parametrize(
    ("tries", "state"),
    [
        ([], "none"),
        ([a_try("lock_target")], "not yet"),
        ([a_try("lock_target", -1, 1)], "locking"),
        ([a_try("lock_target", -1, 1, 2)], "locked"),
        ([a_try("lock_target", -1, 1, 2), a_try("release_target", -1, 3)], "locked"),
        ([a_try("lock_target", -1, 1, 2), a_try("release_target", -1, 3, 4)], "open"),
        ([a_try("lock_target", -1, 1, 2, "up_for_retry")], "locking"),
        ([a_try("lock_target", -1, 1, 2, "failed")], "in doubt"),
        # Airflow gives times to what it skips or never reaches: nothing is being locked.
        ([a_try("lock_target", -1, 1, 1, "skipped")], "not yet"),
        ([a_try("lock_target", -1, 1, 1, "upstream_failed")], "not yet"),
    ],
)
def test_quarantine(tries: list[Any], state: str) -> None:
    left = {("lock_target", -1): LOCKED} if state in ("locked", "open") else {}
    left |= {("release_target", -1): OPENED} if state == "open" else {}
    found = quarantine(a_run(*tries, results=left))
    assert found.state == state
    assert found.locked == (("APP", "APP_READER") if left else ())
    assert found.kept_locked == (("APP_READER",) if state == "open" else ())


@pytest.mark.parametrize(("outcome", "state"), [("put back", "put back"), ("dropped", "open")])
def test_accounts_that_are_open_upon_former_tables(outcome: str, state: str) -> None:
    tries = [
        a_try(task, -1, second, second + 1)
        for second, task in enumerate(("lock_target", "former_tables", "release_target"), 1)
    ]
    left = {
        ("lock_target", -1): LOCKED,
        ("former_tables", -1): {"outcome": outcome, "tables": 2, "differences": []},
        ("release_target", -1): OPENED,
    }
    found = quarantine(a_run(*tries, results=left))
    assert (found.state, found.released) == (state, ("APP",))


@pytest.mark.parametrize(
    ("error", "state"),
    [
        ({"codes": [], "message": "the target stays locked: APP.T was not masked"}, "locked"),
        ({"codes": ["ORA-03113"], "message": "the link broke"}, "in doubt"),
        (None, "in doubt"),  # killed: it may have opened some accounts
    ],
)
def test_a_release_that_failed_may_have_opened_accounts_unless_it_refused(error: Any, state: str) -> None:
    errors = {("release_target", -1): [{"try": 1, "remedy": None, **error}]} if error else {}
    run = a_run(
        a_try("lock_target", -1, 1, 2),
        a_try("release_target", -1, 3, 4, "failed"),
        results={("lock_target", -1): LOCKED},
        errors=errors,
    )
    assert quarantine(run).state == state


def test_a_lock_that_was_cleared_by_itself_has_locked_again() -> None:
    tries = [a_try("lock_target", -1, 8, 9), a_try("release_target", -1, 3, 4)]
    left = {("lock_target", -1): LOCKED, ("release_target", -1): OPENED}
    assert quarantine(a_run(*tries, results=left)).state == "locked"


@pytest.mark.parametrize("state", ["skipped", "upstream_failed"])
def test_a_run_that_ended_before_the_lock_has_locked_nothing(state: str) -> None:
    run = a_run(a_try("lock_target", -1, 1, 1, state), state="failed")
    assert quarantine(run).state == "untouched"


def test_a_lock_that_is_cleared_still_holds() -> None:
    run = a_run(a_try("lock_target"), former=(a_try("lock_target", -1, 1, 2),))
    assert quarantine(replace(run, results={("lock_target", -1): LOCKED})).state == "locked"
    assert quarantine(run).state == "locking"


def test_a_dag_that_locks_nothing() -> None:
    assert quarantine(a_run(a_try("plan", -1, 0, 1))).state == "none"


def test_quarantine_without_the_result_of_the_lock_is_locked() -> None:
    assert quarantine(a_run(a_try("lock_target", -1, 1, 2))).state == "locked"


def failing_run(**others: Any) -> dict[str, Any]:
    run = a_run(
        a_try("plan", -1, 0, 2),
        a_try("shard.export", 0, 12, 20, number=2, item="S001"),
        a_try("shard.export", 1, 3, 9, "failed", item="S002"),
        a_try("shard.stage", 0, 21, item="S001"),
        a_try("shard.stage", 1, state="upstream_failed", item="S002"),
        former=(a_try("shard.export", 0, 2, 10, "failed", item="S001"),),
        results={("plan", -1): ["S001", "S002"], ("shard.export", 0): exported(800)},
        errors={
            ("shard.export", 0): [
                {"try": 1, "codes": ["ORA-03113"], "message": "the link broke", "remedy": "look at it"}
            ],
            ("shard.export", 1): [{"try": 1, "codes": ["ORA-01031"], "message": "no grant", "remedy": None}],
        },
        now=30,
        **others,
    )
    plan = a_plan({"S001": (1000, ("APP.A",)), "S002": (2000, ("APP.A", "APP.B"))})
    found = overview(run, plan, {})
    assert json.loads(json.dumps(found)) == json.loads(json.dumps(found, default=str)), "JSON values only"
    return found


def test_a_table_has_one_name_whether_it_needs_quotation_marks_or_not() -> None:
    """Tasks name their tables by `TableName.key`: under another spelling their size would be 0."""
    plan = a_plan({"S001": (1000, ("APP.orders",))}, {"U001": ("APP.orders",)})
    known = sizes(a_run(), plan)
    assert known.tables("S001") == known.tables("U001") == (TableName("APP", "orders").key,)
    assert known.of('APP."orders"') == known.of("U001") == 1000
    (entry,) = results(a_run(a_try("unit.mask", 0, 1, 2, item="U001")), plan, None, [])["tables"]
    assert entry["table"] == 'APP."orders"'


def test_failed_tries_with_what_still_stands_first() -> None:
    stands, mended = failing_run()["troubles"]
    assert (stands["item"], stands["codes"], stands["over"], stands["again"]) == (
        "S002",
        ("ORA-01031",),
        False,
        False,
    )
    assert (mended["item"], mended["try"], mended["over"]) == ("S001", 1, True)
    assert (mended["codes"], mended["message"], mended["remedy"]) == (
        ("ORA-03113",),
        "the link broke",
        "look at it",
    )


def test_rows_hold_all_tries_of_a_shard() -> None:
    found = failing_run()
    rows = {row["item"]: row for row in found["rows"]}
    assert set(rows) == {"plan", "S001", "S002"}
    names = [stage["task"] for stage in found["stages"]]
    spans = [(names[span[0]], *span[1:]) for span in rows["S001"]["spans"]]
    assert spans == [
        ("shard.export", 0, 1, "failed", 2.0, 10.0),
        ("shard.export", 0, 2, "success", 12.0, 20.0),
        ("shard.stage", 0, 1, "running", 21.0, None),
    ]
    assert (rows["S001"]["about"], rows["S002"]["about"], rows["S002"]["bytes"]) == (
        "APP.A",
        "2 tables",
        2000,
    )


def test_stages_count_their_instances() -> None:
    stages = {stage["task"]: stage for stage in failing_run()["stages"]}
    assert stages["shard.export"]["states"] == {"success": 1, "failed": 1}
    assert (stages["shard.export"]["over"], stages["shard.stage"]["over"]) == (True, False)
    # One from 2 to 10, one from 3 to 9, one from 12 to 20.
    assert (stages["shard.export"]["seconds"], stages["shard.export"]["busy"]) == (16.0, 22.0)
    assert (stages["shard.load"]["begun"], stages["shard.load"]["total"]) == (False, 0)


def test_a_stage_does_not_take_the_time_between_two_days() -> None:
    run = a_run(
        a_try("shard.export", 0, 0, 10, item="S001"),
        a_try("shard.export", 1, 50_000, 50_010, number=2, item="S002"),
        former=(a_try("shard.export", 1, 0, 12, "failed", item="S002"),),
        now=50_010,
        state="success",
    )
    found = overview(run, None, {})
    (export,) = [stage for stage in found["stages"] if stage["task"] == "shard.export"]
    assert export["seconds"] == 22.0
    assert found["pauses"] == [[12.0, 49_988]]
    assert found["run"]["seconds"] == 22.0
    spans = [span[4:] for row in found["rows"] for span in row["spans"]]
    assert sorted(spans) == [[0.0, 10.0], [0.0, 12.0], [12.0, 22.0]]


def test_a_group_that_was_never_reached_has_no_instances() -> None:
    run = a_run(a_try("plan", -1, 0, 1, "failed"), a_try("shard.export", -1, 1, 1, "upstream_failed"))
    stages = {stage["task"]: stage for stage in overview(run, None, {})["stages"]}
    assert (stages["shard.export"]["total"], stages["shard.export"]["begun"]) == (0, False)


def test_more_failures_than_a_page_holds_are_counted() -> None:
    tries = [a_try("shard.export", index, 0, 1, "failed") for index in range(MOST_TROUBLES + 50)]
    found = overview(a_run(*tries), None, {})
    assert (len(found["troubles"]), found["trouble_count"]) == (MOST_TROUBLES, MOST_TROUBLES + 50)


def test_a_run_without_anything() -> None:
    found = overview(a_run(), None, {})
    assert (found["rows"], found["troubles"], found["critical_path"], found["files"]) == ([], [], [], [])
    assert found["progress"]["planned_bytes"] == 0


def test_the_report_can_be_read_when_it_was_written() -> None:
    written = a_run(a_try("publish_report", -1, 1, 2, "failed"), summary={"status": "failed"})
    assert "report.html" in overview(written, None, {})["files"]
    # A run that ended before it had a plan has nothing to report.
    assert (
        "report.html" not in overview(a_run(a_try("publish_report", -1, 1, 2, "failed")), None, {})["files"]
    )
    assert "report.html" in overview(a_run(), None, {}, own_report=True)["files"]


STACK = """\
ORA-39001: invalid argument value
ORA-06512: at "SYS.DBMS_DATAPUMP", line 1
ORA-39000: bad dump file specification
ORA-31641: unable to create dump file "/dumps/S001.dmp"
ORA-27040: file create error, unable to create file"""


@pytest.mark.parametrize(
    ("message", "line"),
    [
        (STACK, "ORA-27040: file create error, unable to create file"),
        (
            STACK + "\nLinux-x86_64 Error: 28: No space left",
            "ORA-27040: file create error, unable to create file Linux-x86_64 Error: 28: No space left",
        ),
        (
            "ORA-00942: table or view does not exist\nORA-06512: at line 3",
            "ORA-00942: table or view does not exist",
        ),
        ("ORA-39001: invalid argument value\nORA-06512: at line 3", "ORA-39001: invalid argument value"),
        ("the job has failed:\nORA-01555: snapshot too old", "the job has failed:"),
        ("x" * 300, "x" * 240 + " …"),
        ("", ""),
    ],
)
def test_the_line_of_an_error_that_says_most(message: str, line: str) -> None:
    assert telling_line(message) == line


def test_what_follows_from_a_failure_is_told_from_its_cause() -> None:
    run = a_run(
        a_try("shard.export", 0, 1, 2, "failed", item="S001"),
        a_try("unit.await_loaded", 0, 1, 3, "failed", item="APP.A"),
        a_try("release_target", -1, 4, 5, "failed"),
        a_try("publish_report", -1, 6, 7, "failed"),
        errors={("shard.export", 0): [{"try": 1, "codes": ["ORA-27040"], "message": STACK}]},
    )
    told = overview(run, None, {})["troubles"]
    assert [(one["task"], one["follows"]) for one in told] == [
        ("shard.export", False),
        ("unit.await_loaded", True),
        ("release_target", True),
        ("publish_report", True),
    ]
    assert told[0]["telling"].startswith("ORA-27040")
    assert told[0]["message"] == STACK


def test_a_release_that_is_refused_by_itself_is_the_cause() -> None:
    run = a_run(a_try("release_target", -1, 4, 5, "failed"), a_try("publish_report", -1, 6, 7, "failed"))
    assert [one.follows for one in troubles(run)] == [False, True]


def test_a_try_that_waits_for_the_next_is_one_failure() -> None:
    failed = a_try("shard.export", 0, 1, 2, "failed", item="S001")
    run = a_run(a_try("shard.export", 0, state="up_for_retry", item="S001"), former=(failed,))
    (told,) = troubles(run)
    assert (told.again, told.over, told.at) == (True, False, failed.end)


def test_a_task_that_waits_in_its_next_try_is_tried_again() -> None:
    run = a_run(
        a_try("unit.await_loaded", 0, 5, state="deferred", number=2, item="APP.A"),
        former=(a_try("unit.await_loaded", 0, 1, 2, "failed", item="APP.A"),),
    )
    assert troubles(run)[0].again


CHECK = {
    "verdict": "equal", "rows_source": 5, "rows_target": 5,
    "checksum_source": "1-2", "checksum_target": "1-2",
    "lobs": [{"column": "BODY", "count": 4, "bytes": 9, "checksum_source": "a", "checksum_target": "b"}],
    "differences": [], "masked": [],
}  # fmt: skip
MASK = {"verdict": "masked", "columns": ["NAME"], "rows": 5, "seconds": 0.5, "strategy": "in place",
        "non_conforming": [{"rows": 2}]}  # fmt: skip


def test_results_of_tables_as_they_come() -> None:
    run = a_run(
        a_try("unit.verify_copy", 0, 1, 2, item="APP.A"),
        a_try("unit.mask", 0, 2, 3, item="APP.A"),
        a_try("unit.verify_copy", 1, 2, item="APP.B"),
        results={("unit.verify_copy", 0): {"APP.A": CHECK}, ("unit.mask", 0): {"APP.A": MASK}},
    )
    first, second = results(run, None, None, [])["tables"]
    assert (first["table"], first["copy"]["verdict"], first["copy"]["checksums_equal"]) == (
        "APP.A",
        "equal",
        True,
    )
    assert first["copy"]["lobs"][0]["equal"] is False
    assert (first["mask"]["columns"], first["mask"]["non_conforming"]) == (["NAME"], 2)
    assert second == {
        "table": "APP.B", "copy": {"state": "running", "task": "unit.verify_copy", "map_index": 1},
    }  # fmt: skip


UNITS = {"U001": ("APP.A",), "U002": ("APP.B", "APP.C", "APP.D")}
BULK = a_plan({"B001": (100, ("APP.A", "APP.B", "APP.C", "APP.D"))}, UNITS)


def test_every_table_of_a_unit_is_shown_with_what_is_known_of_it() -> None:
    """A unit at work says which of its tables are done; one that failed has returned them."""
    run = a_run(
        a_try("unit.verify_copy", 0, 1, 2, item="U001: APP.A"),
        a_try("unit.verify_copy", 1, 1, 9, "failed", item="U002: 3 tables"),
        a_try("unit.mask", 0, 3, item="U001: APP.A"),
        results={
            ("unit.verify_copy", 0): {"APP.A": CHECK},
            ("unit.verify_copy", 1): {"APP.B": CHECK, "APP.D": CHECK},
        },
    )
    found = {one["table"]: one for one in results(run, BULK, None, [])["tables"]}
    assert {table: one["copy"]["state"] for table, one in found.items()} == {
        "APP.A": "success", "APP.B": "success", "APP.C": "failed", "APP.D": "success",
    }  # fmt: skip
    assert [table for table, one in found.items() if "verdict" in one["copy"]] == ["APP.A", "APP.B", "APP.D"]
    assert found["APP.A"]["mask"] == {"state": "running", "task": "unit.mask", "map_index": 0}

    progress = {"percent": 40.0, "tables": {"number": 2, "count": 3, "done": ["APP.B"]}}
    again = a_try("unit.verify_copy", 1, 10, number=2, item="U002: 3 tables")
    run = a_run(again, progress={("unit.verify_copy", 1): progress})
    states = {one["table"]: one["copy"]["state"] for one in results(run, BULK, None, [])["tables"]}
    assert states == {"APP.B": "success", "APP.C": "running", "APP.D": "running"}
    assert overview(run, BULK, {})["working"][0]["progress"]["tables"]["count"] == 3


def test_the_results_of_ten_thousand_tables() -> None:
    """What is wrong comes first, then what is large; the page gets some hundred, and the counts of all."""
    names = [[f"APP.T{unit:03}_{number:02}" for number in range(50)] for unit in range(200)]
    checks = {
        ("unit.verify_copy", unit): {name: CHECK | {"rows_source": unit, "lobs": []} for name in some}
        for unit, some in enumerate(names)
    }
    checks["unit.verify_copy", 3]["APP.T003_07"] |= {"verdict": "different"}
    masks = {("unit.mask", unit): dict.fromkeys(some, MASK) for unit, some in enumerate(names[:40])}
    run = a_run(
        *(a_try("unit.verify_copy", unit, 1, 2, item=f"U{unit:03}") for unit in range(200)),
        *(a_try("unit.mask", unit, 2, 3, item=f"U{unit:03}") for unit in range(40)),
        a_try("unit.verify_copy", 200, 1, 2, "failed", item="APP.LOST"),
        results=checks | masks,
    )
    found = results(run, None, None, [])
    listed = [each["table"] for each in found["tables"]]
    assert len(listed) == MOST_TABLES
    assert set(listed[:2]) == {"APP.LOST", "APP.T003_07"}
    assert all(table.startswith("APP.T199_") for table in listed[2:52])
    assert found["table_counts"] == {"all": 10_001, "wrong": 2, "ruled": 2000, "proven": 0, "plain": 0}
    assert len(json.dumps(found)) < 200_000


def test_the_row_of_a_unit_names_its_tables() -> None:
    tries = [a_try("unit.mask", 0, 1, 2, item="U001: APP.A"), a_try("unit.mask", 1, 1, item="U002: 3 tables")]
    found = overview(a_run(*tries), BULK, {})
    rows = {row["item"]: row for row in found["rows"]}
    assert (rows["U001: APP.A"].get("about"), rows["U001: APP.A"]["bytes"]) == (None, 1000)
    assert rows["U002: 3 tables"]["about"] == "APP.B, APP.C, APP.D"
    assert (rows["U002: 3 tables"]["kind"], rows["U002: 3 tables"]["bytes"]) == ("unit", 3000)


def test_former_runs_are_told_as_json() -> None:
    former = Former("r1", "success", None, 12.5, "demo", {"plan": StageTime(2, 3.0)}, {"rows": 7})
    (told,) = results(a_run(), None, None, [former])["former"]
    assert (told["seconds"], told["summary"], told["stages"]["plan"]["busy"]) == (12.5, {"rows": 7}, 3.0)
