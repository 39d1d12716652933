"""A finding of the preflight, and what becomes of errors among them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from oracle_refresh.jsonable import Jsonable
from oracle_refresh.oracle.errors import PreflightError


@dataclass(frozen=True)
class Finding(Jsonable):
    """One thing that is wrong (`error`: no refresh) or doubtful (`warning`: it is logged)."""

    severity: Literal["error", "warning"]
    code: str
    """Stable, upper case: what tests and runbooks refer to."""
    message: str
    remedy: str
    sql: tuple[str, ...] = ()
    """Statements for a DBA that mend it; never run by this provider."""

    def __str__(self) -> str:
        lines = [f"{self.code}: {self.message}. Remedy: {self.remedy}."]
        return "\n".join([*lines, *(f"    {statement};" for statement in self.sql)])


def error(code: str, message: str, remedy: str, *sql: str) -> Finding:
    return Finding("error", code, message, remedy, sql)


def warning(code: str, message: str, remedy: str, *sql: str) -> Finding:
    return Finding("warning", code, message, remedy, sql)


def require(findings: Iterable[Finding]) -> None:
    """:raises PreflightError: listing every error among the findings, with remedies and fix-up SQL."""
    errors = [finding for finding in findings if finding.severity == "error"]
    if errors:
        count = f"{len(errors)} finding{'s' if len(errors) > 1 else ''}, nothing was changed"
        raise PreflightError("\n".join([count, *(f"- {finding}" for finding in errors)]), step="preflight")
