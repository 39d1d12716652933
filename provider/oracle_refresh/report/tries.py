"""The tries of tasks that failed, for the report. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from oracle_refresh.jsonable import Jsonable
from oracle_refresh.plan.stages import APPROVE_TARGET
from oracle_refresh.report.passes import Pass
from oracle_refresh.run.failures import LOST, telling_line

#: The operator whose tasks wait for a person.
ASKS = APPROVE_TARGET.operator


@dataclass(frozen=True)
class TryNote(Jsonable):
    """What a try that failed leaves for the report. `item` is what a mapped task is about, `run_began` the
    start of the run as it was then. Times are those of the worker; `began` is None where it is not known."""

    task: str
    map_index: int
    item: str | None
    operator: str
    number: int
    began: datetime | None
    at: datetime
    run_began: datetime | None
    codes: tuple[str, ...]
    message: str
    remedy: str | None

    @property
    def name(self) -> str:
        """Of its file; names sort by time."""
        return f"{self.at:%Y%m%dT%H%M%S%f}.{self.task}.{self.map_index}.{self.number}.json"


@dataclass(frozen=True)
class FailedTry(Jsonable):
    """A try that failed. `item` is what a mapped task is about, `telling` the line of its error that says
    most, `at` in ISO 8601; `number` is None where only the task is known to have failed. `mended` when the
    task has succeeded since."""

    task: str
    map_index: int
    item: str | None
    number: int | None
    at: str
    codes: tuple[str, ...]
    telling: str
    remedy: str | None
    mended: bool = False

    @property
    def what(self) -> str:
        """Task and item in words."""
        return f"{self.task} {self.item}" if self.item else self.task


def failed_tries(
    notes: Iterable[TryNote],
    before: Iterable[FailedTry],
    states: Mapping[str, str | None],
    at: datetime,
) -> tuple[FailedTry, ...]:
    """All failed tries of a run, the first one first.

    :param before: those of the last report of this run.
    :param states: of the tasks, by task id, with `_` and the map index where it is mapped; empty where they
        are not known. One that has failed without a note was killed.
    :param at: now.
    """
    tries = {(failed.task, failed.map_index, failed.number, failed.at): failed for failed in before}
    noted: set[str] = set()
    for note in notes:
        failed = _failed_try(note)
        noted.add(_name(failed))
        tries[failed.task, failed.map_index, failed.number, failed.at] = failed
    noted |= {_name(failed) for failed in tries.values() if failed.number is None}
    for name, state in states.items():
        if state == "failed" and name not in noted:
            failed = FailedTry(name, -1, None, None, at.isoformat(timespec="seconds"), (), LOST, None)
            tries[failed.task, failed.map_index, failed.number, failed.at] = failed
    return tuple(
        replace(failed, mended=states.get(_name(failed)) == "success")
        for failed in sorted(tries.values(), key=lambda failed: (failed.at, failed.what))
    )


def passes_of(notes: Iterable[TryNote]) -> tuple[Pass, ...]:
    """As far as failed tries tell of them."""
    return tuple(Pass(note.run_began, note.at) for note in notes if note.run_began)


def waits_of(notes: Iterable[TryNote]) -> tuple[Pass, ...]:
    """Waits for a person that ended in vain."""
    return tuple(Pass(note.began, note.at) for note in notes if note.began and note.operator == ASKS)


def _failed_try(note: TryNote) -> FailedTry:
    return FailedTry(
        note.task,
        note.map_index,
        note.item,
        note.number,
        note.at.isoformat(timespec="seconds"),
        note.codes,
        telling_line(note.message),
        note.remedy,
    )


def _name(failed: FailedTry) -> str:
    return failed.task if failed.map_index < 0 else f"{failed.task}_{failed.map_index}"


def note(document: Mapping[str, Any], **about: Any) -> TryNote:
    """The note of a failure (`failures.failure`).

    :param about: the other fields of TryNote.
    """
    return TryNote(
        number=document["try"],
        at=datetime.fromisoformat(document["at"]),
        codes=tuple(document["codes"]),
        message=document["message"],
        remedy=document["remedy"],
        **about,
    )
