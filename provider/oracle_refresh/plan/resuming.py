"""Which tasks of a failed run have to run again, so that it can be published. Pure.

Clearing failed tasks alone is not always enough: the teardown `DropDumps` removes the dump files of a run
that failed, after which no load of them can succeed.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from oracle_refresh.plan import stages

FAILED = frozenset({"failed", "upstream_failed"})
#: A teardown that failed may have removed some of the files.
ENDED = frozenset({"success", "failed"})
MOVING = frozenset({stages.EXPORT.operator, stages.STAGE.operator})
_ALL = (*stages.STAGES, *stages.MASKING_STAGES)
#: Operators of tasks that Airflow skips in a refresh only if its run is marked as failed, or is rejected.
NEVER_SKIPPED = frozenset(stage.operator for stage in _ALL if stage.group or stage.each)
TEARDOWNS = frozenset(stage.operator for stage in _ALL if stage.role == "teardown")


@dataclass(frozen=True)
class TaskState:
    """A task instance of a run.

    :ivar map_index: -1 if the task is not mapped.
    :ivar operator: name of its class.
    :ivar state: as Airflow names it; None before the task is scheduled.
    """

    task_id: str
    map_index: int
    operator: str
    state: str | None

    def is_before(self, load: TaskState) -> bool:
        """Return whether this task moves what a load was to load.

        A load that failed because of others before Airflow mapped it represents all shards of its group.
        """
        group, of_load = (task.task_id.rpartition(".")[0] for task in (self, load))
        return self.operator in MOVING and group == of_load and load.map_index in (-1, self.map_index)


def to_clear(tasks: Iterable[TaskState]) -> tuple[TaskState, ...]:
    """Return the tasks of a run that have to be cleared, in their order.

    These are the failed tasks and those that failed because of others. If dump files are gone, these are also
    the exports and stagings of all shards that are to be loaded, and the teardown that removes the files.
    """
    known = tuple(tasks)
    unloaded = [task for task in known if task.operator == stages.LOAD.operator and task.state in FAILED]
    dropped = any(task.operator == stages.DROP_DUMPS.operator and task.state in ENDED for task in known)

    def again(task: TaskState) -> bool:
        if task.state in FAILED:
            return True
        if not dropped or not unloaded:
            return False
        return task.operator == stages.DROP_DUMPS.operator or any(map(task.is_before, unloaded))

    return tuple(task for task in known if again(task))


def was_cancelled(tasks: Iterable[TaskState]) -> bool:
    """Return whether a run was marked as failed, or rejected: skipped work does not run again.

    A run that was marked before its shards were mapped is known by its lock: a dry run skips it, too, but
    nothing has failed then.
    """
    known = tuple(tasks)
    failed = any(task.state == "failed" and task.operator not in TEARDOWNS for task in known)
    return any(
        task.state == "skipped"
        and (
            (task.operator in NEVER_SKIPPED and task.map_index >= 0)
            or (task.operator == stages.LOCK.operator and failed)
        )
        for task in known
    )
