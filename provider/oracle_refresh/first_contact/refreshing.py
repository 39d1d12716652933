"""The fifth step: a refresh of one small schema, by the DAG that is to do it every night.

It is the only step whose work stays: the schema on the target is replaced, masked and proven. What it has
for the bundle besides, the jobs' master tables, goes when the refresh is published; where it is not they
stay to be looked into, and the next command removes them.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import UTC, datetime
from time import monotonic
from typing import TYPE_CHECKING, Any

from oracle_refresh.catalog import read_catalogue
from oracle_refresh.datapump.job import discard_all, own_jobs
from oracle_refresh.first_contact.ladder import StepResult
from oracle_refresh.first_contact.model import REPORT, Check, Outcome, failed, passed
from oracle_refresh.first_contact.runs import ENDED, ENDED_TASK, STEP, Following, Runs, TaskRun, by_task
from oracle_refresh.integration import run_files, settings
from oracle_refresh.jsonable import Jsonable
from oracle_refresh.oracle.errors import PreflightError
from oracle_refresh.plan.model import JOB
from oracle_refresh.report.tries import TryNote
from oracle_refresh.run.documents import Documents
from oracle_refresh.run.failures import telling_line
from oracle_refresh.run.kind import Kind
from oracle_refresh.run.progress import Progress, silent

if TYPE_CHECKING:
    import oracledb

    from oracle_refresh.definition import RefreshDefinition

#: Of tables and LOBs together: what a first refresh takes minutes for on any hardware.
LARGEST_BYTES = 1 << 30
#: A small refresh on a slow test server, with a scheduler that has other runs before it.
LONGEST_SECONDS = 3600.0
#: Opens sessions of both ends.
Ends = Callable[[], AbstractContextManager[tuple["oracledb.Connection", "oracledb.Connection"]]]


@dataclass(frozen=True)
class LeftRun(Jsonable):
    """A run whose master tables are left."""

    run_id: str


LEFT_RUN = "first contact refresh"
LEFT: Kind[LeftRun] = Kind("refresh", LeftRun)


@dataclass(frozen=True)
class Asked:
    """The refresh that is asked for.

    :ivar definition: as it is read here; the DAG reads it by its `name`.
    :ivar longest: for how many seconds the end of the run is waited for.
    """

    definition: RefreshDefinition
    name: str
    longest: float = LONGEST_SECONDS


def refresh_small_schema(ends: Ends, asked: Asked, runs: Runs, progress: Progress = silent) -> StepResult:
    """Run the DAG with the definition to its end: a check for each of its tasks.

    :param ends: opens sessions of both ends. None is open while the DAG works: it would be idle for so long
        that a profile's IDLE_TIME or a firewall might end it.
    :raises PreflightError: if the definition is not small, or the DAG cannot be run.
    """
    run = f"first_contact__{datetime.now(UTC):%Y-%m-%dT%H:%M:%S.%f}"
    with ends() as (source, target):
        _prepare(source, target, asked.definition, runs, run)
    began = monotonic()
    runs.trigger(run, {"definition": asked.name})
    state = runs.await_end(run, asked.longest, Following(progress).look)
    seconds = monotonic() - began
    notes = run_files.read_failures(settings.report_directory(), runs.dag_id, run)
    checks = [*task_checks(runs.tasks(run), notes)]
    document = _report(runs.dag_id, run)
    published = state == "success" and document.get("status") == "published"
    checks.append(publication(published, state, seconds, run))
    facts: dict[str, Any] = {
        "run": {"id": run, "state": state, "seconds": round(seconds, 1)},
        "jobs": document.get("shards", []),
    }
    if state in ENDED:
        with ends() as (source, target):
            masters, facts["master tables"] = _masters_left(source, target, asked.definition, run, published)
            checks += masters
    return tuple(checks), facts


def _prepare(
    source: oracledb.Connection,
    target: oracledb.Connection,
    definition: RefreshDefinition,
    runs: Runs,
    run: str,
) -> None:
    """What a former command has left goes; this one's run is written down before there is anything of it."""
    catalogue = read_catalogue(source, definition.schemas, definition.exclude_tables)
    require_small(definition, sum(table.total_bytes for table in catalogue.tables))
    documents = Documents(target, LEFT_RUN)
    documents.ensure()
    for former in documents.all(LEFT):
        runs.require_ended(former.run_id)
        _drop_masters(source, target, former.run_id)
    documents.put(LEFT, run, LeftRun(run))


