"""What the views say of one process, queue or pool at one moment. Pure.

Times in the views are hundredths of seconds; here they are seconds. Counters of V$ views begin at 0 whenever
capture, queue or apply starts.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from oracle_refresh.jsonable import Jsonable


@dataclass(frozen=True)
class Capture(Jsonable):
    """V$STREAMS_CAPTURE, V$XSTREAM_CAPTURE or V$GOLDENGATE_CAPTURE."""

    name: str
    state: str
    started_at: datetime | None
    captured: int
    enqueued: int
    capture_seconds: float
    enqueue_seconds: float
    paused_seconds: float
    """Flow control: capture waits until the queue has fewer unread messages."""
    enqueued_change_at: datetime | None
    """When the change was made that was enqueued last."""
    enqueued_at: datetime | None = None
    captured_change_at: datetime | None = None
    """When the change was made that was read from the redo last."""
    captured_at: datetime | None = None
    rule_seconds: float = 0.0
    """In which changes were compared with the rules."""
    build_seconds: float = 0.0
    """In which messages were made of changes."""
    redo_wait_seconds: float = 0.0
    """In which there was no redo to read."""
    redo_bytes: int = 0


@dataclass(frozen=True)
class Queue(Jsonable):
    """V$BUFFERED_QUEUES."""

    started_at: datetime | None
    messages: int
    spilled_now: int
    enqueued: int
    spilled: int


@dataclass(frozen=True)
class Reader(Jsonable):
    """V$STREAMS_APPLY_READER and its like."""

    state: str
    dequeued: int
    spilled: int
    dequeue_seconds: float
    spill_seconds: float
    memory_bytes: int
    dequeued_change_at: datetime | None = None
    """When the change was made that was dequeued last."""
    dequeued_at: datetime | None = None


@dataclass(frozen=True)
class Coordinator(Jsonable):
    """V$STREAMS_APPLY_COORDINATOR and its like; transactions."""

    state: str
    started_at: datetime | None
    received: int
    applied: int
    waited_for_dependencies: int
    waited_for_commits: int
    errors: int
    unassigned: int
    """Complete transactions that no server has taken yet."""
    applied_change_at: datetime | None = None
    """When the change was made up to which everything is applied."""
    applied_at: datetime | None = None


@dataclass(frozen=True)
class Server(Jsonable):
    """V$STREAMS_APPLY_SERVER and its like."""

    number: int
    state: str
    transactions: int
    messages: int
    apply_seconds: float


@dataclass(frozen=True)
class Sender(Jsonable):
    """What sends changes to a client: V$XSTREAM_OUTBOUND_SERVER, or an Extract in V$GOLDENGATE_CAPTURE."""

    name: str
    state: str
    started_at: datetime | None
    messages: int
    bytes: int
    send_seconds: float
    sent_change_at: datetime | None = None
    """When the change was made that was sent last."""
    sent_at: datetime | None = None


@dataclass(frozen=True)
class PoolAdvice(Jsonable):
    """One row of V$STREAMS_POOL_ADVICE."""

    bytes: int
    spills: int
    spill_seconds: float
    unspill_seconds: float


@dataclass(frozen=True)
class Pool(Jsonable):
    """The streams pool: what is set (0: automatic), what it has, what other sizes would do."""

    set_bytes: int
    current_bytes: int
    allocated_bytes: int
    advice: tuple[PoolAdvice, ...] = ()


@dataclass(frozen=True)
class SpilledTransaction(Jsonable):
    """DBA_APPLY_SPILL_TXN: a transaction that the reader has on disk now."""

    transaction: str
    messages: int


@dataclass(frozen=True)
class OpenTransaction(Jsonable):
    """V$XSTREAM_TRANSACTION or V$GOLDENGATE_TRANSACTION: a transaction that capture is in the midst of."""

    transaction: str
    messages: int
    """Since it began, or since capture was started."""
    began_at: datetime | None
    """When its first change was made."""
