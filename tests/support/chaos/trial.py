"""One refresh that is struck: at its moments, then mended as a person would, then judged by the rules."""

from __future__ import annotations

import json
import re
import time
import urllib.error
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from oracle_refresh.oracle.errors import codes_in
from oracle_refresh.report.tries import TryNote
from oracle_refresh.run.failures import LOST
from support.chaos import records
from support.chaos.components import TASK, resumed
from support.chaos.faults import DAG, Injector, NotYet, Struck
from support.chaos.plan import Fault, Kind
from support.chaos.watch import Metadata, Watch
from support.home import MASKING_KEY, Home
from support.what_must_hold import MustHold, assert_named

FINISHED = ("success", "failed")
#: Seconds within which a refresh ends once nothing strikes it any more.
PATIENCE = 900.0
#: How long somebody looks at a task that waits for its next try, and then clears it.
LOOKED_AT = 15.0
#: A run that was cleared so often and has failed again does not heal.
CLEARS = 4
PAUSE = 0.05
#: How the note of an error begins that is none of the provider's.
OTHERS = re.compile(r"[A-Za-z_]\w*: ")


class Violation(Exception):
    """A rule is broken."""


@dataclass(frozen=True)
class Outcome:
    """How one refresh has ended."""

    number: int
    faults: tuple[Fault, ...]
    #: Whose moment has come before the refresh was over.
    struck: tuple[bool, ...]
    clears: int
    runs: int
    seconds: float
    violation: str
    #: Events of the run that was published, by their names.
    counted: dict[str, int] = field(default_factory=dict)

    def __str__(self) -> str:
        pairs = zip(self.faults, self.struck, strict=True)
        told = [f"{fault}{'' if struck else ' (never came)'}" for fault, struck in pairs]
        mended = f", {self.clears} cleared" if self.clears else ""
        again = f", {self.runs} runs" if self.runs > 1 else ""
        ended = f"BROKEN: {self.violation}" if self.violation else f"published{mended}{again}"
        return f"#{self.number} {'; '.join(told) or 'nothing'}: {ended} ({self.seconds:.0f} s)"

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True)
class Followed:
    """A run that is looked at."""

    dag_id: str
    run_id: str
    watch: Watch

    @classmethod
    def of(cls, home: Home, dag_id: str, run_id: str) -> Followed:
        metadata = Metadata(home.folder / "airflow" / "airflow.db", dag_id, run_id)
        return cls(dag_id, run_id, Watch(metadata, home.folder / "log" / "statements.jsonl"))

    def unfinished(self) -> str:
        tasks = self.watch.metadata.tasks()
        ended = ("success", "skipped", "upstream_failed", None)
        return ", ".join(
            f"{task} is {task.state} (try {task.try_number})" for task in tasks if task.state not in ended
        )


