"""How far a run is, and when it will be done: by the seconds that finished tasks took, scaled by bytes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from oracle_refresh.monitor.comparison import StageTime
from oracle_refresh.monitor.records import ACTIVE, Run, Try
from oracle_refresh.monitor.sizes import Sizes
from oracle_refresh.plan.stages import WAITING


@dataclass(frozen=True)
class Forecast:
    """`fraction` is done work by expected seconds, 0 to 1; `eta_seconds` None while it is unknown."""

    fraction: float
    eta_seconds: float | None
    basis: str


@dataclass(frozen=True)
class _Pace:
    """What finished instances of one task took."""

    seconds: float
    bytes: int
    count: int

    def expected(self, size: int) -> float:
        # Half of a task's seconds do not depend on its size: with them alone, a thousand small shards
        # would be expected to take no time.
        mean = self.seconds / self.count
        return mean * (0.5 + 0.5 * size * self.count / self.bytes) if self.bytes and size else mean


def forecast(run: Run, item_sizes: Sizes, former: Mapping[str, StageTime]) -> Forecast:
    """The state of the run's work.

    A task is expected to take what finished instances of the same task took in this run, scaled by bytes;
    before there is one, the mean of the last run that succeeded. Mapped tasks share the workers: their end
    is expected by Graham's bound for list scheduling (R. L. Graham, "Bounds on Multiprocessing Timing
    Anomalies", 1969), work / workers or the longest single way, whichever is more; tasks that are not
    mapped come one after the other.

    What stands for instances that are not known yet is expected to take what they all took in that run.
    Where there was none, the amount of work is unknown: the fraction is then that of the DAG's tasks that are
    done.

    :param former: what each task took in that run.
    """
    if run.state in ("success", "failed"):
        done = sum(each.state == "success" for each in run.tries)
        return Forecast(1.0 if run.state == "success" else done / max(len(run.tries), 1), 0.0, "over")
    working = [each for each in run.tries if each.operator not in WAITING]
    paces = _paces(run, working, item_sizes)
    means = {task: time.busy / time.count for task, time in former.items() if time.count}
    mean = _mean([pace.seconds / pace.count for pace in paces.values()] or list(means.values()))
    if any(each.stands_for_many(run.shape) and each.task_id not in means for each in working):
        over = sum(all(each.ended for each in tries) for tries in run.by_task.values() if tries)
        return Forecast(over / len(run.by_task), None, "it is not known yet how many tasks there are")
    spent = tail = work = 0.0
    ways: dict[tuple[str, int], float] = defaultdict(float)
    guessed = False
    for each in working:
        if each.ended:
            spent += each.seconds(run.now) or 0.0
            continue
        if each.stands_for_many(run.shape):
            work += former[each.task_id].busy
            continue
        pace = paces.get(each.task_id)
        size = item_sizes.moved(each, run.items.get(each.key))
        seconds = pace.expected(size) if pace else means.get(each.task_id)
        guessed |= seconds is None
        left = (mean if seconds is None else seconds) * (1.0 - _done(run, each))
        spent += each.seconds(run.now)
        if each.map_index < 0:
            tail += left
        else:
            work += left
            ways[each.task_id.rpartition(".")[0], each.map_index] += left
    total = spent + work + tail
    fraction = min(spent / total, 0.999) if total else 0.0
    if guessed or not (paces or former) or run.started is None:
        return Forecast(fraction, None, "some tasks have never been measured")
    workers = max(1.0, _concurrency(run, working))
    eta = max(work / workers, max(ways.values(), default=0.0)) + tail
    return Forecast(fraction, eta, f"{workers:.1f} tasks at a time so far")


def _paces(run: Run, working: list[Try], item_sizes: Sizes) -> dict[str, _Pace]:
    paces: dict[str, _Pace] = {}
    for each in working:
        if each.state == "success" and each.start and each.end:
            before = paces.get(each.task_id, _Pace(0.0, 0, 0))
            paces[each.task_id] = _Pace(
                before.seconds + each.seconds(run.now),
                before.bytes + item_sizes.moved(each, run.items.get(each.key)),
                before.count + 1,
            )
    return paces


def _done(run: Run, attempt: Try) -> float:
    """The part of a task that is done: as it reports itself, 0 before it runs."""
    percent = run.progress.get(attempt.key, {}).get("percent")
    return min(float(percent), 100.0) / 100 if percent and attempt.state in ACTIVE else 0.0


def _concurrency(run: Run, working: list[Try]) -> float:
    """How many tasks were at work on average since the first one began."""
    busy = [each for each in working if each.start]
    if not busy:
        return 1.0
    elapsed = run.clock.seconds(run.now) - run.clock.seconds(min(each.start for each in busy if each.start))
    return sum(each.seconds(run.now) for each in busy) / elapsed if elapsed > 0 else 1.0


def _mean(values: list[float]) -> float:
    return sum(values) / len(values) if values else 1.0
