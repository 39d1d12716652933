"""What an auditor asks of a run: from where to where, when, on whose request, by which rules. Pure."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from oracle_refresh.jsonable import Jsonable
from oracle_refresh.run.approval import Approval

PACKAGE = "airflow-provider-oracle-refresh"


@dataclass(frozen=True)
class AppliedRuleset(Jsonable):
    """The tables, as OWNER.NAME in order, that were masked by one ruleset and key."""

    fingerprint: str
    key_id: str
    tables: tuple[str, ...]


@dataclass(frozen=True)
class Audit(Jsonable):
    """`definition` is a digest of what was applied. `rulesets` has several items if the ruleset was changed
    after the run had masked some of its tables. `changes` are the fields of the definition that the trigger
    form replaced. `source` and `target` name the databases and what distinguishes them from others.
    `frozen_at` is when the SCN was taken, by the source's clock, `reported_at` when the report was written
    (ISO 8601)."""

    definition: str = ""
    rulesets: tuple[AppliedRuleset, ...] = ()
    version: str = ""
    triggered_by: str = ""
    reason: str = ""
    changes: dict[str, Any] = field(default_factory=dict, hash=False)
    approvals: tuple[Approval, ...] = ()
    source: str = ""
    target: str = ""
    frozen_at: str = ""
    reported_at: str = ""