@dataclass
class Trial:
    """One refresh of a home."""

    home: Home
    injector: Injector
    number: int
    faults: tuple[Fault, ...]
    run_ids: list[str] = field(default_factory=list)
    clears: int = 0
    counted: dict[str, int] = field(default_factory=dict)
    _pending: list[Fault] = field(init=False)
    #: What is to be done when a fault is over, and when.
    _over: list[tuple[float, Callable[[], None]]] = field(default_factory=list, init=False)
    #: Since when tasks wait for their next try.
    _waiting: dict[tuple[str, int, int], float] = field(default_factory=dict, init=False)

    def __post_init__(self) -> None:
        self._pending = list(self.faults)

    def outcome(self) -> Outcome:
        began = time.monotonic()
        broken = _broken(self._published)
        unmended = _broken(self._make_good)
        struck = tuple(fault not in self._pending for fault in self.faults)
        seconds = time.monotonic() - began
        return Outcome(
            self.number,
            self.faults,
            struck,
            self.clears,
            len(self.run_ids),
            seconds,
            broken or unmended,
            self.counted,
        )

    def _published(self) -> None:
        """Until a run of this refresh holds the target and is published.

        :raises Violation: where none is; AssertionError where a rule is broken.
        """
        must = MustHold.before(self.injector.ends, self.home.definition, MASKING_KEY)
        run = self._begin()
        struck = self._struck_as(run, must)
        while True:
            state = self._until_ended(run, struck)
            for dag_id, run_id in struck.others.items():  # runs that were started beside it end too
                other = Followed.of(self.home, dag_id, run_id)
                ended = self._until_ended(other, replace(struck, dag_id=dag_id, run_id=run_id))
                if (
                    records.holder(self.home) == run_id
                ):  # it has taken the target over: it is the one that counts
                    run, state = other, ended
            if state == "success":
                break
            self._stopped_safe(must, run)
            if self._forgotten():
                run = self._begin()
                struck = self._struck_as(run, must)
            else:
                self._clear_failed(run)
        run.watch.look()
        self.counted = dict(run.watch.counts())
        self._end_orphans()
        must.be_published(run.run_id)
        self.errors_named()

    def _begin(self) -> Followed:
        run_id = f"chaos_{self.number}_{len(self.run_ids) + 1}"
        self.run_ids.append(run_id)
        run = Followed.of(self.home, DAG, run_id)
        conf = {"definition": self.home.definition.stem}
        _insistently(lambda: self.home.api.trigger(DAG, conf, run_id))
        return run

    def _struck_as(self, run: Followed, must: MustHold) -> Struck:
        def remember() -> None:
            scn = records.scn(self.home, run.run_id)
            if scn is not None:
                must.remember(scn)

        return Struck(run.dag_id, run.run_id, self.home.definition.stem, [], remember)

    # -- while it goes on

    def _until_ended(self, run: Followed, struck: Struck) -> str:
        end = time.monotonic() + PATIENCE
        while True:
            run.watch.look()
            struck.tasks = run.watch.tasks
            if self._strike(run, struck) | self._mend():
                end = time.monotonic() + PATIENCE
            state = run.watch.metadata.state()
            if state in FINISHED and not self._over:
                return state
            if not self._over:
                self._hurry(run)
            if time.monotonic() > end:
                raise Violation(f"has not ended after {PATIENCE:.0f} s: {run.unfinished()}")
            time.sleep(PAUSE)

    def _strike(self, run: Followed, struck: Struck) -> bool:
        """Whether something has struck."""
        for fault in self._pending:
            if run.watch.reached(fault.moment):
                with suppress(NotYet):
                    over = self.injector.strike(fault, struck)
                    self._pending.remove(fault)
                    if over is not None:
                        self._over.append((time.monotonic() + fault.seconds, over))
                    return True
        return False

    def _mend(self) -> bool:
        """Whether something was over."""
        due = [entry for entry in self._over if time.monotonic() >= entry[0]]
        for entry in due:
            entry[1]()
            self._over.remove(entry)
        return bool(due)

    def _make_good(self) -> None:
        """What is still stopped or full where a run was over before, for the next refresh."""
        for _, over in self._over:
            over()
        self._over.clear()
        self.injector.components.end_orphans()

    def _hurry(self, run: Followed) -> None:
        """Clear tasks that wait for their next try: a person who has removed the cause would not wait."""
        now = time.monotonic()
        waiting = {task.key: task for task in run.watch.tasks if task.state == "up_for_retry"}
        self._waiting = {key: self._waiting.get(key, now) for key in waiting}
        looked_at = [task for key, task in waiting.items() if now - self._waiting[key] > LOOKED_AT]
        if looked_at:
            with suppress(OSError):  # Airflow may not answer
                self.injector.clear(run.dag_id, run.run_id, looked_at)

    # -- when it has ended

    def _stopped_safe(self, must: MustHold, run: Followed) -> None:
        if records.holder(self.home) == run.run_id and not records.released(self.home, run.run_id):
            must.stay_locked()
        if self._given_up(run):
            must.leave_nothing_at_work()
        self.errors_named()

    def _given_up(self, run: Followed) -> bool:
        """Whether its teardown has ended what it did, and nobody goes on with it unknown to Airflow."""
        dropped = [task.state for task in run.watch.metadata.tasks() if task.task_id == "drop_dumps"]
        unknown = any(TASK.match(title) for title in self.injector.components.orphan_titles())
        return dropped == ["success"] and not unknown

    def errors_named(self) -> None:
        """Each try that failed names the code of the database or the driver, if there is one, and tells what
        to do. (Others' errors without a code, such as those of Airflow's API, are theirs to explain.)"""
        for path in sorted(self.home.reports.glob(f"chaos_{self.number}_*/tries/*.json")):
            note = TryNote.from_json(json.loads(path.read_text()))
            codes = codes_in(note.message)
            if codes or not (note.message == LOST or OTHERS.match(note.message)):
                unnamed = [code for code in codes if code not in note.codes]
                assert not unnamed, f"{path.name}: {', '.join(unnamed)} is not named: {note.message}"
                assert_named(f"{note.message} Remedy: {note.remedy or ''}")

    def _clear_failed(self, run: Followed) -> None:
        if self.clears == CLEARS:
            raise Violation(f"has failed again after {CLEARS} clears: {run.unfinished()}")
        self.clears += 1
        end = time.monotonic() + PATIENCE
        while (
            done := resumed(self.home, run.run_id, run.dag_id)
        ).returncode:  # the metadata database may be busy
            if time.monotonic() > end:
                raise Violation(f"is not resumed: {done.stdout[-2000:]}")
            time.sleep(1)

    def _forgotten(self) -> bool:
        """Whether the source has forgotten the SCN: nothing saves such a run, a new one has to be started."""
        struck = [fault.kind for fault in self.faults if fault not in self._pending]
        return Kind.EXPIRE_UNDO in struck and len(self.run_ids) == 1

    def _end_orphans(self) -> None:
        """Processes of a killed scheduler finish what they do, or end when Airflow tells them to."""
        end = time.monotonic() + PATIENCE
        while any(TASK.match(title) for title in self.injector.components.orphan_titles()):
            if time.monotonic() > end:
                raise Violation("a task that Airflow does not know any more goes on and on")
            time.sleep(1)
        self.injector.components.end_orphans()


def _broken(work: Callable[[], None]) -> str:
    """What has come between; empty where nothing has."""
    try:
        work()
    except Exception as error:  # whatever it is, it has to be looked into
        return f"{type(error).__name__}: {error}"
    return ""


def _insistently(request: Callable[[], Any]) -> None:
    """Ask Airflow until it answers: its API server may be about to start."""
    end = time.monotonic() + PATIENCE
    while True:
        try:
            request()
            return
        except OSError as error:
            refused = isinstance(error, urllib.error.HTTPError) and error.code < 500
            if refused or time.monotonic() > end:
                raise
            time.sleep(1)
