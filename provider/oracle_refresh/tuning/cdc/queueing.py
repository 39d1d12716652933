"""How long changes take from the source table into the change table: a deterministic pipeline. Pure.

    capture -> buffered queue -> apply reader -> apply servers

Capture, queue and reader work as one stage, message by message; a transaction goes to one server when its
commit has been read; `parallelism` servers work side by side. With N equal transactions, r seconds to read
one and a seconds to apply one, P servers are done after the larger of

    N*r + a             the reader is the bottleneck: the last transaction waits for nobody
    r + ceil(N/P)*a     the servers are: the last one begins when its turn comes

(D/D/P queue: L. Kleinrock, "Queueing Systems", 1975, chapter 2). With commit_serialization FULL commits go
one after the other, so that the last one also waits for N commits.

Where messages wait decides on spills (Streams Concepts and Administration 11.2, chapters 3 and 4): those of
a transaction whose commit has not been read stay in the buffered queue, unless there are more of them than
txn_lcr_spill_threshold; then the reader takes them off the queue and writes them to a table. What is left in
the queue and does not fit the streams pool is spilled by the queue, message by message.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from oracle_refresh.jsonable import Jsonable
from oracle_refresh.tuning.cdc.model import Memory, Scenario

Bottleneck = Literal["reader", "servers", "commits"]


@dataclass(frozen=True)
class Costs(Jsonable):
    """The parameters of the model; seconds, per message (one row change) where nothing else is said."""

    latency: float
    """Seconds until a change in the redo is captured, whatever the volume."""
    cold_start: float
    """Seconds that the first trial takes longer, per trial."""
    capture: float
    """To capture, enqueue and read a message."""
    queue_spill: float
    """To write a message from the queue to disk, and for the reader to get it from there."""
    queue_unspill: float
    """For a server to apply a message that the queue has spilled, beyond `apply`."""
    reader_spill: float
    """For the reader to write a message to its spill table."""
    apply: float
    """For one server to apply a change."""
    uncached: float
    """To read a message of the reader's spill that the buffer cache no longer holds."""
    commit: float
    """To commit a transaction, per transaction."""


@dataclass(frozen=True)
class Prediction(Jsonable):
    """What the model says about a scenario."""

    seconds: float
    reader_seconds: float
    queue_spilled: float
    reader_spilled: float
    busy_servers: int
    server_seconds: float
    """Work of all servers together."""
    bottleneck: Bottleneck


def predict(scenario: Scenario, costs: Costs, memory: Memory, *, cold: bool = False) -> Prediction:
    """End-to-end seconds of a scenario and where its messages wait."""
    work, settings = scenario.workload, scenario.settings
    count, changes = work.transactions, work.changes
    spilled_by_reader = changes > settings.txn_lcr_spill_threshold
    queue_spilled = 0.0
    if not spilled_by_reader:
        # The reader assembles one transaction while the servers work on theirs.
        waiting = changes * min(count, 1 + settings.parallelism)
        queue_spilled = work.rows * max(0.0, 1 - memory.held(settings) / waiting)
    reading = work.rows * costs.capture + queue_spilled * costs.queue_spill
    applying = changes * costs.apply + costs.commit + queue_spilled / count * costs.queue_unspill
    if spilled_by_reader:
        reading += work.rows * costs.reader_spill
        applying += max(0.0, changes - memory.cached) * costs.uncached
    reading_one = reading / count
    ends: dict[Bottleneck, float] = {
        "reader": reading + applying,
        "servers": reading_one + math.ceil(count / settings.parallelism) * applying,
    }
    if settings.commit_serialization == "FULL":
        ends["commits"] = reading_one + applying + (count - 1) * costs.commit
    bottleneck = max(ends, key=lambda stage: ends[stage])
    if count == 1 and applying > reading:
        bottleneck = "servers"
    before = costs.latency + (costs.cold_start if cold else 0.0)
    return Prediction(
        seconds=before + ends[bottleneck],
        reader_seconds=before + reading,
        queue_spilled=queue_spilled,
        reader_spilled=float(work.rows) if spilled_by_reader else 0.0,
        busy_servers=min(settings.parallelism, count),
        server_seconds=count * applying,
        bottleneck=bottleneck,
    )
