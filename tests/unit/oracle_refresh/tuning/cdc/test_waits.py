"""Waits of each process, told by their sessions, and lists of tables."""

from __future__ import annotations

from typing import Any

import pytest

from oracle_refresh.oracle.identifiers import TableName
from oracle_refresh.tuning.cdc import statements
from oracle_refresh.tuning.cdc.reader import read_picture
from oracle_refresh.tuning.cdc.support import Support, read_support
from oracle_refresh.tuning.cdc.waits import Process, Wait, read_processes, waited
from support.replicating import EXTRACT, GOLDENGATE, XOUT, XSTREAM, Answers, Replicating, capture_row

REDO, FLOW = "Streams capture: waiting for redo", "Streams AQ: enqueue blocked due to flow control"
CAPTURE = statements.session_waits(XSTREAM.capture, "CAPTURE_NAME")
SENDER = statements.session_waits("V$XSTREAM_OUTBOUND_SERVER", "SERVER_NAME")
SERVER = statements.session_waits(XSTREAM.server, "APPLY_NAME")
WAITS: Answers = {
    CAPTURE: {
        "CAP$_XOUT_1": [(28, 33, REDO, "Idle", 10, 2_000_000), (28, 33, FLOW, "Queueing", 4, 5_500_000)]
    },
    SENDER: {"XOUT": [(112, 27, None, None, None, None)]},
    SERVER: {"XOUT": [(97, 43, "db file sequential read", "User I/O", 3, 1_000), (112, 27) + (None,) * 4]},
}


def test_processes_and_their_waits() -> None:
    database: Any = Replicating({**XOUT, **WAITS})
    capture, sender, server = read_processes(database, read_picture(database, "XOUT"))
    assert (capture.role, capture.sid, capture.serial) == ("capture", 28, 33)
    assert capture.waits == (Wait(REDO, "Idle", 10, 2.0), Wait(FLOW, "Queueing", 4, 5.5))
    assert capture.longest == capture.waits[1], "waiting for nothing to do is no hindrance"
    assert (capture.seconds(idle=True), capture.seconds(idle=False)) == (2.0, 5.5)
    assert sender == Process("sender", 112, 27), "what sends is shown once, though it is an apply server too"
    assert sender.longest is None
    assert (server.role, server.sid) == ("apply server", 97)


def test_an_extract_s_sessions_are_those_of_its_capture_view() -> None:
    sending = statements.session_waits(GOLDENGATE.capture, "CAPTURE_NAME", "SERVER_SID", "SERVER_SERIAL#")
    database: Any = Replicating(
        {**EXTRACT, sending: {"OGG$CAP_EXT1": [(7, 8, "SQL*Net more data to client", "Network", 1, 500_000)]}}
    )
    (sender,) = read_processes(database, read_picture(database, capture_name="OGG$CAP_EXT1"))
    assert (sender.role, sender.sid, sender.serial) == ("sender", 7, 8)
    assert not any(view in sql for sql in database.asked for view in GOLDENGATE.views), "there is no apply"


@pytest.mark.parametrize(
    "text",
    [
        CAPTURE,
        SENDER,
        statements.session_waits(GOLDENGATE.capture, "CAPTURE_NAME", "SERVER_SID", "SERVER_SERIAL#"),
    ],
)
def test_a_session_is_told_by_both_of_its_numbers(text: str) -> None:
    """A SID goes to another session when one has ended."""
    sid, serial = ("SERVER_SID", "SERVER_SERIAL#") if "SERVER_SID" in text else ("SID", "SERIAL#")
    assert f"JOIN V$SESSION S ON S.SID = P.{sid} AND S.SERIAL# = P.{serial}\n" in text


def test_what_was_waited_for_in_between() -> None:
    def process(serial: int, *waits: Wait) -> Process:
        return Process("capture", 28, serial, waits)

    before = [process(33, Wait(REDO, "Idle", 10, 2.0), Wait(FLOW, "Queueing", 4, 5.5))]
    (same,) = waited(
        before,
        [
            process(
                33,
                Wait(REDO, "Idle", 10, 2.0),
                Wait(FLOW, "Queueing", 6, 6.0),
                Wait("latch free", "Other", 1, 0.7),
            )
        ],
    )
    assert same.waits == (Wait("latch free", "Other", 1, 0.7), Wait(FLOW, "Queueing", 2, 0.5))
    (another,) = waited(before, [process(34, Wait(FLOW, "Queueing", 6, 6.0))])
    assert another.waits == (Wait(FLOW, "Queueing", 6, 6.0),), "the same SID is another process"
    assert waited(before, []) == ()
    assert Process.from_json(same.to_json()) == same


UNSUPPORTED = {
    statements.PREPARED: [("APP", "CUSTOMERS"), ("APP", "DOCS")],
    statements.unsupported(XSTREAM): [("APP", "DOCS", "ID KEY"), ("APP", "QUEUE_T", "NONE")],
    statements.not_unique(XSTREAM): [("APP", "DOCS", "Y"), ("APP", "LOG", "N")],
}


def supported(answers: Answers, *missing: str, **names: str) -> Support:
    database: Any = Replicating(answers, frozenset(missing))
    return read_support(database, read_picture(database, **names))


def test_tables_that_are_not_captured_wholly_and_tables_without_keys() -> None:
    support = supported({**XOUT, **UNSUPPORTED}, apply_name="XOUT")
    assert support.schemas == ("APP",)
    assert [(each.table.key, each.why, each.prepared) for each in support.unsupported] == [
        ("APP.DOCS", "ID KEY", True),
        ("APP.QUEUE_T", "NONE", False),
    ]
    assert [(each.table, each.unbounded, each.prepared) for each in support.keyless] == [
        (TableName("APP", "DOCS"), True, True),
        (TableName("APP", "LOG"), False, False),
    ]
    assert (support.not_read, support.elsewhere) == ((), False)
    assert Support.from_json(support.to_json()) == support


@pytest.mark.parametrize("view", [XSTREAM.support, XSTREAM.not_unique])
def test_a_view_that_is_not_there_is_named(view: str) -> None:
    support = supported({**XOUT, **UNSUPPORTED}, view, apply_name="XOUT")
    assert support.not_read == (view,)
    assert bool(support.unsupported) != bool(support.keyless)
    none = supported({**XOUT, **UNSUPPORTED}, "DBA_CAPTURE_PREPARED_TABLES", apply_name="XOUT")
    assert none == Support(not_read=("DBA_CAPTURE_PREPARED_TABLES",))


def test_tables_of_another_database_are_asked_there() -> None:
    downstream = {
        statements.CAPTURE: {"CAP$_XOUT_1": [capture_row("XStream Out", "XOUT", kind="DOWNSTREAM")]}
    }
    assert supported({**XOUT, **UNSUPPORTED, **downstream}, apply_name="XOUT") == Support(elsewhere=True)
    alone = {statements.APPLY: XOUT[statements.APPLY]}
    assert supported(alone, apply_name="XOUT") == Support(elsewhere=True)
