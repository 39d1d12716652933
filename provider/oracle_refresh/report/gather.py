"""The facts of a run for its report, from what its tasks have left."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from oracle_refresh.datapump.progress import read_progress
from oracle_refresh.dbfs.set_up import STORE
from oracle_refresh.masking.run_ruleset import run_ruleset
from oracle_refresh.oracle.errors import RefreshError
from oracle_refresh.plan.storage import read_plan
from oracle_refresh.profiler.coverage import COVERAGE
from oracle_refresh.release import OBJECTIONS, read_evidence
from oracle_refresh.report import Details, build
from oracle_refresh.report.capture import capture_report
from oracle_refresh.report.course import course
from oracle_refresh.report.exporting import exporting_report
from oracle_refresh.report.model import Report, rules_used
from oracle_refresh.report.run_record import audit_of, former_runs, kinds_of_rules, quarantine_of
from oracle_refresh.report.spans import read_spans
from oracle_refresh.report.tuning import END, LOADED, START, TUNING, tuning_report
from oracle_refresh.run.documents import WHOLE
from oracle_refresh.run.freeze import FROZEN
from oracle_refresh.target.former.settle import SETTLED
from oracle_refresh.target.quarantine.accounts import RELEASE
from oracle_refresh.target.quarantine.statements import STEP as QUARANTINE
from oracle_refresh.tuning.cdc.around_work import CHOSEN, WATCHED
from oracle_refresh.tuning.counters import COUNTERS, Counters
from oracle_refresh.tuning.exporting import LOB_PROFILES, SOURCE_COUNTERS
from oracle_refresh.tuning.states import STATES, States
from oracle_refresh.validation.held import held_seconds, undo_written
from oracle_refresh.validation.model import LEFTOVERS, TARGET_CHECK

if TYPE_CHECKING:
    from oracle_refresh.masking.rules import Ruleset
    from oracle_refresh.masking.run import MaskResult
    from oracle_refresh.plan.course import Key
    from oracle_refresh.plan.model import Plan
    from oracle_refresh.report.history import History
    from oracle_refresh.report.passes import Pass
    from oracle_refresh.run.refresh_run import RefreshRun

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Gathered:
    """A run's report, with the plan that it followed and the rules that were applied; these are None where
    their file is not what it was then."""

    report: Report
    details: Details
    plan: Plan
    ruleset: Ruleset | None


def objections_of(run: RefreshRun) -> tuple[str, ...]:
    """What stood against the release when it was tried last."""
    return tuple(text for left in run.documents.all(OBJECTIONS) for text in left.objections)


def is_published(run: RefreshRun) -> bool:
    """Whether the target was released, and nothing has been found against it since."""
    return run.documents.find(RELEASE, WHOLE) is not None and not objections_of(run)


def gather(run: RefreshRun, history: History, present: Pass, took: Mapping[Key, float]) -> Gathered:
    """:param present: the pass that the report is written in, until now.
    :param took: seconds of the run's tasks; empty where they are not known.

    :raises PlanError: if the run has no plan.
    """
    facts, evidence, plan = run.documents, read_evidence(run), read_plan(run.documents)
    frozen = facts.find(FROZEN, WHOLE)
    held = quarantine_of(run.ledger.rows(QUARANTINE))
    seconds = (present.ended - present.began).total_seconds()
    report = build(
        plan,
        "published" if is_published(run) else "failed",
        seconds,
        jobs=read_progress(facts),
        copies=evidence.copies,
        masks=evidence.masks,
        masked=evidence.masked,
        expectations=evidence.expectations,
        scn=frozen.scn if frozen else None,
        held=held,
        tuning=tuning_report(facts.find(TUNING, WHOLE), _readings(run), _states(run)),
        capture=capture_report(
            facts.find(CHOSEN, WHOLE), {saved.item: saved.value for saved in facts.saved(WATCHED)}
        ),
        audit=audit_of(run, evidence.masks),
        former=former_runs(facts, plan.refresh),
        worked_seconds=history.worked_seconds,
        passes=history.passes,
        failed_tries=history.failed_tries,
        course=course(plan, took, round(seconds, 3)) if took and len(history.passes) == 1 else None,
        held_seconds=held_seconds(facts),
        held_undo_bytes=_undo_written(run),
        exporting=exporting_report(
            facts.all(SOURCE_COUNTERS),
            facts.find(LOB_PROFILES, WHOLE),
            {(table.owner, table.name): len(table.jobs) for table in plan.tables},
        ),
        former_tables=facts.find(SETTLED, WHOLE),
    )
    ruleset = _applied_ruleset(run, evidence.masks)
    made = facts.find(STORE, WHOLE)
    details = Details(
        spans=read_spans(facts),
        masked=evidence.masked,
        copies=evidence.copies,
        failures=objections_of(run),
        kept_locked=held.kept_locked,
        coverage=facts.find(COVERAGE, WHOLE),
        plan=plan,
        inventory=evidence.inventory,
        expectations=evidence.expectations.tables if evidence.expectations else (),
        rules=rules_used(evidence.masked, kinds_of_rules(evidence.masked, ruleset)) if ruleset else (),
        mounting=made.commands if made else (),
        verdicts=tuple(
            verdict
            for kind in (TARGET_CHECK, LEFTOVERS)
            for check in facts.all(kind)
            for verdict in check.verdicts
        ),
    )
    return Gathered(report, details, plan, ruleset)


def _undo_written(run: RefreshRun) -> int | None:
    """A report is also written of a run whose source cannot be asked any more."""
    try:
        return undo_written(run.source, run.documents)
    except RefreshError as error:
        log.warning("how much undo the source wrote is left out: %s", error)
        return None


def _readings(run: RefreshRun) -> dict[str, Counters]:
    readings = {name: run.documents.find(COUNTERS, name) for name in (START, LOADED, END)}
    return {name: counters for name, counters in readings.items() if counters}


def _states(run: RefreshRun) -> dict[str, States]:
    return {saved.item: saved.value for saved in run.documents.saved(STATES)}


def _applied_ruleset(run: RefreshRun, masks: Sequence[MaskResult]) -> Ruleset | None:
    try:
        ruleset = run_ruleset(run)
    except RefreshError as error:
        log.warning("values by rule and lineage are left out: %s", error)
        return None
    if any(mask.ruleset != ruleset.fingerprint for mask in masks):
        log.warning("values by rule and lineage are left out: the ruleset was changed since")
        return None
    return ruleset
