"""Advice for captures that are in use: diagnosis, and its settings on approval."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

from oracle_refresh.hooks.oracle import OracleRefreshHook
from oracle_refresh.labs.change_capture.diagnosed import Diagnosed, page, text
from oracle_refresh.labs.change_capture.study import COSTS, MEMORY
from oracle_refresh.operators.base import RefreshOperator, run_id
from oracle_refresh.operators.laboratory import write_report
from oracle_refresh.tuning.cdc.change import RECORD, change, restore, values_recommended
from oracle_refresh.tuning.cdc.picture import Movement, measured_memory, movement
from oracle_refresh.tuning.cdc.process_rules import PROCESS_RULES
from oracle_refresh.tuning.cdc.reader import read_picture
from oracle_refresh.tuning.cdc.rules import CaptureReadings, Diagnosis, diagnose
from oracle_refresh.tuning.cdc.support import read_support
from oracle_refresh.tuning.cdc.verdict import worth_keeping
from oracle_refresh.tuning.cdc.waits import read_processes, waited

if TYPE_CHECKING:
    import oracledb
    from airflow.sdk import Context


class DiagnoseCapture(RefreshOperator):
    """Watches a capture in use, an apply process, or both ends, and says what holds them back; reads only.

    One name is enough: the other end is found by it, where the database has it. The purpose of a process says
    whose views show it: Streams, XStream or GoldenGate. It writes the report of its run: rates and latency of
    each step, queue and spills, waits of each process, tables that are not captured wholly, tables without
    keys. In the DAG of a refresh it would replace that report, or be replaced by it.

    :param apply_name: as in DBA_APPLY: an apply process, an integrated Replicat, or an XStream outbound or
        inbound server. Templated.
    :param capture_name: as in DBA_CAPTURE: also that of an integrated Extract. Templated.
    :param seconds: how long to watch. Templated.
    :param end: which end of the definition it runs at, `source` or `target`.
    :raises TuningError: if there is no such process, its views cannot be read, or several processes stand at
        the other end, of which one has to be named.
    :returns: findings and recommendations, each with the source of its rule, and the expected gain.
    """

    template_fields: Sequence[str] = (
        *RefreshOperator.template_fields,
        "apply_name",
        "capture_name",
        "seconds",
    )

    def __init__(
        self,
        *,
        apply_name: str | None = None,
        capture_name: str | None = None,
        seconds: float | str = 300,
        end: Literal["source", "target"] = "target",
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self.apply_name = apply_name
        self.capture_name = capture_name
        self.seconds = seconds
        self.end = end

    def execute(self, context: Context) -> dict[str, Any]:
        definition = self.read_refresh()
        conn_id = (definition.source if self.end == "source" else definition.target).conn_id
        with OracleRefreshHook(oracle_conn_id=conn_id).session(self.end, self.task_id) as connection:
            readings = watch(connection, float(self.seconds), self.apply_name, self.capture_name)
            readings = replace(readings, support=read_support(connection, readings.picture))
        diagnosis = diagnose(readings, COSTS, PROCESS_RULES)
        found = Diagnosed.of(run_id(context), readings, diagnosis)
        self.log.info("%s", text(found))
        for finding in diagnosis.findings:
            self.log.info("%s: %s (%s)", finding.rule, finding.text, finding.source)
            if finding.recommendation:
                advice = finding.recommendation
                self.log.info(
                    "  %s: %s instead of %s: %s",
                    *(advice.parameter, advice.proposed, advice.current, advice.why),
                )
        self.log.info("expected: %.1f times as fast", diagnosis.gain)
        write_report(self, found.run_id, page(found), found.to_json())
        return {"diagnosis": diagnosis.to_json(), "moved": readings.moved.to_json()}


class TuneCapture(RefreshOperator):
    """Sets what was recommended, watches again, and keeps it or takes it back.

    Runs on a target only. Without approval it says what it would do. The former values are kept in the target
    before the first change; a repeated task takes back what its former try has set, then begins anew.

    :param apply_name: as in DBA_APPLY. Templated.
    :param found: what `DiagnoseCapture` has returned. Templated.
    :param approved: whether anything may be set: `true`, `yes`, `approve` or `1`. Templated.
    :param seconds: how long to watch afterwards. Templated.
    :returns: `kept`, `taken back`, `nothing to do` or `not approved`.
    """

    template_fields: Sequence[str] = (
        *RefreshOperator.template_fields,
        "apply_name",
        "found",
        "approved",
        "seconds",
    )

    def __init__(
        self,
        *,
        apply_name: str,
        found: dict[str, Any] | str,
        approved: bool | str = False,
        seconds: float | str = 300,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self.apply_name = apply_name
        self.found = found
        self.approved = approved
        self.seconds = seconds

    def execute(self, context: Context) -> str:
        document = json.loads(self.found) if isinstance(self.found, str) else self.found
        diagnosis, before = Diagnosis.from_json(document["diagnosis"]), Movement.from_json(document["moved"])
        wanted = values_recommended(diagnosis)
        for name, value in wanted.items():
            self.log.info("%s = %s", name, value)
        if not wanted:
            return "nothing to do"
        if not self.apply_name:
            self.log.warning("no apply process is named, so nothing is set")
            return "nothing to do"
        if str(self.approved).strip().lower() not in ("true", "yes", "approve", "1"):
            return "not approved"
        with self.refresh_run(context) as run:
            run.documents.ensure()
            former = run.documents.find(RECORD, self.apply_name)
            if former:
                restore(run.target, former)
            capture = read_picture(run.target, self.apply_name).capture
            record = change(
                run.target,
                self.apply_name,
                capture.name if capture else None,
                wanted,
                None,
                lambda record: run.documents.put(RECORD, self.apply_name, record),
            )
            after = watch(run.target, float(self.seconds), self.apply_name).moved
            better, why = worth_keeping(before, after)
            self.log.info("%s", why)
            if better:
                return "kept"
            for line in restore(run.target, record):
                self.log.warning("%s", line)
        return "taken back"


def watch(
    connection: oracledb.Connection,
    seconds: float,
    apply_name: str | None = None,
    capture_name: str | None = None,
) -> CaptureReadings:
    """What moves within so many seconds, and what the processes wait for meanwhile."""
    before = read_picture(connection, apply_name, capture_name)
    waiting = read_processes(connection, before)
    began = time.monotonic()
    time.sleep(seconds)
    after = read_picture(connection, before.apply_name, before.capture_name)
    moved = movement(before, after, time.monotonic() - began)
    processes = waited(waiting, read_processes(connection, after))
    return CaptureReadings(moved, after, measured_memory(moved, before, after, MEMORY), processes)
