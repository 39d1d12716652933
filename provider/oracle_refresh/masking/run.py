"""The masking of one table, exactly once: the change and its ledger row are one transaction."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from oracle_refresh.catalog import Table
from oracle_refresh.errors import MaskingError, RefreshError, from_oracle, oracle_codes
from oracle_refresh.identifiers import Identifier
from oracle_refresh.jsonable import Jsonable
from oracle_refresh.masking import statements
from oracle_refresh.masking.compiler import compile_table, may_repeat
from oracle_refresh.masking.fit import check_table
from oracle_refresh.masking.nonconforming import NonConforming, require_conforming
from oracle_refresh.masking.plan import Lookup, Map, MaskPlan
from oracle_refresh.progress import Progress, silent

if TYPE_CHECKING:
    import oracledb

    from oracle_refresh.ledger import Ledger
    from oracle_refresh.masking.keys import MasterKey
    from oracle_refresh.masking.rules import ColumnRule, Ruleset

STEP = "mask"
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


def mask_table(
    connection: oracledb.Connection,
    table: Table,
    ruleset: Ruleset,
    key: MasterKey,
    run_id: str,
    ledger: Ledger,
    progress: Progress = silent,
) -> MaskResult:
    """Mask a table of the target. A repeated call returns the first one's result and changes nothing.

    Lookups and maps are tables of the connected user while this runs (`REFRESH$L_...`, `REFRESH$M_...`).
    Creating them commits what the connection has pending; the ledger must be one of the same connection.

    :raises MaskingError: when a rule does not fit, a trigger is enabled on the table, a value does not
        conform, the table was masked in this run with another key or ruleset, or a statement fails. Nothing
        is changed then.
    """
    if ledger.connection is not connection:
        raise MaskingError("the ledger must use the connection that masks", object_name=table.key, step=STEP)
    rules = ruleset.rules(table.owner, table.name)
    if not rules:
        return MaskResult(
            table.owner, table.name, (), 0, 0.0, "nothing_to_mask", key.key_id, ruleset.fingerprint
        )
    check_table(table, rules)
    ledger.ensure()
    started = time.monotonic()
    try:
        earlier = _earlier(ledger, table, rules, key, ruleset, run_id)
        if earlier is not None:
            return earlier
        _refuse_triggers(connection, table)
        with connection.cursor() as cursor:
            for statement in statements.SESSION:
                cursor.execute(statement)
        plan = compile_table(table, rules, run_id, _distinct(connection, table, rules))
        log.info("masking %s: %d columns, %d maps", table.key, len(rules), len(plan.maps))
        with _control_tables(connection, plan, key):
            _transaction(connection, plan, table, rules, key, ruleset, run_id, ledger, started, progress)
        done = _earlier(ledger, table, rules, key, ruleset, run_id)
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


def drop_leftovers(connection: oracledb.Connection) -> tuple[str, ...]:
    """Drop the control tables that killed tasks have left in the connected user's schema, and name them.

    Maps hold originals: call it when no table is being masked, before the target is opened. DDL commits.
    """
    with connection.cursor() as cursor:
        cursor.execute(statements.CONTROL_TABLES)
        names = tuple(str(name) for (name,) in cursor)
        for name in names:
            cursor.execute(statements.drop(name))
    return names


def _earlier(
    ledger: Ledger, table: Table, rules: tuple[ColumnRule, ...], key: MasterKey, ruleset: Ruleset, run_id: str
) -> MaskResult | None:
    """The result of a former call of this run, or None."""
    row = ledger.entry(run_id, STEP, table.key)
    if row is None or row.state != "done":
        return None
    if (row.detail["key_id"], row.detail["ruleset"]) != (key.key_id, ruleset.fingerprint):
        raise MaskingError(
            f"this run masked the table already, with key {row.detail['key_id']} and ruleset "
            f"{row.detail['ruleset']}; now it is {key.key_id} and {ruleset.fingerprint}",
            object_name=table.key,
            step=STEP,
            remedy="start a new run, which loads the table again",
        )
    return MaskResult(
        table.owner,
        table.name,
        tuple(dict.fromkeys(rule.column for rule in rules)),
        row.detail["rows"],
        row.detail["seconds"],
        "masked",
        key.key_id,
        ruleset.fingerprint,
        tuple(NonConforming.from_json(each) for each in row.detail.get("non_conforming", ())),
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


def _distinct(
    connection: oracledb.Connection, table: Table, rules: tuple[ColumnRule, ...]
) -> dict[str, float]:
    """The share of distinct values of the columns for which a map is a choice, from the first rows of the
    table."""
    columns = list(dict.fromkeys(rule.column for rule in rules if may_repeat(rule)))
    if not columns:
        return {}
    with connection.cursor() as cursor:
        cursor.execute(statements.sample(table.sql, [Identifier(name).sql for name in columns], SAMPLE_ROWS))
        _, *counts = cursor.fetchone() or (0,)
    pairs = zip(counts[::2], counts[1::2], strict=True)
    return {name: different / some for name, (some, different) in zip(columns, pairs, strict=True) if some}


@contextmanager
def _control_tables(connection: oracledb.Connection, plan: MaskPlan, key: MasterKey) -> Iterator[None]:
    """Create the control tables, and drop them whatever happens: the maps know the originals."""
    _drop(connection, plan)
    try:
        with connection.cursor() as cursor:
            for shared in plan.shared:
                _create_shared(cursor, shared.create)
            for table in plan.control_tables:
                cursor.execute(table.create)
            for lookup in plan.lookups:
                _fill_lookup(cursor, lookup, key)
        yield
    except BaseException:
        connection.rollback()  # before the drops, which would commit
        raise
    finally:
        _drop(connection, plan)


def _drop(connection: oracledb.Connection, plan: MaskPlan) -> None:
    with connection.cursor() as cursor:
        for statement in plan.drops:
            try:
                cursor.execute(statement)
            except Exception as error:
                if "ORA-00942" not in oracle_codes(error):
                    raise


def _create_shared(cursor: oracledb.Cursor, create: str) -> None:
    """Create the map of a domain, unless another table's masking was faster."""
    try:
        cursor.execute(create)
    except Exception as error:
        if "ORA-00955" not in oracle_codes(error):
            raise


