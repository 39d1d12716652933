"""The steps that changes pass from the redo to where they end, with what passed each of them. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from oracle_refresh.tuning.cdc.picture import Movement, Picture, between


@dataclass(frozen=True)
class Stage:
    """One step that changes pass, between the redo and where they end."""

    name: str
    what: str
    """What is counted."""
    count: int
    seconds: float | None
    """In which it was at work; None where no view says."""
    behind: float | None
    """Seconds between a change and its passing, of the last one."""
    state: str


def stages(picture: Picture, moved: Movement) -> Iterator[Stage]:
    """The steps that the views show, in the order in which changes pass them."""
    if (capture := picture.capture) is not None:
        behind = between(capture.captured_change_at, capture.captured_at)
        mined, made, put = (
            moved.capture_seconds,
            moved.rule_seconds + moved.build_seconds,
            moved.enqueue_seconds,
        )
        yield Stage("redo read", "changes", moved.captured, mined, behind, capture.state)
        yield Stage("rules, messages made", "changes", moved.captured, made, None, "")
        yield Stage("enqueued", "messages", moved.enqueued, put, moved.lag_seconds, "")
    if moved.queue_spilled:
        yield Stage("spilled by the queue", "messages", moved.queue_spilled, None, None, "")
    if (reader := picture.reader) is not None:
        behind = between(reader.dequeued_change_at, reader.dequeued_at)
        yield Stage("dequeued", "messages", moved.dequeued, None, behind, reader.state)
        if moved.reader_spilled:
            spilling = moved.reader_spill_seconds
            yield Stage("spilled by the reader", "messages", moved.reader_spilled, spilling, None, "")
    if (coordinator := picture.coordinator) is not None:
        applied, busiest = sum(moved.server_messages), max(moved.server_seconds, default=0.0)
        behind = between(coordinator.applied_change_at, coordinator.applied_at)
        if picture.applies:
            yield Stage("applied", "messages", applied, busiest, None, "")
        yield Stage("finished", "transactions", moved.applied, None, behind, coordinator.state)
    if (sender := picture.sender) is not None:
        behind = between(sender.sent_change_at, sender.sent_at)
        yield Stage("sent to the client", "messages", moved.sent, moved.send_seconds, behind, sender.state)
