"""What must hold before anything is touched: findings, each with its remedy and the SQL that mends it."""

from oracle_refresh.preflight.checks import check
from oracle_refresh.preflight.findings import Finding, require

__all__ = ["Finding", "check", "require"]