def _fill_lookup(cursor: oracledb.Cursor, lookup: Lookup, key: MasterKey) -> None:
    import oracledb

    rows = list(lookup.rows(key))
    lobs = {"BLOB": oracledb.DB_TYPE_BLOB, "CLOB": oracledb.DB_TYPE_CLOB}
    if any(data_type in lobs for _, data_type in lookup.columns):
        cursor.setinputsizes(*[lobs.get(data_type) for _, data_type in lookup.columns])
    if rows:
        cursor.executemany(lookup.insert, rows)


def _transaction(
    connection: oracledb.Connection,
    plan: MaskPlan,
    table: Table,
    rules: tuple[ColumnRule, ...],
    key: MasterKey,
    ruleset: Ruleset,
    run_id: str,
    ledger: Ledger,
    started: float,
    progress: Progress,
) -> None:
    """The change, committed together with its ledger row; nothing when another session was faster."""
    steps = len(plan.maps) + 1
    what = f"mask {table.key}"
    with connection.cursor() as cursor:
        cursor.execute(plan.lock)
        if not ledger.claim(run_id, STEP, table.key):
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
            _judge(cursor, table, table_map)
        progress.report(len(plan.maps), steps, "steps", what)
        cursor.execute(plan.apply.sql, plan.apply.resolve(key))
        rows = int(cursor.rowcount)
        _prove(cursor, table, plan)
    detail = {
        "key_id": key.key_id,
        "ruleset": ruleset.fingerprint,
        "columns": len(plan.columns),
        "rows": rows,
        "seconds": round(time.monotonic() - started, 3),
        "non_conforming": [each.to_json() for each in found],
    }
    ledger.record(run_id, STEP, table.key, "done", detail, commit=True)
    progress.report(steps, steps, "steps", what)


def _judge(cursor: oracledb.Cursor, table: Table, table_map: Map) -> None:
    """Raise MaskingError unless every value of a map is masked as its rule's algorithm promises."""
    cursor.execute(table_map.check)
    missing, same, values, different = cursor.fetchone() or (0, 0, 0, 0)
    problem = None
    if same and table_map.changes:
        problem = f"{same} of {values} distinct values would be masked as themselves"
    elif table_map.unique and values - missing != different:
        problem = f"{values - missing - different} of {values} distinct values would share a masked value"
    if problem:
        raise MaskingError(
            problem,
            object_name=f"{table.key}.{table_map.column}",
            step=STEP,
            remedy="choose another algorithm for this column",
        )


def _prove(cursor: oracledb.Cursor, table: Table, plan: MaskPlan) -> None:
    """Raise MaskingError when a key of several columns is not unique any more; nothing is committed then."""
    for proof in plan.proofs:
        cursor.execute(proof.statement)
        (repeated,) = cursor.fetchone() or (0,)
        if repeated:
            raise MaskingError(
                f"{repeated} values of the key {proof.constraint} would come more than once",
                object_name=table.key,
                step=STEP,
                remedy="choose algorithms that are unique for the columns of this key",
            )
