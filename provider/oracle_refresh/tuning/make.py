"""Making one change. Every statement is safe to repeat: it is sent only where the database does not show
its effect already."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from oracle_refresh.oracle.errors import TuningError, oracle_codes
from oracle_refresh.oracle.session import execute, row, rows, scalar
from oracle_refresh.tuning import statements
from oracle_refresh.tuning.cdc.processes import ProcessChange
from oracle_refresh.tuning.changes import (
    Change,
    ModeChange,
    ParameterChange,
    RedoChange,
    TempChange,
    UndoChange,
    same,
)
from oracle_refresh.tuning.instance import STEP, read_temp
from oracle_refresh.tuning.redo import exchange

if TYPE_CHECKING:
    import oracledb

#: A tablespace of the name, or a file of the name, is part of the database.
ALREADY_THERE = frozenset({"ORA-01543", "ORA-01537"})


def make(connection: oracledb.Connection, change: Change, keep: Callable[[Change], None]) -> Change:
    """Make it; the change with what Oracle made of a value (a size may be rounded up).

    :param keep: replaces what is on record of it, where that has to be told on the way.
    :raises TuningError: if redo groups do not get free.
    :raises oracledb.Error: if Oracle refuses a statement.
    """
    match change:
        case ParameterChange():
            return _parameter(connection, change)
        case RedoChange():
            stuck = exchange(connection, change.add, change.drop)
            if stuck:
                raise TuningError(
                    f"redo log groups {', '.join(map(str, stuck))} are in use and do not get free",
                    object_name=change.item,
                    step=STEP,
                    remedy="see whether archiving hangs (V$ARCHIVE_DEST.ERROR), then clear this task",
                )
        case UndoChange():
            _create(connection, change.create, lambda: has_tablespace(connection, change.tablespace))
            if not same(memory_value(connection, "undo_tablespace", change.sid), change.tablespace):
                execute(connection, change.use(change.tablespace))
        case TempChange():
            _create(
                connection,
                statements.add_temp_file(change.tablespace, change.file, change.bytes),
                lambda: has_temp_file(connection, change.file),
            )
        case ModeChange():
            if is_on(connection, change) != change.on:
                execute(connection, set_mode(change, change.on))
        case ProcessChange():
            change.make(connection, keep)
    return change


def _create(connection: oracledb.Connection, statement: str, is_there: Callable[[], bool]) -> None:
    """Unless it is there. The session of a killed try may still be at work on the same statement."""
    if is_there():
        return
    try:
        execute(connection, statement)
    except Exception as error:
        if not ALREADY_THERE.intersection(oracle_codes(error)) or not is_there():
            raise


def _parameter(connection: oracledb.Connection, change: ParameterChange) -> ParameterChange:
    scope = "BOTH" if change.scope == "both" else "MEMORY"
    execute(
        connection,
        statements.set_parameter(change.name, change.value, scope, change.sid, change.deferred),
    )
    shown = memory_value(connection, change.name, change.sid)
    if shown is None or (change.is_own(shown) and shown in (*change.own, change.value)):
        return change
    return replace(change, own=(*change.own, shown))


def set_mode(change: ModeChange, on: bool) -> str:
    return statements.force_logging(on) if change.mode == "force logging" else statements.flashback(on)


def is_on(connection: oracledb.Connection, change: ModeChange) -> bool:
    ((flashback, forced),) = rows(connection, statements.MODES)
    return bool((forced if change.mode == "force logging" else flashback) == "YES")


def memory_value(connection: oracledb.Connection, name: str, sid: str) -> str | None:
    """The value in memory of the instance, or of the first one."""
    value: str | None = scalar(connection, statements.MEMORY_VALUE, name=name, sid=sid)
    return value


def spfile_entry(connection: oracledb.Connection, name: str, sid: str) -> tuple[bool, str | None]:
    """Whether the server parameter file has an entry for `sid`, and its value."""
    entry = row(connection, statements.SPFILE_VALUE, name=name, sid=sid)
    return (True, entry[0]) if entry else (False, None)


def has_temp_file(connection: oracledb.Connection, file: str) -> bool:
    return any(each.name == file for each in read_temp(connection).files)


def has_tablespace(connection: oracledb.Connection, name: str) -> bool:
    return bool(scalar(connection, statements.TABLESPACE, name=name))
