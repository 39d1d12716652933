"""What watching a capture in use has shown, as a page with charts and as text for the log. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from oracle_refresh.jsonable import Jsonable
from oracle_refresh.labs.change_capture.page import settings_text
from oracle_refresh.labs.change_capture.study import MEGABYTE
from oracle_refresh.labs.harness.page import OWN, POINTED, STUDY, Page, Section, code
from oracle_refresh.labs.harness.table import Column, Table, tabulated
from oracle_refresh.report.bars import Bar, bars
from oracle_refresh.tuning.cdc.flow import Stage, stages
from oracle_refresh.tuning.cdc.parts import OpenTransaction, PoolAdvice, Server, SpilledTransaction
from oracle_refresh.tuning.cdc.picture import Movement, Picture
from oracle_refresh.tuning.cdc.rules import CaptureReadings, Diagnosis, Observation
from oracle_refresh.tuning.cdc.statements import FAMILIES
from oracle_refresh.tuning.cdc.support import KeylessTable, Support, UnsupportedTable
from oracle_refresh.tuning.cdc.waits import Process

#: How a process spent its time, in the order of the chart's colours.
SPENT = WAITED, LEFT, IDLE = "waits", "work, or a wait that goes on", "idle waits"
#: Events of a process that are named in its row.
MOST_EVENTS = 3


@dataclass(frozen=True)
class Diagnosed(Jsonable):
    """The report of one diagnosis."""

    run_id: str
    picture: Picture
    """As it was in the end."""
    moved: Movement
    processes: tuple[Process, ...]
    """With what they have waited for meanwhile."""
    support: Support
    diagnosis: Diagnosis

    @classmethod
    def of(cls, run_id: str, readings: CaptureReadings, diagnosis: Diagnosis) -> Diagnosed:
        return cls(
            *(run_id, readings.picture, readings.moved, readings.processes),
            *(readings.support or Support(), diagnosis),
        )


def page(found: Diagnosed) -> Page:
    picture, moved = found.picture, found.moved
    return Page(
        window="Change capture: diagnosis",
        title=f"Change capture: {picture.name}",
        facts=[
            ("Capture", _end(picture.capture_name, picture.capture_status)),
            ("Apply", _end(picture.apply_name, picture.status)),
            ("Client", _end(picture.client, picture.client_status)),
            ("Purpose", picture.purpose),
            ("Settings", settings_text(picture.settings) if picture.apply_name else ""),
            ("Watched for", f"{moved.seconds:,.0f} s"),
            ("Run", code(found.run_id)),
        ],
        notes=[error for error in (picture.capture_error, picture.error) if error],
        sections=[
            Section("Findings", table=_findings(found.diagnosis), note=_gain(found.diagnosis)),
            *_flow(found),
            *_memory(picture, moved),
            *_waits(found),
            *_tables(found),
        ],
    )


def text(found: Diagnosed) -> str:
    """Rates, waits and tables as text, for the task's log."""
    tables = [_stages(found), _processes(found), _unsupported(found.support), _keyless(found.support)]
    return "\n\n".join(table.text() for table in tables if table.lines)


def _end(name: str | None, status: str | None) -> str:
    return f"{name}, {status}" if name and status else name or ""


def _gain(diagnosis: Diagnosis) -> str:
    if not diagnosis.changed:
        return ""
    proposed = settings_text(diagnosis.proposed)
    return f"Proposed: {proposed}; by the model {diagnosis.gain:.1f} times as fast as now."


def _findings(diagnosis: Diagnosis) -> Table:
    def advice(finding: Observation) -> str:
        said = finding.recommendation
        return f"{said.parameter} {said.proposed} instead of {said.current}: {said.why}" if said else ""

    columns: list[Column[Observation]] = [
        Column("rule", lambda finding: finding.rule),
        Column("it is a", lambda finding: finding.severity),
        Column("what was seen", lambda finding: finding.text),
        Column("recommended", advice),
        Column("source of the rule", lambda finding: finding.source),
    ]
    return tabulated(diagnosis.findings, columns, lambda finding: finding.severity == "problem")


