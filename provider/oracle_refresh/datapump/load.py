"""Loads one staged dump set into the target's tables, exactly once, however often it is asked for.

Data Pump commits each table data object as a whole, but it cannot commit it together with the ledger. What a
former try did is therefore found out, in this order: the ledger says `done`; a job of this name still runs
(wait) or is dead (restart it from its master table); its log says that it succeeded; there is no log, so it
never came to run; otherwise the rows are counted. A table that only this job loads is emptied when it holds
anything but the expected rows. For one of several shards of a table the count must tell whether its rows are
there (see `verdict.presence`); if it cannot, the load is refused rather than guessed.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Collection, Mapping
from contextlib import nullcontext
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from oracle_refresh.datapump import beginning, files, job, statements
from oracle_refresh.datapump.dumpset import LoadResult, StagedSet
from oracle_refresh.datapump.jobspec import JobSpec
from oracle_refresh.datapump.options import chosen_rows, with_options
from oracle_refresh.datapump.settle import JobTrace, SettledJob, failure, settle
from oracle_refresh.datapump.status import worked_on
from oracle_refresh.datapump.verdict import ALTERING, Presence, presence
from oracle_refresh.definition import RefreshDefinition
from oracle_refresh.oracle.errors import DataPumpError, overall_disposition
from oracle_refresh.oracle.identifiers import TableName
from oracle_refresh.oracle.session import execute, scalar, translated
from oracle_refresh.plan.model import ExportJob
from oracle_refresh.run.ledger import DONE, FAILED, RUNNING, Ledger
from oracle_refresh.run.possession import Hold
from oracle_refresh.run.progress import Progress, silent

if TYPE_CHECKING:
    import oracledb

log = logging.getLogger(__name__)

STEP = "load"
SIBLING_WAIT_SECONDS = 600.0


@dataclass(frozen=True)
class Load:
    """One staged dump set on its way into the target's tables.

    :ivar without_rows: other tables that the job's filters match; see `load_spec`.
    :ivar hold: around whatever changes the job, its tables or what the ledger says of it, while the job is
        the caller's.
    """

    connection: oracledb.Connection
    planned: ExportJob
    staged: StagedSet
    definition: RefreshDefinition
    ledger: Ledger
    without_rows: tuple[TableName, ...] = ()
    hold: Hold = nullcontext

    @property
    def trace(self) -> JobTrace:
        stem = log_stem(self.planned)
        return JobTrace(self.planned.job_name, self.staged.directory, stem, hold=self.hold)


def load_spec(
    planned: ExportJob,
    staged: StagedSet,
    definition: RefreshDefinition,
    tables: Collection[TableName] = (),
    log_file: str = "",
    without_rows: tuple[TableName, ...] = (),
) -> JobSpec:
    """The description of the import of some (by default all) tables of a dump set; pure.

    Over a database link (Utilities 19c, "Using the Network Import Mode") there are no dump files: the import
    reads the source as of the SCN.

    :param without_rows: other tables that the job's filters match: a dump set has none of them, but a source
        that is read over a database link may.
    """
    wanted = tuple(tables) or planned.tables
    names = tuple(file.name for file in staged.files)
    over_link = definition.datapump.over_link
    origin: dict[str, Any] = {"dump_files": names}
    if over_link:
        origin = {
            "dump_files": (),
            "remote_link": definition.datapump.database_link,
            "scn": staged.dump_set.scn,
            "without_rows": without_rows,
            **chosen_rows(planned, wanted),
        }
    numbered = any("%" in name for name in names)
    spec = JobSpec(
        operation="IMPORT",
        job_name=planned.job_name,
        directory=definition.staging.target_directory,
        log_file=log_file or files.log_name(log_stem(planned), 1),
        tables=wanted,
        parallel=planned.parallel if over_link or numbered else min(planned.parallel, len(names)),
        **origin,
    )
    return with_options(spec, definition.datapump_of(planned.tables), side_by_side=planned.kind == "shard")


def log_stem(planned: ExportJob) -> str:
    """Names the logs of this job's imports; the job's name holds refresh, run and job."""
    return f"{planned.job_name}_load".lower()


def begin_load(load: Load, start: job.Start = job.start) -> bool:
    """Make sure that the load runs or is done, without waiting for a running job.

    :param start: who starts it where it has to be started.
    :returns: True while the job has to be waited for, False when nothing is left to wait for.
        Either way `finish_load` comes next.
    :raises DataPumpError: if the job cannot be started, or it is not clear what a former try did.
    """
    if load.staged.directory != load.definition.staging.target_directory:
        raise DataPumpError(
            f"the dump set lies in {load.staged.directory}, the definition loads from"
            f" {load.definition.staging.target_directory}",
            object_name=load.planned.job_name,
            step=STEP,
            remedy="stage the dump set with this definition",
        )
    first = load.ledger.entry(STEP, load.planned.id) is None
    with load.hold():
        begun = load.ledger.begin(STEP, load.planned.id, _detail(load))
    if not begun:
        return False

    def try_once() -> bool:
        settled = _settled(load)
        if _proven(settled, load.staged):
            return False
        if first and settled.never_ran:
            missing: tuple[TableName, ...] = load.planned.tables
        else:
            missing = _missing(load.staged, _counted(load, settled))
        if not missing:
            return False
        _require_files(load)
        log_file = load.trace.log_file(settled.log_number + 1)
        spec = load_spec(load.planned, load.staged, load.definition, missing, log_file, load.without_rows)
        beginning.start_anew(load.connection, spec, start, left=settled.left, hold=load.hold)
        return True

    return beginning.begin(load.connection, load.planned.job_name, try_once)


def finish_load(
    load: Load,
    progress: Progress = silent,
    poll_seconds: float = 1.0,
    began: float | None = None,
) -> LoadResult:
    """Judge a load that was begun, waiting for it where it still runs, and record it in the ledger.

    :param began: reading of `time.monotonic` when the job was started, for a finer time than the log's.
    :raises DataPumpError: if rows are missing; the ledger then says `failed` when a retry is no use.
    """
    entry = load.ledger.entry(STEP, load.planned.id)
    if entry is not None and entry.state == DONE:
        return _result(load, entry.detail, _measured_then(load, entry.detail))
    settled = _settled(load, progress, poll_seconds)
    seconds = float(settled.verdict.seconds or 0) if began is None else time.monotonic() - began
    try:
        measured = _require_all(load, settled)
    except DataPumpError as error:
        state = FAILED if overall_disposition(error.codes) == "fatal" else RUNNING
        with load.hold():
            load.ledger.record(STEP, load.planned.id, state, {**_detail(load), "codes": list(error.codes)})
        raise
    recovered = bool(settled.restarted or settled.log_number > 1)
    detail = {
        **_detail(load),
        "seconds": seconds,
        "recovered": recovered,
        "loaded": sum(measured[table.table] for table in load.staged.dump_set.tables),
    }
    with load.hold():
        load.ledger.record(STEP, load.planned.id, DONE, detail)
    progress.report(load.staged.bytes, load.staged.bytes, "bytes", load.planned.job_name)
    return _result(load, detail, measured)


def run_load(
    load: Load, progress: Progress = silent, poll_seconds: float = 1.0, start: job.Start = job.start
) -> LoadResult:
    """Load one dump set and wait for its end. The tables must exist, without constraints and indexes.

    Repeating it after a kill at any point neither loses nor doubles rows.

    :raises DataPumpError: see `finish_load`.
    """
    began = time.monotonic()
    started = begin_load(load, start)
    if started:
        settled = _settled(load, progress, poll_seconds)
        if settled.verdict.outcome != "succeeded" and settled.never_ran:
            # A job that another session was defining when it died left nothing behind.
            begin_load(load, start)
    since = began if started else None
    return finish_load(load, progress, poll_seconds, since)


def _require_all(load: Load, settled: SettledJob) -> Mapping[TableName, int]:
    """Pass only when every row of the dump set is in the target, unaltered as far as Data Pump knows.

    :returns: the rows of each table by the import's log, or by count where the log does not speak for all.
    """
    verdict = settled.verdict
    error = failure(load.planned.job_name, STEP, verdict, load.trace.log_file(settled.log_number))
    if ALTERING & set(verdict.codes):
        raise error
    if _proven(settled, load.staged):
        return verdict.rows
    try:
        counted = _counted(load, settled)
    except DataPumpError as unclear:
        raise (error if verdict.codes else unclear) from unclear
    if _missing(load.staged, counted):
        raise error
    return counted


def _require_files(load: Load) -> None:
    """Say what to do when the dump files are gone, before Data Pump says that it cannot open them."""
    for file in load.staged.files:
        if files.file_size(load.connection, load.staged.directory, file.name) is None:
            raise DataPumpError(
                f"the dump file {file.name} is not in the target's DIRECTORY {load.staged.directory}",
                object_name=load.planned.job_name,
                step=STEP,
                remedy="check that the DBFS is mounted there; if the run's dump files were dropped already,"
                " clear the export and stage tasks of this job as well",
            )


def _settled(load: Load, progress: Progress = silent, poll_seconds: float = 1.0) -> SettledJob:
    return settle(load.connection, load.trace, progress, poll_seconds)


def _proven(settled: SettledJob, staged: StagedSet) -> bool:
    """Whether the log alone proves that all rows are there: as many of every table as the export reported.

    A later try moves only what the former ones left, so its log does not speak for all tables; nor does that
    of a job which went on from its master table.
    """
    return (
        settled.verdict.outcome == "succeeded"
        and settled.log_number == 1
        and not settled.restarted
        and all(settled.verdict.rows.get(table.table) == table.rows for table in staged.dump_set.tables)
    )


def _missing(staged: StagedSet, counted: Mapping[TableName, int]) -> tuple[TableName, ...]:
    """The tables of a dump set whose rows are not in the target."""
    return tuple(table.table for table in staged.dump_set.tables if counted[table.table] != table.rows)


def _measured_then(load: Load, detail: Mapping[str, Any]) -> Mapping[TableName, int]:
    """The rows of a load that is done: those of a shard as they were measured at its end, since the table
    holds others by now; those of tables that only this job loads are counted."""
    if load.planned.kind == "shard":
        return {load.planned.tables[0]: int(detail["loaded"])}
    return {name: _count(load.connection, name) for name in load.planned.tables}


def _counted(load: Load, settled: SettledJob) -> dict[TableName, int]:
    """The job's rows of each table that are in the target, by count; a broken table is emptied first."""
    counted = {}
    for table in load.staged.dump_set.tables:
        name = table.table
        if load.planned.kind == "bulk":
            here = _presence_alone(load, name, table.rows)
        else:
            here = _presence_among_shards(load, name, table.rows)
            if here == "unclear" and not settled.never_ran:
                raise _unclear(load, name, table.rows)
        log.info("%s: rows of %s are %s", load.planned.job_name, name.key, here)
        counted[name] = table.rows if here == "present" else 0
    return counted


