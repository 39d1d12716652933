"""Reads a `Picture` from the dictionary and the V$ views; changes nothing.

Which family of views an installation has depends on release and use: Streams up to 18c, XStream and
GoldenGate from 11.2 on. The purpose of a process says which of them shows it; a view that is not there, or
may not be read, is left out.
"""

from __future__ import annotations

from functools import cache, partial
from typing import TYPE_CHECKING, Any

from oracle_refresh.tuning.cdc import statements
from oracle_refresh.tuning.cdc.looking import look, readable, unreadable
from oracle_refresh.tuning.cdc.parts import (
    Capture,
    Coordinator,
    OpenTransaction,
    Pool,
    PoolAdvice,
    Queue,
    Reader,
    Sender,
    Server,
    SpilledTransaction,
)
from oracle_refresh.tuning.cdc.picture import Picture
from oracle_refresh.tuning.cdc.subject import find, viewed_by

if TYPE_CHECKING:
    import oracledb

    from oracle_refresh.tuning.cdc.statements import Family
    from oracle_refresh.tuning.cdc.subject import End

#: Open transactions of a capture that are kept.
MOST_TRANSACTIONS = 10
_HUNDREDTH = 0.01
_MEGABYTE = 1024 * 1024


def read_picture(
    connection: oracledb.Connection, apply_name: str | None = None, capture_name: str | None = None
) -> Picture:
    """Everything about a capture, an apply process, or both ends of the same changes.

    One name is enough. The other end is read with it where this database has it: an integrated Extract or a
    capture whose changes leave for another database may have none.

    :param apply_name: as in DBA_APPLY: of an apply process, or of an XStream outbound or inbound server.
    :param capture_name: as in DBA_CAPTURE.
    :raises TuningError: if there is no such process, none of its views can be read, or several processes
        stand at the other end.
    """
    subject = find(connection, apply_name, capture_name)
    capture, apply = subject.capture, subject.apply
    family = viewed_by(subject, cache(partial(readable, connection)))
    end = capture or apply
    assert end is not None
    if family is None:
        raise unreadable(end.name)
    system = {str(row[0]): str(row[1]) for row in look(connection, statements.SYSTEM_PARAMETERS)}
    of_apply = {"apply_name": apply.name} if apply else None
    of_capture = {"capture_name": capture.name} if capture else None
    return Picture(
        apply_name=apply.name if apply else None,
        family=family.name,
        status=apply.status if apply else None,
        error=apply.error if apply else None,
        capture=_capture(connection, family, capture.name) if capture else None,
        queue=_queue(connection, end),
        reader=read_apply_reader(connection, family, apply.name) if apply else None,
        coordinator=read_coordinator(connection, family, apply.name) if apply else None,
        servers=_servers(connection, family, apply.name) if apply else (),
        pool=_pool(connection, int(system.get("streams_pool_size") or 0)),
        apply_parameters=_texts(connection, statements.APPLY_PARAMETERS, of_apply),
        capture_parameters=_texts(connection, statements.CAPTURE_PARAMETERS, of_capture),
        spilling=tuple(
            SpilledTransaction(".".join(str(int(part)) for part in row[:3]), int(row[3]))
            for row in (look(connection, statements.SPILLED_TRANSACTIONS, **of_apply) if of_apply else ())
        ),
        cpus=int(system.get("cpu_count") or 1),
        sga_bytes=int(system.get("sga_max_size") or 0),
        purpose=subject.purpose,
        capture_name=capture.name if capture else None,
        capture_status=capture.status if capture else None,
        capture_error=capture.error if capture else None,
        capture_type=capture.capture_type if capture else "",
        client=capture.client if capture else None,
        client_status=capture.client_status if capture else None,
        sender=_sender(connection, family, capture, apply),
        transactions=_transactions(connection, family, capture),
    )


