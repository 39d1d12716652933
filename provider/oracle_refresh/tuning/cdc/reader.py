"""Reads a `Picture` from the dictionary and the V$ views; changes nothing.

Which family of views an installation has depends on release and use: Streams up to 18c, XStream and
GoldenGate from 11.2 on. Each is tried; a view that is not there, or may not be read, is left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from oracle_refresh.oracle.errors import TuningError
from oracle_refresh.oracle.session import execute_tolerating, rows, translated
from oracle_refresh.tuning.cdc import statements
from oracle_refresh.tuning.cdc.picture import (
    Capture,
    Coordinator,
    Picture,
    Pool,
    PoolAdvice,
    Queue,
    Reader,
    Server,
    SpilledTransaction,
)

if TYPE_CHECKING:
    import oracledb

    from oracle_refresh.tuning.cdc.statements import Family

STEP = "read change capture"
_NOT_THERE = "ORA-00942"
_HUNDREDTH = 0.01
_MEGABYTE = 1024 * 1024


def families(connection: oracledb.Connection) -> tuple[Family, ...]:
    """The families whose apply views the session can read."""
    return tuple(
        family for family in statements.FAMILIES if all(_readable(connection, view) for view in family.views)
    )


def read_picture(connection: oracledb.Connection, apply_name: str) -> Picture:
    """Everything about one apply process and the capture that feeds its queue.

    :raises TuningError: if there is no such apply process, or no apply views can be read.
    """
    apply = _rows(connection, statements.APPLY, apply_name=apply_name)
    if not apply:
        if not _readable(connection, "DBA_APPLY"):
            raise _unreadable(apply_name)
        raise TuningError(
            "there is no such apply process",
            object_name=apply_name,
            step=STEP,
            remedy="SELECT APPLY_NAME FROM DBA_APPLY shows what there is",
        )
    queue_owner, queue_name, status, error_number, error_message, _ = apply[0]
    family = _family(connection, apply_name)
    queue = {"queue_owner": queue_owner, "queue_name": queue_name}
    captures = _rows(connection, statements.CAPTURE_OF_QUEUE, **queue)
    capture_name = str(captures[0][0]) if captures else None
    system = {str(row[0]): str(row[1]) for row in _rows(connection, statements.SYSTEM_PARAMETERS)}
    error = f"ORA-{int(error_number):05d}: {error_message}" if error_number else None
    return Picture(
        apply_name=apply_name,
        family=family.name,
        status=str(status),
        error=error,
        capture=_capture(connection, family, capture_name) if capture_name else None,
        queue=_queue(connection, queue),
        reader=read_apply_reader(connection, family, apply_name),
        coordinator=read_coordinator(connection, family, apply_name),
        servers=_servers(connection, family, apply_name),
        pool=_pool(connection, int(system.get("streams_pool_size") or 0)),
        apply_parameters=_texts(connection, statements.APPLY_PARAMETERS, apply_name=apply_name),
        capture_parameters=_texts(connection, statements.CAPTURE_PARAMETERS, capture_name=capture_name)
        if capture_name
        else {},
        spilling=tuple(
            SpilledTransaction(".".join(str(int(part)) for part in row[:3]), int(row[3]))
            for row in _rows(connection, statements.SPILLED_TRANSACTIONS, apply_name=apply_name)
        ),
        cpus=int(system.get("cpu_count") or 1),
        sga_bytes=int(system.get("sga_max_size") or 0),
    )


def _family(connection: oracledb.Connection, apply_name: str) -> Family:
    """The family that shows the apply process; while it is stopped none does, and the first one serves."""
    readable = families(connection)
    if not readable:
        raise _unreadable(apply_name)
    for family in readable:
        if _rows(connection, statements.coordinator(family), apply_name=apply_name):
            return family
    return readable[0]


def _unreadable(apply_name: str) -> TuningError:
    return TuningError(
        "no views of apply processes can be read",
        codes=[_NOT_THERE],
        object_name=apply_name,
        step=STEP,
        remedy="grant SELECT_CATALOG_ROLE, or SELECT on the V$ views of XStream, GoldenGate or Streams",
    )


def _capture(connection: oracledb.Connection, family: Family, name: str) -> Capture | None:
    captures = _rows(connection, statements.capture(family), capture_name=name)
    if not captures:
        return None
    state, started, captured, enqueued, capturing, enqueuing, paused, changed, put = captures[0]
    return Capture(
        name=name,
        state=str(state),
        started_at=started,
        captured=_int(captured),
        enqueued=_int(enqueued),
        capture_seconds=_seconds(capturing),
        enqueue_seconds=_seconds(enqueuing),
        paused_seconds=_seconds(paused),
        enqueued_change_at=changed,
        enqueued_at=put,
    )


def _queue(connection: oracledb.Connection, queue: dict[str, str]) -> Queue | None:
    queues = _rows(connection, statements.QUEUE, **queue)
    return Queue(queues[0][0], *map(_int, queues[0][1:])) if queues else None


def read_apply_reader(connection: oracledb.Connection, family: Family, apply_name: str) -> Reader | None:
    """The apply reader's counters; None while it does not run."""
    readers = _rows(connection, statements.reader(family), apply_name=apply_name)
    if not readers:
        return None
    state, dequeued, spilled, dequeuing, spilling, memory = readers[0]
    return Reader(
        str(state), _int(dequeued), _int(spilled), _seconds(dequeuing), _seconds(spilling), _int(memory)
    )


def read_coordinator(connection: oracledb.Connection, family: Family, apply_name: str) -> Coordinator | None:
    """The coordinator's counters; None while it does not run."""
    for state, *rest in _rows(connection, statements.coordinator(family), apply_name=apply_name):
        return Coordinator(str(state), rest[0], *map(_int, rest[1:]))
    return None


def _servers(connection: oracledb.Connection, family: Family, apply_name: str) -> tuple[Server, ...]:
    return tuple(
        Server(_int(number), str(state), _int(transactions), _int(messages), _seconds(applying))
        for number, state, transactions, messages, applying in _rows(
            connection, statements.servers(family), apply_name=apply_name
        )
    )


def _pool(connection: oracledb.Connection, set_bytes: int) -> Pool | None:
    pools = _rows(connection, statements.POOL)
    if not pools:
        return None
    advice = tuple(
        PoolAdvice(round(float(size) * _MEGABYTE), _int(spills), float(spilling or 0), float(unspilling or 0))
        for size, spills, spilling, unspilling in _rows(connection, statements.POOL_ADVICE)
    )
    return Pool(set_bytes, _int(pools[0][0]), _int(pools[0][1]), advice)


def _texts(connection: oracledb.Connection, statement: str, **binds: Any) -> dict[str, str]:
    return {
        str(name): str(value) for name, value in _rows(connection, statement, **binds) if value is not None
    }


def _readable(connection: oracledb.Connection, view: str) -> bool:
    with translated(STEP, view, TuningError):
        return not execute_tolerating(connection, {_NOT_THERE}, statements.probe(view))


def _rows(connection: oracledb.Connection, statement: str, **binds: Any) -> Sequence[tuple[Any, ...]]:
    """What a view has; nothing where it is not there."""
    try:
        with translated(STEP, kind=TuningError):
            return rows(connection, statement, **binds)
    except TuningError as error:
        if _NOT_THERE in error.codes:
            return []
        raise


def _int(value: Any) -> int:
    return int(value or 0)


def _seconds(hundredths: Any) -> float:
    return float(hundredths or 0) * _HUNDREDTH
