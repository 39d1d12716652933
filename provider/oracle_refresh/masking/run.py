"""The masking of one table, exactly once: every change and its ledger row are one transaction.

Small tables are masked in one transaction, here; for the others see `chunked`, and `strategy` for which is
which.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from oracle_refresh.catalog import Table
from oracle_refresh.jsonable import Jsonable
from oracle_refresh.masking import statements
from oracle_refresh.masking.chunked import PREPARED, ChunkedMasking, Connect
from oracle_refresh.masking.compiler import compile_table, may_repeat
from oracle_refresh.masking.control import STEP as STEP
from oracle_refresh.masking.control import control_tables, drop_left, drop_tables, judge, prove
from oracle_refresh.masking.facts import read_facts
from oracle_refresh.masking.fit import check_table
from oracle_refresh.masking.nonconforming import NonConforming, require_conforming
from oracle_refresh.masking.plan import MaskPlan
from oracle_refresh.masking.rewrite import drop_copies
from oracle_refresh.masking.strategy import (
    CHUNK_BYTES,
    Strategy,
    StrategyKind,
    choose,
    estimated_share,
    forced,
)
from oracle_refresh.oracle.errors import MaskingError, RefreshError, from_oracle, oracle_codes
from oracle_refresh.oracle.identifiers import Identifier
from oracle_refresh.run.kind import Kind
from oracle_refresh.run.ledger import Ledger, ensure_ledger
from oracle_refresh.run.progress import Progress, silent
from oracle_refresh.target.objects.build import TABLE_STEP
from oracle_refresh.target.objects.statements import WAIT_FOR_LOCKS

if TYPE_CHECKING:
    import oracledb

    from oracle_refresh.masking.keys import MasterKey
    from oracle_refresh.masking.rules import ColumnRule, Ruleset

SAMPLE_ROWS = 20_000
log = logging.getLogger(__name__)


@dataclass(frozen=True)
class MaskResult(Jsonable):
    """What the masking of a table did. `rows` counts the rows with at least one masked value."""

    owner: str
    name: str
    columns: tuple[str, ...]
    rows: int
    seconds: float
    verdict: Literal["masked", "nothing_to_mask"]
    key_id: str
    ruleset: str
    non_conforming: tuple[NonConforming, ...] = ()
    """What did not fit and was set to NULL or redacted, as patterns."""
    strategy: str = ""
    """How it was masked and why so, in words."""
    chunks: int = 1


MASK: Kind[MaskResult] = Kind("mask", MaskResult)


@dataclass(frozen=True)
class Options:
    """How a table may be masked."""

    degree: int = 1
    """Sessions that may work on the table at the same time; more than one need `connect`."""
    connect: Connect | None = None
    """Opens a further session of the target."""
    chunk_bytes: int = CHUNK_BYTES
    """Of the table, that one transaction changes at most."""
    strategy: StrategyKind | None = None
    """A way of masking instead of the one chosen by cost."""


def mask_table(
    connection: oracledb.Connection,
    table: Table,
    ruleset: Ruleset,
    key: MasterKey,
    ledger: Ledger,
    progress: Progress = silent,
    options: Options | None = None,
) -> MaskResult:
    """Mask a table of the target. A repeated call returns the first one's result and changes nothing; one
    after a killed call goes on where that stopped.

    Lookups and maps are tables of the connected user while this runs (`REFRESH$L_...`, `REFRESH$M_...`).
    Creating them commits what the connection has pending; the ledger must be one of the same connection.

    :raises MaskingError: when a rule does not fit, a trigger is enabled on the table, a value does not
        conform, the table was masked before with another key or ruleset or by another run, or a statement
        fails. Of a table that is masked in one transaction, nothing is changed then.
    """
    if ledger.connection is not connection:
        raise MaskingError("the ledger must use the connection that masks", object_name=table.key, step=STEP)
    options = options or Options()
    rules = ruleset.rules(table.owner, table.name)
    if not rules:
        return MaskResult(
            table.owner, table.name, (), 0, 0.0, "nothing_to_mask", key.key_id, ruleset.fingerprint
        )
    check_table(table, rules)
    ensure_ledger(connection)
    mark = _mark(rules, key, ruleset)
    started = time.monotonic()
    try:
        earlier = _earlier(ledger, table, rules, mark)
        if earlier is not None:
            drop_left(connection, ledger.run_id, table)
            return earlier
        _refuse_other_runs(ledger, table, mark)
        _refuse_triggers(connection, table)
        with connection.cursor() as cursor:
            # The session of a killed task may be at its last statement still, and hold what it works on.
            for statement in (*statements.SESSION, WAIT_FOR_LOCKS):
                cursor.execute(statement)
        job = _resumed(connection, ledger, table, rules, key, mark, progress, options)
        if job is None:
            distinct = distinct_shares(connection, table, rules)
            plan = compile_table(table, rules, ledger.run_id, distinct)
            facts = read_facts(connection, table, rules, plan, distinct, options.degree, options.chunk_bytes)
            strategy = choose(facts) if options.strategy is None else forced(facts, options.strategy)
            log.info("masking %s: %s", table.key, strategy)
            if strategy.kind == "in_place":
                with control_tables(connection, plan, key):
                    _transaction(connection, plan, table, key, mark, strategy, ledger, started, progress)
            else:
                job = ChunkedMasking(
                    connection,
                    ledger,
                    table,
                    plan,
                    key,
                    strategy,
                    mark,
                    progress,
                    options.connect,
                )
                job.prepare(distinct)
        if job is not None:
            job.work()
            detail = job.finish()
            detail["seconds"] = round(time.monotonic() - started, 3)
            job.drop()  # before the record: a killed task's next try comes by here again
            ledger.record(STEP, table.key, "done", detail, commit=True)
        done = _earlier(ledger, table, rules, mark)
    except RefreshError:
        connection.rollback()
        raise
    except Exception as error:
        connection.rollback()
        if not oracle_codes(error):
            raise
        raise from_oracle(error, STEP, table.key, MaskingError) from error
    assert done is not None, "committed with the change"
    return done


def _resumed(
    connection: oracledb.Connection,
    ledger: Ledger,
    table: Table,
    rules: tuple[ColumnRule, ...],
    key: MasterKey,
    mark: Mapping[str, Any],
    progress: Progress,
    options: Options,
) -> ChunkedMasking | None:
    """The masking by chunks that a former call has prepared, or None."""
    prepared = ledger.entry(PREPARED, table.key)
    if prepared is None or prepared.state != "done":
        return None
    detail = prepared.detail
    _require_same(table, detail, mark, "has begun to mask the table")
    plan = compile_table(table, rules, ledger.run_id, detail["distinct"])
    strategy = Strategy(detail["strategy"], detail["chunks"], options.degree, detail["reason"])
    return ChunkedMasking(connection, ledger, table, plan, key, strategy, mark, progress, options.connect)


def begun(ledger: Ledger, table: str) -> bool:
    """Whether the run may have masked rows of a table (OWNER.NAME): all of them or, by chunks, some."""
    return "done" in (ledger.state(step, table) for step in (STEP, PREPARED))


def drop_leftovers(connection: oracledb.Connection) -> tuple[str, ...]:
    """Drop the control tables that killed tasks have left in the connected user's schema, and copies of
    tables in any schema, and name them.

    Maps hold originals: call it when no table is being masked, before the target is opened. DDL commits.
    """
    with connection.cursor() as cursor:
        cursor.execute(statements.CONTROL_TABLES)
        names = tuple(str(name) for (name,) in cursor)
    drop_tables(connection, tuple(f'"{name}"' for name in names))
    return names + drop_copies(connection)


def _mark(rules: tuple[ColumnRule, ...], key: MasterKey, ruleset: Ruleset) -> dict[str, Any]:
    """With what a table is masked, as every ledger row of it says."""
    versions = {rule.kind: rule.algorithm.version for rule in rules}
    return {"key_id": key.key_id, "ruleset": ruleset.fingerprint, "algorithms": versions}


def _require_same(table: Table, detail: Mapping[str, Any], mark: Mapping[str, Any], what: str) -> None:
    """:raises MaskingError: when the ledger's row was written with another key, ruleset or algorithm."""
    told = {"key_id": "key", "ruleset": "ruleset", "algorithms": "algorithm versions"}
    other = [name for name in told if name in detail and detail[name] != mark[name]]
    if other:
        former = " and ".join(f"{told[name]} {_shown(detail[name])}" for name in other)
        now = " and ".join(_shown(mark[name]) for name in other)
        raise MaskingError(
            f"this run {what} already, with {former}; now it is {now}",
            object_name=table.key,
            step=STEP,
            remedy="start a new run, which loads the table again",
        )