def _presence_alone(load: Load, name: TableName, rows: int) -> Presence:
    """For a table that no other job loads: anything but all rows or none is removed."""
    count = _count(load.connection, name)
    if count not in (0, rows):
        log.warning("%s holds %d rows instead of %d: it is emptied and loaded again", name.key, count, rows)
        with load.hold(), translated(STEP, name.key):
            execute(load.connection, statements.TRUNCATE.format(table=name.sql))
        return "absent"
    return "present" if count == rows else "absent"


def _presence_among_shards(load: Load, name: TableName, rows: int) -> Presence:
    """For one of several shards: by the count, once the other shards allow it.

    Shards that are still being loaded blur the picture; they end by themselves, so they are waited for.
    """
    deadline = time.monotonic() + SIBLING_WAIT_SECONDS
    key = name.key
    while True:
        before = _siblings(load, key)
        count = _count(load.connection, name)
        if _siblings(load, key) != before:
            continue  # a shard was settled meanwhile: the count belongs to neither picture
        settled = sum(size for size, done, _ in before.values() if done)
        unsettled = [size for size, done, _ in before.values() if not done]
        answer = presence(count, settled, rows, unsettled)
        if answer != "unclear" or not _any_live(load.connection, before) or time.monotonic() > deadline:
            return answer
        time.sleep(1.0)


