"""Which tasks of a failed run are cleared."""

from __future__ import annotations

import pytest

from oracle_refresh.plan.resuming import TaskState, to_clear, was_cancelled

OPERATORS = {
    "freeze": "FreezeSource",
    "lock_target": "LockTarget",
    "shard.export": "ExportShard",
    "shard.stage": "StageDump",
    "shard.load": "LoadShard",
    "unit.await_loaded": "AwaitTable",
    "drop_dumps": "DropDumps",
    "release_target": "ReleaseTarget",
}


def run(**states: str | list[str | None] | None) -> list[TaskState]:
    """Return the tasks of a run. A list has the states of a mapped task; `__` is the dot of a group."""
    found = []
    for name, given in states.items():
        task_id = name.replace("__", ".")
        each = enumerate(given) if isinstance(given, list) else [(-1, given)]
        found += [TaskState(task_id, index, OPERATORS[task_id], state) for index, state in each]
    return found


def cleared(tasks: list[TaskState]) -> list[str]:
    return [
        f"{task.task_id} {task.map_index}" if task.map_index >= 0 else task.task_id
        for task in to_clear(tasks)
    ]


def test_finished_and_waiting_tasks_are_left() -> None:
    tasks = run(
        freeze="success",
        shard__load=["failed", "success", "up_for_retry", "running"],
        unit__await_loaded=["upstream_failed", "success"],
        drop_dumps=None,
        release_target="failed",
    )
    assert cleared(tasks) == ["shard.load 0", "unit.await_loaded 0", "release_target"]


@pytest.mark.parametrize("dropped", ["success", "failed"])
@pytest.mark.parametrize("load", ["failed", "upstream_failed"])
def test_shards_that_were_not_loaded_are_exported_again_once_their_files_are_dropped(
    load: str, dropped: str
) -> None:
    tasks = run(
        shard__export=["success"] * 3,
        shard__stage=["success", "success", "failed"],
        shard__load=["success", load, "upstream_failed"],
        drop_dumps=dropped,
    )
    assert cleared(tasks) == [
        *("shard.export 1", "shard.export 2", "shard.stage 1", "shard.stage 2"),
        *("shard.load 1", "shard.load 2", "drop_dumps"),
    ]


def test_load_that_was_never_mapped_stands_for_all_shards() -> None:
    tasks = run(shard__export=["success"] * 2, shard__load="upstream_failed", drop_dumps="success")
    assert cleared(tasks) == ["shard.export 0", "shard.export 1", "shard.load", "drop_dumps"]


@pytest.mark.parametrize("dropped", [None, "upstream_failed", "skipped"])
def test_files_that_are_there_are_not_exported_again(dropped: str | None) -> None:
    tasks = run(
        shard__export=["success"], shard__stage=["success"], shard__load=["failed"], drop_dumps=dropped
    )
    assert {"shard.export 0", "shard.stage 0"}.isdisjoint(cleared(tasks))


def test_nothing_is_exported_again_where_all_is_loaded() -> None:
    tasks = run(
        shard__export=["success"], shard__load=["success"], drop_dumps="success", release_target="failed"
    )
    assert cleared(tasks) == ["release_target"]


def test_shards_of_another_group_are_not_taken_for_those_of_a_failed_load() -> None:
    tasks = [
        TaskState("large.export", 0, "ExportShard", "success"),
        TaskState("large.load", 0, "LoadShard", "failed"),
        TaskState("small.export", 0, "ExportShard", "success"),
        TaskState("small.load", 0, "LoadShard", "success"),
        TaskState("tidy", -1, "DropDumps", "success"),
    ]
    assert cleared(tasks) == ["large.export 0", "large.load 0", "tidy"]


def test_a_run_that_was_marked_as_failed_is_known_by_its_skipped_work() -> None:
    assert was_cancelled(run(shard__load=["failed", "skipped"]))
    assert not was_cancelled(run(shard__load="skipped", release_target="failed")), "there was no shard"
    assert not was_cancelled(run(shard__load=["failed", "upstream_failed"]))


def test_run_marked_as_failed_before_its_shards_were_mapped_is_known_by_its_lock() -> None:
    assert was_cancelled(run(freeze="failed", lock_target="skipped", shard__load="skipped"))
    assert not was_cancelled(run(freeze="failed", lock_target="upstream_failed"))
    dry = run(freeze="success", lock_target="skipped", shard__load="skipped", release_target="failed")
    assert not was_cancelled(dry)