def _shown(value: Any) -> str:
    return (
        ", ".join(f"{name} {number}" for name, number in value.items()) if isinstance(value, dict) else value
    )


def _earlier(
    ledger: Ledger, table: Table, rules: tuple[ColumnRule, ...], mark: Mapping[str, Any]
) -> MaskResult | None:
    """The result of a former call of this run, or None."""
    row = ledger.entry(STEP, table.key)
    if row is None or row.state != "done":
        return None
    _require_same(table, row.detail, mark, "masked the table")
    return MaskResult(
        table.owner,
        table.name,
        tuple(dict.fromkeys(rule.column for rule in rules)),
        row.detail["rows"],
        row.detail["seconds"],
        "masked",
        row.detail["key_id"],
        row.detail["ruleset"],
        tuple(NonConforming.from_json(each) for each in row.detail.get("non_conforming", ())),
        row.detail.get("strategy", ""),
        row.detail.get("chunks", 1),
    )


def _refuse_other_runs(ledger: Ledger, table: Table, mark: Mapping[str, Any]) -> None:
    """A table that another run has masked holds no originals, unless this run has built and loaded it."""
    if ledger.state(TABLE_STEP, table.key) == "done":
        return
    for row in ledger.elsewhere(STEP, table.key):
        if row.state == "done" and row.detail.get("rows"):
            with_what = {
                (True, True): "the same key and ruleset",
                (False, True): f"another key, {row.detail['key_id']},",
                (True, False): f"another ruleset, {row.detail['ruleset']},",
                (False, False): f"key {row.detail['key_id']} and ruleset {row.detail['ruleset']}",
            }[row.detail["key_id"] == mark["key_id"], row.detail["ruleset"] == mark["ruleset"]]
            raise MaskingError(
                f"the run {row.run_id} has masked the table with {with_what} and nothing says that it was "
                "loaded again: masking masked values would break their agreement",
                object_name=table.key,
                step=STEP,
                remedy="build and load the table in this run before it is masked",
            )


