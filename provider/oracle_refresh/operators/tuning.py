"""The instance of the target: tuned before rows are loaded, as before when they are masked, and measured."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from oracle_refresh.integration import settings
from oracle_refresh.labs.change_capture.study import COSTS, MEMORY
from oracle_refresh.operators.base import RefreshOperator
from oracle_refresh.oracle.errors import TuningError, codes_in
from oracle_refresh.report.tuning import END, LOADED, START, TUNING, TunedItem, TuningReport
from oracle_refresh.run.documents import WHOLE
from oracle_refresh.target.quarantine import has_released, require_holder
from oracle_refresh.tuning.apply import apply_changes
from oracle_refresh.tuning.cdc.around_work import (
    Model,
    begin_watching,
    choose,
    plan_capture,
    watched_after,
    watched_during,
)
from oracle_refresh.tuning.changes import Changes
from oracle_refresh.tuning.counters import COUNTERS, read_counters
from oracle_refresh.tuning.instance import read_instance
from oracle_refresh.tuning.plan import plan_changes, propose
from oracle_refresh.tuning.profile import Phase, PhaseName, Profile, load_profile
from oracle_refresh.tuning.records import Records, forget
from oracle_refresh.tuning.restore import restore
from oracle_refresh.tuning.states import AFTER, BEFORE, DURING, STATES, States, read_states

if TYPE_CHECKING:
    from airflow.sdk import Context

    from oracle_refresh.run.refresh_run import RefreshRun
    from oracle_refresh.tuning.cdc.around_work import Chosen
    from oracle_refresh.tuning.changes import RunbookStep

#: Fitted to the published test of change capture: only ratios of what it predicts are used.
MODEL = Model(COSTS, MEMORY)


class TuneTarget(RefreshOperator):
    """Sets the target's instance up for bulk work by the profile that the definition names, if any, and the
    capture and apply processes of its section `capture`.

    Use it as a setup, and `RestoreTarget` as its teardown. Every former state is on record in the target
    before it is changed. What runs that were lost have left tuned is restored first. What is recommended for
    a capture follows from the diagnosis that `ExplainPlan` has made before the target was locked; without it
    only parameters that the definition gives are set. Where there is neither profile nor capture it only
    reads the counters that the report's findings start from.

    :param phases: those of the profile that overlap; they must not want different things. Templated.
    """

    template_fields: Sequence[str] = (*RefreshOperator.template_fields, "phases")

    def __init__(self, *, phases: Sequence[PhaseName] = ("load", "mask"), **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.phases = phases

    def execute(self, context: Context) -> dict[str, Any]:
        with self.refresh_run(context) as run:
            require_holder(run.target, run.id)
            run.documents.ensure()
            if has_released(run.ledger):
                self.log.warning(
                    "Tuning nothing: this run has released its target, and nothing would restore it"
                )
                return {}
            if run.documents.find(COUNTERS, START) is None:
                run.documents.put(COUNTERS, START, read_counters(run.target))
            self._restore_lost_runs(run)
            definition = run.definition
            profile = load_profile(definition.tuning.profile) if definition.tuning else None
            chosen = choose(run)
            if profile is None and chosen is None:
                return {}
            changes = self._planned(run, profile, chosen)
            self.log.info("%s", changes.text)
            # What a killed try has set already is no state from before.
            found = read_states(run.target, changes.dynamic)
            former = run.documents.find(STATES, BEFORE) or States()
            run.documents.put(STATES, BEFORE, former.first_of_each(found))
            try:
                apply_changes(run.target, changes, run.id, "+".join(self.phases), run.progress)
                _note_states(run, DURING)
            finally:
                report = TuningReport(profile.name if profile else None, _items(run), changes.runbook)
                run.documents.put(TUNING, WHOLE, report)
            if chosen is not None:
                begin_watching(run, chosen)
        return report.to_json()

    def _planned(self, run: RefreshRun, profile: Profile | None, chosen: Chosen | None) -> Changes:
        """Processes come first: what the profile changes of commits comes last."""
        phase = profile.combined(self.phases) if profile else Phase()
        changes = plan_capture(run, chosen, phase.parameters) if chosen else Changes()
        if profile is None:
            return changes
        denied = run.definition.deny_list.databases
        changes = changes.with_others(plan_changes(phase, read_instance(run.target), denied))
        return changes.with_others(Changes(runbook=tuple(_propose_for_source(run, profile))))

    def _restore_lost_runs(self, run: RefreshRun) -> None:
        for lost in sorted({record.run_id for record in Records(run.target).open()} - {run.id}):
            self.log.warning("run %s has left the instance tuned: %s", lost, restore(run.target, lost).text)


class ReadCounters(RefreshOperator):
    """Reads the counters of the target's instances when all shards are loaded: masking goes on alone.

    And what the instance shows of everything that it was tuned by: somebody else may have changed it.
    """

    def execute(self, context: Context) -> None:
        with self.refresh_run(context) as run:
            run.documents.put(COUNTERS, LOADED, read_counters(run.target))
            _note_states(run, DURING)


class RestoreTarget(RefreshOperator):
    """Brings the instance back to what it was before `TuneTarget`. Use it as its teardown.

    Processes of change capture are looked at before, and watched for a while afterwards; where that fails,
    the log says so, and everything is restored all the same. What someone else has changed in the meantime is
    reported and left alone. It fails while something cannot be restored yet, so that Airflow tries again;
    `airflow oracle-refresh restore` does the same by hand.
    """

    def execute(self, context: Context) -> dict[str, Any]:
        with self.refresh_run(context) as run:
            run.documents.ensure()
            run.documents.put(COUNTERS, END, read_counters(run.target))
            watched_during(run, MODEL)
            restored = restore(run.target, run.id)
            self.log.info("%s", restored.text)
            forget(run.target, settings.keep_days())
            former = run.documents.find(TUNING, WHOLE) or TuningReport()
            steps = tuple(dict.fromkeys((*former.runbook, *restored.runbook)))
            report = TuningReport(former.profile, _items(run), steps)
            if report.items:
                run.documents.put(TUNING, WHOLE, report)
                _note_states(run, AFTER)
            if not report.open:
                watched_after(run, MODEL)
        if report.open:
            raise TuningError(
                "not everything could be restored yet: " + "; ".join(item.item for item in report.open),
                # What passes is told by its code; what only a DBA can do is not tried again.
                codes=codes_in("; ".join(item.note or "" for item in report.open)),
                object_name=report.open[0].item,
                step="restore",
                remedy="clear this task later, or run: airflow oracle-refresh restore",
            )
        return report.to_json()


def _propose_for_source(run: RefreshRun, profile: Profile) -> Sequence[RunbookStep]:
    return () if profile.export.empty else propose(profile.export, read_instance(run.source))


def _note_states(run: RefreshRun, moment: str) -> None:
    """Keep what the instance shows of whatever this run has changed, where it has changed anything."""
    changes = [record.change for record in Records(run.target).all(run.id)]
    if changes:
        run.documents.put(STATES, moment, read_states(run.target, changes))


def _items(run: RefreshRun) -> tuple[TunedItem, ...]:
    return tuple(
        TunedItem(record.item, record.change.text, record.state, record.note)
        for record in reversed(Records(run.target).all(run.id))
    )
