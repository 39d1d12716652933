"""What the dictionary says of capture and apply processes, as values: two equal ones need no restart."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

INFINITE = "INFINITE"
ENABLED, DISABLED, ABORTED = "ENABLED", "DISABLED", "ABORTED"
FULL = "FULL"

QUERY = "SELECT localoracle.capture_definitions()::text"


@dataclass(frozen=True)
class Handler:
    """A change handler: where changes of a source table by one operation (or DEFAULT) are recorded."""

    owner: str
    table: str
    operation: str
    change_owner: str
    change_table: str
    capture_values: str


@dataclass(frozen=True)
class Instantiation:
    """From which state on changes of a table are applied. `snapshot` is the text of undo.VISIBLE if it is
    known."""

    owner: str
    table: str
    scn: int
    snapshot: str | None

    def covers(self, transaction: int, scn: int) -> bool:
        """Whether the instantiated table holds the transaction's changes already."""
        if self.snapshot is None:
            return scn <= self.scn
        highest, _, running = self.snapshot.partition(":")
        return transaction < int(highest) and str(transaction) not in running.split(",")


@dataclass(frozen=True)
class CaptureDefinition:
    name: str
    number: int
    slot: str
    publication: str
    started: str
    """When it was started: a restart begins with counters of its own."""
    parameters: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class ApplyDefinition:
    name: str
    number: int
    started: str
    parameters: tuple[tuple[str, str], ...]
    tables: frozenset[tuple[str, str]]
    """The tables of its rules; without rules it takes every message of the queue."""
    handlers: tuple[Handler, ...]
    instantiations: tuple[Instantiation, ...]

    def parameter(self, name: str) -> str:
        return dict(self.parameters)[name]

    def limit(self, name: str) -> float:
        """A parameter that is a number or INFINITE."""
        value = self.parameter(name)
        return float("inf") if value == INFINITE else float(value)

    @property
    def parallelism(self) -> int:
        return int(self.parameter("parallelism"))

    @property
    def in_commit_order(self) -> bool:
        return self.parameter("commit_serialization") == FULL


@dataclass(frozen=True)
class QueueDefinition:
    """A queue with those of its processes that are enabled."""

    number: int
    owner: str
    name: str
    capture: CaptureDefinition | None
    apply: ApplyDefinition | None

    @property
    def runs(self) -> bool:
        """A capture process waits as long as nobody dequeues."""
        return self.capture is not None and self.apply is not None


def parse(text: str) -> list[QueueDefinition]:
    """The answer to QUERY."""
    return [_queue(entry) for entry in json.loads(text)]


def _pairs(entry: dict[str, str]) -> tuple[tuple[str, str], ...]:
    return tuple(sorted(entry.items()))


def _queue(entry: dict[str, Any]) -> QueueDefinition:
    capture, apply = entry["capture"], entry["apply"]
    return QueueDefinition(
        entry["number"],
        entry["owner"],
        entry["name"],
        CaptureDefinition(**{**capture, "parameters": _pairs(capture["parameters"])}) if capture else None,
        ApplyDefinition(
            apply["name"],
            apply["number"],
            apply["started"],
            _pairs(apply["parameters"]),
            frozenset((owner, table) for owner, table in apply["tables"]),
            tuple(Handler(**handler) for handler in apply["handlers"]),
            tuple(Instantiation(**instantiation) for instantiation in apply["instantiations"]),
        )
        if apply
        else None,
    )