def _refuse_triggers(connection: oracledb.Connection, table: Table) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statements.ENABLED_TRIGGERS, owner=table.owner, name=table.name)
        enabled = [f"{owner}.{name}" for owner, name in cursor]
    if enabled:
        raise MaskingError(
            f"triggers are enabled on the table and would run for every masked row: {', '.join(enabled)}",
            object_name=table.key,
            step=STEP,
            remedy="disable them, or mask before they are created",
        )


def distinct_shares(
    connection: oracledb.Connection, table: Table, rules: tuple[ColumnRule, ...]
) -> dict[str, float]:
    """The share of distinct values of the columns for which a map is a choice, estimated from the first rows.

    Values that come once and twice in a sample tell how many it has missed (Chao 1984).
    """
    shares = {}
    with connection.cursor() as cursor:
        for column in dict.fromkeys(rule.column for rule in rules if may_repeat(rule)):
            cursor.execute(statements.frequencies(table.sql, Identifier(column).sql, SAMPLE_ROWS))
            some, different, once, twice = (int(number) for number in cursor.fetchone() or (0, 0, 0, 0))
            if some:
                shares[column] = estimated_share(some, different, once, twice, table.rows or 0)
    return shares


def _transaction(
    connection: oracledb.Connection,
    plan: MaskPlan,
    table: Table,
    key: MasterKey,
    mark: Mapping[str, Any],
    strategy: Strategy,
    ledger: Ledger,
    started: float,
    progress: Progress,
) -> None:
    """The change, committed together with its ledger row; nothing when another session was faster."""
    steps = len(plan.maps) + 1
    what = f"mask {table.key}"
    with connection.cursor() as cursor:
        cursor.execute(plan.lock)
        if not ledger.claim(STEP, table.key):
            connection.rollback()
            return
        for shared in plan.shared:
            cursor.execute(shared.lock)
            cursor.execute(shared.extend.sql, shared.extend.resolve(key))
        for number, table_map in enumerate(plan.maps):
            progress.report(number, steps, "steps", what)
            cursor.execute(table_map.fill.sql, table_map.fill.resolve(key))
        found = require_conforming(cursor, table, plan, key)
        for each in found:
            log.warning("%s.%s (%s)", table.key, each, each.policy)
        for table_map in plan.maps:
            judge(cursor, table, table_map)
        progress.report(len(plan.maps), steps, "steps", what)
        cursor.execute(plan.apply.sql, plan.apply.resolve(key))
        rows = int(cursor.rowcount)
        prove(cursor, table, plan.proofs)
    detail = {
        **mark,
        "columns": len(plan.columns),
        "strategy": str(strategy),
        "rows": rows,
        "seconds": round(time.monotonic() - started, 3),
        "non_conforming": [each.to_json() for each in found],
    }
    ledger.record(STEP, table.key, "done", detail, commit=True)
    progress.report(steps, steps, "steps", what)
