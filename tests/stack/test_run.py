"""Following a run whose Airflow answers late, or no more."""

from __future__ import annotations

from email.message import Message
from typing import Any
from urllib.error import HTTPError

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


def test_a_late_answer_does_not_end_it(capsys: pytest.CaptureFixture[str]) -> None:
    late = [TimeoutError()] * (run.PATIENCE - 1)
    assert followed("running", *late, "running", *late, "success").state == "success"
    first, second = capsys.readouterr().out.splitlines()
    assert first.startswith("run run_1: http://")
    assert second.endswith("1 success")


def refusal(code: int) -> HTTPError:
    return HTTPError("http://127.0.0.1/", code, "no", Message(), None)


def test_a_failure_of_the_server_does_not_end_it_but_a_refusal_does() -> None:
    assert followed("running", refusal(500), refusal(503), "success").state == "success"
    with pytest.raises(HTTPError):
        followed("running", refusal(404), "success")


def test_no_answer_at_all_ends_it() -> None:
    with pytest.raises(TimeoutError):
        followed(*[TimeoutError()] * run.PATIENCE)


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
