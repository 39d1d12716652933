"""What the views say about one capture and apply: a frozen picture, and what moved between two. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime

from oracle_refresh.jsonable import Jsonable
from oracle_refresh.tuning.cdc.model import Memory, Settings
from oracle_refresh.tuning.cdc.parts import (
    Capture,
    Coordinator,
    OpenTransaction,
    Pool,
    Queue,
    Reader,
    Sender,
    Server,
    SpilledTransaction,
)

#: Purposes of processes whose changes leave for a client.
_SENDING = {"XSTREAM OUT", "GOLDENGATE CAPTURE"}
#: Smaller than what a busy system notices: a server that has applied less than this share was idle.
BUSY_SHARE = 0.05


@dataclass(frozen=True)
class Picture(Jsonable):
    """A capture, an apply process, or both, at one moment. What the database does not show is None."""

    apply_name: str | None
    family: str
    """Whose names the views have: STREAMS, XSTREAM or GG."""
    status: str | None
    """Of the apply process: ENABLED, DISABLED or ABORTED."""
    error: str | None
    """Of the apply process."""
    capture: Capture | None
    queue: Queue | None
    reader: Reader | None
    coordinator: Coordinator | None
    servers: tuple[Server, ...]
    pool: Pool | None
    apply_parameters: dict[str, str] = field(hash=False)
    capture_parameters: dict[str, str] = field(hash=False)
    spilling: tuple[SpilledTransaction, ...] = ()
    cpus: int = 1
    sga_bytes: int = 0
    """0 where nothing bounds the SGA."""
    purpose: str = ""
    """As DBA_CAPTURE or DBA_APPLY spells it."""
    capture_name: str | None = None
    capture_status: str | None = None
    capture_error: str | None = None
    capture_type: str = ""
    """LOCAL or DOWNSTREAM."""
    client: str | None = None
    """The outbound server or Extract that capture works for."""
    client_status: str | None = None
    """ATTACHED, DETACHED, DISABLED or ABORTED."""
    sender: Sender | None = None
    transactions: tuple[OpenTransaction, ...] = ()
    """The largest that capture is in the midst of."""

    @property
    def name(self) -> str:
        """What it is called after: the capture, where there is one."""
        return self.capture_name or self.apply_name or ""

    @property
    def applies(self) -> bool:
        """Whether an apply process of this database changes tables here, and none only sends to a client."""
        return self.apply_name is not None and self.purpose.upper() not in _SENDING

    @property
    def settings(self) -> Settings:
        """What is set now; documented defaults where a view does not show a parameter."""
        shown = {name.lower(): value for name, value in self.apply_parameters.items()}
        default = Settings()
        order = shown.get("commit_serialization", default.commit_serialization)
        threshold = _number(shown.get("txn_lcr_spill_threshold"), default.txn_lcr_spill_threshold)
        return Settings(
            parallelism=_number(shown.get("parallelism"), default.parallelism),
            txn_lcr_spill_threshold=threshold,
            streams_pool_bytes=self.pool.set_bytes if self.pool else 0,
            # NONE is how Streams before 11.2 spelled it.
            commit_serialization="FULL" if order.upper() == "FULL" else "DEPENDENT_TRANSACTIONS",
        )


@dataclass(frozen=True)
class Movement(Jsonable):
    """What happened between two pictures."""

    enqueued: int
    queue_spilled: int
    dequeued: int
    reader_spilled: int
    reader_spill_seconds: float
    transactions: int
    """Complete transactions that the coordinator received."""
    applied: int
    waited_for_dependencies: int
    waited_for_commits: int
    errors: int
    server_messages: tuple[int, ...]
    server_seconds: tuple[float, ...]
    paused_seconds: float
    seconds: float
    """Between the two pictures."""
    lag_seconds: float | None = None
    """From the last change that was captured to its message in the queue."""
    captured: int = 0
    redo_bytes: int = 0
    capture_seconds: float = 0.0
    rule_seconds: float = 0.0
    build_seconds: float = 0.0
    enqueue_seconds: float = 0.0
    redo_wait_seconds: float = 0.0
    sent: int = 0
    sent_bytes: int = 0
    send_seconds: float = 0.0

    @property
    def changes(self) -> float:
        """Messages of one transaction, on average; 0 if none is complete."""
        return self.dequeued / self.transactions if self.transactions else 0.0

    @property
    def busy_servers(self) -> int:
        """Servers that took a part of the work worth naming."""
        total = sum(self.server_messages)
        return sum(messages > BUSY_SHARE * total for messages in self.server_messages) if total else 0

    @property
    def server_load(self) -> float:
        """Share of their time in which the servers applied."""
        whole = self.seconds * len(self.server_seconds)
        return sum(self.server_seconds) / whole if whole else 0.0


def movement(before: Picture | None, after: Picture, seconds: float) -> Movement:
    """The counters of `after` less those of `before`; where something was started between, all of it.

    :param seconds: between the two.
    """
    former_queue = before.queue if before and _same(before.queue, after.queue) else None
    former_capture = before.capture if before and _same(before.capture, after.capture) else None
    running = before if before and _same(before.coordinator, after.coordinator) else None
    servers = {server.number: server for server in running.servers} if running else {}
    coordinator, former = after.coordinator, running.coordinator if running else None
    reader, former_reader = after.reader, running.reader if running else None
    capture, sender = after.capture, after.sender
    former_sender = before.sender if before and _same(before.sender, sender) else None
    lag = between(capture.enqueued_change_at, capture.enqueued_at) if capture else None
    return Movement(
        enqueued=_less(after.queue, former_queue, "enqueued"),
        queue_spilled=_less(after.queue, former_queue, "spilled"),
        dequeued=_less(reader, former_reader, "dequeued"),
        reader_spilled=_less(reader, former_reader, "spilled"),
        reader_spill_seconds=_seconds(reader, former_reader, "spill_seconds"),
        transactions=_less(coordinator, former, "received"),
        applied=_less(coordinator, former, "applied"),
        waited_for_dependencies=_less(coordinator, former, "waited_for_dependencies"),
        waited_for_commits=_less(coordinator, former, "waited_for_commits"),
        errors=_less(coordinator, former, "errors"),
        server_messages=tuple(
            _less(server, servers.get(server.number), "messages") for server in after.servers
        ),
        server_seconds=tuple(
            _seconds(server, servers.get(server.number), "apply_seconds") for server in after.servers
        ),
        paused_seconds=_seconds(capture, former_capture, "paused_seconds"),
        seconds=seconds,
        lag_seconds=lag,
        captured=_less(capture, former_capture, "captured"),
        redo_bytes=_less(capture, former_capture, "redo_bytes"),
        capture_seconds=_seconds(capture, former_capture, "capture_seconds"),
        rule_seconds=_seconds(capture, former_capture, "rule_seconds"),
        build_seconds=_seconds(capture, former_capture, "build_seconds"),
        enqueue_seconds=_seconds(capture, former_capture, "enqueue_seconds"),
        redo_wait_seconds=_seconds(capture, former_capture, "redo_wait_seconds"),
        sent=_less(sender, former_sender, "messages"),
        sent_bytes=_less(sender, former_sender, "bytes"),
        send_seconds=_seconds(sender, former_sender, "send_seconds"),
    )


def between(change_at: datetime | None, at: datetime | None) -> float | None:
    """Seconds from a change to where it was at that time; None where one of them is not known."""
    return None if change_at is None or at is None else max(0.0, (at - change_at).total_seconds())


def measured_memory(moved: Movement, before: Picture | None, after: Picture, assumed: Memory) -> Memory:
    """Message size and automatic pool as the views show them, the rest as it is `assumed`.

    What a spilling queue has not spilled of one transaction was held by the pool: its size over their number
    is the size of a message. Where it has not spilled, the advice says what a smaller pool would have. With
    several transactions messages come and go, so that neither is conclusive.
    """
    pool = after.pool
    if pool is None or pool.current_bytes <= 0:
        return assumed
    automatic = assumed.automatic_pool_bytes if pool.set_bytes else float(pool.current_bytes)
    held = moved.enqueued - moved.queue_spilled
    message = assumed.message_bytes
    if moved.transactions != 1 or moved.reader_spilled:
        return Memory(message, automatic, assumed.cached_bytes)
    if moved.queue_spilled and held > 0:
        message = pool.current_bytes / held
    elif not moved.queue_spilled:
        former = {each.bytes: each.spills for each in before.pool.advice} if before and before.pool else {}
        spills = {each.bytes: each.spills - former.get(each.bytes, 0) for each in pool.advice}
        tight = [size for size, count in spills.items() if 0 < count < moved.enqueued]
        if tight:
            message = max(tight) / (moved.enqueued - spills[max(tight)])
    return Memory(message, automatic, assumed.cached_bytes)


def combined_memory(measured: Iterable[Memory], assumed: Memory) -> Memory:
    """What several trials have shown together: of each value the first that differs from what was assumed."""
    every = (*measured, assumed)

    def first(name: str) -> float:
        values = [float(getattr(memory, name)) for memory in every]
        return next((value for value in values if value != values[-1]), values[-1])

    return Memory(first("message_bytes"), first("automatic_pool_bytes"), assumed.cached_bytes)


def _same(
    before: Capture | Queue | Coordinator | Sender | None,
    after: Capture | Queue | Coordinator | Sender | None,
) -> bool:
    """Whether it is the same life of it."""
    return before is not None and after is not None and before.started_at == after.started_at


def _less(after: object | None, before: object | None, name: str) -> int:
    return max(0, int(_value(after, name) - _value(before, name)))


def _seconds(after: object | None, before: object | None, name: str) -> float:
    return max(0.0, _value(after, name) - _value(before, name))


def _value(of: object | None, name: str) -> float:
    return 0.0 if of is None else float(getattr(of, name))


def _number(text: str | None, default: int) -> int:
    # INFINITE and NULL stand in the views where a number may.
    return int(text) if text is not None and text.strip().isdigit() else default
