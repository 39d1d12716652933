"""Findings and recommendations from made-up pictures, and the loop that follows them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracle_refresh.labs.change_capture.advisor import advise
from oracle_refresh.labs.change_capture.model import TriedScenario
from oracle_refresh.labs.change_capture.study import COSTS, MEGABYTE, MEMORY, TRIALS
from oracle_refresh.tuning.cdc.model import Memory, Scenario, Settings, Workload
from oracle_refresh.tuning.cdc.parts import (
    Capture,
    Coordinator,
    Pool,
    PoolAdvice,
    Queue,
    Reader,
    Server,
    SpilledTransaction,
)
from oracle_refresh.tuning.cdc.picture import Picture, combined_memory, measured_memory, movement
from oracle_refresh.tuning.cdc.rules import CaptureReadings, Diagnosis, Observation, diagnose
from oracle_refresh.tuning.cdc.verdict import LEAST_GAIN
from support.modelled_capture import modelled

BEGUN = datetime(2024, 5, 1, 8)


def picture(**changes: Any) -> Picture:
    """Scenario 5 of the study, as its views stood after it."""
    plain = Picture(
        apply_name="APPLY_CHANGES",
        family="STREAMS",
        status="ENABLED",
        error=None,
        capture=Capture("CAPTURE_CHANGES", "CAPTURING CHANGES", BEGUN, 99_000, 99_000, 12.0, 2.0, 0.0, BEGUN),
        queue=Queue(BEGUN, 0, 0, 99_000, 0),
        reader=Reader("IDLE", 99_000, 99_000, 4.0, 9.0, 1 << 20),
        coordinator=Coordinator("IDLE", BEGUN, 1, 1, 0, 0, 0, 0),
        servers=(Server(1, "IDLE", 1, 99_000, 25.0), *(Server(n, "IDLE", 0, 0, 0.0) for n in (2, 3, 4))),
        pool=Pool(0, round(MEMORY.automatic_pool_bytes), 0),
        apply_parameters={"PARALLELISM": "4", "TXN_LCR_SPILL_THRESHOLD": "10000"},
        capture_parameters={"MAX_SGA_SIZE": "INFINITE"},
        cpus=8,
        sga_bytes=1536 * MEGABYTE,
    )
    return replace(plain, **changes)


def judged(shown: Picture, seconds: float = 60.0) -> Diagnosis:
    return diagnose(CaptureReadings(movement(None, shown, seconds), shown, MEMORY), COSTS)


def found(diagnosis: Diagnosis, rule: str) -> Observation:
    (one,) = [finding for finding in diagnosis.findings if finding.rule == rule]
    return one


SPILLING = {
    "queue": Queue(BEGUN, 0, 0, 99_000, 75_000),
    "reader": Reader("IDLE", 99_000, 0, 4.0, 0.0, 1 << 20),
    "apply_parameters": {"PARALLELISM": "2", "TXN_LCR_SPILL_THRESHOLD": "100000"},
    "servers": (Server(1, "IDLE", 1, 99_000, 135.0), Server(2, "IDLE", 0, 0, 0.0)),
}


def test_a_spilling_queue_lowers_the_threshold() -> None:
    diagnosis = judged(picture(**SPILLING))
    assert found(diagnosis, "queue spill").severity == "problem"
    assert diagnosis.proposed == Settings(4, 10_000, 0)
    assert diagnosis.gain > 3, "scenario 5 against scenario 2"
    assert {one.parameter for one in diagnosis.recommendations} == {
        "txn_lcr_spill_threshold",
        "parallelism",
        "rows_per_commit",
    }


def test_a_spilling_reader_is_as_it_should_be() -> None:
    diagnosis = judged(picture())
    assert found(diagnosis, "reader spill").severity == "good"
    assert not diagnosis.changed
    assert diagnosis.gain == 1.0


def test_the_threshold_leaves_room_in_a_small_pool() -> None:
    small = Pool(16 * MEGABYTE, 16 * MEGABYTE, 0)
    diagnosis = judged(picture(**SPILLING, pool=small))
    held = 16 * MEGABYTE / MEMORY.message_bytes
    assert 1 <= diagnosis.proposed.txn_lcr_spill_threshold <= held / 2


def test_one_large_transaction_is_the_application_s_matter() -> None:
    diagnosis = judged(picture())
    size = found(diagnosis, "transaction size")
    assert size.severity == "note"
    assert size.recommendation is not None
    assert (size.recommendation.parameter, size.recommendation.proposed) == ("rows_per_commit", "1000")
    huge = picture(spilling=(SpilledTransaction("1.2.3", 800_000),))
    assert found(judged(huge), "transaction size").severity == "problem"


def small_transactions(load: float, servers: int = 4, **changes: Any) -> Picture:
    return picture(
        reader=Reader("IDLE", 100_000, 0, 4.0, 0.0, 1 << 20),
        coordinator=Coordinator("IDLE", BEGUN, 100_000, 100_000, 0, 0, 0, 0),
        servers=tuple(
            Server(number, "IDLE", 100_000 // servers, 100_000 // servers, load * 60.0)
            for number in range(1, servers + 1)
        ),
        apply_parameters={"PARALLELISM": str(servers)},
        **changes,
    )


def test_busy_servers_with_small_transactions_get_company() -> None:
    diagnosis = judged(small_transactions(0.95))
    assert diagnosis.proposed.parallelism == 8
    assert found(diagnosis, "parallelism").severity == "problem"
    assert not judged(small_transactions(0.3)).changed, "servers that wait for the reader need no company"
    assert not judged(small_transactions(0.95, servers=16)).changed, "two servers to a CPU are enough"


def test_waiting_for_one_another_is_not_cured_by_servers() -> None:
    waiting = Coordinator("IDLE", BEGUN, 100_000, 100_000, 90_000, 0, 0, 0)
    diagnosis = judged(replace(small_transactions(0.95), coordinator=waiting))
    assert not diagnosis.changed
    assert "waited for another" in found(diagnosis, "dependencies").text


def test_the_order_of_commits_is_given_up_only_where_it_costs() -> None:
    full = {"PARALLELISM": "4", "COMMIT_SERIALIZATION": "FULL"}
    shown = replace(small_transactions(0.3), apply_parameters=full)
    assert found(judged(shown), "commit order").severity == "good"
    waited = Coordinator("IDLE", BEGUN, 100_000, 100_000, 0, 60_000, 0, 0)
    diagnosis = judged(replace(shown, coordinator=waited))
    assert diagnosis.proposed.commit_serialization == "DEPENDENT_TRANSACTIONS"


def advised(*sizes_and_spills: tuple[int, int]) -> Pool:
    advice = tuple(PoolAdvice(size * MEGABYTE, spills, 1.0, 1.0) for size, spills in sizes_and_spills)
    return Pool(0, round(MEMORY.automatic_pool_bytes), 0, advice)


LOW = {**SPILLING, "apply_parameters": {"PARALLELISM": "4", "TXN_LCR_SPILL_THRESHOLD": "10000"}}


def test_a_larger_pool_is_the_last_resort() -> None:
    pool = advised((128, 90_000), (512, 20), (640, 0), (1280, 0))
    assert judged(picture(**SPILLING, pool=pool)).proposed.streams_pool_bytes == 0, "the threshold does it"
    assert judged(picture(**LOW, pool=pool)).proposed.streams_pool_bytes == 640 * MEGABYTE
    assert not judged(picture(**LOW, pool=pool, sga_bytes=1024 * MEGABYTE)).changed, "too large for the SGA"
    never = judged(picture(**LOW, pool=advised((384, 64_000), (960, 9_000))))
    assert "even a pool of 960 MB" in found(never, "pool advice").text
    assert not never.changed


def test_capture_s_own_bound_on_memory() -> None:
    shown = picture(
        capture=Capture("C", "PAUSED FOR FLOW CONTROL", BEGUN, 9, 9, 1.0, 1.0, 42.0, BEGUN),
        capture_parameters={"MAX_SGA_SIZE": "10"},
    )
    assert found(judged(shown), "capture memory").recommendation is not None
    assert not [
        one
        for one in judged(picture(capture_parameters={"MAX_SGA_SIZE": "10"})).findings
        if one.rule == "capture memory"
    ]


def test_who_holds_capture_up() -> None:
    def behind(paused: float, minutes: int) -> Picture:
        late = BEGUN + timedelta(minutes=minutes)
        return picture(capture=Capture("C", "CAPTURING", BEGUN, 9, 9, 1.0, 1.0, paused, BEGUN, late))

    assert "300 s behind" in found(judged(behind(0.0, 5)), "capture lag").text
    assert "reading the redo" in found(judged(behind(0.0, 5)), "capture lag").text
    assert "apply does not take" in found(judged(behind(90.0, 5)), "capture lag").text
    assert not [one for one in judged(behind(0.0, 1)).findings if one.rule == "capture lag"]


def test_errors_come_first() -> None:
    stopped = judged(picture(status="ABORTED", error="ORA-26714: User Error ORA-00001 encountered"))
    assert stopped.findings[0].rule == "errors"
    assert "ORA-26714" in stopped.findings[0].text
    failed = Coordinator("IDLE", BEGUN, 5, 3, 0, 0, 2, 0)
    assert "2 transactions" in judged(picture(coordinator=failed)).findings[0].text


def test_every_finding_names_its_source() -> None:
    shown = [
        picture(),
        picture(**SPILLING),
        picture(**LOW),
        small_transactions(0.95),
        small_transactions(0.1),
    ]
    for diagnosis in map(judged, shown):
        assert all(one.source.startswith(("STUDY", "ORACLE")) for one in diagnosis.findings)
        assert Diagnosis.from_json(diagnosis.to_json()) == diagnosis


def test_nothing_has_moved() -> None:
    still = picture()
    readings = CaptureReadings(movement(still, still, 10.0), still, MEMORY)
    assert readings.moved.enqueued == readings.moved.queue_spilled == 0
    assert not diagnose(readings, COSTS).changed


def test_counters_of_a_restarted_process_begin_at_nought() -> None:
    later = datetime(2024, 5, 1, 9)
    before = picture()
    again = picture(
        coordinator=Coordinator("IDLE", later, 1, 1, 0, 0, 0, 0),
        reader=Reader("IDLE", 500, 0, 0.0, 0.0, 0),
        servers=(Server(1, "IDLE", 1, 500, 1.0),),
        queue=Queue(BEGUN, 0, 0, 99_500, 0),
    )
    moved = movement(before, again, 5.0)
    assert (moved.enqueued, moved.dequeued, moved.server_messages) == (500, 500, (500,))


def test_a_picture_survives_the_store() -> None:
    shown = picture(pool=advised((128, 3)), spilling=(SpilledTransaction("1.2.3", 4),))
    assert Picture.from_json(shown.to_json()) == shown


def test_the_size_of_a_message_from_what_the_pool_held() -> None:
    shown = picture(**SPILLING)
    guessed = Memory(message_bytes=1.0, automatic_pool_bytes=2.0, cached_bytes=3.0)
    memory = measured_memory(movement(None, shown, 300.0), None, shown, guessed)
    assert memory.message_bytes == pytest.approx(MEMORY.message_bytes, rel=1e-6)
    assert memory.automatic_pool_bytes == round(MEMORY.automatic_pool_bytes)
    calm = picture(pool=Pool(64 * MEGABYTE, 64 * MEGABYTE, 0))
    assert measured_memory(movement(None, calm, 60.0), None, calm, guessed) == guessed
    assert combined_memory([guessed, memory], guessed) == memory
    assert combined_memory([], guessed) == guessed


def test_the_size_of_a_message_from_the_advice() -> None:
    before = picture(pool=advised((50, 1_000), (100, 0), (200, 0)))
    pool = advised((50, 51_000), (100, 9_000), (200, 0))
    kept = Reader("IDLE", 99_000, 0, 4.0, 0.0, 1 << 20)
    after = picture(pool=pool, reader=kept)
    guessed = Memory(message_bytes=1.0, automatic_pool_bytes=2.0, cached_bytes=3.0)
    memory = measured_memory(movement(None, after, 60.0), before, after, guessed)
    assert memory.message_bytes == pytest.approx(100 * MEGABYTE / 90_000)
    several = Coordinator("IDLE", BEGUN, 5, 5, 0, 0, 0, 0)
    for other in (picture(pool=pool), replace(after, coordinator=several)):
        coming_and_going = measured_memory(movement(None, other, 60.0), before, other, guessed)
        assert coming_and_going.message_bytes == guessed.message_bytes


def test_from_scenario_2_to_the_settings_of_scenario_5() -> None:
    second, fifth = TRIALS[1].scenario, TRIALS[4].scenario
    advice = advise(modelled(second.workload, COSTS, MEMORY, cpus=8), second.settings, COSTS)
    assert advice.settings == fifth.settings
    assert len(advice.steps) <= 3
    assert advice.gain > 3


works = st.integers(1, 500_000).flatmap(lambda n: st.builds(Workload, st.just(n), st.integers(1, n)))


@given(
    works,
    st.builds(Settings, st.integers(1, 16), st.integers(1, 500_000), st.integers(0, 2048 * MEGABYTE)),
    st.integers(1, 64),
)
def test_the_loop_ends_and_is_never_worse_than_its_start(work: Workload, start: Settings, cpus: int) -> None:
    run: Callable[[Settings], tuple[TriedScenario, CaptureReadings]] = modelled(work, COSTS, MEMORY, cpus)
    advice = advise(run, start, COSTS)
    assert 1 <= len(advice.steps) <= 6
    assert advice.gain >= 1.0
    assert advice.seconds == min(step.trial.seconds for step in advice.steps if step.kept)
    again = run(advice.settings)[0]
    assert again.seconds == pytest.approx(advice.seconds)
    assert again.scenario == Scenario("what if", work, advice.settings)


def test_a_change_that_brings_nothing_is_taken_back() -> None:
    start = Settings(2, 100_000, 0)
    work = TRIALS[1].scenario.workload
    said = modelled(work, COSTS, MEMORY, cpus=8)

    def stubborn(settings: Settings) -> tuple[TriedScenario, CaptureReadings]:
        trial, readings = said(settings)
        return replace(trial, seconds=100.0 / LEAST_GAIN + 5), readings

    advice = advise(stubborn, start, COSTS)
    assert advice.settings == start
    assert not advice.steps[-1].kept
    assert "taken back" in advice.reason
