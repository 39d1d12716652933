"""What holds a capture up besides parameters, and which recommendations a client's capture gets."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from oracle_refresh.labs.change_capture.study import COSTS, MEMORY
from oracle_refresh.oracle.identifiers import TableName
from oracle_refresh.tuning.cdc.parts import Queue, Server
from oracle_refresh.tuning.cdc.picture import Picture, movement
from oracle_refresh.tuning.cdc.process_rules import PROCESS_RULES
from oracle_refresh.tuning.cdc.reader import read_picture
from oracle_refresh.tuning.cdc.rules import CaptureReadings, Diagnosis, Observation, diagnose
from oracle_refresh.tuning.cdc.support import KeylessTable, Support, UnsupportedTable
from oracle_refresh.tuning.cdc.waits import Process, Wait
from support.replicating import BEGUN, EXTRACT, XOUT, Replicating

SECONDS = 100.0
DOCS, LOG = TableName("APP", "DOCS"), TableName("APP", "LOG")


def outbound(**changes: Any) -> Picture:
    database: Any = Replicating(XOUT)
    return replace(read_picture(database, "XOUT"), **changes)


def extract(**changes: Any) -> Picture:
    database: Any = Replicating(EXTRACT)
    return replace(read_picture(database, capture_name="OGG$CAP_EXT1"), **changes)


def judged(picture: Picture, **more: Any) -> Diagnosis:
    readings = CaptureReadings(movement(None, picture, SECONDS), picture, MEMORY, **more)
    return diagnose(readings, COSTS, PROCESS_RULES)


def found(diagnosis: Diagnosis, rule: str) -> Observation | None:
    return next((finding for finding in diagnosis.findings if finding.rule == rule), None)


def seen(diagnosis: Diagnosis, rule: str) -> Observation:
    finding = found(diagnosis, rule)
    assert finding is not None, [each.rule for each in diagnosis.findings]
    return finding


def test_only_what_an_outbound_server_heeds_is_recommended() -> None:
    """DBMS_APPLY_ADM.SET_PARAMETER: outbound servers ignore parallelism's like; the threshold they heed."""
    spilling = outbound(
        queue=Queue(BEGUN, 0, 0, 99_000, 75_000),
        apply_parameters={
            "PARALLELISM": "1",
            "TXN_LCR_SPILL_THRESHOLD": "100000",
            "COMMIT_SERIALIZATION": "FULL",
        },
        servers=(Server(1, "IDLE", 10, 99_000, 90.0),),
    )
    diagnosis = judged(spilling)
    assert {each.parameter for each in diagnosis.recommendations} == {"txn_lcr_spill_threshold"}
    assert diagnosis.gain == 1.0, "the model has no client"
    ours = judged(replace(spilling, purpose="Streams"))
    assert "parallelism" in {each.parameter for each in ours.recommendations}


def test_without_an_apply_process_nothing_is_recommended_for_one() -> None:
    diagnosis = judged(extract(queue=Queue(BEGUN, 0, 0, 99_000, 75_000)))
    assert seen(diagnosis, "queue spill").recommendation is None
    assert not diagnosis.changed


@pytest.mark.parametrize(
    ("status", "says"),
    [("DETACHED", "no client is attached"), ("DISABLED", "does not run"), ("ABORTED", "ended with an error")],
)
def test_a_client_that_is_away(status: str, says: str) -> None:
    finding = seen(judged(extract(client_status=status)), "client")
    assert finding.severity == "problem"
    assert finding.text.startswith("EXT1 ")
    assert says in finding.text
    assert found(judged(extract()), "client") is None
    stopped = extract(client_status=status, capture_status="DISABLED")
    assert found(judged(stopped), "client") is None, "the capture itself does not run"
    assert found(judged(outbound(client_status=status, purpose="Streams")), "client") is None


def test_processes_that_were_stopped_and_that_failed() -> None:
    assert seen(judged(outbound(capture_status="DISABLED")), "stopped").text == "CAP$_XOUT_1 is DISABLED"
    both = judged(outbound(capture_status="DISABLED", status="DISABLED"))
    assert seen(both, "stopped").text == "CAP$_XOUT_1 is DISABLED; XOUT is DISABLED"
    failed = judged(outbound(capture_status="ABORTED", capture_error="ORA-01291: missing log file"))
    assert found(failed, "stopped") is None
    assert failed.findings[0].text == "capture is ABORTED: ORA-01291: missing log file"
    assert found(judged(outbound()), "stopped") is None


