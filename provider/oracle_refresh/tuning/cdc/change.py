"""Sets parameters of apply, capture and the streams pool, and takes them back.

What was set before is handed to the caller to be kept before anything is changed, so a killed task leaves a
record from which `restore` brings everything back, however often it is run. A value that is neither the
former one nor one of ours has been set by somebody else: it is reported and left as it is. So is an apply
process that somebody else has stopped: it is started only where the record says that we have stopped it.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from oracle_refresh.jsonable import Jsonable
from oracle_refresh.oracle.errors import TuningError
from oracle_refresh.oracle.session import execute, row, rows, scalar, translated
from oracle_refresh.run.kind import Kind
from oracle_refresh.tuning.cdc import calls, statements
from oracle_refresh.tuning.cdc.model import Settings
from oracle_refresh.tuning.cdc.rules import Diagnosis

if TYPE_CHECKING:
    import oracledb

log = logging.getLogger(__name__)

STEP = "set change capture"
APPLY, CAPTURE, SYSTEM = "apply", "capture", "system"
POOL = f"{SYSTEM}.streams_pool_size"
#: DBA_APPLY.STATUS; the third is ABORTED.
ENABLED, DISABLED = "ENABLED", "DISABLED"

#: Values by `apply.PARALLELISM`, `capture.MAX_SGA_SIZE`, `system.streams_pool_size`; None is the default.
Values = dict[str, str | None]


@dataclass(frozen=True)
class Record(Jsonable):
    """What was set before the first change, and everything that has been set since."""

    apply_name: str | None
    """None: nothing applies the changes in this database, and only parameters of the capture are set."""
    capture_name: str | None
    former: dict[str, str | None] = field(hash=False)
    intended: dict[str, list[str | None]] = field(hash=False)
    running: bool = False
    """Whether apply ran before the first change."""
    stopped: bool = False
    """Whether apply is stopped by us: kept before it is stopped, taken off when it has been started again."""


#: Stores a record durably, in place of the one before it.
Keep = Callable[[Record], None]


RECORD: Kind[Record] = Kind("cdc former", Record)


def values_of(settings: Settings) -> Values:
    """The parameters that settings stand for."""
    return {
        f"{APPLY}.PARALLELISM": str(settings.parallelism),
        f"{APPLY}.TXN_LCR_SPILL_THRESHOLD": str(settings.txn_lcr_spill_threshold),
        f"{APPLY}.COMMIT_SERIALIZATION": settings.commit_serialization,
        POOL: str(settings.streams_pool_bytes),
    }


def values_recommended(diagnosis: Diagnosis) -> Values:
    """The parameters of a diagnosis' recommendations; the batch size is up to the application."""
    places = {
        "streams_pool_size": POOL,
        "max_sga_size": f"{CAPTURE}.MAX_SGA_SIZE",
    }
    return {
        places.get(each.parameter, f"{APPLY}.{each.parameter.upper()}"): each.proposed
        for each in diagnosis.recommendations
        if each.parameter != "rows_per_commit"
    }


@translated(STEP, kind=TuningError)
def change(
    connection: oracledb.Connection,
    apply_name: str | None,
    capture_name: str | None,
    wanted: Mapping[str, str | None],
    record: Record | None,
    keep: Keep,
) -> Record:
    """Set what differs from what is set; the apply process is stopped meanwhile if it runs.

    :param record: of former changes, whose former values then stay the former ones.
    :param keep: called before anything is changed, and around the time in which apply is stopped.
    :raises TuningError: if a value cannot be set here; then nothing has been changed.
    """
    wanted = _in_granules(connection, _settable(connection, wanted))
    intended = intend(connection, apply_name, capture_name, wanted, record)
    if intended is None:
        return record or Record(apply_name, capture_name, {}, {})
    keep(intended)
    settle(connection, intended, wanted, keep)
    return intended


