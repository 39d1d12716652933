"""Who is asked about: from the name of a capture or an apply process to both ends of the same changes.

DBA_CAPTURE and DBA_APPLY say what a process is for (PURPOSE), and with that which views show it at work: also
while it is stopped and none of them does. Purposes: Database Reference 19c, ALL_CAPTURE and ALL_APPLY; before
19c Streams besides.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from oracle_refresh.oracle.errors import TuningError
from oracle_refresh.tuning.cdc import statements
from oracle_refresh.tuning.cdc.looking import STEP, look, readable, unreadable

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import oracledb

    from oracle_refresh.tuning.cdc.statements import Family

DOWNSTREAM = "DOWNSTREAM"


@dataclass(frozen=True)
class End:
    """A capture or apply process as the dictionary has it: DBA_CAPTURE or DBA_APPLY."""

    name: str
    queue_owner: str
    queue_name: str
    status: str
    error: str | None
    purpose: str
    """As the view spells it; empty where it says nothing."""
    capture_type: str = ""
    """LOCAL or DOWNSTREAM; of a capture only."""
    client: str | None = None
    """The outbound server, or the Extract, that a capture works for."""
    client_status: str | None = None
    """ATTACHED, DETACHED, DISABLED or ABORTED."""

    @property
    def queue(self) -> dict[str, str]:
        """Its queue as binds."""
        return {"queue_owner": self.queue_owner, "queue_name": self.queue_name}


@dataclass(frozen=True)
class Subject:
    """A capture, an apply process, or both ends of the same changes; at least one of them is there."""

    capture: End | None
    apply: End | None

    @property
    def purpose(self) -> str:
        """That of the capture, as an apply process does not always have one of its own."""
        ends = [end.purpose for end in (self.capture, self.apply) if end is not None]
        return next(filter(None, ends), "")


def find(
    connection: oracledb.Connection, apply_name: str | None = None, capture_name: str | None = None
) -> Subject:
    """What these names stand for: a name that is left out is found by the other one, if this database has it.

    :param apply_name: of an apply process, or of an XStream inbound or outbound server, which are such.
    :raises TuningError: without any name; if there is no such process, the dictionary cannot be read, or
        several processes stand at the other end, of which one has to be named.
    """
    if apply_name:
        apply = _end(connection, "DBA_APPLY", statements.APPLY, "apply_name", apply_name)
        if not capture_name:
            capture_name = _other(
                connection,
                [
                    (statements.CAPTURE_OF_OUTBOUND, {"apply_name": apply_name}),
                    (statements.CAPTURE_OF_QUEUE, apply.queue),
                ],
                apply_name,
                "capture_name",
            )
        capture = _capture(connection, capture_name) if capture_name else None
        return Subject(capture, apply)
    if not capture_name:
        raise TuningError(
            "neither a capture nor an apply process is named", step=STEP, remedy="name one of them"
        )
    capture = _capture(connection, capture_name)
    other = _other(
        connection,
        [
            (statements.OUTBOUND_OF_CAPTURE, {"capture_name": capture_name}),
            (statements.APPLY_OF_QUEUE, capture.queue),
        ],
        capture_name,
        "apply_name",
    )
    return Subject(
        capture, _end(connection, "DBA_APPLY", statements.APPLY, "apply_name", other) if other else None
    )


def family_of(purpose: str) -> str:
    """Whose views show a process of this purpose: STREAMS, XSTREAM or GG."""
    spelled = purpose.upper()
    if spelled.startswith("XSTREAM"):
        return "XSTREAM"
    return "GG" if spelled.startswith("GOLDENGATE") else "STREAMS"


def viewed_by(subject: Subject, may_read: Callable[[str], bool]) -> Family | None:
    """The family of views that shows it: that of its purpose; those of Streams where these are not there.

    The views of Streams show every apply process where they are documented at all.

    :param may_read: whether a view can be read.
    """
    own, streams = family_of(subject.purpose), "STREAMS"
    for name in dict.fromkeys((own, streams)):
        family = next(each for each in statements.FAMILIES if each.name == name)
        # A capture without an apply process of this database shows in one view only.
        needed = family.views if subject.apply is not None else (family.capture,)
        if all(map(may_read, needed)):
            return family
    return None


def _capture(connection: oracledb.Connection, name: str) -> End:
    return _end(connection, "DBA_CAPTURE", statements.CAPTURE, "capture_name", name)


def _end(connection: oracledb.Connection, view: str, statement: str, bind: str, name: str) -> End:
    for owner, queue, status, number, message, purpose, *rest in look(connection, statement, **{bind: name}):
        error = f"ORA-{int(number):05d}: {message}" if number else None
        return End(name, owner, queue, str(status), error, str(purpose or "").strip(), *rest)
    if not readable(connection, view):
        raise unreadable(name)
    column = bind.upper()
    kind = "apply process" if view == "DBA_APPLY" else "capture process"
    raise TuningError(
        f"there is no such {kind}",
        object_name=name,
        step=STEP,
        remedy=f"SELECT {column}, PURPOSE FROM {view} shows what there is",
    )


def _other(
    connection: oracledb.Connection,
    ways: Sequence[tuple[str, dict[str, Any]]],
    name: str,
    parameter: str,
) -> str | None:
    """Who is at the other end, by the first way that knows anybody."""
    for statement, binds in ways:
        found = [str(other) for (other,) in look(connection, statement, **binds)]
        if len(found) > 1:
            raise TuningError(
                f"several processes are at the other end: {', '.join(found)}",
                object_name=name,
                step=STEP,
                remedy=f"name one of them as {parameter}",
            )
        if found:
            return found[0]
    return None
