"""Bringing back the former state, as far as nobody else has changed it since.

What the database shows decides: a state that tuning has made goes back to the former one; the former state
is left as it is (the change was never made, or the instance was restarted); any other state is somebody
else's, and is reported. An item that cannot be restored now stays open, with the commands for a DBA, and the
next restore tries again.
"""

from __future__ import annotations

import logging
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from oracle_refresh.jsonable import Jsonable
from oracle_refresh.oracle.errors import RefreshError, TuningError, from_oracle, oracle_codes
from oracle_refresh.oracle.session import execute, execute_tolerating, scalar
from oracle_refresh.tuning import runbook, statements
from oracle_refresh.tuning.cdc.change import shown
from oracle_refresh.tuning.cdc.processes import ProcessChange
from oracle_refresh.tuning.changes import (
    ModeChange,
    ParameterChange,
    RedoChange,
    RunbookStep,
    TempChange,
    UndoChange,
    same,
)
from oracle_refresh.tuning.instance import STEP, RedoGroup, read_redo
from oracle_refresh.tuning.make import (
    has_tablespace,
    has_temp_file,
    is_on,
    memory_value,
    set_mode,
    spfile_entry,
)
from oracle_refresh.tuning.records import DRIFTED, RESTORED, Record, Records, durable
from oracle_refresh.tuning.redo import exchange

if TYPE_CHECKING:
    import oracledb

#: The undo tablespace holds transactions that have not ended yet.
IN_USE = frozenset({"ORA-30013"})
ATTEMPTS, PAUSE = 12, 0.25
log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Drift(Jsonable):
    """What someone else has changed in the meantime, and what it was before the refresh."""

    item: str
    found: str
    former: str


@dataclass(frozen=True)
class Restored(Jsonable):
    """What a restore has brought back, has left alone, and could not do."""

    restored: tuple[str, ...] = ()
    drifted: tuple[Drift, ...] = ()
    runbook: tuple[RunbookStep, ...] = ()

    @property
    def text(self) -> str:
        lines = [f"restored: {item}" for item in self.restored]
        lines += [
            f"left alone: {drift.item} is {drift.found}, which tuning has not made; before it was"
            f" {drift.former}"
            for drift in self.drifted
        ]
        lines += [step.text for step in self.runbook]
        return "\n".join(lines) or "nothing is to be restored"


@dataclass(frozen=True)
class _Outcome:
    """Of one item: drift, or what is left to do. Neither: it is as before."""

    drift: Drift | None = None
    left: RunbookStep | None = None
    leftovers: RunbookStep | None = None
    """Harmless things that only a DBA can remove, such as files of dropped redo groups."""


def restore(connection: oracledb.Connection, run_id: str | None = None) -> Restored:
    """Restore what one run, or any run, has changed and not restored. Commits. May be repeated.

    :raises TuningError: naming every item that Oracle refused to restore, when all others are restored.
    """
    records = Records(connection)
    open_records = records.open(run_id)
    if not open_records:
        return Restored()
    restored: list[str] = []
    drifted: list[Drift] = []
    steps: list[RunbookStep] = []
    failures: list[RefreshError] = []
    durable(connection)
    for record in open_records:
        try:
            outcome = _at_work(records, record) or _back(records, record)
        except Exception as error:
            if not oracle_codes(error) or not connection.is_healthy():
                raise
            failures.append(from_oracle(error, STEP, record.item, TuningError))
            records.remark(record, failures[-1].message)
            continue
        if outcome.left:
            records.remark(record, outcome.left.why)
        elif outcome.drift:
            drifted.append(outcome.drift)
            log.warning("%s was changed by somebody else to %s", record.item, outcome.drift.found)
            records.end(record, DRIFTED, f"found {outcome.drift.found}")
        else:
            restored.append(record.item)
            records.end(record, RESTORED)
        steps += [step for step in (outcome.left, outcome.leftovers) if step]
    if failures:
        raise TuningError(
            "not everything could be restored: " + "; ".join(str(failure) for failure in failures),
            codes=tuple(dict.fromkeys(code for failure in failures for code in failure.codes)),
            object_name=failures[0].object_name,
            step=STEP,
            remedy="remove the cause, then: airflow oracle-refresh restore",
        )
    return Restored(tuple(restored), tuple(drifted), tuple(steps))


def _at_work(records: Records, record: Record) -> _Outcome | None:
    """Waits for the session that made the change; what is left to do where it does not come to rest.

    A killed task's session may be at its last statement still, such as an undo tablespace of many gigabytes:
    the database does not show yet what there will be to take back.
    """
    for attempt in range(ATTEMPTS):
        if record.session is None or not records.is_at_work(record.session):
            return None
        time.sleep(PAUSE * (attempt + 1))
    assert record.session is not None, "it is at work"
    at = f"{record.session.sid},{record.session.serial},@{record.session.instance}"
    return _Outcome(
        left=RunbookStep(
            f"{record.item}: session {at} is to come to an end",
            "it is still at work, and what it makes cannot be taken back before (ORA-00054)",
            (f"ALTER SYSTEM KILL SESSION '{at}' IMMEDIATE;",),
        )
    )


