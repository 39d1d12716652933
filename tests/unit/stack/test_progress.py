"""What is shown of a run under way, from the document that its page is drawn from."""

from __future__ import annotations

from typing import Any

from stack.progress import Bar, line, picture


def stage(name: str, mapped: bool = True, **states: int) -> dict[str, Any]:
    return {"name": name, "mapped": mapped, "total": sum(states.values()), "states": states}


def overview(*stages: dict[str, Any], **changes: Any) -> dict[str, Any]:
    progress = {"fraction": 0.25, "eta_seconds": 90.0, "moved_bytes": {"export": 250_000_000}}
    rates = {"export": [0.0, 0.0, 10e6, 20e6, 30e6, 20e6, 20e6], "load": []}
    return {
        "progress": progress | changes,
        "stages": list(stages),
        "throughput": {"bin_seconds": 1.0, "rates": rates},
    }


def test_a_line_counts_states_and_names_what_is_at_work() -> None:
    stages = [
        stage("plan", mapped=False, success=1),
        stage("export", running=2),
        stage("stage", running=1),
        stage("load", waiting=1),
        stage("mask", failed=1),
    ]
    assert line(stages) == "1 success, 3 running, 1 failed, 1 waiting  [export x2, stage]"
    assert line([]) == ""


def test_a_bar_for_each_mapped_task_with_its_rate() -> None:
    found = picture(
        overview(
            stage("export", success=3, running=2, up_for_retry=1),
            stage("load", success=1, failed=1, waiting=4),
            stage("mask"),
            stage("freeze", mapped=False, success=1),
            stage("constraints", mapped=False, running=1),
        )
    )
    assert found.bars == (
        Bar("export", 3, 6, "2 at work, 20.0 MB/s, 250 MB, 1 up for retry"),
        Bar("load", 2, 6, "1 failed"),
    )
    assert found.working == ("constraints",)
    assert (found.fraction, found.eta_seconds) == (0.25, 90.0)


def test_what_cannot_be_told_is_left_out() -> None:
    found = picture(overview(stage("mask", running=2), eta_seconds=None, moved_bytes={}))
    assert found.bars == (Bar("mask", 0, 2, "2 at work"),)
    assert found.eta_seconds is None


def test_skipped_and_removed_tasks_are_over() -> None:
    (bar,) = picture(overview(stage("load", skipped=2, removed=1, upstream_failed=1, waiting=1))).bars
    assert (bar.done, bar.total) == (4, 5)
