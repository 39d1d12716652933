"""From what moved to findings and recommendations, each with the source of its rule. Pure.

STUDY is the test of 2008 that `study.py` holds; ORACLE stands for PL/SQL Packages Reference 19c
(DBMS_APPLY_ADM, DBMS_CAPTURE_ADM), Database Reference 19c (V$STREAMS_POOL_ADVICE and the V$ views) and
My Oracle Support note 335516.1 (Streams Performance Recommendations).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from oracle_refresh.jsonable import Jsonable
from oracle_refresh.tuning.cdc.model import (
    DEFAULT_PARALLELISM,
    DEFAULT_SPILL_THRESHOLD,
    Memory,
    Scenario,
    Settings,
    Workload,
)
from oracle_refresh.tuning.cdc.picture import Movement, Picture
from oracle_refresh.tuning.cdc.queueing import Costs, predict
from oracle_refresh.tuning.cdc.support import Support
from oracle_refresh.tuning.cdc.waits import Process

Severity = Literal["problem", "note", "good"]
Parameter = Literal[
    "txn_lcr_spill_threshold",
    "parallelism",
    "streams_pool_size",
    "commit_serialization",
    "max_sga_size",
    "rows_per_commit",
]

#: Transactions near this size are what Oracle's note recommends.
GOOD_CHANGES = 1_000
#: Beyond this one transaction holds everything up (STUDY: "not acceptable" at 800,000, "still" at 99,000).
MOST_CHANGES = 100_000
#: A share of messages that is not worth a change.
NEGLIGIBLE = 0.01
#: Of what the pool holds, the reader may keep so much in the queue: the rest is for other transactions.
POOL_SHARE = 0.5
#: A streams pool may be recommended up to this share of the SGA.
SGA_SHARE = 0.5
LONG_LAG_SECONDS = 60.0
#: Share of the time from which on servers count as busy, the start and the end of the work included.
BUSY = 0.6
#: Share of transactions waiting for another one from which on more servers do not help.
MOST_WAITING = 0.5
#: Servers wait for commits, so that more of them than CPUs have work.
SERVERS_PER_CPU = 2

STUDY_SPILLS = "STUDY, scenarios 2 to 5: 300 s where the queue spilled, 49 s where the apply reader did"
STUDY_SINGLE = "STUDY, scenario 6: one of four servers applied 800,000 changes of one transaction, 660 s"
STUDY_SMALL = "STUDY, scenario 7: 1,000,000 single-row transactions in 190 s by all four servers"
STUDY_POOL = "STUDY, scenarios 3 and 4: 384 MB 194 s, 480 MB 178 s; the advice still foresaw spills at 960 MB"
ORACLE_SIZE = "ORACLE, note 335516.1: keep transactions below 1,000 messages"
ORACLE_DEFAULT = "ORACLE, DBMS_APPLY_ADM.SET_PARAMETER: documented defaults"
ORACLE_POOL = "ORACLE, V$STREAMS_POOL_ADVICE"
ORACLE_LAG = "ORACLE, V$STREAMS_CAPTURE: ENQUEUE_TIME, ENQUEUE_MESSAGE_CREATE_TIME, ELAPSED_PAUSE_TIME"
ORACLE_CAPTURE = "ORACLE, DBMS_CAPTURE_ADM.SET_PARAMETER: max_sga_size"
ORACLE_ORDER = "ORACLE, DBMS_APPLY_ADM.SET_PARAMETER: commit_serialization"
ORACLE_COORDINATOR = "ORACLE, V$STREAMS_APPLY_COORDINATOR"
ORACLE_CAPTURES = "ORACLE, DBA_CAPTURE: STATUS, ERROR_MESSAGE, CLIENT_STATUS"


@dataclass(frozen=True)
class Recommendation(Jsonable):
    """One parameter to be changed. `rows_per_commit` is up to the application that writes."""

    parameter: Parameter
    current: str
    proposed: str
    why: str


@dataclass(frozen=True)
class Observation(Jsonable):
    """What a rule has seen."""

    rule: str
    severity: Severity
    text: str
    source: str
    recommendation: Recommendation | None = None


@dataclass(frozen=True)
class Diagnosis(Jsonable):
    """All findings on one stretch of work, and what following them would bring."""

    findings: tuple[Observation, ...]
    settings: Settings
    """What is set."""
    proposed: Settings
    """What is recommended; the same where nothing is."""
    gain: float = 1.0
    """How many times as fast the model expects the proposed settings to be."""

    @property
    def recommendations(self) -> tuple[Recommendation, ...]:
        return tuple(each.recommendation for each in self.findings if each.recommendation is not None)

    @property
    def changed(self) -> bool:
        return self.proposed != self.settings


@dataclass(frozen=True)
class CaptureReadings:
    """What the rules judge: the views of a capture, and what has moved since they were read before."""

    moved: Movement
    picture: Picture
    memory: Memory
    processes: tuple[Process, ...] = ()
    """What each has waited for meanwhile."""
    support: Support | None = None
    """None where nobody has asked."""

    @property
    def settings(self) -> Settings:
        return self.picture.settings

    @property
    def spill_share(self) -> float:
        """Share of the messages that the queue spilled."""
        return self.moved.queue_spilled / self.moved.enqueued if self.moved.enqueued else 0.0

    @property
    def largest(self) -> float:
        """Changes of the largest transaction that is known of."""
        return max([self.moved.changes, *(each.messages for each in self.picture.spilling)])

    @property
    def roomy_threshold(self) -> int:
        """Largest round threshold up to the default with which a transaction does not fill the pool."""
        most = min(DEFAULT_SPILL_THRESHOLD, self.memory.held(self.settings) * POOL_SHARE)
        if most < 1:
            return 1
        digit = 10 ** int(math.log10(most))
        return int(most // digit * digit)


Rule = Callable[[CaptureReadings], Observation | None]


def diagnose(readings: CaptureReadings, costs: Costs, more: Sequence[Rule] = ()) -> Diagnosis:
    """Every rule on the readings, the settings that follow, and the expected gain.

    :param costs: of the model that weighs old against new settings; only their ratios matter.
    :param more: rules besides those of this module.
    """
    findings = tuple(filter(None, (rule(readings) for rule in (*RULES, *more))))
    settings = readings.settings
    proposed = settings
    for finding in findings:
        if finding.recommendation:
            proposed = _with(proposed, finding.recommendation)
    return Diagnosis(findings, settings, proposed, expected_gain(readings, proposed, costs))


def expected_gain(readings: CaptureReadings, proposed: Settings, costs: Costs) -> float:
    """End-to-end time of the same work under the present settings, over that under the proposed ones; 1 where
    changes leave for a client, which is not modelled."""
    if not readings.picture.applies:
        return 1.0
    rows = max(1, readings.moved.dequeued or readings.moved.enqueued)
    work = Workload(rows, min(rows, max(1, round(readings.largest or rows))))
    before = predict(Scenario("present", work, readings.settings), costs, readings.memory)
    after = predict(Scenario("proposed", work, proposed), costs, readings.memory)
    return before.seconds / after.seconds if after.seconds else 1.0


def queue_spills(readings: CaptureReadings) -> Observation | None:
    """Let the apply reader spill, never the buffered queue."""
    moved = readings.moved
    if readings.spill_share <= NEGLIGIBLE:
        return None
    text = (
        f"the buffered queue has spilled {moved.queue_spilled:,} of {moved.enqueued:,} messages,"
        f" the apply reader {moved.reader_spilled:,}"
    )
    current, roomy = readings.settings.txn_lcr_spill_threshold, readings.roomy_threshold
    if current <= roomy or readings.picture.apply_name is None:
        return Observation("queue spill", "problem", text, STUDY_SPILLS)
    why = (
        f"transactions of more than {roomy:,} changes then leave the queue for the reader's spill table,"
        " which is written in batches; the queue writes and reads one message at a time"
    )
    return Observation(
        "queue spill",
        "problem",
        text,
        STUDY_SPILLS,
        Recommendation("txn_lcr_spill_threshold", str(current), str(roomy), why),
    )


def pool_advice(readings: CaptureReadings) -> Observation | None:
    """A larger pool only where the threshold cannot help, and the advice says that it would."""
    pool = readings.picture.pool
    if pool is None or not pool.advice or readings.spill_share <= NEGLIGIBLE:
        return None
    fitting = [each for each in pool.advice if each.spills == 0 and each.bytes > pool.current_bytes]
    largest = max(pool.advice, key=lambda each: each.bytes)
    if not fitting:
        text = (
            f"even a pool of {_megabytes(largest.bytes)} is expected to spill {largest.spills:,} messages:"
            " memory alone does not end the spilling"
        )
        return Observation("pool advice", "note", text, f"{ORACLE_POOL}; {STUDY_POOL}")
    best = min(fitting, key=lambda each: each.bytes)
    text = f"with {_megabytes(best.bytes)} the queue is not expected to spill"
    if readings.settings.txn_lcr_spill_threshold > readings.roomy_threshold:
        text += "; a lower txn_lcr_spill_threshold does the same without memory"
        return Observation("pool advice", "note", text, f"{ORACLE_POOL}; {STUDY_POOL}")
    if not readings.picture.sga_bytes or best.bytes > SGA_SHARE * readings.picture.sga_bytes:
        text += ", which is more than the SGA should give"
        return Observation("pool advice", "note", text, ORACLE_POOL)
    recommended = Recommendation(
        "streams_pool_size",
        str(pool.set_bytes),
        str(best.bytes),
        "the threshold is low already; the messages of many transactions together do not fit",
    )
    return Observation("pool advice", "problem", text, ORACLE_POOL, recommended)


def single_transaction(readings: CaptureReadings) -> Observation | None:
    """One transaction is one apply server, however many there are."""
    moved = readings.moved
    if not readings.picture.applies or not moved.transactions or readings.largest <= GOOD_CHANGES:
        return None
    size = f"a transaction has {readings.largest:,.0f} changes"
    if moved.busy_servers <= 1:
        size += f"; one apply server of {max(1, len(moved.server_messages))} does all the work"
    over = readings.largest > MOST_CHANGES
    limit = f", {MOST_CHANGES:,} is the most that is bearable" if over else ""
    recommended = Recommendation(
        "rows_per_commit",
        f"{readings.largest:.0f}",
        str(GOOD_CHANGES),
        f"the servers share the work only if the application commits more often{limit}",
    )
    source = f"{STUDY_SINGLE}; {ORACLE_SIZE}"
    return Observation("transaction size", "problem" if over else "note", size, source, recommended)


def parallelism(readings: CaptureReadings) -> Observation | None:
    """More servers where all are busy with small transactions; the default where fewer are set."""
    moved, current = readings.moved, readings.settings.parallelism
    if not readings.picture.applies:
        return None
    if moved.transactions and moved.waited_for_dependencies / moved.transactions > MOST_WAITING:
        text = (
            f"{moved.waited_for_dependencies:,} of {moved.transactions:,} transactions waited for another,"
            " as more servers would"
        )
        return Observation("dependencies", "note", text, ORACLE_COORDINATOR)
    small = moved.transactions > 2 * current and readings.largest <= GOOD_CHANGES
    most = SERVERS_PER_CPU * max(1, readings.picture.cpus)
    if small and moved.busy_servers == current < most and moved.server_load > BUSY:
        text = f"all {current} apply servers are busy for {100 * moved.server_load:.0f} % of the time"
        why = "small transactions are applied side by side"
        more = max(2 * current, DEFAULT_PARALLELISM)
        recommended = Recommendation("parallelism", str(current), str(min(more, most)), why)
        return Observation("parallelism", "problem", text, STUDY_SMALL, recommended)
    if current < DEFAULT_PARALLELISM:
        text = f"parallelism is {current}, below the default of {DEFAULT_PARALLELISM}"
        why = "a single transaction gains nothing, but others then need not wait for it"
        recommended = Recommendation("parallelism", str(current), str(DEFAULT_PARALLELISM), why)
        return Observation("parallelism", "note", text, f"{ORACLE_DEFAULT}; {STUDY_SMALL}", recommended)
    if moved.transactions and moved.busy_servers < current / 2:
        text = f"{moved.busy_servers} of {current} apply servers had work: fewer would do as well"
        return Observation("idle servers", "note", text, f"{STUDY_SINGLE}; {STUDY_SMALL}")
    return None


def commit_order(readings: CaptureReadings) -> Observation | None:
    """Commits in the source's order make servers wait for each other."""
    moved, settings = readings.moved, readings.settings
    in_order = readings.picture.applies and settings.commit_serialization == "FULL"
    if not in_order or moved.transactions <= settings.parallelism:
        return None
    text = (
        f"transactions commit in the source's order; {moved.waited_for_commits:,} of"
        f" {moved.transactions:,} waited for that"
    )
    if moved.waited_for_commits <= NEGLIGIBLE * moved.transactions:
        return Observation("commit order", "good", text, ORACLE_ORDER)
    why = "only transactions that depend on each other then keep their order; check that readers accept that"
    recommended = Recommendation("commit_serialization", "FULL", "DEPENDENT_TRANSACTIONS", why)
    return Observation("commit order", "problem", text, ORACLE_ORDER, recommended)