def _flow(found: Diagnosed) -> list[Section]:
    passed = [stage for stage in stages(found.picture, found.moved) if stage.what != "transactions"]
    moving = any(stage.count for stage in passed)
    redo = found.moved.redo_bytes
    mined = f"{redo / MEGABYTE:,.1f} MB of redo were read" if redo else ""
    waited = found.moved.redo_wait_seconds
    nothing = f"for {waited:,.1f} s there was no redo to read" if waited else ""
    return [
        Section(
            "Rates and latency",
            "" if moving else "Nothing moved while it was watched.",
            chart=rate_chart(passed, found.moved.seconds) if moving else "",
            table=_stages(found),
            note="; ".join(filter(None, (mined, nothing))),
        )
    ]


def _stages(found: Diagnosed) -> Table:
    seconds = found.moved.seconds

    def busy(stage: Stage) -> str | None:
        # Counters move in whole hundredths, and a process may have several that count at the same time.
        return None if stage.seconds is None or not seconds else f"{100 * stage.seconds / seconds:,.0f} %"

    columns: list[Column[Stage]] = [
        Column("step", lambda stage: stage.name),
        Column("count", lambda stage: stage.count, ",d"),
        Column("of", lambda stage: stage.what),
        Column("per second", lambda stage: stage.count / seconds if seconds else None, ",.1f"),
        Column("at work", busy, "s"),
        Column("behind, s", lambda stage: stage.behind, ",.0f"),
        Column("state", lambda stage: stage.state),
    ]
    return tabulated(stages(found.picture, found.moved), columns)


def _memory(picture: Picture, moved: Movement) -> list[Section]:
    queue, pool, reader = picture.queue, picture.pool, picture.reader
    items = []
    if queue is not None:
        items.append(f"In the queue: {queue.messages:,} messages in memory, {queue.spilled_now:,} on disk.")
    if moved.enqueued:
        share = 100 * moved.queue_spilled / moved.enqueued
        items.append(f"The queue spilled {share:.0f} % of the messages that came.")
    if moved.paused_seconds:
        items.append(f"Capture was paused by flow control for {moved.paused_seconds:,.1f} s.")
    if reader is not None and reader.memory_bytes:
        items.append(f"The apply reader has {reader.memory_bytes / MEGABYTE:,.0f} MB of the pool.")
    if pool is not None:
        size = f"{pool.set_bytes / MEGABYTE:,.0f} MB" if pool.set_bytes else "automatic"
        used = f"{pool.allocated_bytes / MEGABYTE:,.0f} of {pool.current_bytes / MEGABYTE:,.0f} MB"
        items.append(f"Streams pool: set to {size}; {used} allocated.")
    advice: list[Column[PoolAdvice]] = [
        Column("pool, MB", lambda each: each.bytes / MEGABYTE, ",.0f"),
        Column("spills expected", lambda each: each.spills, ",d"),
        Column("s to spill", lambda each: each.spill_seconds, ",.0f"),
        Column("s to read again", lambda each: each.unspill_seconds, ",.0f"),
    ]
    spilling: list[Column[SpilledTransaction]] = [
        Column("transaction on disk", lambda each: each.transaction),
        Column("messages", lambda each: each.messages, ",d"),
    ]
    captured: list[Column[OpenTransaction]] = [
        Column("transaction that is being captured", lambda each: each.transaction),
        Column("messages", lambda each: each.messages, ",d"),
        Column("since", lambda each: f"{each.began_at:%Y-%m-%d %H:%M:%S}" if each.began_at else None),
    ]
    return [
        Section("Queue and spill", table=tabulated(pool.advice if pool else (), advice), items=items),
        Section(table=tabulated(picture.spilling, spilling)),
        Section(table=tabulated(picture.transactions, captured)),
    ]


def _waits(found: Diagnosed) -> list[Section]:
    about = (
        "How the sessions of the processes have spent their time. A wait counts when it ends; one that goes"
        " on all the time shows as work."
    )
    if not found.processes:
        return [
            Section("Waits of each process", "None of the processes has a session that V$SESSION shows here.")
        ]
    servers: list[Column[tuple[Server, int, float]]] = [
        Column("apply server", lambda row: row[0].number, "d"),
        Column("state", lambda row: row[0].state),
        Column("messages", lambda row: row[1], ",d"),
        Column("s applied", lambda row: row[2], ",.2f"),
    ]
    moved = found.moved
    rows = zip(found.picture.servers, moved.server_messages, moved.server_seconds, strict=True)
    return [
        Section(
            "Waits of each process",
            about,
            chart=wait_chart(found.processes, moved.seconds),
            table=_processes(found),
        ),
        Section(table=tabulated(rows, servers)),
    ]