def test_processes_of_another_instance() -> None:
    assert found(judged(outbound()), "not seen") is None
    text = seen(judged(outbound(capture=None, coordinator=None)), "not seen").text
    assert "V$XSTREAM_CAPTURE does not show CAP$_XOUT_1" in text
    assert "V$XSTREAM_APPLY_COORDINATOR does not show XOUT" in text
    assert found(judged(outbound(capture=None, capture_status="DISABLED")), "not seen") is None
    assert found(judged(extract()), "not seen") is None, "it has no apply process to be seen"


def test_a_client_that_sets_the_pace() -> None:
    slow = outbound()
    assert slow.sender is not None
    busy = replace(slow, sender=replace(slow.sender, send_seconds=80.0))
    assert "80 % of the time, 650 messages" in seen(judged(busy), "sending").text
    assert found(judged(slow), "sending") is None, "45 of 100 seconds"


def test_the_longest_wait_of_each_process() -> None:
    idle, flow = Wait("waiting for redo", "Idle", 9, 90.0), Wait("blocked", "Queueing", 3, 40.0)
    capture = Process("capture", 28, 33, (idle, flow, Wait("latch free", "Other", 1, 11.0)))
    server = Process("apply server", 97, 43, (Wait("log file sync", "Commit", 8, 70.0),))
    short = Process("apply reader", 105, 5, (Wait("latch free", "Other", 8, 1.0),))
    text = seen(judged(outbound(), processes=(capture, server, short)), "waits").text
    assert text == "apply server 97: 70 % log file sync; capture 28: 40 % blocked"
    assert found(judged(outbound(), processes=(short,)), "waits") is None
    assert found(judged(outbound()), "waits") is None


def unsupported(why: str, *, prepared: bool = True) -> Support:
    return Support(unsupported=(UnsupportedTable(DOCS, why, prepared),))


def test_unsupported_tables() -> None:
    by_key = unsupported("ID KEY")
    left_out = seen(judged(outbound(), support=by_key), "unsupported tables")
    assert left_out.severity == "problem"
    assert "capture_idkey_objects" in left_out.text
    asked = outbound(capture_parameters={"CAPTURE_IDKEY_OBJECTS": "Y"})
    assert seen(judged(asked, support=by_key), "unsupported tables").severity == "note"
    assert "capture_idkey" not in seen(judged(extract(), support=by_key), "unsupported tables").text
    assert seen(judged(asked, support=unsupported("NONE")), "unsupported tables").severity == "problem"
    apart = unsupported("NONE", prepared=False)
    assert seen(judged(outbound(), support=apart), "unsupported tables").severity == "note"
    assert found(judged(outbound(), support=Support()), "unsupported tables") is None
    many = Support(
        unsupported=tuple(UnsupportedTable(TableName("APP", f"T{n}"), "NONE", True) for n in range(9))
    )
    text = seen(judged(outbound(), support=many), "unsupported tables").text
    assert "9 tables" in text
    assert "APP.T4 (NONE) and 4 more" in text


def test_tables_without_keys() -> None:
    plain = Support(keyless=(KeylessTable(LOG, unbounded=False, prepared=True),))
    finding = seen(judged(outbound(), support=plain), "tables without keys")
    assert (finding.severity, "APP.LOG" in finding.text, "LOB" in finding.text) == ("note", True, False)
    unbounded = Support(keyless=(KeylessTable(DOCS, unbounded=True, prepared=True),))
    finding = seen(judged(extract(), support=unbounded), "tables without keys")
    assert finding.severity == "problem"
    assert finding.source == "ORACLE, DBA_GOLDENGATE_NOT_UNIQUE"
    apart = Support(keyless=(KeylessTable(DOCS, unbounded=True, prepared=False),))
    assert seen(judged(outbound(), support=apart), "tables without keys").severity == "note"


def test_every_finding_names_its_source_and_survives_the_store() -> None:
    diagnosis = judged(
        outbound(capture=None, client_status="DETACHED"),
        support=replace(unsupported("NONE"), keyless=(KeylessTable(LOG, unbounded=False, prepared=True),)),
    )
    assert len(diagnosis.findings) > 3
    assert all(each.source.startswith(("STUDY", "ORACLE")) for each in diagnosis.findings)
    assert Diagnosis.from_json(diagnosis.to_json()) == diagnosis