def capture_memory(readings: CaptureReadings) -> Observation | None:
    """Capture's own bound on memory, where it is smaller than the pool: it waits although there is room."""
    capture, pool = readings.picture.capture, readings.picture.pool
    text = readings.picture.capture_parameters.get("MAX_SGA_SIZE", "INFINITE").strip()
    if capture is None or pool is None or not text.isdigit() or readings.moved.paused_seconds <= 1:
        return None
    if int(text) * 1024 * 1024 >= pool.current_bytes:
        return None
    recommended = Recommendation(
        "max_sga_size", text, "INFINITE", "what capture may use is then bounded by the streams pool only"
    )
    paused = f"capture was paused for {readings.moved.paused_seconds:,.0f} s; its max_sga_size is {text} MB"
    return Observation(
        "capture memory", "problem", f"{paused}, the pool is larger", ORACLE_CAPTURE, recommended
    )


def lag(readings: CaptureReadings) -> Observation | None:
    """How far capture is behind, and who holds it up."""
    moved = readings.moved
    if not moved.enqueued or moved.lag_seconds is None or moved.lag_seconds <= LONG_LAG_SECONDS:
        return None
    text = f"capture is {moved.lag_seconds:,.0f} s behind the changes"
    if moved.paused_seconds > 1:
        text += f"; it was paused for {moved.paused_seconds:,.0f} s, as apply does not take its messages"
    else:
        text += " without having been paused: reading the redo is what takes the time"
    return Observation("capture lag", "note", text, ORACLE_LAG)


