"""What the report says about a run beside its work: on whose request, by which rules, and former runs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING

from oracle_refresh.catalog import identify
from oracle_refresh.jsonable import digest
from oracle_refresh.oracle.identifiers import TableName
from oracle_refresh.report import former
from oracle_refresh.report.audit import PACKAGE, AppliedRuleset, Audit
from oracle_refresh.report.summary import summary
from oracle_refresh.run.approval import APPROVAL, REQUEST, Request
from oracle_refresh.run.documents import WHOLE
from oracle_refresh.run.freeze import FROZEN
from oracle_refresh.target.quarantine import Quarantine
from oracle_refresh.target.quarantine.account_status import is_closed
from oracle_refresh.target.quarantine.statements import RELEASED

if TYPE_CHECKING:
    from oracle_refresh.catalog.identity import DatabaseIdentity
    from oracle_refresh.masking.ruleset import Ruleset
    from oracle_refresh.masking.run import MaskResult
    from oracle_refresh.report.model import Report
    from oracle_refresh.run.documents import Documents
    from oracle_refresh.run.ledger import LedgerRow
    from oracle_refresh.run.refresh_run import RefreshRun
    from oracle_refresh.validation.model import TableCheck


def audit_of(run: RefreshRun, masks: Sequence[MaskResult]) -> Audit:
    """From where to where and when, on whose request, what was approved, digests of what was applied."""
    request, frozen = run.documents.find(REQUEST, WHOLE) or Request(), run.documents.get(FROZEN, WHOLE)
    return Audit(
        definition=digest(run.definition.to_json()),
        rulesets=applied_rulesets(masks),
        version=f"{PACKAGE} {_version()}",
        triggered_by=request.triggered_by,
        reason=request.reason,
        changes=request.changes,
        approvals=tuple(run.documents.all(APPROVAL)),
        source=_described(frozen.source),
        target=_described(identify(run.target)),
        frozen_at=frozen.taken_at.isoformat(timespec="seconds"),
        reported_at=datetime.now(UTC).isoformat(timespec="seconds"),
    )


def applied_rulesets(masks: Iterable[MaskResult]) -> tuple[AppliedRuleset, ...]:
    """Return what masked the run's tables, the ruleset of most tables first."""
    tables: dict[tuple[str, str], list[str]] = {}
    for mask in masks:
        tables.setdefault((mask.ruleset, mask.key_id), []).append(TableName(mask.owner, mask.name).key)
    applied = [AppliedRuleset(*by, tuple(sorted(keys))) for by, keys in tables.items()]
    return tuple(sorted(applied, key=lambda one: (-len(one.tables), one.tables)))


def former_runs(documents: Documents, refresh: str) -> tuple[former.FormerRun, ...]:
    """The last runs of the refresh, the latest first, without this one."""
    return former.former_runs(documents.latest(former.SUMMARY, refresh, former.MOST + 1), documents.run_id)


def keep_summary(documents: Documents, report: Report) -> None:
    """Leave the run's figures to the reports of later runs. Commits; a repeated task replaces them."""
    at = datetime.now(UTC).isoformat(timespec="seconds")
    figures = former.RunSummary(**summary(report), run_id=report.run_id, at=at)
    documents.put(former.SUMMARY, report.refresh, figures)


def quarantine_of(rows: Iterable[LedgerRow]) -> Quarantine:
    """What became of the accounts, by the ledger: it knows of them also where a task was killed before it
    could say what it had done.

    :param rows: those of the run's quarantine.
    """
    accounts = list(rows)
    released = [row for row in accounts if row.state == RELEASED]
    return Quarantine(
        tuple(row.key for row in accounts),
        tuple(row.key for row in released if not is_closed(row.detail["status"])),
        tuple(row.key for row in released if is_closed(row.detail["status"])),
    )


def kinds_of_rules(masked: Sequence[TableCheck], ruleset: Ruleset) -> dict[tuple[str, str, str], str]:
    """The kinds of rules by owner, table and column; several kinds of one column are joined."""
    kinds_of: dict[tuple[str, str, str], list[str]] = {}
    for check in masked:
        for rule in ruleset.rules(check.owner, check.name):
            kinds = kinds_of.setdefault((check.owner, check.name, rule.column), [])
            if rule.kind not in kinds:
                kinds.append(rule.kind)
    return {column: ", ".join(kinds) for column, kinds in kinds_of.items()}


def _described(database: DatabaseIdentity) -> str:
    number = f"DBID {database.con_dbid}, service {database.service}, release {database.version}"
    return f"{database.db_unique_name} ({number})"


def _version() -> str:
    try:
        return version(PACKAGE)
    except PackageNotFoundError:
        return "(not installed as a package)"
