"""The simulator of tasks on slots: its bounds hold for any plan, and it says who stood in whose way."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracle_refresh.plan.schedule import Load, schedule
from oracle_refresh.plan.simulation import Inversion, Simulation, Task, simulate

POOLS = ("tasks", "source", "target")
GAP = 1.0


@st.composite
def task_lists(draw: st.DrawFn) -> list[Task]:
    """Tasks in an order that none stands before one it needs, each in `tasks` and at most one more pool."""
    tasks: list[Task] = []
    for number in range(draw(st.integers(1, 25))):
        needs = draw(st.sets(st.integers(0, number - 1), max_size=4)) if tasks else set()
        tasks.append(
            Task(
                f"t{number}",
                draw(st.integers(0, 20)),
                tuple(sorted(tasks[need].id for need in needs)),
                ("tasks", *draw(st.sampled_from([(), ("source",), ("target",)]))),
                draw(st.integers(1, 3)),
                draw(st.integers(-1, 3)),
            )
        )
    return tasks


SLOTS = st.fixed_dictionaries({pool: st.integers(1, 4) for pool in POOLS})


def used(course: Simulation, pool: str, at: float) -> int:
    return sum(pool in timing.task.pools and timing.start <= at < timing.end for timing in course.timings)


@given(task_lists(), SLOTS)
def test_simulation_of_any_tasks_respects_pools_needs_bounds_and_urgency(
    tasks: list[Task], slots: dict[str, int]
) -> None:
    course = simulate(tasks, slots, GAP)
    assert course == simulate(list(tasks), dict(slots), GAP), "the result depends on the input only"
    assert sorted(timing.task.id for timing in course.timings) == sorted(task.id for task in tasks)
    taken = {
        timing.start: {pool: used(course, pool, timing.start) for pool in POOLS} for timing in course.timings
    }
    for timing in course.timings:
        assert all(taken[timing.start][pool] <= slots[pool] for pool in POOLS)
        ends = [course.by_id[need].end for need in timing.task.needs]
        assert timing.ready == max(ends, default=0.0) + GAP
        assert timing.waited >= 0
    assert course.wall >= course.critical_seconds
    for pool in POOLS:
        assert course.wall >= course.busy(pool) / slots[pool]
        assert course.idle(pool) >= 0
    # A less urgent task starts before one that is ready only if a pool of that one is full.
    for waiting in course.timings:
        for other in course.timings:
            if waiting.ready <= other.start < waiting.start and other.task.priority < waiting.task.priority:
                assert any(taken[other.start][pool] == slots[pool] for pool in waiting.task.pools), (
                    waiting,
                    other,
                )


@given(task_lists(), st.integers(1, 4))
def test_with_slots_of_one_kind_it_is_at_most_the_sum_of_its_bounds(tasks: list[Task], slots: int) -> None:
    course = simulate(tasks, {"tasks": slots}, GAP)
    assert course.wall <= course.busy("tasks") / slots + course.critical_seconds


@given(task_lists())
def test_with_slots_for_all_it_takes_its_critical_path(tasks: list[Task]) -> None:
    course = simulate(tasks, {}, GAP)
    assert course.wall == course.critical_seconds
    assert not course.inversions
    needed = [set(task.needs) for task in course.critical_path]
    assert not needed[0], "it begins where nothing is needed"
    for former, needs in zip(course.critical_path, needed[1:], strict=False):
        assert former.id in needs


@given(st.lists(st.integers(1, 100), min_size=1, max_size=20), st.integers(1, 5))
def test_jobs_of_one_worker_are_scheduled_alike(sizes: list[int], degree: int) -> None:
    jobs = [Task(f"j{number}", size, (), ("tasks",), 0, number) for number, size in enumerate(sizes)]
    loads = [Load(job.id, (int(job.seconds),)) for job in jobs]
    assert simulate(jobs, {"tasks": degree}).wall == schedule(loads, degree).makespan


def test_the_more_urgent_goes_first_then_the_lower_map_index() -> None:
    tasks = [
        Task("late", 1, (), ("tasks",), 1, 2),
        Task("early", 1, (), ("tasks",), 1, 1),
        Task("urgent", 1, (), ("tasks",), 2, 9),
    ]
    course = simulate(tasks, {"tasks": 1})
    assert [timing.task.id for timing in course.timings] == ["urgent", "early", "late"]


def test_a_full_pool_does_not_hold_up_other_pools() -> None:
    tasks = [
        Task("a", 5, (), ("tasks", "source"), 3),
        Task("b", 5, (), ("tasks", "source"), 2),
        Task("c", 5, (), ("tasks", "target"), 1),
    ]
    course = simulate(tasks, {"tasks": 2, "source": 1})
    assert {timing.task.id: timing.start for timing in course.timings} == {"a": 0, "c": 0, "b": 5}


def test_what_is_less_urgent_and_in_the_way_is_named() -> None:
    tasks = [
        Task("first", 1, (), ("tasks",), 1),
        Task("long", 10, (), ("tasks",), 1, 1),
        Task("urgent", 1, ("first",), ("tasks",), 2),
    ]
    course = simulate(tasks, {"tasks": 1}, 0.5)
    # `long` starts when `first` has ended, half a second before `urgent` is ready.
    assert course.inversions == (Inversion("urgent", "long", 9.5),)
    assert simulate([replace(task, priority=1) for task in tasks], {"tasks": 1}, 0.5).inversions == ()


def test_what_cannot_run_is_refused() -> None:
    with pytest.raises(ValueError, match="not there: b"):
        simulate([Task("a", 1, ("b",))], {})
    with pytest.raises(ValueError, match="circle"):
        simulate([Task("a", 1, ("b",)), Task("b", 1, ("a",))], {})


def test_nothing_takes_no_time() -> None:
    course = simulate([], {"tasks": 4}, GAP)
    assert (course.wall, course.critical_seconds, course.critical_path) == (0.0, 0.0, ())
