"""The chain that the end of a run waited for."""

from __future__ import annotations

from oracle_refresh.monitor.critical_path import critical_path
from oracle_refresh.monitor.sizes import sizes
from support.watched_runs import a_plan, a_run, a_try

PLAN = a_plan({"S1": (10, ("APP.A",)), "S2": (10, ("APP.A",)), "S3": (10, ("APP.B",))})


def shard(index: int, export: float, stage: float, load: float) -> list[object]:
    item, ends = f"S{index + 1}", [export, stage, load]
    begun = [export - 1, stage - 1, load - 1]
    tasks = ("shard.export", "shard.stage", "shard.load")
    return [
        a_try(task, index, start, end, item=item) for task, start, end in zip(tasks, begun, ends, strict=True)
    ]


def finished_run(**others: object) -> object:
    tries = [
        a_try("plan", -1, 0, 2),
        a_try("units", -1, 2, 3),
        *shard(0, 5, 7, 9),
        *shard(1, 6, 20, 30),  # what the table A waits for
        *shard(2, 40, 41, 42),  # later, but of another table
        a_try("unit.await_loaded", 0, 3, 31, item="APP.A"),
        a_try("unit.verify_copy", 0, 32, 35, item="APP.A"),
        a_try("unit.mask", 0, 35, 70, item="APP.A"),
        a_try("constraints", -1, 75, 80),
    ]
    return a_run(*tries, state="success", **others)  # type: ignore[arg-type]


def test_the_chain_goes_through_the_load_that_a_table_waited_for() -> None:
    run = finished_run()
    chain = critical_path(run, sizes(run, PLAN))  # type: ignore[arg-type]
    assert [link.key for link in chain] == [
        ("plan", -1), ("shard.export", 1), ("shard.stage", 1), ("shard.load", 1),
        ("unit.verify_copy", 0), ("unit.mask", 0), ("constraints", -1),
    ]  # fmt: skip
    assert [link.waited for link in chain] == [0.0, 3.0, 13.0, 9.0, 2.0, 0.0, 5.0]
    assert [link.item for link in chain][1:6] == ["S2", "S2", "S2", "APP.A", "APP.A"]


def test_what_a_table_waited_for_is_known_without_the_plan_when_its_task_has_said_so() -> None:
    run = finished_run(results={("unit.await_loaded", 0): ["S1", "S2"]})
    chain = critical_path(run, sizes(run, None))  # type: ignore[arg-type]
    assert ("shard.load", 1) in [link.key for link in chain]


def test_a_unit_of_several_tables_waited_for_the_jobs_of_them_all() -> None:
    plan = a_plan(
        {"S1": (10, ("APP.A",)), "S2": (10, ("APP.B",)), "S3": (10, ("APP.C",))},
        {"U001": ("APP.C",), "U002": ("APP.A", "APP.B")},
    )
    tries = [
        *shard(0, 5, 7, 9),
        *shard(1, 6, 20, 30),
        *shard(2, 40, 41, 42),
        a_try("unit.await_loaded", 1, 3, 31, item="U002: 2 tables"),
        a_try("unit.verify_copy", 1, 43, 50, item="U002: 2 tables"),
    ]
    run = a_run(*tries, state="success")  # type: ignore[arg-type]
    assert [(link.key, link.item) for link in critical_path(run, sizes(run, plan))][-2:] == [
        (("shard.load", 1), "S2"),
        (("unit.verify_copy", 1), "U002: 2 tables"),
    ]


def test_a_run_that_goes_on_is_followed_back_from_what_has_worked_longest() -> None:
    tries = [a_try("plan", -1, 0, 2), a_try("shard.export", 0, 3), a_try("shard.export", 1, 2.5)]
    run = a_run(*tries, now=10)
    chain = critical_path(run, sizes(run, PLAN))
    assert [link.key for link in chain] == [("plan", -1), ("shard.export", 1)]
    assert (chain[-1].end - chain[-1].start).total_seconds() == 7.5


def test_what_was_never_reached_is_no_link() -> None:
    """Airflow gives it the time at which it was given up."""
    tries = [a_try("plan", -1, 0, 2, "failed"), a_try("units", -1, 3, 3, "upstream_failed")]
    run = a_run(*tries, a_try("publish_report", -1, 4, 5, "failed"), state="failed")
    assert [link.key[0] for link in critical_path(run, sizes(run, None))] == ["publish_report"]


def test_nothing_has_begun() -> None:
    assert critical_path(a_run(a_try("plan")), sizes(a_run(), None)) == ()
