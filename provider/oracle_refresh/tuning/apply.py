"""Applying changes: each is put on record first, then made. See `records` and `make`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from oracle_refresh.oracle.errors import TuningError, from_oracle, oracle_codes
from oracle_refresh.tuning.changes import Change, Changes, TempChange, UndoChange
from oracle_refresh.tuning.instance import STEP
from oracle_refresh.tuning.make import has_tablespace, has_temp_file, make
from oracle_refresh.tuning.records import Records, durable
from oracle_refresh.tuning.restore import restore

if TYPE_CHECKING:
    import oracledb

    from oracle_refresh.run.progress import Progress


def apply_changes(
    connection: oracledb.Connection, changes: Changes, run_id: str, phase: str, progress: Progress
) -> tuple[Change, ...]:
    """Make the dynamic changes; what is now on record of them. Commits.

    May be repeated, also after it was killed: what is recorded keeps its former state, what is made is not
    made twice. If Oracle refuses a change, everything that this run has changed is restored.

    :param phase: what the changes are for, in the record and the report.
    :raises TuningError: if another run's changes are still there (nothing is changed then), or if Oracle
        refuses one.
    """
    if not changes.dynamic:
        return ()
    records = Records(connection)
    records.ensure()
    _require_free(connection, records, changes, run_id)
    made: list[Change] = []
    total, change = len(changes.dynamic), changes.dynamic[0]
    try:
        durable(connection)
        for position, change in enumerate(changes.dynamic):
            progress.report(position, total, "changes", change.text)
            recorded = records.begin(run_id, phase, position, change)
            seen = make(connection, recorded, lambda made: records.keep(run_id, made, phase))
            if seen != recorded:
                records.keep(run_id, seen, phase)
            made.append(seen)
    except Exception as error:
        if not oracle_codes(error) and not isinstance(error, TuningError):
            raise
        raise _undone(connection, run_id, change.item, error) from error
    progress.report(total, total, "changes", f"tuned for {phase}")
    return tuple(made)


def _require_free(connection: oracledb.Connection, records: Records, changes: Changes, run_id: str) -> None:
    """Refuse where another run has changed things, or an object of that name exists already."""
    open_records = records.open()
    others = sorted({record.run_id for record in open_records if record.run_id != run_id})
    if others:
        raise TuningError(
            f"the instance is still tuned by {', '.join(others)}; nothing was changed",
            object_name=others[0],
            step=STEP,
            remedy="airflow oracle-refresh restore brings the former state back",
        )
    own = {record.item for record in open_records}
    for change in changes.dynamic:
        if change.item in own:
            continue
        taken = None
        if isinstance(change, UndoChange) and has_tablespace(connection, change.tablespace):
            taken = f"tablespace {change.tablespace}"
        if isinstance(change, TempChange) and has_temp_file(connection, change.file):
            taken = f"temporary file {change.file}"
        if taken:
            raise TuningError(
                f"{taken} exists already, and no record tells why; nothing was changed",
                object_name=taken,
                step=STEP,
                remedy="drop it if nobody needs it",
            )


def _undone(connection: oracledb.Connection, run_id: str, item: str, error: BaseException) -> TuningError:
    cause = error if isinstance(error, TuningError) else from_oracle(error, STEP, item, TuningError)
    try:
        restore(connection, run_id)
        left = ", ".join(record.item for record in Records(connection).open(run_id))
        note = f"still to be restored: {left}" if left else "everything of this run was restored"
    except Exception as further:
        note = f"the former state could not be restored ({further})"
    return TuningError(
        f"{cause.message} ({note})",
        codes=cause.codes,
        object_name=item,
        step=STEP,
        remedy=cause.remedy,
    )