def _unclear(load: Load, name: TableName, rows: int) -> DataPumpError:
    key = name.key
    return DataPumpError(
        f"{key} holds {_count(load.connection, name)} rows, and it cannot be told whether the {rows} of this"
        " shard are among them",
        object_name=load.planned.job_name,
        step=STEP,
        remedy=f"truncate {key} on the target and load all of its shards again in a new run",
    )


def _siblings(load: Load, key: str) -> dict[str, tuple[int, bool, str]]:
    """Rows, whether loaded, and job name of the other shards of a table that were ever begun in this run."""
    return {
        row.key: (int(row.detail["rows"]), row.state == DONE, str(row.detail["job"]))
        for row in load.ledger.rows(STEP)
        if row.key != load.planned.id and row.detail.get("table") == key
    }


def _any_live(connection: oracledb.Connection, siblings: Mapping[str, tuple[int, bool, str]]) -> bool:
    return any(not done and worked_on(connection, job_name) for _, done, job_name in siblings.values())


def _count(connection: oracledb.Connection, name: TableName) -> int:
    with translated(STEP, name.key):
        return int(scalar(connection, statements.COUNT_ROWS.format(table=name.sql)))


def _detail(load: Load) -> dict[str, Any]:
    """What the ledger keeps; a shard names its table, so that its siblings can reckon with its rows."""
    detail: dict[str, Any] = {"job": load.planned.job_name, "rows": load.staged.dump_set.rows}
    if load.planned.kind == "shard":
        detail["table"] = load.planned.table_keys[0]
    return detail


def _result(load: Load, detail: Mapping[str, Any], measured: Mapping[TableName, int]) -> LoadResult:
    """The result, with the rows that were measured at the target, not those of the export."""
    return LoadResult(
        load.planned.id,
        tuple(replace(table, rows=measured[table.table]) for table in load.staged.dump_set.tables),
        float(detail.get("seconds", 0)),
        bool(detail.get("recovered", False)),
    )
