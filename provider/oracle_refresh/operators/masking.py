"""Masking of tables, in place, in one pass, exactly once."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from oracle_refresh.catalog.limits import read_cpus
from oracle_refresh.definition import CloneDefinition
from oracle_refresh.hooks.connections import run_key
from oracle_refresh.hooks.oracle import OracleRefreshHook
from oracle_refresh.integration import metrics
from oracle_refresh.masking import history
from oracle_refresh.masking.history import BEFORE, BeforeMasking
from oracle_refresh.masking.preview import preview_table
from oracle_refresh.masking.run import MASK, Options, begun, mask_table
from oracle_refresh.masking.run_key import require_run_key
from oracle_refresh.masking.run_ruleset import run_ruleset
from oracle_refresh.masking.strategy import usual_degree
from oracle_refresh.operators.base import TaskProgress
from oracle_refresh.operators.units import UnitOperator, Work
from oracle_refresh.target.quarantine import Watch

if TYPE_CHECKING:
    from collections.abc import Callable

    from oracle_refresh.catalog import Table
    from oracle_refresh.run.refresh_run import RefreshRun


class MaskTable(UnitOperator):
    """Masks the columns that the ruleset names, keyed by the password of the key connection.

    Every change is committed with its ledger row: a killed task resumes, a finished one repeats nothing.
    Flashback queries do not reach behind it (`masking.history`).
    `masking.degree` and `degrees` of the definition say how many sessions work on a table, else its size and
    the target's CPUs.
    A table without rules is left as it is.
    """

    def work(self, run: RefreshRun) -> Work:
        ruleset = run_ruleset(run)
        key = run_key(run.definition.masking, run.definition.name, run.id)
        require_run_key(run, key)
        quarantine = Watch(run.target, run.id, run.definition.application_accounts)
        options_of = self._options(run)

        def mask(table: Table, progress: TaskProgress) -> dict[str, Any]:
            quarantine.require_held()
            rules = ruleset.rules(table.owner, table.name)
            options = options_of(table) if rules else None
            if rules and not begun(run.ledger, table.key):
                before = BeforeMasking(table.owner, table.name, history.current_scn(run.target))
                run.documents.put(BEFORE, table.key, before)
            result = mask_table(table, ruleset, key, run.ledger, progress, options)
            if result.verdict == "masked":
                history.close(run.target, table)
            run.documents.put(MASK, table.key, result)
            metrics.step_done("table.mask", run.definition.name, result.seconds, rows=result.rows)
            return result.to_json()

        return mask

    def _options(self, run: RefreshRun) -> Callable[[Table], Options]:
        masking, clone = run.definition.masking, isinstance(run.definition, CloneDefinition)
        hook = OracleRefreshHook(oracle_conn_id=run.definition.target.conn_id)

        @cache
        def cpus() -> int:
            return read_cpus(run.target)

        def options(table: Table) -> Options:
            degree = masking.degrees.get(table.full_name, masking.degree)
            if degree is None:
                degree = usual_degree(cpus(), table.total_bytes, masking.chunk_bytes)
            connect = hook.opener(self.task_id) if degree > 1 else None
            strategy = masking.strategies.get(table.full_name)
            return Options(degree, connect, masking.chunk_bytes, strategy, rewritable=not clone)

        return options


class PreviewMasking(MaskTable):
    """The dry run of `MaskTable`: logs and returns the way each table would be masked, every statement, and a
    sample of masked values. Changes nothing, and needs no more than a planned run.

    :param rows: rows of each sample.
    """

    def __init__(self, *, rows: int = 5, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.rows = rows

    def work(self, run: RefreshRun) -> Work:
        ruleset = run_ruleset(run)
        key = run_key(run.definition.masking, run.definition.name, run.id)
        options_of = self._options(run)

        def preview(table: Table, _: TaskProgress) -> dict[str, Any]:
            previewed = preview_table(
                run.target, table, ruleset, key, run.id, options_of(table), rows=self.rows
            )
            self.log.info("%s: %s\n\n%s", table.key, previewed.strategy, ";\n\n".join(previewed.statements))
            for row in previewed.sample:
                self.log.info("%s", dict(zip(previewed.columns, row, strict=True)))
            return previewed.to_json()

        return preview
