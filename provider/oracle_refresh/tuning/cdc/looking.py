"""Looks at views that an installation may or may not have: what is not there is left out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from oracle_refresh.oracle.errors import TuningError
from oracle_refresh.oracle.session import execute_tolerating, rows, translated
from oracle_refresh.tuning.cdc import statements

if TYPE_CHECKING:
    import oracledb

STEP = "read change capture"
_NOT_THERE = "ORA-00942"


def look(connection: oracledb.Connection, statement: str, **binds: Any) -> Sequence[tuple[Any, ...]]:
    """What a view has; nothing where it is not there, or may not be read."""
    try:
        with translated(STEP, kind=TuningError):
            return rows(connection, statement, **binds)
    except TuningError as error:
        if _NOT_THERE in error.codes:
            return []
        raise


def readable(connection: oracledb.Connection, view: str) -> bool:
    """Whether a view is there and may be read."""
    with translated(STEP, view, TuningError):
        return not execute_tolerating(connection, {_NOT_THERE}, statements.probe(view))


def unreadable(name: str) -> TuningError:
    """Nothing of the views can be read that would show a process."""
    return TuningError(
        "no views of capture and apply processes can be read",
        codes=[_NOT_THERE],
        object_name=name,
        step=STEP,
        remedy="grant SELECT_CATALOG_ROLE, or SELECT on the V$ views of XStream, GoldenGate or Streams",
    )
