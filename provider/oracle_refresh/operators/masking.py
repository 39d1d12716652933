"""Masking of tables, in place, in one pass, exactly once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from oracle_refresh.hooks.connections import read_key
from oracle_refresh.hooks.oracle import OracleRefreshHook
from oracle_refresh.integration import metrics
from oracle_refresh.masking import history
from oracle_refresh.masking.history import BEFORE, BeforeMasking
from oracle_refresh.masking.preview import preview_table
from oracle_refresh.masking.rules import INHERITED_RULES, Ruleset
from oracle_refresh.masking.ruleset import load_ruleset
from oracle_refresh.masking.run import MASK, Options, mask_table
from oracle_refresh.operators.base import TaskProgress, run_id
from oracle_refresh.operators.units import UnitOperator
from oracle_refresh.run.documents import Documents
from oracle_refresh.run.ledger import Ledger
from oracle_refresh.target.quarantine import require_holder

if TYPE_CHECKING:
    from airflow.sdk import Context

    from oracle_refresh.catalog import Table
    from oracle_refresh.definition.model import RefreshDefinition


class MaskTable(UnitOperator):
    """Masks the columns that the ruleset names, keyed by the password of the key connection.

    Every change is committed with its ledger row: a killed task resumes, a finished one repeats nothing.
    Flashback queries do not reach behind it (`masking.history`).
    `masking.degree` and `degrees` of the definition say how many sessions work on a table.
    A table without rules is left as it is.
    """

    def execute(self, context: Context) -> dict[str, Any]:
        definition, run = self.read_definition(), run_id(context)

        def mask(table: Table, progress: TaskProgress) -> dict[str, Any]:
            require_holder(target, run)
            options = self._options(definition, table)
            before = BeforeMasking(table.owner, table.name, history.current_scn(target))
            documents.put(BEFORE, table.key, before)
            result = mask_table(target, table, ruleset, key, ledger, progress, options)
            if result.verdict == "masked":
                history.close(target, table)
            documents.put(MASK, table.key, result)
            metrics.step_done("table.mask", definition.name, result.seconds, rows=result.rows)
            return result.to_json()

        with self.target(definition) as target:
            documents, ledger = Documents(target, run), Ledger(target, run)
            ruleset = ruleset_of(documents, definition)
            key = read_key(definition.masking.key_conn_id)
            return self.each_table(context, (target,), mask)

    def _options(self, definition: RefreshDefinition, table: Table) -> Options:
        masking, name = definition.masking, (table.owner, table.name)
        degree = masking.degrees.get(name, masking.degree)
        hook = OracleRefreshHook(oracle_conn_id=definition.target.conn_id)
        connect = hook.opener(self.task_id) if degree > 1 else None
        return Options(degree, connect, masking.chunk_bytes, masking.strategies.get(name))


class PreviewMasking(MaskTable):
    """The dry run of `MaskTable`: logs and returns the way each table would be masked, every statement, and a
    sample of masked values. Changes nothing, and needs no more than a planned run.

    :param rows: rows of each sample.
    """

    def __init__(self, *, rows: int = 5, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.rows = rows

    def execute(self, context: Context) -> dict[str, Any]:
        definition, run = self.read_definition(), run_id(context)

        def preview(table: Table, _: TaskProgress) -> dict[str, Any]:
            options = self._options(definition, table)
            found = preview_table(target, table, ruleset, key, run, options, self.rows)
            self.log.info("%s: %s\n\n%s", table.key, found.strategy, ";\n\n".join(found.statements))
            for row in found.sample:
                self.log.info("%s", dict(zip(found.columns, row, strict=True)))
            return found.to_json()

        with self.target(definition) as target:
            ruleset = ruleset_of(Documents(target, run), definition)
            key = read_key(definition.masking.key_conn_id)
            return self.each_table(context, (target,), preview)


def ruleset_of(documents: Documents, definition: RefreshDefinition) -> Ruleset:
    """The definition's ruleset with the rules that the run's plan found to come along references."""
    ruleset = load_ruleset(definition.masking.ruleset)
    for inherited in documents.all(INHERITED_RULES):
        ruleset = ruleset.inheriting(inherited.items)
    return ruleset
