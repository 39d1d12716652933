"""What holds a capture in use up besides its parameters: processes, clients, waits, tables. Pure.

None of it is set by a parameter of capture or apply, so these findings recommend nothing that could be set.
"""

from __future__ import annotations

from oracle_refresh.tuning.cdc.rules import (
    BUSY,
    ORACLE_CAPTURES,
    CaptureReadings,
    Observation,
    Rule,
    Severity,
)
from oracle_refresh.tuning.cdc.statements import FAMILIES, Family
from oracle_refresh.tuning.cdc.support import ID_KEY

#: Share of the time from which on a wait is named.
LONG_WAIT = 0.1
#: So many tables are named in a finding; the report has all of them.
NAMED = 5
ENABLED = "ENABLED"
#: States of the client of a capture in which nobody takes its changes: ALL_CAPTURE.CLIENT_STATUS.
AWAY = {
    "DETACHED": "runs, but no client is attached",
    "DISABLED": "does not run",
    "ABORTED": "has ended with an error",
}

ORACLE_WAITS = "ORACLE, V$SESSION_EVENT"


def stopped(readings: CaptureReadings) -> Observation | None:
    """What somebody has stopped moves nothing."""
    picture = readings.picture
    ends = {
        picture.capture_name: (picture.capture_status, picture.capture_error),
        picture.apply_name: (picture.status, picture.error),
    }
    names = [
        f"{name} is {status}"
        for name, (status, error) in ends.items()
        if name and status not in (None, ENABLED) and not error
    ]
    if not names:
        return None
    return Observation("stopped", "problem", "; ".join(names), ORACLE_CAPTURES)


def client(readings: CaptureReadings) -> Observation | None:
    """A client that is away: the queue fills until flow control pauses capture."""
    picture = readings.picture
    why = AWAY.get(picture.client_status or "")
    if picture.applies or why is None or picture.capture_status != ENABLED:
        return None
    text = (
        f"{picture.client} {why}: messages stay in the queue, and redo has to be kept, until one takes them"
    )
    return Observation("client", "problem", text, ORACLE_CAPTURES)


def unseen(readings: CaptureReadings) -> Observation | None:
    """Dynamic views show the processes of their own instance."""
    picture, family = readings.picture, _family(readings)
    missing = []
    if picture.capture_status == ENABLED and picture.capture is None:
        missing.append(f"{family.capture} does not show {picture.capture_name}")
    if picture.status == ENABLED and picture.coordinator is None:
        missing.append(f"{family.coordinator} does not show {picture.apply_name}")
    if not missing:
        return None
    text = (
        f"{'; '.join(missing)}: ask the instance that owns the queue (DBA_QUEUE_TABLES.OWNER_INSTANCE), with"
        " the right to read it"
    )
    return Observation("not seen", "note", text, "ORACLE, DBA_QUEUE_TABLES: OWNER_INSTANCE")


def sending(readings: CaptureReadings) -> Observation | None:
    """A client, or the network to it, that takes changes more slowly than they come."""
    moved, sender = readings.moved, readings.picture.sender
    share = moved.send_seconds / moved.seconds if moved.seconds else 0.0
    if sender is None or share <= BUSY:
        return None
    text = (
        f"{sender.name} has sent for {100 * share:.0f} % of the time, {moved.sent:,} messages:"
        " the client or the network sets the pace"
    )
    return Observation("sending", "problem", text, f"ORACLE, {_view_of_sender(readings)}: ELAPSED_SEND_TIME")


def waits(readings: CaptureReadings) -> Observation | None:
    """What processes have waited for, idle waits aside."""
    seconds = readings.moved.seconds
    long = []
    for process in readings.processes:
        wait = process.longest
        if wait is not None and seconds and wait.seconds > LONG_WAIT * seconds:
            share = 100 * min(1.0, wait.seconds / seconds)
            long.append((share, f"{process.role} {process.sid}: {share:.0f} % {wait.event}"))
    if not long:
        return None
    return Observation("waits", "note", "; ".join(text for _, text in sorted(long)[::-1]), ORACLE_WAITS)


def unsupported(readings: CaptureReadings) -> Observation | None:
    """Tables whose changes do not arrive, or not wholly."""
    support = readings.support
    if support is None or not support.unsupported:
        return None
    names = _named([f"{each.table.key} ({each.why})" for each in support.unsupported])
    text = f"changes of {len(support.unsupported):,} tables are not captured, or not of all columns: {names}"
    by_key = any(each.why == ID_KEY for each in support.unsupported)
    # The parameter is that of XStream; an Extract asks for what it lacks by itself.
    parameter = readings.picture.capture_parameters.get("CAPTURE_IDKEY_OBJECTS", "N").strip().upper()
    missed = by_key and readings.picture.family == "XSTREAM" and parameter != "Y"
    if missed:
        text += "; those with ID KEY are left out, unless the capture parameter capture_idkey_objects is Y"
    lost = any(each.prepared and (missed or each.why != ID_KEY) for each in support.unsupported)
    source = f"ORACLE, {_family(readings).support}"
    return Observation("unsupported tables", "problem" if lost else "note", text, source)


def keyless(readings: CaptureReadings) -> Observation | None:
    """Tables whose rows are found by all of their columns, or not at all."""
    support = readings.support
    if support is None or not support.keyless:
        return None
    names = _named([each.table.key for each in support.keyless])
    text = f"{len(support.keyless):,} tables have no key: {names}; each change is found by all columns"
    unbounded = [each for each in support.keyless if each.unbounded]
    if unbounded:
        text += f", of {len(unbounded):,} not even by those where rows differ in LONG or LOB columns only"
    severity: Severity = "problem" if any(each.prepared for each in unbounded) else "note"
    return Observation("tables without keys", severity, text, f"ORACLE, {_family(readings).not_unique}")


PROCESS_RULES: tuple[Rule, ...] = (stopped, client, unseen, sending, waits, unsupported, keyless)


def _named(names: list[str]) -> str:
    more = f" and {len(names) - NAMED:,} more" if len(names) > NAMED else ""
    return f"{', '.join(names[:NAMED])}{more}"


def _family(readings: CaptureReadings) -> Family:
    return next(family for family in FAMILIES if family.name == readings.picture.family)


def _view_of_sender(readings: CaptureReadings) -> str:
    return "V$XSTREAM_OUTBOUND_SERVER" if readings.picture.family == "XSTREAM" else "V$GOLDENGATE_CAPTURE"
