"""Facts of a run for the templates of any notifier, and for callbacks in Python."""

from __future__ import annotations

import json
import logging
from datetime import datetime
from html import escape as without_markup
from typing import Any

from jinja2 import pass_context

from oracle_refresh.integration import run_files, settings
from oracle_refresh.links.addresses import file_address
from oracle_refresh.oracle.errors import RefreshError
from oracle_refresh.plan.stages import FOLLOWING
from oracle_refresh.report.model import Report
from oracle_refresh.report.summary import summary
from oracle_refresh.report.tries import TryNote
from oracle_refresh.run.failures import telling_line

log = logging.getLogger(__name__)


@pass_context
def refresh_context(context: Any, escape: bool = True) -> dict[str, Any]:
    """Return the facts of the run that a callback is about. Templates call it without arguments.

    DAGs of this provider have the function among their `user_defined_macros`. Custom DAGs add it there.

    - `dag_id`, `run_id`
    - `refresh`, `status`, `scn`, `tables`, `rows`, `bytes`, `seconds`, `masked_columns` and the other figures
      of `report.summary`. Without a report of this run, `refresh` is the DAG id, `status` is `without report`
      and `scn` is None.
    - `report`: address of the report, empty without one
    - `failed_task`, `error`, `remedy`: of the latest failed attempt if the run was not published, else None

    :param context: context of the callback. Jinja passes it.
    :param escape: replace `&`, `<` and `>` in texts by entities, as HTML requires and as Slack does for
        `<!channel>`. Pass False for plain text.
    """
    dag_id, run_id = _names(context)
    facts: dict[str, Any] = {"dag_id": dag_id, "run_id": run_id, "refresh": dag_id, "report": ""}
    facts |= {"status": "without report", "scn": None, "failed_task": None, "error": None, "remedy": None}
    if dag_id and run_id:
        try:
            facts |= _recorded(dag_id, run_id, _started(context))
        except RefreshError as error:  # the message has to be sent all the same
            log.warning("Sending the message without facts of the report: %s", error)
    if escape:
        facts = {
            name: without_markup(fact, quote=False) if isinstance(fact, str) else fact
            for name, fact in facts.items()
        }
    return facts


def _recorded(dag_id: str, run_id: str, started: datetime | None) -> dict[str, Any]:
    """Return facts from the files of the run."""
    reports = settings.report_directory()
    content = reports.read(dag_id, run_id, "report.json")
    report = Report.from_json(json.loads(content)) if content else None
    if report is not None and _is_older(report, started):
        report = None
    facts: dict[str, Any] = {}
    if report is not None:
        facts |= summary(report) | {"report": file_address(dag_id, run_id, "report.html")}
    if report is None or report.status != "published":
        failures = run_files.read_failures(reports, dag_id, run_id)
        facts |= _failure([each for each in failures if started is None or each.at >= started], report)
    return facts


def _failure(failures: list[TryNote], report: Report | None) -> dict[str, Any]:
    tries = report.failed_tries if report else ()
    mended = {(each.task, each.map_index, each.number) for each in tries if each.mended}
    standing = [each for each in failures if (each.task, each.map_index, each.number) not in mended]
    causes = [each for each in standing if each.operator not in FOLLOWING] or standing
    if not causes:
        return {}
    last = causes[-1]
    task = f"{last.task} {last.item}" if last.item else last.task
    return {"failed_task": task, "error": telling_line(last.message), "remedy": last.remedy}


def _is_older(report: Report, started: datetime | None) -> bool:
    """Return whether the report was written before the run was cleared, which moves the run's start."""
    written = report.audit.reported_at
    if started is None or not written:
        return False
    return datetime.fromisoformat(written) < started.replace(microsecond=0)


def _started(context: Any) -> datetime | None:
    started = _run(context).get("start_date")
    return datetime.fromisoformat(started) if isinstance(started, str) else started


def _names(context: Any) -> tuple[str, str]:
    """Return DAG id and run id. A deadline's `dag_run` is a mapping; a DAG's callback may have none."""
    run, dag = _run(context), context.get("dag")
    dag_id = run.get("dag_id") or getattr(dag, "dag_id", "")
    run_id = run.get("dag_run_id") or run.get("run_id") or context.get("run_id")
    return str(dag_id or ""), str(run_id or "")


def _run(context: Any) -> dict[str, Any]:
    run = context.get("dag_run")
    return run if isinstance(run, dict) else vars(run) if hasattr(run, "__dict__") else {}
