"""Following a run to its end, or until Airflow answers no more."""

from __future__ import annotations

from typing import Any

import pytest

from stack import run


class Airflow:
    """Answers what it is told to: a state, or an error."""

    def __init__(self, *answers: str | Exception) -> None:
        self._answers = list(answers)

    def trigger(self, dag_id: str, conf: dict[str, Any]) -> str:
        return "run_1"

    def run_state(self, dag_id: str, run_id: str) -> str:
        answer = self._answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    def task_instances(self, dag_id: str, run_id: str) -> list[dict[str, Any]]:
        return [{"task_id": "plan", "state": "success"}]

    def overview(self, dag_id: str, run_id: str) -> None:
        return None


@pytest.fixture(autouse=True)
def no_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run.time, "sleep", lambda seconds: None)


def followed(*answers: str | Exception) -> run.Run:
    return run.run(Airflow(*answers), "a_dag", {})  # type: ignore[arg-type]


def test_it_is_followed_to_its_end(capsys: pytest.CaptureFixture[str]) -> None:
    assert followed("queued", "running", "running", "success").state == "success"
    first, second = capsys.readouterr().out.splitlines()
    assert first.startswith("run run_1: http://")
    assert second.endswith("1 success")


def test_a_refused_connection_ends_it_at_once() -> None:
    with pytest.raises(ConnectionRefusedError):
        followed("running", ConnectionRefusedError(), "success")


def test_a_slow_answer_does_not_silence_the_console(monkeypatch: pytest.MonkeyPatch) -> None:
    clock, asked = [0.0], list[float]()

    def tasks(*_: str) -> list[dict[str, Any]]:
        asked.append(clock[0])
        clock[0] += 30.0 if len(asked) == 1 else 0.01
        return []

    def passes(seconds: float) -> None:
        clock[0] += seconds

    monkeypatch.setattr(run.time, "monotonic", lambda: clock[0])
    monkeypatch.setattr(run.time, "sleep", passes)
    airflow = Airflow(*["running"] * 100, "success")
    monkeypatch.setattr(airflow, "task_instances", tasks)
    run.run(airflow, "a_dag", {})  # type: ignore[arg-type]
    first, second, *others = asked
    assert first + 30.0 < second <= first + 30.0 + run.LONGEST_PAUSE + 1.0
    assert len(others) > 50, "quick answers are asked for at every look"