@translated(STEP, kind=TuningError)
def intend(
    connection: oracledb.Connection,
    apply_name: str | None,
    capture_name: str | None,
    wanted: Mapping[str, str | None],
    record: Record | None = None,
) -> Record | None:
    """The record to keep before these values are set; None where all of them are set already.

    :raises TuningError: if a value cannot be set here.
    """
    present = read_values(connection, apply_name, capture_name)
    different = _differing(present, wanted)
    if not different:
        return None
    _check(different, apply_name, capture_name)
    if record is None:
        running = _status(connection, apply_name) == ENABLED
        record = Record(apply_name, capture_name, {}, {}, running)
    set_by_user = _set_by_user(connection, apply_name, capture_name)
    former, intended = dict(record.former), {name: list(all_) for name, all_ in record.intended.items()}
    for name, value in different.items():
        former.setdefault(name, present.get(name) if name in set_by_user or name == POOL else None)
        intended.setdefault(name, [])
        if value not in intended[name]:
            intended[name].append(value)
    return replace(record, former=former, intended=intended)


@translated(STEP, kind=TuningError)
def settle(
    connection: oracledb.Connection, record: Record, wanted: Mapping[str, str | None], keep: Keep
) -> None:
    """Set what of these values is not set yet, when the record is kept; may be repeated."""
    present = read_values(connection, record.apply_name, record.capture_name)
    _set(connection, record, _differing(present, wanted), keep)


def _differing(present: Values, wanted: Mapping[str, str | None]) -> Values:
    return {name: value for name, value in wanted.items() if not _equal(present.get(name), value)}


@translated(STEP, kind=TuningError)
def restore(connection: oracledb.Connection, record: Record, keep: Keep) -> tuple[str, ...]:
    """Bring back what was set before; what others have set since stays.

    :param keep: called around the time in which apply is stopped.
    :returns: a line for each value that somebody else has set, and one for an apply process that ran and that
        somebody else has stopped.
    """
    present = read_values(connection, record.apply_name, record.capture_name)
    set_by_user = _set_by_user(connection, record.apply_name, record.capture_name)
    drifted, back = [], {}
    for name, value in record.former.items():
        current = present.get(name)
        is_former = _equal(current, value) if value is not None else name not in set_by_user
        if is_former:
            continue
        if any(_equal(current, ours) for ours in record.intended.get(name, ())):
            back[name] = value
        else:
            before = "the default" if value is None else value
            drifted.append(f"{name} is {current}, set by somebody else meanwhile; before it was {before}")
    _set(connection, record, back, keep)
    status = _status(connection, record.apply_name)
    if record.running and status not in (None, ENABLED):
        drifted.append(
            f"{record.apply_name} is {status}, stopped by somebody else or by an error; before it ran"
        )
    return tuple(drifted)


@translated(STEP, kind=TuningError)
def read_values(connection: oracledb.Connection, apply_name: str | None, capture_name: str | None) -> Values:
    """Every parameter that is set now."""
    values: Values = {}
    if apply_name:
        of_apply = rows(connection, statements.APPLY_PARAMETERS, apply_name=apply_name)
        values |= {f"{APPLY}.{name.upper()}": value for name, value in of_apply}
    if capture_name:
        of_capture = rows(connection, statements.CAPTURE_PARAMETERS, capture_name=capture_name)
        values |= {f"{CAPTURE}.{name.upper()}": value for name, value in of_capture}
    for name, value, *_ in rows(connection, statements.SYSTEM_PARAMETERS):
        if name == "streams_pool_size":
            values[POOL] = value
    return values


def _set(
    connection: oracledb.Connection, record: Record, values: Mapping[str, str | None], keep: Keep
) -> None:
    """Apply runs afterwards if it was stopped here, or by a call that was killed: the record tells."""
    apply_name, capture_name = record.apply_name, record.capture_name
    # Some parameters take effect with the next start only, and for others the servers are restarted anyway.
    of_apply = any(name.startswith(f"{APPLY}.") for name in values)
    stop = of_apply and _status(connection, apply_name) == ENABLED
    if stop:
        keep(replace(record, stopped=True))
    try:
        if stop:
            _execute(connection, apply_name, calls.STOP_APPLY, apply_name=apply_name)
        for name, value in values.items():
            where, _, parameter = name.partition(".")
            if where == APPLY:
                binds = {"apply_name": apply_name, "parameter": parameter, "value": value}
                _execute(connection, f"{apply_name} {parameter}", calls.SET_APPLY_PARAMETER, **binds)
            elif where == CAPTURE:
                binds = {"capture_name": capture_name, "parameter": parameter, "value": value}
                _execute(connection, f"{capture_name} {parameter}", calls.SET_CAPTURE_PARAMETER, **binds)
            else:
                _execute(connection, parameter, calls.set_streams_pool(int(value or 0)))
    finally:
        if stop or record.stopped:
            if _status(connection, apply_name) == DISABLED:
                _execute(connection, apply_name, calls.START_APPLY, apply_name=apply_name)
            keep(replace(record, stopped=False))