def _back(records: Records, record: Record) -> _Outcome:
    connection, change = records.connection, record.change
    match change:
        case ParameterChange():
            return _parameter(connection, change)
        case RedoChange():
            return _redo(connection, change)
        case UndoChange():
            return _undo(connection, change)
        case TempChange():
            if has_temp_file(connection, change.file):
                execute(connection, statements.drop_temp_file(change.file))
            return _Outcome()
        case ModeChange():
            return _mode(connection, change)
        case ProcessChange():
            others = change.restore(connection, lambda left: records.keep(record.run_id, left, record.phase))
            former = shown(change.record.former, change.record.former)
            return _Outcome(drift=Drift(change.item, "; ".join(others), former) if others else None)


def _parameter(connection: oracledb.Connection, change: ParameterChange) -> _Outcome:
    """Memory and server parameter file, each by itself: others may have changed one of them only."""
    strange = []
    shown = memory_value(connection, change.name, change.sid)
    if not change.is_former(shown):
        if change.is_own(shown):
            execute(connection, _into_memory(change))
        else:
            strange.append(f"{shown or 'unset'} in memory")
    if change.scope == "both":
        specified, entry = spfile_entry(connection, change.name, change.sid)
        if (specified, entry or "") != (change.in_spfile, change.former_spfile or ""):
            if specified and change.is_own(entry):
                execute(connection, _into_spfile(change))
            else:
                strange.append(f"{entry if specified else 'not specified'} in the spfile")
    if strange:
        return _Outcome(drift=Drift(change.item, " and ".join(strange), change.former or "unset"))
    shown = memory_value(connection, change.name, change.sid)
    if change.is_former(shown) or change.deferred:
        return _Outcome()
    return _Outcome(
        left=RunbookStep(
            f"{change.item}: {shown or 'unset'} -> {change.former or 'unset'}",
            "Oracle did not take the former value back",
            (f"{_into_memory(change)};",),
        )
    )


def _into_memory(change: ParameterChange) -> str:
    if change.former is None:
        return statements.reset_parameter(change.name, "MEMORY", change.sid)
    return statements.set_parameter(change.name, change.former, "MEMORY", change.sid, change.deferred)


def _into_spfile(change: ParameterChange) -> str:
    if not change.in_spfile:
        return statements.reset_parameter(change.name, "SPFILE", change.sid)
    return statements.set_parameter(change.name, change.former_spfile or "", "SPFILE", change.sid)


def _redo(connection: oracledb.Connection, change: RedoChange) -> _Outcome:
    before = {group.number: group for group in read_redo(connection)}
    for group in change.former:
        present = before.get(group.number)
        if present is not None and present.bytes != group.bytes:
            text = f"group {group.number} of {present.bytes} bytes"
            return _Outcome(drift=Drift(change.item, text, f"{group.bytes} bytes"))
    own = [group for group in change.own if _is_own(before.get(group.number), group)]
    stuck = exchange(connection, change.former, own)
    if stuck:
        return _Outcome(
            left=RunbookStep(
                f"{change.item}: groups {', '.join(map(str, stuck))} are to be dropped",
                "they are in use and did not get free (ORA-01624)",
                (
                    f"{statements.SWITCH_LOG};",
                    f"{statements.CHECKPOINT};",
                    *(f"{statements.drop_redo(number)};" for number in stuck),
                ),
            )
        )
    files = tuple(member for group in own for member in group.members)
    if not files:
        return _Outcome()
    return _Outcome(
        leftovers=RunbookStep(
            f"{change.item}: files of dropped groups",
            "Oracle leaves the files of a group that it did not name itself",
            tuple(f"HOST rm {file}" for file in files),
        )
    )


def _is_own(present: RedoGroup | None, group: RedoGroup) -> bool:
    """Whether the group is there and is the one that tuning made, not another one under its number."""
    return present is not None and present.members == group.members


def _undo(connection: oracledb.Connection, change: UndoChange) -> _Outcome:
    drift = None
    shown = memory_value(connection, "undo_tablespace", change.sid)
    if same(shown, change.tablespace):
        execute(connection, change.use(change.former))
    elif not same(shown, change.former):
        drift = Drift(change.item, shown or "unset", change.former or "unset")
    for attempt in range(ATTEMPTS):
        if not has_tablespace(connection, change.tablespace):
            return _Outcome(drift=drift)
        if execute_tolerating(connection, IN_USE, statements.drop_tablespace(change.tablespace)):
            time.sleep(PAUSE * (attempt + 1))
    return _Outcome(
        left=RunbookStep(
            f"{change.item}: {change.tablespace} is to be dropped",
            "transactions that began in it have not ended (ORA-30013)",
            (f"{statements.drop_tablespace(change.tablespace)};",),
        )
    )


def _mode(connection: oracledb.Connection, change: ModeChange) -> _Outcome:
    if is_on(connection, change) == change.former:
        return _Outcome()
    log_mode = scalar(connection, statements.DATABASE)
    if change.mode == "flashback" and change.former and log_mode != "ARCHIVELOG":
        return _Outcome(
            left=runbook.from_root(
                "flashback: off -> on (the database is in NOARCHIVELOG mode)",
                "-- first set the database to ARCHIVELOG, mounted and not open; then:",
                "ALTER DATABASE FLASHBACK ON;",
            )
        )
    execute(connection, set_mode(change, change.former))
    return _Outcome()
