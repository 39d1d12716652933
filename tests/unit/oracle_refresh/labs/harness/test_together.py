"""Sessions begin together; what is raised is the cause, not its consequences."""

from __future__ import annotations

import threading
import time

import pytest

from oracle_refresh.labs.harness import together as module
from oracle_refresh.labs.harness.together import CANCELLED, Start, Tally, together
from oracle_refresh.oracle.errors import MaskingError


def test_all_begin_when_the_last_one_is_there() -> None:
    entered: dict[int, float] = {}

    def work(number: int, start: Start) -> tuple[int, float]:
        time.sleep(0.02 * number)
        entered[number] = time.monotonic()
        start.wait()
        return number, time.monotonic()

    taken = together(3, work, step="a step", kind=MaskingError)
    assert [number for number, _ in taken.results] == [0, 1, 2]
    assert min(at for _, at in taken.results) >= max(entered.values())
    assert taken.seconds == max(taken.ends)
    assert min(taken.ends) >= 0


def test_who_fails_is_heard_and_the_others_are_stopped() -> None:
    stopped = threading.Event()

    def work(number: int, start: Start) -> None:
        if number == 1:
            raise KeyError("one's own")
        if number == 2:
            stopped.wait(10)
            raise MaskingError("as the other failed", codes=[CANCELLED])
        start.wait()

    with pytest.raises(KeyError, match="one's own"):
        together(3, work, step="a step", kind=MaskingError, stop=stopped.set)
    assert stopped.is_set()


def test_sessions_that_do_not_come_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "START_SECONDS", 0.05)

    def work(number: int, start: Start) -> None:
        if not number:
            time.sleep(0.2)
        start.wait()

    with pytest.raises(MaskingError, match="2 sessions could not be opened") as caught:
        together(2, work, step="a step", kind=MaskingError)
    assert "SESSIONS" in str(caught.value.remedy)


def test_the_tally_counts_what_all_have_done() -> None:
    class Reports(list[tuple[float, float | None, str, str]]):
        def report(self, done: float, total: float | None, unit: str, what: str) -> None:
            self.append((done, total, unit, what))

    reports = Reports()
    tally = Tally(reports, 4, "tables", "masked", done=1)

    def work(number: int, start: Start) -> None:
        start.wait()
        tally.add()

    together(3, work, step="a step", kind=MaskingError)
    assert reports == [(done, 4, "tables", "masked") for done in (2, 3, 4)]
