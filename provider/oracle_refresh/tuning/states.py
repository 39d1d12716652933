"""What the database shows of everything that tuning changes: before the work, during it, and afterwards.

Each is read by itself, so that a report tells what was so, not what was sent. Source: Database Reference 19c,
V$SYSTEM_PARAMETER, V$LOG, DBA_TEMP_FILES, V$DATABASE, DBA_APPLY_PARAMETERS, DBA_CAPTURE_PARAMETERS.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from oracle_refresh.jsonable import Jsonable
from oracle_refresh.run.kind import Kind
from oracle_refresh.tuning.cdc.processes import ProcessChange
from oracle_refresh.tuning.changes import (
    Change,
    ModeChange,
    ParameterChange,
    RedoChange,
    TempChange,
    UndoChange,
    megabytes,
)
from oracle_refresh.tuning.instance import read_redo, read_temp
from oracle_refresh.tuning.make import is_on, memory_value

if TYPE_CHECKING:
    import oracledb

#: Readings in their order. That of DURING is taken when all is set, and again when all shards are loaded.
BEFORE, DURING, AFTER = "before", "during", "after"


@dataclass(frozen=True)
class States(Jsonable):
    """What one reading has shown, by `Change.item`; values of parameters as V$SYSTEM_PARAMETER has them."""

    shown: dict[str, str] = field(default_factory=dict, hash=False)

    def of(self, item: str) -> str | None:
        return self.shown.get(item)

    def first_of_each(self, later: States) -> States:
        """These, and those of a later reading for whatever this one has not looked at."""
        return States({**later.shown, **self.shown})


#: By reading.
STATES: Kind[States] = Kind("tuned states", States)


def read_states(connection: oracledb.Connection, changes: Iterable[Change]) -> States:
    """Look at whatever the changes are about. Changes nothing; needs SELECT_CATALOG_ROLE."""
    return States({change.item: shown(connection, change) for change in changes})


def shown(connection: oracledb.Connection, change: Change) -> str:
    """The present state of what a change is about, in words."""
    match change:
        case ParameterChange():
            return memory_value(connection, change.name, change.sid) or "unset"
        case RedoChange():
            sizes = Counter(group.bytes for group in read_redo(connection) if group.thread == change.thread)
            return ", ".join(
                f"{number} groups of {megabytes(size)}" for size, number in sorted(sizes.items())
            )
        case UndoChange():
            return memory_value(connection, "undo_tablespace", change.sid) or "unset"
        case TempChange():
            return f"up to {megabytes(read_temp(connection).max_bytes)}"
        case ModeChange():
            return "on" if is_on(connection, change) else "off"
        case ProcessChange():
            return change.shown(connection)
