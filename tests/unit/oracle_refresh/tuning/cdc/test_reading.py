"""Pictures of outbound servers, Extracts and Streams, by either name, and what names do not tell."""

from __future__ import annotations

from typing import Any

import pytest

from oracle_refresh.oracle.errors import TuningError
from oracle_refresh.tuning.cdc import statements
from oracle_refresh.tuning.cdc.parts import OpenTransaction
from oracle_refresh.tuning.cdc.picture import Picture, movement
from oracle_refresh.tuning.cdc.reader import MOST_TRANSACTIONS, read_picture
from oracle_refresh.tuning.cdc.subject import family_of
from support.replicating import (
    CHANGED,
    EXTRACT,
    GOLDENGATE,
    LIVE_COORDINATOR,
    QUEUE,
    STREAMS,
    XOUT,
    XSTREAM,
    Answers,
    Replicating,
    apply_row,
    capture_row,
)


def read(answers: Answers, *missing: str, **names: str) -> Picture:
    database: Any = Replicating(answers, frozenset(missing))
    return read_picture(database, **names)


@pytest.mark.parametrize("names", [{"apply_name": "XOUT"}, {"capture_name": "CAP$_XOUT_1"}])
def test_an_outbound_server_by_either_name(names: dict[str, str]) -> None:
    picture = read(XOUT, **names)
    assert (picture.family, picture.purpose, picture.applies) == ("XSTREAM", "XStream Out", False)
    assert (picture.name, picture.apply_name, picture.client) == ("CAP$_XOUT_1", "XOUT", "XOUT")
    assert (picture.capture_status, picture.client_status) == ("ENABLED", "ATTACHED")
    capture, sender = picture.capture, picture.sender
    assert capture is not None
    assert (capture.captured, capture.enqueued, capture.redo_bytes) == (900, 800, 1_048_576)
    assert (capture.paused_seconds, capture.rule_seconds, capture.build_seconds) == (0.5, 0.2, 0.3)
    assert sender is not None
    assert (sender.messages, sender.bytes, sender.send_seconds) == (650, 9000, 45.0)
    assert picture.settings.txn_lcr_spill_threshold == 10_000
    assert len(picture.transactions) == MOST_TRANSACTIONS < 12
    assert picture.transactions[0] == OpenTransaction("1.2.3", 999, CHANGED)
    moved = movement(None, picture, 10.0)
    assert (moved.captured, moved.queue_spilled, moved.sent, moved.sent_bytes) == (900, 70, 650, 9000)
    assert moved.lag_seconds == 7
    assert Picture.from_json(picture.to_json()) == picture


def test_an_extract_has_a_capture_and_no_apply_process() -> None:
    picture = read(EXTRACT, capture_name="OGG$CAP_EXT1")
    assert (picture.family, picture.apply_name, picture.applies) == ("GG", None, False)
    assert picture.sender is not None
    assert picture.sender.name == "EXT1"
    assert picture.queue is not None
    assert (picture.reader, picture.coordinator, picture.servers, picture.status) == (None, None, (), None)
    assert picture.apply_parameters == {}


def test_an_extract_with_an_apply_process_at_its_queue() -> None:
    more = {
        statements.APPLY_OF_QUEUE: {QUEUE[0]: [("OGG$EXT1",)]},
        statements.APPLY: {"OGG$EXT1": [apply_row("GoldenGate Capture")]},
    }
    picture = read({**EXTRACT, **more}, capture_name="OGG$CAP_EXT1")
    assert (picture.family, picture.apply_name, picture.applies) == ("GG", "OGG$EXT1", False)


@pytest.mark.parametrize(
    ("purpose", "family"),
    [
        ("XStream Out", "XSTREAM"),
        ("XStream In", "XSTREAM"),
        ("GoldenGate Capture", "GG"),
        ("GoldenGate Apply", "GG"),
        ("AUDIT VAULT", "STREAMS"),
        ("CHANGE DATA CAPTURE", "STREAMS"),
        ("Streams", "STREAMS"),
        ("STREAMS APPLY", "STREAMS"),
        ("", "STREAMS"),
    ],
)
def test_the_purpose_says_whose_views_show_a_process(purpose: str, family: str) -> None:
    assert family_of(purpose) == family


