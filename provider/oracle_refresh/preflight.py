"""What must hold before anything is touched: findings, each with its remedy and the SQL that mends it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from oracle_refresh.errors import PreflightError
from oracle_refresh.jsonable import Jsonable


@dataclass(frozen=True)
class Finding(Jsonable):
    """One thing that is wrong (`error`: no refresh) or doubtful (`warning`: it is logged)."""

    severity: Literal["error", "warning"]
    code: str
    message: str
    remedy: str
    sql: tuple[str, ...] = ()
    """Statements for a DBA that mend it; never run by this provider."""


def require(findings: Iterable[Finding]) -> None:
    """:raises PreflightError: listing every error among the findings, with remedies and fix-up SQL."""
    errors = [finding for finding in findings if finding.severity == "error"]
    if not errors:
        return
    lines = []
    for finding in errors:
        lines.append(f"- {finding.code}: {finding.message}. {finding.remedy}.")
        lines += [f"    {statement};" for statement in finding.sql]
    count = f"{len(errors)} finding{'s' if len(errors) > 1 else ''}"
    raise PreflightError(f"{count}, nothing was changed:\n" + "\n".join(lines), step="preflight")