def _execute(connection: oracledb.Connection, about: str | None, call: str, **binds: str | None) -> None:
    with translated(STEP, about, TuningError):
        execute(connection, call, **binds)


def _check(wanted: Mapping[str, str | None], apply_name: str | None, capture_name: str | None) -> None:
    """What can be known before the first change."""
    for name, value in wanted.items():
        if name.startswith(f"{APPLY}.") and apply_name is None:
            raise TuningError(
                "no apply process of this database takes from the queue", object_name=name, step=STEP
            )
        if name.startswith(f"{CAPTURE}.") and capture_name is None:
            raise TuningError(
                "no capture process of this database feeds the queue", object_name=name, step=STEP
            )
        if name == POOL and not str(value).isdigit():
            raise TuningError(f"{value} is no number of bytes", object_name=name, step=STEP)


def _settable(connection: oracledb.Connection, wanted: Mapping[str, str | None]) -> dict[str, str | None]:
    """What can be set from this container: the streams pool is the instance's, and a DBA sets it in the root.

    :raises TuningError: if the release has no such parameter.
    """
    if POOL not in wanted:
        return dict(wanted)
    parameters = {name: rest for name, *rest in rows(connection, statements.SYSTEM_PARAMETERS)}
    if "streams_pool_size" not in parameters:
        raise TuningError("this release has no such parameter", object_name="streams_pool_size", step=STEP)
    _, of_system, of_pdb = parameters["streams_pool_size"]
    # 0 is a database without containers, 1 the root.
    in_pdb = int(scalar(connection, statements.CONTAINER) or 0) > 1
    if of_system == "FALSE" or (in_pdb and of_pdb == "FALSE"):
        size = str(wanted[POOL])
        log.warning(
            "the streams pool cannot be changed from this container (ORA-65040) and stays as it is; in the"
            " CDB's root: %s",
            calls.set_streams_pool(int(size)) if size.isdigit() else size,
        )
        return {name: value for name, value in wanted.items() if name != POOL}
    return dict(wanted)


def shown(values: Mapping[str, str | None], names: Iterable[str]) -> str:
    """Values in words; None stands for the default."""
    return ", ".join(
        f"{name} {'the default' if values.get(name) is None else values[name]}" for name in names
    )


def _in_granules(connection: oracledb.Connection, wanted: Mapping[str, str | None]) -> dict[str, str | None]:
    """The pool in whole granules, as the instance rounds it: else our own value would look like drift."""
    size = wanted.get(POOL)
    if not size or not size.isdigit():
        return dict(wanted)
    granule = int(scalar(connection, statements.GRANULE) or 1)
    return {**wanted, POOL: str(-(-int(size) // granule) * granule)}


def _set_by_user(
    connection: oracledb.Connection, apply_name: str | None, capture_name: str | None
) -> set[str]:
    """The parameters whose values are not the defaults."""
    names: set[str] = set()
    if apply_name:
        of_apply = rows(connection, statements.APPLY_SET_BY_USER, apply_name=apply_name)
        names |= {f"{APPLY}.{name.upper()}" for (name,) in of_apply}
    if capture_name:
        of_capture = rows(connection, statements.CAPTURE_SET_BY_USER, capture_name=capture_name)
        names |= {f"{CAPTURE}.{name.upper()}" for (name,) in of_capture}
    return names


def _status(connection: oracledb.Connection, apply_name: str | None) -> str | None:
    apply = row(connection, statements.APPLY, apply_name=apply_name) if apply_name else None
    return str(apply[2]) if apply else None


def _equal(value: str | None, other: str | None) -> bool:
    return (value or "").strip().upper() == (other or "").strip().upper()
