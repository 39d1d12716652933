"""What the tasks of a run do on an open connection of the target; each of them is safe to repeat."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from oracle_refresh.labs.change_capture.advisor import ADVICE, Advice, advise
from oracle_refresh.labs.change_capture.evaluation import Result, evaluate
from oracle_refresh.labs.change_capture.grid import Scale, scaled
from oracle_refresh.labs.change_capture.model import MEMORY, SCENARIO, TRIAL, TriedMemory, TriedScenario
from oracle_refresh.labs.change_capture.objects import OBJECTS, TrialObjects, remove, set_up
from oracle_refresh.labs.change_capture.study import COSTS, TRIALS
from oracle_refresh.labs.change_capture.trial import Trials
from oracle_refresh.oracle.errors import TuningError
from oracle_refresh.run.documents import WHOLE, Documents
from oracle_refresh.run.progress import Progress, silent
from oracle_refresh.tuning import log_mode
from oracle_refresh.tuning.cdc.change import POOL, RECORD, Record, change, restore, values_of
from oracle_refresh.tuning.cdc.model import Memory, Scenario, Settings
from oracle_refresh.tuning.cdc.picture import combined_memory
from oracle_refresh.tuning.cdc.rules import CaptureReadings
from oracle_refresh.tuning.instance import read_instance
from oracle_refresh.tuning.log_mode import CAPTURE_LOG_MODE, LogModeNote
from oracle_refresh.tuning.profile import Phase
from oracle_refresh.tuning.refusals import refusals

if TYPE_CHECKING:
    from oracle_refresh.definition.model import RefreshDefinition
    from oracle_refresh.tuning.log_mode import Session

log = logging.getLogger(__name__)
ARCHIVELOG = "ARCHIVELOG"


def plan(documents: Documents, prefix: str) -> None:
    """Settle the names of what the trials need and the log mode to come back to; changes only the run store.

    :raises TuningError: for a prefix that makes no names.
    """
    objects = TrialObjects(documents.connection.username.upper(), prefix)
    documents.ensure()
    documents.put(OBJECTS, WHOLE, objects)
    former = log_mode.former(documents, documents.connection)
    documents.put(CAPTURE_LOG_MODE, WHOLE, LogModeNote(former))


@dataclass(frozen=True)
class CaptureRun:
    """The trials of a run that has been planned.

    :ivar limit_seconds: after which a trial is given up.
    """

    documents: Documents
    limit_seconds: float = 3600.0
    progress: Progress = silent

    @cached_property
    def objects(self) -> TrialObjects:
        return self.documents.get(OBJECTS, WHOLE)

    @cached_property
    def memory(self) -> Memory:
        return self.documents.get(MEMORY, WHOLE)

    @property
    def trials(self) -> Trials:
        return Trials(self.documents.connection, self.objects, self.limit_seconds, self.progress)

    def prepare(self, scale: Scale, grid: Callable[[Scale], tuple[Scenario, ...]]) -> list[str]:
        """Make the tables, queue, capture and apply, and the list of trials, as `number name`.

        :param scale: whose size of a message a first small trial tells.
        """
        trials = self.trials
        self.bring_pool_back()
        set_up(trials.connection, trials.objects)
        memory = trials.probe()
        self.documents.put(MEMORY, WHOLE, memory)
        log.info("a message takes %.0f bytes of the queue", memory.message_bytes)
        scenarios = grid(replace(scale, message_bytes=memory.message_bytes))
        planned = {f"{number:03d} {scenario.name}": scenario for number, scenario in enumerate(scenarios, 1)}
        for item, scenario in planned.items():
            self.documents.put(SCENARIO, item, scenario)
        return list(planned)

    def trial(self, item: str) -> TriedScenario:
        """Make one of the planned trials."""
        trial, readings = self._try(self.documents.get(SCENARIO, item))
        self.documents.put(TRIAL, item, TriedMemory(trial, readings.memory))
        return trial

    def advise(self, number: int, rows: float) -> Advice:
        """Follow the advisor from a published scenario's settings.

        :param number: of the scenario, from 1.
        :param rows: scale of its rows.
        """
        published = TRIALS[number - 1].scenario
        start = replace(scaled(published, Scale(rows, self.memory.message_bytes)), name="advisor")
        advice = advise(lambda settings: self._try(replace(start, settings=settings)), start.settings, COSTS)
        self.documents.put(ADVICE, WHOLE, advice)
        return advice

    def evaluate(self) -> Result:
        """The best settings and a model, from the trials that went through.

        :raises TuningError: if there is no trial at all.
        """
        tried = self.documents.all(TRIAL)
        if not tried:
            raise TuningError(
                "no trial has ended well", object_name=self.documents.run_id, step="change capture"
            )
        failed = len(self.documents.all(SCENARIO)) - len(tried)
        return evaluate(
            self.documents.run_id,
            [each.trial for each in tried],
            combined_memory([each.memory for each in tried], self.memory),
            self.documents.find(ADVICE, WHOLE),
            [f"{failed} trials have failed"] if failed > 0 else [],
        )

    def remove(self) -> None:
        """Bring the streams pool back, and remove tables, queue, capture and apply."""
        self.bring_pool_back()
        remove(self.documents.connection, self.objects)

    def set_parameters(self, settings: Settings) -> None:
        """Set what a trial needs; what was set before the run's first trial is in its store."""
        objects = self.objects
        change(
            self.documents.connection,
            objects.apply,
            objects.capture,
            values_of(settings),
            self.documents.find(RECORD, objects.apply),
            self._keep,
        )

    def bring_pool_back(self) -> None:
        """The streams pool as it was before the trials of whichever run changed it last under these names.

        A lost run's value would else be the former one of the next. It is safe to repeat: what is back
        already is left, and the note that says so is written afterwards.
        """
        apply = self.objects.apply
        for record in self.documents.latest(RECORD, apply):
            if POOL not in record.former:
                continue
            # The parameters of our own apply process go with it.
            of_pool = replace(record, former={POOL: record.former[POOL]})
            for line in restore(self.documents.connection, of_pool, self._keep):
                log.warning("%s", line)
            self._keep(replace(record, former={}, intended={}))

    def _keep(self, record: Record) -> None:
        self.documents.put(RECORD, self.objects.apply, record)

    def _try(self, scenario: Scenario) -> tuple[TriedScenario, CaptureReadings]:
        self.set_parameters(scenario.settings)
        return self.trials.run(scenario, self.memory)


