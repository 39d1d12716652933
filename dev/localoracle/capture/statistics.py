"""What the dynamic views show of a running pipeline: their columns, by the names that these have there.

Source: Oracle Database Reference, V$STREAMS_CAPTURE, V$BUFFERED_QUEUES, V$BUFFERED_PUBLISHERS,
V$BUFFERED_SUBSCRIBERS, V$STREAMS_APPLY_READER, _COORDINATOR, _SERVER, V$STREAMS_POOL_ADVICE and _STATISTICS.
ELAPSED_ columns are hundredths of a second. Instead of SID and SERIAL# stands the process in PostgreSQL
(`process`), whose session has them.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from localoracle.capture.definitions import ApplyDefinition, CaptureDefinition, QueueDefinition
from localoracle.capture.mining import CaptureCounters
from localoracle.capture.pipeline import ApplyCounters, Pipeline
from localoracle.capture.pool import StreamsPool
from localoracle.capture.queue import QueueCounters

Facts = dict[str, Any]
Row = tuple[str, str, int, Facts]
"""Kind, name of the process or queue, number within it, columns."""

_POSTGRES_EPOCH = 946_684_800
WAITING = "WAITING FOR INACTIVE DEQUEUERS"


def _moment(seconds: float) -> str | None:
    return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%d %H:%M:%S}" if seconds else None


def _created(microseconds: int) -> str | None:
    return _moment(microseconds / 1e6 + _POSTGRES_EPOCH) if microseconds else None


def _hundredths(seconds: float) -> int:
    return round(seconds * 100)


def capture_row(
    definition: CaptureDefinition, counters: CaptureCounters, pipeline: Pipeline | None, apply: str | None
) -> Row:
    process = pipeline.capture if pipeline else None
    facts: Facts = {
        "process": process.stream.process if process else None,
        "capture#": definition.number,
        "startup_time": definition.started,
        "state": process.state if process else WAITING,
        "state_changed_time": _moment(process.changed_state) if process else None,
        "total_prefilter_discarded": 0,
        "total_prefilter_kept": counters.captured,
        "total_prefilter_evaluations": counters.captured,
        "total_full_evaluations": 0,
        "total_messages_captured": counters.captured,
        "total_messages_created": counters.captured,
        "total_messages_enqueued": counters.enqueued,
        "capture_time": _moment(counters.last_capture),
        "capture_message_number": counters.last_scn or None,
        "capture_message_create_time": _created(counters.last_created),
        "enqueue_time": _moment(counters.last_capture),
        "enqueue_message_number": counters.last_scn or None,
        "enqueue_message_create_time": _created(counters.last_created),
        "elapsed_capture_time": _hundredths(counters.capture_seconds),
        "elapsed_enqueue_time": _hundredths(counters.enqueue_seconds),
        "elapsed_redo_wait_time": _hundredths(counters.wait_seconds),
        "elapsed_pause_time": _hundredths(counters.pause_seconds),
        "apply_name": apply,
        "apply_messages_sent": counters.enqueued,
        "bytes_of_redo_mined": counters.redo_bytes,
    }
    return "capture", definition.name, 0, facts


def queue_rows(
    definition: QueueDefinition, counters: QueueCounters, pipeline: Pipeline | None, started: str
) -> Iterator[Row]:
    unbrowsed = pipeline.queue.unbrowsed if pipeline and pipeline.queue is not None else 0
    number = definition.number
    yield (
        "queue",
        definition.name,
        number,
        {
            "queue_id": number,
            "queue_schema": definition.owner,
            "queue_name": definition.name,
            "startup_time": started,
            "num_msgs": counters.messages - counters.spilled_messages,
            "spill_msgs": counters.spilled_messages,
            "cnum_msgs": counters.cumulative_messages,
            "cspill_msgs": counters.cumulative_spilled,
            "expired_msgs": 0,
            "queue_state": "NORMAL",
            "elapsed_enqueue_time": _hundredths(counters.enqueue_seconds),
            "elapsed_dequeue_time": _hundredths(counters.dequeue_seconds + counters.unspill.seconds),
            "last_enqueue_time": _moment(counters.last_enqueue),
            "last_dequeue_time": _moment(counters.last_dequeue),
            "queue_size": pipeline.queue.held if pipeline and pipeline.queue is not None else 0,
        },
    )
    if definition.capture is not None:
        facts = {
            "queue_id": number,
            "queue_schema": definition.owner,
            "queue_name": definition.name,
            "sender_name": definition.capture.name,
            "num_msgs": counters.messages - counters.spilled_messages,
            "cnum_msgs": counters.cumulative_messages,
            "unbrowsed_msgs": unbrowsed,
            "overspilled_msgs": counters.spilled_messages,
            "memory_usage": pipeline.queue.share if pipeline and pipeline.queue is not None else 0,
            "elapsed_enqueue_time": _hundredths(counters.enqueue_seconds),
            "last_enqueue_time": _moment(counters.last_enqueue),
            "publisher_state": pipeline.capture.state if pipeline and pipeline.capture else WAITING,
        }
        yield "publisher", definition.capture.name, number, facts
    if definition.apply is not None:
        facts = {
            "queue_id": number,
            "queue_schema": definition.owner,
            "queue_name": definition.name,
            "subscriber_id": definition.apply.number,
            "subscriber_name": definition.apply.name,
            "subscriber_type": "APPLY",
            "startup_time": started,
            "num_msgs": counters.messages,
            "cnum_msgs": counters.cumulative_messages,
            "total_dequeued_msg": counters.cumulative_messages - counters.messages,
            "total_spilled_msg": counters.cumulative_spilled,
            "expired_msgs": 0,
            "elapsed_dequeue_time": _hundredths(counters.dequeue_seconds + counters.unspill.seconds),
            "last_dequeue_time": _moment(counters.last_dequeue),
        }
        yield "subscriber", definition.apply.name, number, facts


def apply_rows(
    definition: ApplyDefinition, counters: ApplyCounters, pipeline: Pipeline | None
) -> Iterator[Row]:
    name, number = definition.name, definition.number
    reader, coordinator = counters.reader, counters.coordinator
    running = pipeline.coordinator if pipeline else None
    low = running.low_water_mark if running else None
    high = running.highest if running else None
    yield (
        "reader",
        name,
        0,
        {
            "process": pipeline.reader.process if pipeline and pipeline.reader else None,
            "apply#": number,
            "state": pipeline.reader.state if pipeline and pipeline.reader else "IDLE",
            "total_messages_dequeued": reader.dequeued,
            "total_messages_spilled": reader.spilled,
            "dequeue_time": _moment(reader.last_dequeue),
            "dequeued_message_number": reader.last_scn or None,
            "dequeued_message_create_time": _created(reader.last_created),
            "sga_used": pipeline.queue.held if pipeline and pipeline.queue is not None else 0,
            "elapsed_dequeue_time": _hundredths(reader.dequeue_seconds),
            "elapsed_schedule_time": 0,
            "elapsed_spill_time": _hundredths(reader.spill_seconds),
            "total_in_memory_lcrs": len(pipeline.queue) if pipeline and pipeline.queue is not None else 0,
        },
    )
    yield (
        "coordinator",
        name,
        0,
        {
            "apply#": number,
            "state": "IDLE" if running is None or running.idle else "APPLYING",
            "total_received": coordinator.received,
            "total_assigned": coordinator.assigned,
            "total_applied": coordinator.applied,
            "total_ignored": coordinator.ignored,
            "total_errors": coordinator.errors,
            "total_rollbacks": sum(server.rollbacks for server in counters.servers),
            "total_wait_deps": coordinator.waits_for_dependencies,
            "total_wait_commits": coordinator.waits_for_commits,
            "total_admin": 0,
            "unassigned_complete_txns": running.unassigned if running else 0,
            "lwm_message_number": low.scn if low else None,
            "lwm_message_create_time": _created(low.time) if low else None,
            "hwm_message_number": high.scn if high else None,
            "hwm_message_create_time": _created(high.time) if high else None,
            "startup_time": definition.started,
            "elapsed_idle_time": _hundredths(coordinator.idle_seconds),
            "active_server_count": len(pipeline.servers) if pipeline else 0,
        },
    )
    for place, server in enumerate(counters.servers):
        process = pipeline.servers[place] if pipeline and place < len(pipeline.servers) else None
        current = process.transaction if process else None
        usn, slot, sequence = current.identifier if current else (None, None, None)
        yield (
            "server",
            name,
            place + 1,
            {
                "process": process.channel.process if process else None,
                "apply#": number,
                "server_id": place + 1,
                "state": process.state if process else "IDLE",
                "xidusn": usn,
                "xidslt": slot,
                "xidsqn": sequence,
                "commitscn": current.scn if current else None,
                "message_sequence": process.sequence if process else 0,
                "total_assigned": server.assigned,
                "total_admin": 0,
                "total_rollbacks": server.rollbacks,
                "total_messages_applied": server.messages,
                "apply_time": _moment(server.last_applied),
                "applied_message_number": server.last_scn or None,
                "applied_message_create_time": _created(server.last_created),
                "elapsed_dequeue_time": _hundredths(server.dequeue_seconds),
                "elapsed_apply_time": _hundredths(server.apply_seconds),
            },
        )


def pool_rows(pool: StreamsPool, queues: list[QueueCounters], sga_target: int) -> Iterator[Row]:
    """The pool, and what other sizes of it would have spilled. Times come from what spilling has cost so
    far."""
    yield (
        "pool",
        "",
        0,
        {
            "total_memory_allocated": pool.used,
            "current_size": pool.size,
            "sga_target_value": sga_target,
            "advice_disabled": 0,
        },
    )
    spills = sum(counters.spill.count for counters in queues) or 1
    reads = sum(counters.unspill.count for counters in queues) or 1
    spill = sum(counters.spill.seconds for counters in queues) / spills
    unspill = sum(counters.unspill.seconds for counters in queues) / reads
    for place, advice in enumerate(pool.advice()):
        yield (
            "advice",
            "",
            place,
            {
                "streams_pool_size_for_estimate": advice.size / (1 << 20),
                "streams_pool_size_factor": advice.factor,
                "estd_spill_count": advice.spilled,
                "estd_spill_time": round(advice.spilled * spill),
                "estd_unspill_count": advice.spilled,
                "estd_unspill_time": round(advice.spilled * unspill),
            },
        )
