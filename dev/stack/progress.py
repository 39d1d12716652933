"""What the console shows of a running refresh: pure, from the same data as the run's page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

STATE_ORDER = (
    "success",
    "running",
    "deferred",
    "queued",
    "scheduled",
    "up_for_retry",
    "failed",
    "upstream_failed",
    "skipped",
)
OVER = ("success", "failed", "upstream_failed", "skipped", "removed")
#: Rates are those of the last so many seconds.
RECENT_SECONDS = 5.0


def line(stages: Sequence[Mapping[str, Any]]) -> str:
    """All of a run in one line: how many of its tasks are in which state, and which are at work.

    :param stages: those of the document that the tab of the run is drawn from.
    """
    states: Counter[str] = Counter()
    busy: Counter[str] = Counter()
    for stage in stages:
        states.update(stage["states"])
        busy.update({stage["name"]: stage["states"].get("running", 0)})
    counts = [f"{states.pop(state)} {state}" for state in STATE_ORDER if state in states]
    busy = +busy  # without those that do not run
    working = ", ".join(f"{name} x{count}" if count > 1 else name for name, count in busy.most_common(4))
    return ", ".join(counts + [f"{count} {state}" for state, count in states.items()]) + (
        f"  [{working}]" if working else ""
    )


@dataclass(frozen=True)
class Bar:
    """One line with a bar: `done` of `total` tasks; `about` says at what rate, or what is wrong."""

    name: str
    done: int
    total: int
    about: str = ""


@dataclass(frozen=True)
class Picture:
    """All of a run: the part of its work that is done (0 to 1), the seconds that are left if they can be
    estimated, a bar for each mapped task whose number is known, and the other tasks that are at work."""

    fraction: float
    eta_seconds: float | None
    bars: tuple[Bar, ...]
    working: tuple[str, ...]


def picture(overview: Mapping[str, Any]) -> Picture:
    """:param overview: the document that the tab of the run is drawn from (`watching.overview`)."""
    stages = overview["stages"]
    return Picture(
        float(overview["progress"]["fraction"]),
        overview["progress"]["eta_seconds"],
        tuple(_bar(stage, overview) for stage in stages if stage["mapped"] and stage["total"]),
        tuple(stage["name"] for stage in stages if not stage["mapped"] and stage["states"].get("running")),
    )


def _bar(stage: Mapping[str, Any], overview: Mapping[str, Any]) -> Bar:
    states = stage["states"]
    done = sum(states.get(state, 0) for state in OVER)
    return Bar(stage["name"], done, stage["total"], ", ".join(_about(stage["name"], states, overview)))


def _about(name: str, states: Mapping[str, int], overview: Mapping[str, Any]) -> Iterator[str]:
    if states.get("running"):
        yield f"{states['running']} at work"
        rate = _rate(name, overview["throughput"])
        if rate:
            yield f"{rate / 1e6:.1f} MB/s"
    moved = overview["progress"]["moved_bytes"].get(name)
    if moved:
        yield f"{moved / 1e6:,.0f} MB"
    for state in ("up_for_retry", "failed"):
        if states.get(state):
            yield f"{states[state]} {state.replace('_', ' ')}"


def _rate(leg: str, throughput: Mapping[str, Any]) -> float:
    """Bytes per second of late."""
    width = float(throughput["bin_seconds"])
    recent = throughput["rates"].get(leg, [])[-max(1, round(RECENT_SECONDS / width)) :]
    return sum(recent) / len(recent) if recent else 0.0