def into_archivelog(session: Session, run_id: str, definition: RefreshDefinition) -> None:
    """Restart the instance in ARCHIVELOG mode, unless it is in it. No connection may be open.

    Without a command nothing is done: `set_up` then says what a DBA has to do.

    :raises TuningError: where this database may not be restarted, or the command fails.
    """
    with session() as connection:
        if not definition.log_mode_command or log_mode.read(connection) == ARCHIVELOG:
            return
        if reasons := refusals(Phase(), read_instance(connection), definition.deny_list.databases):
            raise TuningError(
                f"the instance may not be restarted: {'; '.join(reasons)}",
                step=log_mode.STEP,
                remedy="name another target, or correct the definition",
            )
    _into_mode(session, run_id, definition, ARCHIVELOG)


def restore_log_mode(session: Session, run_id: str, definition: RefreshDefinition) -> None:
    """Restart the instance in the mode from before the run, unless it is in it. No connection may be open."""
    if definition.log_mode_command:
        _into_mode(session, run_id, definition)
    with session() as connection:
        documents = Documents(connection, run_id)
        log_mode.note(documents, documents.get(CAPTURE_LOG_MODE, WHOLE).former, open=False)


def _into_mode(session: Session, run_id: str, definition: RefreshDefinition, mode: str | None = None) -> None:
    with session() as connection:
        former = Documents(connection, run_id).get(CAPTURE_LOG_MODE, WHOLE).former
    log_mode.into_mode(
        session, run_id, former, mode or former, definition.log_mode_command, definition.log_mode_seconds
    )