def _processes(found: Diagnosed) -> Table:
    seconds = found.moved.seconds

    def share(process: Process, what: str) -> str:
        return f"{100 * spent(process, seconds)[what]:,.0f} %"

    def events(process: Process) -> str:
        named = process.waits[:MOST_EVENTS]
        return "; ".join(f"{wait.event} ({wait.wait_class}) {wait.seconds:,.2f} s" for wait in named)

    columns: list[Column[Process]] = [
        Column("process", lambda process: process.role),
        Column("session", lambda process: f"{process.sid},{process.serial}"),
        Column("waits", lambda process: share(process, WAITED), "s"),
        Column("work", lambda process: share(process, LEFT), "s"),
        Column("idle", lambda process: share(process, IDLE), "s"),
        Column("longest waits", events),
    ]
    return tabulated(found.processes, columns)


def _tables(found: Diagnosed) -> list[Section]:
    support, picture = found.support, found.picture
    if support.elsewhere:
        about = "Which tables are not supported is known where they are: ask the source database."
        return [Section("Tables that are not captured wholly", about)]
    family = next(family for family in FAMILIES if family.name == picture.family)
    schemas = f"Schemas with tables that are prepared for capture: {', '.join(support.schemas) or 'none'}."
    not_read = ", ".join(support.not_read)
    missing = f"Not there, or not readable: {not_read}." if support.not_read else ""
    return [
        Section(
            "Tables that are not captured wholly",
            f"{schemas} From {family.support}.",
            table=_unsupported(support),
            note=missing or ("" if support.unsupported else "There are none."),
        ),
        Section(
            "Tables without keys",
            f"Tables without a primary key or another unique one without NULLs. From {family.not_unique}.",
            table=_keyless(support),
            note=missing or ("" if support.keyless else "There are none."),
        ),
    ]


def _unsupported(support: Support) -> Table:
    columns: list[Column[UnsupportedTable]] = [
        Column("not captured wholly", lambda each: each.table.key),
        Column("support", lambda each: each.why),
        Column("prepared for capture", lambda each: "yes" if each.prepared else "no"),
    ]
    return tabulated(support.unsupported, columns, lambda each: each.prepared)


def _keyless(support: Support) -> Table:
    columns: list[Column[KeylessTable]] = [
        Column("without a key", lambda each: each.table.key),
        Column("rows may differ in LOBs only", lambda each: "yes" if each.unbounded else "no"),
        Column("prepared for capture", lambda each: "yes" if each.prepared else "no"),
    ]
    return tabulated(support.keyless, columns, lambda each: each.unbounded and each.prepared)


def spent(process: Process, seconds: float) -> dict[str, float]:
    """Shares of the time, by what of `SPENT` it was; they sum up to 1 at most."""
    if not seconds:
        return dict.fromkeys(SPENT, 0.0)
    waited = min(1.0, process.seconds(idle=False) / seconds)
    idle = min(1.0 - waited, process.seconds(idle=True) / seconds)
    return {WAITED: waited, LEFT: max(0.0, 1.0 - waited - idle), IDLE: idle}


def rate_chart(passed: list[Stage], seconds: float) -> str:
    """Changes and messages per second by step."""
    rows = [Bar(stage.name, "", stage.count / seconds if seconds else 0.0) for stage in passed]
    return bars(rows, "per second", {"": OWN})


def wait_chart(processes: tuple[Process, ...], seconds: float) -> str:
    """Shares of their time in which processes waited, worked or were idle."""
    rows = [
        Bar(f"{process.role} {process.sid}", what, 100 * share)
        for process in processes
        for what, share in spent(process, seconds).items()
    ]
    return bars(rows, "percent of the time", dict(zip(SPENT, (POINTED, OWN, STUDY), strict=True)))