def _masters_left(
    source: oracledb.Connection,
    target: oracledb.Connection,
    definition: RefreshDefinition,
    run: str,
    published: bool,
) -> tuple[list[Check], dict[str, list[str]]]:
    """Checks and names of the jobs' master tables, which are dropped where the refresh is published."""
    names = [job.job_name for job in Documents(target, run).all(JOB)]
    kept = {
        end: sorted(set(names).intersection(own_jobs(connection)))
        for end, connection in (("source", source), ("target", target))
    }
    if not published:
        return [], kept
    checks = list(_masters(definition, names, kept))
    _drop_masters(source, target, run)
    return checks, kept


def require_small(definition: RefreshDefinition, held_bytes: int) -> None:
    """:param held_bytes: of the definition's tables and their LOBs on the source. Pure.

    :raises PreflightError: where the definition is not one for a first refresh.
    """
    for wrong, problem, remedy in (
        (len(definition.schemas) > 1, "the definition names several schemas", "name the smallest one"),
        (
            held_bytes > LARGEST_BYTES,
            f"its tables have {held_bytes / 1e9:.1f} GB, and a first refresh is to end within minutes",
            f"name a schema of at most {LARGEST_BYTES / 1e9:.1f} GB, or exclude_tables",
        ),
        (definition.tuning is not None, "the definition tunes the instance", "leave out tuning"),
        (definition.capture is not None, "the definition tunes change capture", "leave out capture"),
    ):
        if wrong:
            raise PreflightError(
                problem,
                step=STEP,
                remedy=f"{remedy}: include/refreshes/first_contact.yaml is such a definition",
            )


def task_checks(tasks: Iterable[TaskRun], notes: Iterable[TryNote]) -> Iterator[Check]:
    """A check for each task: its instances together, from the first one's start to the last one's end.

    Tasks that the definition does not ask for are left out. Pure.

    :param notes: what failed tries have left.
    """
    latest = {note.task: note for note in notes}
    for name, instances in by_task(tasks).items():
        states = {each.state for each in instances}
        began = [each.began for each in instances if each.began]
        ended = [each.ended for each in instances if each.ended]
        seconds = (max(ended) - min(began)).total_seconds() if began and ended else 0.0
        note = latest.get(name)
        if states == {"success"}:
            yield passed(name, None, seconds)
        elif "failed" in states:
            problem = telling_line(note.message) if note else "it has failed"
            remedy = (note.remedy if note else None) or f"read the log of the task {name}"
            yield Check(name, None, Outcome.FAILED, seconds, problem, note.codes if note else (), remedy)
        else:
            why = ", ".join(sorted(states))
            remedy = "mend what has failed before it" if states <= ENDED_TASK else "wait for the run's end"
            yield Check(name, None, Outcome.SKIPPED, seconds, why, remedy=remedy)


def publication(published: bool, state: str, seconds: float, run: str) -> Check:
    """Whether the target was published. Pure."""
    if published:
        return passed("published", "target", seconds)
    if state not in ENDED:
        problem = f"the run {run} has not ended after {seconds / 60:.0f} min and goes on: it is {state}"
        remedy = (
            "look at its tasks in Airflow: the report tells how it has ended, and the next climb removes the"
            " master tables. If it hangs, mark it as failed there; its teardowns tidy up"
        )
        return failed("published", "target", problem, remedy, seconds)
    problem = f"the refresh ended as {state} and was not published: the accounts stay locked"
    remedy = f"remove the cause, then airflow oracle-refresh resume {run}; or climb again"
    return failed("published", "target", problem, remedy, seconds)


def _masters(
    definition: RefreshDefinition, names: Sequence[str], kept: Mapping[str, Sequence[str]]
) -> Iterator[Check]:
    if not definition.datapump.keep_master:
        return
    for end in ("target",) if definition.datapump.over_link else ("source", "target"):
        missing = sorted(set(names) - set(kept[end]))
        problem = f"not there although KEEP_MASTER was set: {', '.join(missing)}"
        yield failed("master tables", end, problem, REPORT) if missing else passed("master tables", end)


def _drop_masters(source: oracledb.Connection, target: oracledb.Connection, run: str) -> None:
    """Of a run that has ended: a job that is still active has no owner any more, and is killed."""
    names = [job.job_name for job in Documents(target, run).all(JOB)]
    for connection in (source, target):
        discard_all(connection, names)
    Documents(target, LEFT_RUN).drop(LEFT, run)


def _report(dag_id: str, run: str) -> dict[str, Any]:
    content = settings.report_directory().read(dag_id, run, "report.json")
    return json.loads(content) if content else {}
