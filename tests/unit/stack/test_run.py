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

    def prepare_for_tasks(self) -> None:
        """It is."""

    def run_state(self, dag_id: str, run_id: str) -> str:
        answer = self._answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    def overview(self, dag_id: str, run_id: str) -> dict[str, Any] | None:
        """None where there is none yet: then the run itself is asked for its state."""
        state = self.run_state(dag_id, run_id)
        if state == "queued":
            self._answers.insert(0, state)
            return None
        return {"run": {"state": state}, "stages": [{"name": "plan", "states": {"success": 1}}]}


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

    answered = Airflow(*["running"] * 100, "success").overview

    def overview(*of_the_run: str) -> dict[str, Any] | None:
        asked.append(clock[0])
        clock[0] += 30.0 if len(asked) == 1 else 0.01
        return answered(*of_the_run)

    def passes(seconds: float) -> None:
        clock[0] += seconds

    monkeypatch.setattr(run.time, "monotonic", lambda: clock[0])
    monkeypatch.setattr(run.time, "sleep", passes)
    airflow = Airflow()
    monkeypatch.setattr(airflow, "overview", overview)
    run.run(airflow, "a_dag", {})  # type: ignore[arg-type]
    first, second, *others = asked
    assert first + 30.0 < second <= first + 30.0 + run.LONGEST_PAUSE + 1.0
    assert len(others) > 50, "quick answers are asked for at every look"
