"""SQL scripts of the definition, run on the target."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal

from oracle_refresh.operators.base import RefreshOperator
from oracle_refresh.target.quarantine import require_quarantine
from oracle_refresh.target.scripts import load_scripts, run_scripts
from oracle_refresh.target.scripts.run import SCRIPT

if TYPE_CHECKING:
    from airflow.sdk import Context


class RunScripts(RefreshOperator):
    """Runs the scripts `masking.before` or `masking.after` of the definition, each statement exactly once.

    Only while this run holds the quarantine: nobody sees the target meanwhile. A repeated task goes on
    behind the last statement that was run.

    :param when: `before` or `after`.
    """

    template_fields: Sequence[str] = (*RefreshOperator.template_fields, "when")

    def __init__(self, *, when: Literal["before", "after"], **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.when = when

    def execute(self, context: Context) -> list[dict[str, Any]]:
        with self.refresh_run(context) as run:
            masking = run.definition.masking
            scripts = load_scripts(masking.before if self.when == "before" else masking.after)
            if not scripts:
                return []
            require_quarantine(run.target, run.id)
            results = run_scripts(run.target, scripts, self.when, run.ledger)
            for result in results:
                run.documents.put(SCRIPT, f"{self.when} {result.path}"[-300:], result)
        return [result.to_json() for result in results]
