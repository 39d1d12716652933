"""Proof: the copy is whole, the masks hold, the expectations are met."""

from __future__ import annotations

import logging
import secrets
import time
from collections import Counter
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from oracle_refresh.catalog import Catalogue
from oracle_refresh.datapump.dumpset import EXPORT, LOAD, DumpSet, LoadResult
from oracle_refresh.definition import CloneDefinition
from oracle_refresh.hooks.connections import run_key, statistics_salt
from oracle_refresh.hooks.oracle import OracleRefreshHook
from oracle_refresh.integration import settings
from oracle_refresh.masking.changeable import tables_whose_rows_move
from oracle_refresh.masking.fit import all_references
from oracle_refresh.masking.run import MASK, begun
from oracle_refresh.masking.run import STEP as MASK_STEP
from oracle_refresh.masking.run_ruleset import run_ruleset
from oracle_refresh.operators.base import RefreshOperator, TaskProgress
from oracle_refresh.operators.decorators import TargetTask
from oracle_refresh.operators.units import UnitOperator, Work
from oracle_refresh.oracle.errors import ValidationError
from oracle_refresh.oracle.identifiers import TableName
from oracle_refresh.oracle.remedies import LOAD_AGAIN
from oracle_refresh.plan.model import JOB, PLAN, TABLE_PLAN
from oracle_refresh.plan.storage import TABLE, planned_catalogue
from oracle_refresh.run.documents import WHOLE
from oracle_refresh.run.freeze import FROZEN
from oracle_refresh.run.ledger import DONE
from oracle_refresh.target.objects.inventory import INVENTORY
from oracle_refresh.target.objects.inventory import require as require_inventory
from oracle_refresh.target.objects.inventory_before import OBJECTS_BEFORE, check_against
from oracle_refresh.target.objects.inventory_check import check_inventory
from oracle_refresh.target.quarantine import Watch, require_held
from oracle_refresh.validation import FurtherSessions, Means, require, verify_copy, verify_masked
from oracle_refresh.validation.aftermath import (
    BOUNDS,
    check_recycle_bin,
    check_statistics,
    read_bounds,
)
from oracle_refresh.validation.data_docs import DataDocs
from oracle_refresh.validation.expectations import EXPECTATIONS, evaluate
from oracle_refresh.validation.model import COPY_CHECK, MASKED_CHECK, TARGET_CHECK, Shard, TargetCheck
from oracle_refresh.validation.references import SOURCE_PAIRS, check_references, count_at_source, item
from oracle_refresh.validation.statistics_history import check_purged_history, check_statistics_history
from oracle_refresh.validation.suite_files import merged, own_suites, skipped_tables, write_generated
from oracle_refresh.validation.suites import suite_json, suite_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from datetime import datetime
    from pathlib import Path

    from airflow.sdk import DAG, Context

    from oracle_refresh.catalog import Table
    from oracle_refresh.masking.rules import Ruleset
    from oracle_refresh.plan.model import ExportJob
    from oracle_refresh.run.refresh_run import RefreshRun
    from oracle_refresh.validation.model import Verdict
    from oracle_refresh.validation.suites import Suite

    #: Of a table, as far as it is known.
    _Rows = Callable[[TableName], int | None]


