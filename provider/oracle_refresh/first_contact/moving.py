"""The fourth step: two shards of ten rows, on every way to the target that can be tried.

The rows are unmasked. They come into a locked schema that nobody can log in to, and schema, dump files and
logs are removed at once, whatever happens; what a killed command has left, the next one removes first.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING, Any

from oracle_refresh.catalog import identify, read_catalogue
from oracle_refresh.datapump import job
from oracle_refresh.datapump import statements as datapump
from oracle_refresh.datapump.export import Export, run_export
from oracle_refresh.datapump.options import dump_pattern
from oracle_refresh.dbfs.set_up import set_up_store
from oracle_refresh.first_contact.built import RUN
from oracle_refresh.first_contact.ladder import StepResult, failure
from oracle_refresh.first_contact.leftovers import (
    announce,
    files_there,
    left_since,
    remove_left,
    remove_load_logs,
    things_there,
)
from oracle_refresh.first_contact.loading import (
    LONGEST_HOLD,
    Connect,
    Loaded,
    load_together,
    methods_in,
    remapped,
)
from oracle_refresh.first_contact.model import REPORT, Check, Outcome, failed, passed, skipped
from oracle_refresh.first_contact.ten_rows import ROWS, SHARDS, TenRows, create, ten_rows
from oracle_refresh.first_contact.throwaway import throwaway
from oracle_refresh.first_contact.ways import Way, closed_ways, open_ways
from oracle_refresh.oracle.errors import RefreshError
from oracle_refresh.oracle.identifiers import TableName
from oracle_refresh.oracle.session import execute, scalar
from oracle_refresh.run.freeze import Frozen, freeze
from oracle_refresh.run.ledger import ensure_ledger
from oracle_refresh.transport.network_link import expected_set
from oracle_refresh.transport.registry import transport_of
from oracle_refresh.transport.stage import clean_staged, stage
from oracle_refresh.transport.transfer import Transfer, unfinished

if TYPE_CHECKING:
    import oracledb

    from oracle_refresh.definition import RefreshDefinition
    from oracle_refresh.plan.model import ExportJob

SLOW = "look at the jobs' logs and at V$SESSION for what they have waited for, then climb again"
QUEUE = "leave datapump.access_method to the provider: loads of one table wait for each other otherwise"


def move_ten_rows(
    source: oracledb.Connection, target: oracledb.Connection, definition: RefreshDefinition, connect: Connect
) -> StepResult:
    """Export two shards once; stage and load them on every way. At the source only Data Pump writes.

    Works in a session of its own, which closes links to the source as it ends; then both ends are looked at.

    :param connect: opens a further session of the target's user.
    :returns: the checks, and per way methods, rows and whether loads wanted the table for themselves.
    :raises PreflightError: if the schema cannot be made.
    """
    remove_left(source, target, definition)
    frozen = freeze(source)
    catalogue = read_catalogue(source, definition.schemas, definition.exclude_tables)
    run = f"{RUN} of {identify(target).db_unique_name}"
    chosen = ten_rows(source, catalogue, frozen.scn, definition.name, run)
    if chosen is None:
        return (
            skipped(
                "two shards",
                "source",
                f"no ordinary table of the definition of at most 1 GB has {ROWS * SHARDS} rows and"
                " common types only",
                "name a schema with such a table",
            ),
        ), {}
    before = things_there(source, target)
    checks: list[Check] = []
    facts: dict[str, Any] = {}
    parts: list[str] = []
    with _failures_in(checks, "the throwaway schema"), connect() as own, throwaway(own) as schema:
        try:
            with _failures_in(checks, "two shards"):
                ensure_ledger(own)
                announce(own, definition, frozen, chosen.jobs)
                execute(own, create(chosen.table, schema))
                shards = _Shards(frozen, chosen, schema)
                moved, facts = _on_all_ways(source, own, definition, connect, shards)
                checks += moved
        finally:
            with _failures_in(checks, "files that were begun"):
                own.rollback()
                parts += unfinished(own, RUN)
            with _failures_in(checks, "removal of jobs and files"):
                remove_left(source, own, definition)
    started = monotonic()
    with _failures_in(checks, "nothing is left"):
        left = (
            *left_since(before, source, target),
            *files_there(source, target, definition, frozen, chosen.jobs, parts),
        )
        checks.append(nothing_left(left, monotonic() - started))
    return tuple(checks), facts


def nothing_left(left: Sequence[str], seconds: float) -> Check:
    """:param left: what is there and was not before. Pure."""
    name = "nothing is left"
    if not left:
        return passed(name, None, seconds)
    problem = f"{len(left)} things are left: {', '.join(left)}"
    remedy = (
        "repeat the command: it removes first what an earlier one has left; what is then still there, and was"
        " made by nobody else meanwhile, is to be removed by hand: it may hold unmasked rows"
    )
    return failed(name, None, problem, remedy, seconds)


@contextmanager
def _failures_in(checks: list[Check], name: str) -> Iterator[None]:
    """An error is one more failed check, behind those before it: what fails first stays the first."""
    import oracledb

    started = monotonic()
    try:
        yield
    except (RefreshError, oracledb.Error) as error:
        checks.append(failure(name, error, monotonic() - started))


@dataclass(frozen=True)
class _Shards:
    """What is moved: two shards of ten rows, as of an SCN, into a schema of the target."""

    frozen: Frozen
    rows: TenRows
    schema: str

    @property
    def jobs(self) -> tuple[ExportJob, ...]:
        return self.rows.jobs

    @property
    def table(self) -> TableName:
        return TableName(self.schema, self.rows.table.name)


def _on_all_ways(
    source: oracledb.Connection,
    target: oracledb.Connection,
    definition: RefreshDefinition,
    connect: Connect,
    shards: _Shards,
) -> StepResult:
    chosen, facts = open_ways(target, definition), {}
    checks: list[Check] = [
        skipped(name, None, obstacle.reason, obstacle.remedy)
        for name, obstacle in closed_ways(target, definition).items()
    ]
    # Where the definition encrypts dump files, these are as well: with a password that nobody learns.
    start = partial(job.start, password=secrets.token_hex(16))
    started = monotonic()
    dump_sets = [
        run_export(Export(source, planned, shards.frozen, chosen[0].definition), RUN, start=start)
        if transport_of(definition).dump_files
        else expected_set(source, planned, shards.frozen)
        for planned in shards.jobs
    ]
    told = [
        method
        for dumped in dump_sets
        if dumped.files
        for method in methods_in(source, dumped.directory, dumped.log_file)
    ]
    methods = ", ".join(dict.fromkeys(told)) or "over the link"
    rows = sum(dumped.rows for dumped in dump_sets)
    checks.append(_counted(f"export: {methods}", "source", rows, started))
    facts["export"] = {"methods": methods, "seconds": round(monotonic() - started, 1)}
    for way in chosen:
        started = monotonic()
        try:
            with _failures_in(checks, f"{way.name}: staged and loaded"):
                objection = _prepared(target, way, sum(dumped.bytes for dumped in dump_sets))
                if objection is not None:
                    checks.append(objection)
                    continue
                staged = [
                    stage(Transfer(source, target, dumped, way.definition, RUN)) for dumped in dump_sets
                ]
                checks.append(passed(f"{way.name}: staged", None, monotonic() - started))
                started = monotonic()
                specs = [
                    remapped(planned, staged_set, way.definition, shards.schema)
                    for planned, staged_set in zip(shards.jobs, staged, strict=True)
                ]
                loaded = load_together(target, connect, specs, shards.table, start)
                there = _rows(target, shards)
                checks += _judged(way, loaded, there, started)
                facts[way.name] = _facts(loaded, there, monotonic() - started)
        finally:
            with _failures_in(checks, f"{way.name}: cleared"):
                target.rollback()
                _cleared(target, way, shards)
    return tuple(checks), facts


def _prepared(target: oracledb.Connection, way: Way, dump_bytes: int) -> Check | None:
    """Make the store or look at the mount, as a refresh does; None, or why the way cannot be tried."""
    staging = way.definition.staging
    way.transport.preflight(staging)
    if not way.definition.uses_store:
        return None
    made = set_up_store(target, way.definition, RUN, dump_bytes)
    if made.visible:
        return None
    problem = (
        f"the target's server does not see the store's files in its DIRECTORY {staging.target_directory}"
    )
    remedy = "; ".join(("set up the store and mount it on the target's host", *made.commands))
    return skipped(f"{way.name}: staged", "target", problem, remedy)


def _judged(way: Way, loaded: Loaded, there: int, started: float) -> Iterator[Check]:
    yield _counted(
        f"{way.name}: loaded, {', '.join(loaded.methods) or 'no method told'}", "target", there, started
    )
    name = f"{way.name}: loads at the same time"
    if loaded.waited is None:
        problem = (
            f"the jobs had not ended after {LONGEST_HOLD:.0f} s, and none was seen waiting for the table"
        )
        yield skipped(name, "target", problem, SLOW)
        return
    queued = "a load wanted the table for itself (TM): shards of one table queue" if loaded.waited else None
    yield Check(name, "target", Outcome.PASSED, problem=queued, remedy=QUEUE if queued else None)


def _facts(loaded: Loaded, there: int, seconds: float) -> dict[str, Any]:
    return {
        "methods": list(loaded.methods),
        "rows": there,
        "tm_waits": loaded.waited,
        "seconds": round(seconds, 1),
    }


def _counted(name: str, end: str, rows: int, started: float) -> Check:
    seconds, wanted = monotonic() - started, ROWS * SHARDS
    if rows == wanted:
        return passed(name, end, seconds)
    return failed(name, end, f"{rows} rows instead of {wanted}", REPORT, seconds)


def _rows(target: oracledb.Connection, shards: _Shards) -> int:
    return int(scalar(target, datapump.COUNT_ROWS.format(table=shards.table.sql)))


def _cleared(target: oracledb.Connection, way: Way, shards: _Shards) -> None:
    """The next way begins with an empty table, without staged files and without logs."""
    job.discard_all(target, [planned.job_name for planned in shards.jobs])
    execute(target, datapump.TRUNCATE.format(table=shards.table.sql))
    if way.transport.dump_files:
        patterns = [dump_pattern(planned.dump_file, way.definition.datapump) for planned in shards.jobs]
        clean_staged(target, way.definition, RUN, patterns)
    for planned in shards.jobs:
        remove_load_logs(target, way.definition, planned)