def _capture(connection: oracledb.Connection, family: Family, name: str) -> Capture | None:
    captures = look(connection, statements.capture(family), capture_name=name)
    if not captures:
        return None
    state, started, captured, enqueued, capturing, enqueuing, paused, changed, put, *more = captures[0]
    read_change, read_at, ruling, building, waiting, redo = more
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
        captured_change_at=read_change,
        captured_at=read_at,
        rule_seconds=_seconds(ruling),
        build_seconds=_seconds(building),
        redo_wait_seconds=_seconds(waiting),
        redo_bytes=_int(redo),
    )


def _sender(
    connection: oracledb.Connection, family: Family, capture: End | None, apply: End | None
) -> Sender | None:
    """What sends to a client; an outbound server has its own view, of an Extract the capture's view tells."""
    if family.name == "XSTREAM" and apply:
        sending = look(connection, statements.OUTBOUND_SERVER, apply_name=apply.name)
    elif family.name == "GG" and capture:
        sending = look(connection, statements.EXTRACT, capture_name=capture.name)
    else:
        return None
    for name, state, started, messages, size, seconds, changed, at in sending:
        return Sender(
            str(name), str(state), started, _int(messages), _int(size), _seconds(seconds), changed, at
        )
    return None


def _transactions(
    connection: oracledb.Connection, family: Family, capture: End | None
) -> tuple[OpenTransaction, ...]:
    if capture is None or family.transaction is None:
        return ()
    found = look(connection, statements.transactions(family.transaction), capture_name=capture.name)
    return tuple(
        OpenTransaction(".".join(str(int(part)) for part in identifier), _int(messages), began)
        for *identifier, messages, began in found[:MOST_TRANSACTIONS]
    )


def _queue(connection: oracledb.Connection, end: End) -> Queue | None:
    queues = look(connection, statements.QUEUE, **end.queue)
    return Queue(queues[0][0], *map(_int, queues[0][1:])) if queues else None


def read_apply_reader(connection: oracledb.Connection, family: Family, apply_name: str) -> Reader | None:
    """The apply reader's counters; None while it does not run."""
    readers = look(connection, statements.reader(family), apply_name=apply_name)
    if not readers:
        return None
    state, dequeued, spilled, dequeuing, spilling, memory, changed, at = readers[0]
    return Reader(
        str(state),
        _int(dequeued),
        _int(spilled),
        _seconds(dequeuing),
        _seconds(spilling),
        _int(memory),
        changed,
        at,
    )


def read_coordinator(connection: oracledb.Connection, family: Family, apply_name: str) -> Coordinator | None:
    """The coordinator's counters; None while it does not run."""
    for state, started, *counters, changed, at in look(
        connection, statements.coordinator(family), apply_name=apply_name
    ):
        received, applied, dependencies, commits, errors, unassigned = map(_int, counters)
        return Coordinator(
            *(str(state), started, received, applied, dependencies, commits, errors, unassigned),
            applied_change_at=changed,
            applied_at=at,
        )
    return None


def _servers(connection: oracledb.Connection, family: Family, apply_name: str) -> tuple[Server, ...]:
    return tuple(
        Server(_int(number), str(state), _int(transactions), _int(messages), _seconds(applying))
        for number, state, transactions, messages, applying in look(
            connection, statements.servers(family), apply_name=apply_name
        )
    )


def _pool(connection: oracledb.Connection, set_bytes: int) -> Pool | None:
    pools = look(connection, statements.POOL)
    if not pools:
        return None
    advice = tuple(
        PoolAdvice(round(float(size) * _MEGABYTE), _int(spills), float(spilling or 0), float(unspilling or 0))
        for size, spills, spilling, unspilling in look(connection, statements.POOL_ADVICE)
    )
    return Pool(set_bytes, _int(pools[0][0]), _int(pools[0][1]), advice)


def _texts(connection: oracledb.Connection, statement: str, binds: dict[str, str] | None) -> dict[str, str]:
    if binds is None:
        return {}
    return {
        str(name): str(value) for name, value in look(connection, statement, **binds) if value is not None
    }


def _int(value: Any) -> int:
    return int(value or 0)


def _seconds(hundredths: Any) -> float:
    return float(hundredths or 0) * _HUNDREDTH