def _further(run: RefreshRun) -> FurtherSessions:
    """The sessions that read a table at the same time."""
    degree = run.definition.verification.degree or max(1, run.documents.get(PLAN, WHOLE).degree // 4)
    return FurtherSessions(run.further_source, run.further_target, degree)


def _means(run: RefreshRun) -> Callable[[Table], Means]:
    """What a table is compared with, in whichever try: so many sessions, under the same key."""
    definition, further = run.definition, _further(run)
    key = run_key(definition.masking, definition.name, run.id)
    clone = isinstance(definition, CloneDefinition)

    def means(table: Table) -> Means:
        salt = key.of_hashes(definition.name, run.id, table.key)
        return Means(further, run.documents, key, salt, keep_hashes=clone)

    return means


class VerifyCopy(UnitOperator):
    """Compares loaded tables with the source AS OF the SCN: rows, all columns, and every LOB by checksum.

    The same pass over the source counts the rows of each shard: they must have been exported and loaded. Of
    rows that are to be masked it keeps what `VerifyMasked` will compare with: the source is read once.
    `verification` of the definition says how many sessions read each end of a table that is cut into pieces;
    a task that is cut off goes on behind the pieces that it has read.

    A table that is masked, or begun to be, differs by intention: a repeated task then returns what it had
    found.
    """

    result_kind = COPY_CHECK

    def work(self, run: RefreshRun) -> Work:
        scn, ruleset = run.documents.get(FROZEN, WHOLE).scn, run_ruleset(run)
        quarantine = Watch(run.target, run.id, run.definition.application_accounts)
        shards = _Shards(run, self.keys(run))
        means = _means(run)

        def verify(table: Table, progress: TaskProgress) -> dict[str, Any]:
            quarantine.require_held()
            rules = ruleset.rules(table.owner, table.name)
            if not rules or not begun(run.ledger, table.key):
                _count_references(run, scn, table, ruleset)
                check = verify_copy(
                    *(run.source, run.target, scn, table, progress),
                    shards=shards.of(table.key),
                    rules=rules,
                    means=means(table),
                )
                # A try that stood still meanwhile has compared what its successor's run has masked by now.
                if not rules or not begun(run.ledger, table.key):
                    run.documents.put(COPY_CHECK, table.key, check)
                    return require(check).to_json()
            self.log.info("rows of %s are masked already: the earlier comparison stands", table.key)
            return require(run.documents.get(COPY_CHECK, table.key)).to_json()

        return verify


def _count_references(run: RefreshRun, scn: int, table: Table, ruleset: Ruleset) -> None:
    """Keep what `ProveMasking` will compare with, of the references of a table with masked columns."""
    keys = (each.references for each in table.constraints if each.references is not None)
    names = {(key.owner, key.table) for key in keys}
    names |= {reference.parent for reference in ruleset.references if reference.child == table.full_name}
    if not any(ruleset.rules(*name) for name in (table.full_name, *names)):
        return
    parents = (run.documents.find(TABLE, TableName(*name).key) for name in sorted(names - {table.full_name}))
    family = Catalogue((), (table, *filter(None, parents)))
    references = [each for each in all_references(ruleset, family) if each.child == table.full_name]
    for reference, pairs in count_at_source(run.source, scn, family, ruleset, references):
        run.documents.keep(SOURCE_PAIRS, item(reference), pairs)


class CompareTable(UnitOperator):
    """Compares tables of the target with the source AS OF the run's SCN, in a run that moves no rows: are
    they still the copies that a former run has made?

    Masked columns differ, as they should. It reads only, and what it finds is no evidence for a release:
    that takes `VerifyCopy`, which knows the rows that the run's own jobs have moved.

    :raises ValidationError: naming what differs.
    """

    def work(self, run: RefreshRun) -> Work:
        scn, means = run.documents.get(FROZEN, WHOLE).scn, Means(_further(run), run.documents)

        def verify(table: Table, progress: TaskProgress) -> dict[str, Any]:
            check = verify_copy(run.source, run.target, scn, table, progress, means=means)
            return require(check).to_json()

        return verify


class _Shards:
    """The jobs that carry rows of tables, with what they exported and loaded of each.

    A job may carry a thousand tables: what is kept of it is read once for a task, not for each of them.
    """

    def __init__(self, run: RefreshRun, keys: Sequence[str]) -> None:
        self._documents = run.documents
        self._plans = run.documents.some(TABLE_PLAN, keys)
        self._moved: dict[str, tuple[ExportJob, _Rows, _Rows]] = {}

    def of(self, key: str) -> tuple[Shard, ...]:
        planned, shards = self._plans.get(key) or self._documents.get(TABLE_PLAN, key), []
        for job_id in planned.jobs:
            if job_id not in self._moved:
                exported, loaded = self._documents.find(EXPORT, job_id), self._documents.find(LOAD, job_id)
                self._moved[job_id] = self._documents.get(JOB, job_id), _rows(exported), _rows(loaded)
            job, exports, loads = self._moved[job_id]
            name = TableName(planned.owner, planned.name)
            shards.append(Shard(job_id, job.predicate, job.partitions, exports(name), loads(name)))
        return tuple(shards)


def _rows(moved: DumpSet | LoadResult | None) -> _Rows:
    """Rows of each table in the result of an export or a load; None where the job left none."""
    if moved is None:
        return lambda _: None
    rows = Counter[TableName]()
    for table in moved.tables:
        rows[TableName(table.owner, table.name)] += table.rows
    return lambda name: rows[name]


class VerifyMasked(UnitOperator):
    """Compares masked tables with the source: no row keeps its original, unmasked columns are equal."""

    result_kind = MASKED_CHECK

    def work(self, run: RefreshRun) -> Work:
        scn, ruleset = run.documents.get(FROZEN, WHOLE).scn, run_ruleset(run)
        quarantine = Watch(run.target, run.id, run.definition.application_accounts)
        means = _means(run)
        copies = run.documents.some(COPY_CHECK, self.keys(run))

        def verify(table: Table, progress: TaskProgress) -> dict[str, Any]:
            # The hashes of a table have one place, whichever run compares.
            quarantine.require_held()
            check = verify_masked(
                *(run.source, run.target, scn, table, ruleset.rules(table.owner, table.name), progress),
                copy=copies.get(table.key) or run.documents.get(COPY_CHECK, table.key),
                means=means(table),
            )
            run.documents.put(MASKED_CHECK, table.key, check)
            return require(check).to_json()

        return verify


class ProveMasking(RefreshOperator):
    """Proves the masked target as a whole: children have the parents they had, statistics were gathered after
    the masking and none of unmasked rows can be restored, nothing lies in the recycle bin. Whether control
    tables and dump files are gone is looked at when the target is released: until then tasks may be cleared
    and run again.

    Use it when constraints are enabled and statistics gathered. What does not hold stands against the
    release.
    """

    def execute(self, context: Context) -> dict[str, int]:
        started = time.monotonic()
        with self.refresh_run(context) as run:
            require_held(run.target, run.id, run.definition.application_accounts)
            catalogue, ruleset = planned_catalogue(run.documents), run_ruleset(run)
            ended = {row.key: row.updated_at for row in run.ledger.rows(MASK_STEP) if row.state == DONE}
            masked_at = {
                table.full_name: ended[table.key] for table in catalogue.tables if table.key in ended
            }
            references = all_references(ruleset, catalogue)
            verdicts = (
                *check_references(
                    *(run.target, catalogue, ruleset, references),
                    of_source=lambda each: run.documents.get(SOURCE_PAIRS, item(each)),
                ),
                *_check_statistics(run, ruleset, masked_at),
                check_recycle_bin(
                    run.target, [TableName(table.owner, table.name) for table in catalogue.tables]
                ),
            )
            check = TargetCheck(verdicts, round(time.monotonic() - started, 3))
            run.documents.put(TARGET_CHECK, WHOLE, check)
        for verdict in check.verdicts:
            self.log.log(logging.INFO if verdict.holds else logging.WARNING, "%s", verdict)
        if check.objections:
            raise ValidationError(
                "; ".join(check.objections[:10]),
                object_name=run.id,
                step="proof",
                remedy=f"remove the cause of each and clear this task, or {LOAD_AGAIN}",
            )
        return {"proven": len(check.verdicts)}


def _check_statistics(
    run: RefreshRun, ruleset: Ruleset, masked_at: Mapping[TableName, datetime]
) -> Iterator[Verdict]:
    """Those of a clone are compared with what was recorded before it was masked."""
    if isinstance(run.definition, CloneDefinition):
        kept = partial(run.documents.get, BOUNDS)
        recorded_with = statistics_salt(run.definition.masking, run.definition.name, run.id)
        yield from check_statistics(run.target, ruleset, masked_at, kept, recorded_with)
        yield check_purged_history(run.target, run.id, masked_at)
        return
    salt = secrets.token_hex(16)
    originals = partial(read_bounds, run.source, ruleset, salt=salt)
    yield from check_statistics(run.target, ruleset, masked_at, originals, salt)
    yield check_statistics_history(run.target, run.id, masked_at)


class CompareInventory(RefreshOperator):
    """Compares the finished target with the source, a clone with what it was before: objects, columns,
    constraints and their state, indexes, triggers, grants, comments, sequences, partitions, invalid objects.

    A difference stands against the release, unless `inventory` of the definition accepts it. What a refresh
    does not copy, and what is invalid outside the refresh, is told in the log and in the report.
    """

    def execute(self, context: Context) -> dict[str, int]:
        with self.refresh_run(context) as run:
            catalogue = planned_catalogue(run.documents)
            moved = tables_whose_rows_move(catalogue, run_ruleset(run))
            if isinstance(run.definition, CloneDefinition):
                before = run.documents.all(OBJECTS_BEFORE)
                check = check_against(before, run.target, catalogue, run.definition, moved)
            else:
                check = check_inventory(
                    run.source, run.target, catalogue, run.refresh_definition, run.progress, moved=moved
                )
            run.documents.put(INVENTORY, WHOLE, check)
        for text in check.not_copied:
            self.log.warning("not copied: %s", text)
        for text in check.invalid_outside:
            # Oracle compiles it at its first use; what then is still invalid lacks something.
            self.log.warning("invalid on the target until it is used, outside the refresh: %s", text)
        for difference in check.differences:
            self.log.warning("%s%s", "accepted: " if difference.accepted else "", difference)
        require_inventory(check)
        return {"compared": check.compared, "accepted": len(check.differences)}


def only_own(dag: DAG | None) -> bool:
    """Whether all tasks of a DAG are the provider's, and none calls a function of the user's: what others
    write between the proof and the expectations, the proof has not seen."""
    kinds = [getattr(task, "operator_class", type(task)) for task in (dag.tasks if dag else ())]
    return bool(kinds) and all(
        issubclass(kind, RefreshOperator) and not issubclass(kind, TargetTask) for kind in kinds
    )


class ValidateExpectations(RefreshOperator):
    """Evaluates Great Expectations suites on the masked target: those of the definition, and those made of
    the rules of each masked table and of what its proof has counted. None is fine where the definition has
    no `expectations`.

    The generated suites are also written to `generated/<refresh>/` beside those of the definition, as Great
    Expectations keeps them. Where that folder cannot be written, the log says so and the task goes on. Data
    Docs of what was evaluated go to the run's reports (`docs/index.html`).
    """

    def execute(self, context: Context) -> dict[str, Any] | None:
        definition = self.read_definition()
        if definition.expectations is None:
            return None
        own = own_suites(definition.expectations.path)
        with self.refresh_run(context) as run:  # no session is open while the suites are evaluated
            generated = self._generated(run, definition.expectations.path)
            tables = planned_catalogue(run.documents).tables
            skipped = skipped_tables(own, run.definition.exclude_tables, tables)
        for table, why in skipped.items():
            self.log.warning("Skipping the expectations of %s: it is %s", table.key, why)
        hook = OracleRefreshHook(oracle_conn_id=definition.target.conn_id)
        hook.require_role("target")
        engine = hook.get_sqlalchemy_engine({"creator": hook.opener(self.task_id), "hide_parameters": True})
        try:
            made = {key: suite.expectations for key, suite in generated.items()}
            suite = merged(definition.name, own, made, skipped)
            docs, facts = DataDocs(), {key: suite.facts for key, suite in generated.items()}
            result = evaluate(suite, engine, run.progress, definition.expectations.sessions, docs, facts)
            result = replace(result, skipped=tuple(f"{table.key}: {why}" for table, why in skipped.items()))
        finally:
            engine.dispose()
        with self.refresh_run(context) as run:
            run.documents.put(EXPECTATIONS, WHOLE, result)
        pages = docs.files(f"{definition.name}: expectations of {run.id}")
        settings.report_directory().write(run.id, pages, self.dag_id)
        result.require()
        return result.to_json()

    def _generated(self, run: RefreshRun, path: Path) -> dict[str, Suite]:
        """What is expected of each masked table; the same is written as Great Expectations keeps it."""
        ruleset, untouched = run_ruleset(run), not run.definition.masking.after and only_own(self.get_dag())
        masked_by = {TableName(mask.owner, mask.name).key: mask.ruleset for mask in run.documents.all(MASK)}
        generated, suites = {}, {}
        for check in run.documents.all(MASKED_CHECK):
            key = TableName(check.owner, check.name).key
            table = run.documents.get(TABLE, key)
            rules = ruleset.rules(check.owner, check.name)
            suite = suite_of(table, rules, check, as_proven=untouched)
            if suite is not None:
                about = {"refresh": run.definition.name, "run": run.id, "ruleset": masked_by[key]}
                generated[key], suites[key] = suite, suite_json(table, suite.expectations, about)
        try:
            self.log.info("suites are in %s", write_generated(path, run.definition.name, suites))
        except OSError as error:
            self.log.warning("the generated suites are not written: %s", error)
        return generated
