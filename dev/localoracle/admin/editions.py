"""Editions: there is the one that every database has, ORA$BASE."""

from __future__ import annotations

from localoracle.errors import OracleError

BASE = "ORA$BASE"


def demand_edition(name: str) -> None:
    """Raise ORA-38802 unless the edition exists."""
    if name.strip('"').upper() != BASE:
        raise OracleError(38802, "edition does not exist")
