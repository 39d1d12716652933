"""What must hold before anything is touched: findings, each with its remedy and the SQL that mends it."""

from oracle_refresh.oracle.findings import Finding, require
from oracle_refresh.preflight.checks import check

__all__ = ["Finding", "check", "require"]
