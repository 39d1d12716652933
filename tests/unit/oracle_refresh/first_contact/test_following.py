"""What a command line tells while the DAG works."""

from __future__ import annotations

import pytest

from oracle_refresh.cli.progress import PrintedProgress
from oracle_refresh.first_contact.runs import Following, TaskRun


def task(name: str, state: str) -> TaskRun:
    return TaskRun(name, None, state, None, None)


def test_each_task_is_told_once_when_all_of_it_has_ended(capsys: pytest.CaptureFixture[str]) -> None:
    times = iter([0.0, 75.0])
    following = Following(PrintedProgress(lambda: next(times)))
    following.look([task("plan", "success"), task("load", "running"), task("load", "None")])
    following.look([task("plan", "success"), task("load", "success"), task("load", "running")])
    following.look([task("plan", "success"), task("load", "success"), task("load", "failed")])
    following.look([task("plan", "success"), task("load", "success"), task("load", "failed")])
    assert capsys.readouterr().out.splitlines() == [
        "     0:00  plan: 1 of 2 tasks",
        "     1:15  load (1 of 2 succeeded): 2 of 2 tasks",
    ]


def test_what_the_definition_does_not_ask_for_is_not_told(capsys: pytest.CaptureFixture[str]) -> None:
    Following(PrintedProgress()).look([task("tune_target", "skipped"), task("plan", "None")])
    assert capsys.readouterr().out == ""