@pytest.mark.parametrize("purpose", ["GoldenGate Apply", "XStream In"])
def test_a_stopped_apply_process_is_of_the_family_of_its_purpose(purpose: str) -> None:
    """No view shows it, and the views of Streams are there."""
    picture = read({statements.APPLY: {"REP1": [apply_row(purpose, "DISABLED")]}}, apply_name="REP1")
    assert picture.family == family_of(purpose) != "STREAMS"
    assert (picture.status, picture.capture_name, picture.coordinator) == ("DISABLED", None, None)


def test_views_of_streams_serve_where_those_of_the_purpose_are_not_there() -> None:
    answers = {**XOUT, statements.coordinator(STREAMS): {"XOUT": [LIVE_COORDINATOR]}}
    picture = read(answers, XSTREAM.coordinator, apply_name="XOUT")
    assert picture.family == "STREAMS"
    assert picture.coordinator is not None
    with pytest.raises(TuningError, match="no views of capture and apply") as refused:
        read(XOUT, XSTREAM.coordinator, STREAMS.server, apply_name="XOUT")
    assert "SELECT_CATALOG_ROLE" in str(refused.value.remedy)


def test_a_capture_alone_needs_the_view_of_captures_only() -> None:
    no_apply = (*GOLDENGATE.views, *STREAMS.views)
    assert read(EXTRACT, *no_apply, capture_name="OGG$CAP_EXT1").family == "GG"


def test_errors_of_both_ends() -> None:
    answers = {
        **XOUT,
        statements.CAPTURE: {
            "CAP$_XOUT_1": [
                capture_row("XStream Out", "XOUT", status="ABORTED", error=1291, message="missing log file")
            ]
        },
        statements.APPLY: {"XOUT": [apply_row("XStream Out", "ABORTED", (26812, "ended"))]},
    }
    picture = read(answers, apply_name="XOUT")
    assert picture.capture_error == "ORA-01291: missing log file"
    assert picture.error == "ORA-26812: ended"


def test_several_processes_at_the_other_end_have_to_be_told_apart() -> None:
    several = {**XOUT, statements.OUTBOUND_OF_CAPTURE: {"CAP$_XOUT_1": [("XOUT",), ("XOUT2",)]}}
    with pytest.raises(TuningError, match="XOUT, XOUT2") as refused:
        read(several, capture_name="CAP$_XOUT_1")
    assert "apply_name" in str(refused.value.remedy)
    assert read(several, capture_name="CAP$_XOUT_1", apply_name="XOUT").apply_name == "XOUT"
    two = {**XOUT, statements.CAPTURE_OF_OUTBOUND: {}}
    two[statements.CAPTURE_OF_QUEUE] = {QUEUE[0]: [("CAP$_XOUT_1",), ("CAP$_XOUT_2",)]}
    with pytest.raises(TuningError, match=r"CAP\$_XOUT_1, CAP\$_XOUT_2"):
        read(two, apply_name="XOUT")


@pytest.mark.parametrize(
    ("names", "missing", "says"),
    [
        ({}, (), "neither a capture nor an apply"),
        ({"apply_name": "", "capture_name": ""}, (), "neither a capture nor an apply"),
        ({"apply_name": "NOBODY"}, (), "no such apply process"),
        ({"capture_name": "NOBODY"}, (), "no such capture process"),
        ({"apply_name": "XOUT", "capture_name": "NOBODY"}, (), "no such capture process"),
        ({"capture_name": "NOBODY"}, ("DBA_CAPTURE",), "no views of capture and apply"),
        ({"apply_name": "NOBODY"}, ("DBA_APPLY",), "no views of capture and apply"),
    ],
)
def test_names_that_nothing_has(names: dict[str, str], missing: tuple[str, ...], says: str) -> None:
    with pytest.raises(TuningError, match=says):
        read(XOUT, *missing, **names)