def errors(readings: CaptureReadings) -> Observation | None:
    """Transactions in the error queue, or a process that has stopped, come before any tuning."""
    picture = readings.picture
    ends = (
        ("capture", picture.capture_status, picture.capture_error, ORACLE_CAPTURES),
        ("the apply process", picture.status, picture.error, ORACLE_COORDINATOR),
    )
    stopped = [(f"{what} is {status}: {error}", source) for what, status, error, source in ends if error]
    if stopped:
        texts, sources = zip(*stopped, strict=True)
        return Observation("errors", "problem", "; ".join(texts), "; ".join(sources))
    if readings.moved.errors:
        text = f"{readings.moved.errors:,} transactions have failed: see DBA_APPLY_ERROR"
        return Observation("errors", "problem", text, ORACLE_COORDINATOR)
    return None


def reader_spills(readings: CaptureReadings) -> Observation | None:
    """What is as it should be is said as well."""
    moved = readings.moved
    if not moved.reader_spilled or readings.spill_share > NEGLIGIBLE:
        return None
    text = f"the apply reader spilled {moved.reader_spilled:,} messages, the queue {moved.queue_spilled:,}"
    return Observation("reader spill", "good", text, STUDY_SPILLS)


RULES: tuple[Rule, ...] = (
    errors,
    queue_spills,
    reader_spills,
    pool_advice,
    single_transaction,
    parallelism,
    commit_order,
    capture_memory,
    lag,
)


def _with(settings: Settings, recommended: Recommendation) -> Settings:
    """The settings with one recommendation followed; what is no setting of a trial changes nothing."""
    match recommended.parameter:
        case "parallelism":
            return replace(settings, parallelism=int(recommended.proposed))
        case "txn_lcr_spill_threshold":
            return replace(settings, txn_lcr_spill_threshold=int(recommended.proposed))
        case "streams_pool_size":
            return replace(settings, streams_pool_bytes=int(recommended.proposed))
        case "commit_serialization":
            return replace(settings, commit_serialization="DEPENDENT_TRANSACTIONS")
        case _:
            return settings


def _megabytes(size: int) -> str:
    return f"{size / (1024 * 1024):,.0f} MB"
