"""Sensitive columns: found in the source, held against the ruleset and its exemptions."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from oracle_refresh.catalog.reader import read_catalogue
from oracle_refresh.masking.ruleset import load_ruleset, named_lookups
from oracle_refresh.operators.base import RefreshOperator
from oracle_refresh.oracle.counting import counted
from oracle_refresh.profiler.coverage import COVERAGE, Coverage, Status, coverage, require_covered
from oracle_refresh.profiler.profile import profile
from oracle_refresh.profiler.propose import Proposer, ruleset_line
from oracle_refresh.profiler.sampling import Bounds
from oracle_refresh.run.documents import WHOLE

if TYPE_CHECKING:
    from pathlib import Path

    from airflow.sdk import Context

    from oracle_refresh.catalog import Catalogue
    from oracle_refresh.profiler.profile import Profile


#: Tables that are sampled at a time: each gives some hundred rows, which is mostly the way there and back.
SESSIONS = 4


class ProfileSource(RefreshOperator):
    """Profiles the source and refuses the refresh while a sensitive column is covered by nothing.

    Every column of the refreshed schemas is judged by its name, its comment, its type and a bounded sample.
    From the confidence `masking.sensitive_from` of the definition on it needs a rule or a signed exemption
    that is in force. With `masking.unclassified: refuse` so does every other text column of a table with
    personal data. Sampled values are neither logged nor stored: the run's store gets names, confidences
    and reasons, which the report shows. Run it before anything is touched.

    :raises MaskingError: naming every uncovered column, every table and column that could not be sampled and
        is not exempt, and every exemption of a column that is not there.
    :returns: how many columns have a rule, are exempt, not sensitive, uncovered.
    """

    def execute(self, context: Context) -> dict[str, int]:
        today = datetime.now(UTC).date()
        with self.refresh_run(context) as run:
            masking, excluded = run.definition.masking, run.definition.exclude_tables
            ruleset = load_ruleset(masking.ruleset)
            catalogue = read_catalogue(run.source, run.definition.schemas, excluded)
            profiled = profile(
                run.source,
                catalogue,
                Bounds(rows=masking.profile_rows),
                today,
                lambda done, total, table: run.progress.report(done, total, "tables", f"profiled {table}"),
                SESSIONS,
                run.open_source,
                keep_values=True,  # the lines that it proposes are tried on them
            )
            result = coverage(profiled, catalogue, ruleset, masking.sensitive_from, today, excluded)
            run.documents.ensure()
            run.documents.put(COVERAGE, WHOLE, result)
            lines = _lines(profiled, catalogue, result, masking.ruleset)
        self._tell(result)
        require_covered(result, masking.unclassified, lines)
        return {str(status): result.count(status) for status in Status}

    def _tell(self, result: Coverage) -> None:
        for reason in result.unread:
            self.log.warning("Could not sample %s; judged by name and type", reason)
        for column in result.listed:
            self.log.info(
                "%-13s %.2f %s %s%s",
                column.status,
                column.confidence,
                column.column,
                column.kind or "",
                f" ({column.note})" if column.note else "",
            )
        self.log.info(
            "%s of %s: %s; %s sampled in %s s",
            counted(result.columns, "column"),
            counted(result.tables, "table"),
            ", ".join(f"{result.count(status)} {status}" for status in Status),
            counted(result.sampled_rows, "row"),
            result.seconds,
        )


def _lines(profiled: Profile, catalogue: Catalogue, result: Coverage, ruleset: Path) -> dict[str, str]:
    """Return lines for the ruleset that cover the uncovered columns, by column."""
    uncovered = {column.column for column in result.uncovered}
    found = [each for each in profiled.classifications if each.key in uncovered]
    proposed = Proposer(catalogue, named_lookups(ruleset), profiled.values).propose(found)
    return {each.key: ruleset_line(each) for each in proposed}
