"""The masking of one table, exactly once: every change and its ledger row are one transaction.

Small tables are masked in one transaction, here; for the others see `chunked`, and `strategy` for which is
which.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from oracle_refresh.catalog import Table
from oracle_refresh.jsonable import Jsonable
from oracle_refresh.masking import statements
from oracle_refresh.masking.chunked import PREPARED, ChunkedMasking
from oracle_refresh.masking.compiler import compile_table, may_repeat
from oracle_refresh.masking.control import STEP as STEP
from oracle_refresh.masking.control import (
    control_tables,
    describe_lookups,
    drop_left,
    extend_shared,
    require_promised,
    require_unique,
)
from oracle_refresh.masking.facts import read_facts
from oracle_refresh.masking.fit import check_table
from oracle_refresh.masking.masked_before import masked_before
from oracle_refresh.masking.nonconforming import NonConforming, require_conforming
from oracle_refresh.masking.plan import MaskPlan
from oracle_refresh.masking.strategy import Options as Options
from oracle_refresh.masking.strategy import Strategy, choose, estimated_share
from oracle_refresh.oracle.errors import MaskingError
from oracle_refresh.oracle.identifiers import Identifier
from oracle_refresh.oracle.remedies import LOAD_AGAIN, LOAD_FIRST
from oracle_refresh.oracle.session import execute, row, rows, translated
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
#: Up to so many rows any join with a lookup is cheaper than the lookup's statistics.
FEW_ROWS = 500
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


def mask_table(
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
    Creating them commits what the ledger's connection, which masks, has pending.

    :raises MaskingError: when a rule does not fit, a trigger is enabled on the table or a materialized view
        log records its changes, a value does not conform, the table was masked before with another key or
        ruleset or by another run, or a statement fails. Of a table that is masked in one transaction,
        nothing is changed then.
    """
    rules = ruleset.rules(table.owner, table.name)
    if not rules:
        return MaskResult(
            table.owner, table.name, (), 0, 0.0, "nothing_to_mask", key.key_id, ruleset.fingerprint
        )
    check_table(table, rules)
    ensure_ledger(ledger.connection)
    mark = {
        "key_id": key.key_id,
        "ruleset": ruleset.fingerprint,
        "algorithms": {rule.kind: rule.algorithm.version for rule in rules},
    }
    masking = TableMasking(ledger, table, rules, key, mark, progress, options or Options())
    with translated(STEP, table.key, MaskingError):
        try:
            return masking.run()
        except Exception:
            with suppress(Exception):  # the error to raise is the one that led here: the session may be lost
                ledger.connection.rollback()
            raise


@dataclass(frozen=True)
class TableMasking:
    """The masking of one table in one run. `mark` says with what: key id, ruleset, algorithm versions."""

    ledger: Ledger
    table: Table
    rules: tuple[ColumnRule, ...]
    key: MasterKey
    mark: Mapping[str, Any]
    progress: Progress
    options: Options
    started: float = field(default_factory=time.monotonic)

    @property
    def connection(self) -> oracledb.Connection:
        return self.ledger.connection

    def run(self) -> MaskResult:
        earlier = self._earlier()
        if earlier is not None:
            drop_left(self.connection, self.ledger.run_id, self.table)
            return earlier
        self._refuse_other_runs()
        self._refuse_triggers()
        self._refuse_log()
        # The session of a killed task may be at its last statement still, and hold what it works on.
        for statement in (*statements.SESSION, WAIT_FOR_LOCKS):
            execute(self.connection, statement)
        chunked = self._resumed() or self._begun()
        if chunked is not None:
            chunked.work()
            detail = chunked.finish()
            detail["seconds"] = self._seconds()
            chunked.drop()  # before the record: a killed task's next try comes by here again
            self.ledger.record(STEP, self.table.key, "done", detail, commit=True)
        done = self._earlier()
        assert done is not None, "committed with the change"
        return done

    def _begun(self) -> ChunkedMasking | None:
        """The masking by chunks, prepared; None where the table is masked by now, in one transaction."""
        distinct = distinct_shares(self.connection, self.table, self.rules)
        plan = compile_table(self.table, self.rules, self.ledger.run_id, distinct)
        facts = read_facts(self.connection, self.table, self.rules, plan, self.options)
        strategy = choose(facts, self.options.strategy)
        log.info("masking %s: %s", self.table.key, strategy)
        if strategy.kind == "in_place":
            with control_tables(self.connection, plan, self.key):
                if facts.rows > FEW_ROWS:
                    describe_lookups(self.connection, plan)
                self._transaction(plan, strategy)
            return None
        chunked = self._chunked(plan, strategy)
        chunked.prepare(distinct)
        return chunked

    def _resumed(self) -> ChunkedMasking | None:
        """The masking by chunks that a former call has prepared, or None."""
        prepared = self.ledger.entry(PREPARED, self.table.key)
        if prepared is None or prepared.state != "done":
            return None
        detail = prepared.detail
        self._require_same(detail, "has begun to mask the table")
        plan = compile_table(self.table, self.rules, self.ledger.run_id, detail["distinct"])
        strategy = Strategy(detail["strategy"], detail["chunks"], self.options.degree, detail["reason"])
        return self._chunked(plan, strategy)

    def _chunked(self, plan: MaskPlan, strategy: Strategy) -> ChunkedMasking:
        return ChunkedMasking(
            self.ledger, self.table, plan, self.key, strategy, self.mark, self.progress, self.options.connect
        )

    def _transaction(self, plan: MaskPlan, strategy: Strategy) -> None:
        """The change, committed together with its ledger row; nothing when another session was faster."""
        steps, what = len(plan.maps) + 1, f"mask {self.table.key}"
        execute(self.connection, plan.lock)
        if not self.ledger.claim(STEP, self.table.key):
            self.connection.rollback()
            return
        extend_shared(self.connection, plan, self.key)
        for number, table_map in enumerate(plan.maps):
            self.progress.report(number, steps, "steps", what)
            execute(self.connection, table_map.fill(), **table_map.query.resolve(self.key))
        misfits = require_conforming(self.connection, self.table, plan, self.key)
        for each in misfits:
            log.warning("%s.%s (%s)", self.table.key, each, each.policy)
        for table_map in plan.maps:
            require_promised(self.connection, self.table, table_map)
        self.progress.report(len(plan.maps), steps, "steps", what)
        masked = execute(self.connection, plan.apply.sql, **plan.apply.resolve(self.key))
        require_unique(self.connection, self.table, plan.proofs)
        detail = {
            **self.mark,
            "columns": len(plan.columns),
            "strategy": str(strategy),
            "rows": masked,
            "seconds": self._seconds(),
            "non_conforming": [each.to_json() for each in misfits],
        }
        self.ledger.record(STEP, self.table.key, "done", detail, commit=True)
        self.progress.report(steps, steps, "steps", what)

    def _seconds(self) -> float:
        return round(time.monotonic() - self.started, 3)

    def _earlier(self) -> MaskResult | None:
        """The result of a former call of this run, or None."""
        entry = self.ledger.entry(STEP, self.table.key)
        if entry is None or entry.state != "done":
            return None
        detail = entry.detail
        self._require_same(detail, "masked the table")
        return MaskResult(
            self.table.owner,
            self.table.name,
            tuple(dict.fromkeys(rule.column for rule in self.rules)),
            detail["rows"],
            detail["seconds"],
            "masked",
            detail["key_id"],
            detail["ruleset"],
            tuple(NonConforming.from_json(each) for each in detail.get("non_conforming", ())),
            detail.get("strategy", ""),
            detail.get("chunks", 1),
        )

    def _require_same(self, detail: Mapping[str, Any], what: str) -> None:
        """:raises MaskingError: when the ledger's row was written with another key, ruleset or algorithm."""
        names = {"key_id": "key", "ruleset": "ruleset", "algorithms": "algorithm versions"}
        other = [name for name in names if name in detail and detail[name] != self.mark[name]]
        if other:
            former = " and ".join(f"{names[name]} {_shown(detail[name])}" for name in other)
            current = " and ".join(_shown(self.mark[name]) for name in other)
            raise self._refused(
                f"this run {what} already, with {former}; now it is {current}",
                LOAD_AGAIN,
            )

    def _refuse_other_runs(self) -> None:
        """A table that another run has masked holds no originals, unless this run has built and loaded it, or
        one has that held the target after the other."""
        if self.ledger.state(TABLE_STEP, self.table.key) == "done":
            return
        entry = masked_before(self.ledger, self.table.key)
        if entry is None:
            return
        key_id, ruleset = entry.detail.get("key_id"), entry.detail.get("ruleset")
        with_what = {
            (True, True): "the same key and ruleset",
            (False, True): f"another key, {key_id},",
            (True, False): f"another ruleset, {ruleset},",
            (False, False): f"key {key_id} and ruleset {ruleset}",
        }[key_id == self.mark["key_id"], ruleset == self.mark["ruleset"]]
        done = f"masked the table with {with_what}" if entry.step == STEP else "begun to mask the table"
        raise self._refused(
            f"the run {entry.run_id} has {done} and nothing says that it was loaded again: masking masked"
            " values would break their agreement",
            LOAD_FIRST,
        )

    def _refuse_triggers(self) -> None:
        names = {"owner": self.table.owner, "name": self.table.name}
        enabled = [
            f"{owner}.{name}" for owner, name in rows(self.connection, statements.ENABLED_TRIGGERS, **names)
        ]
        if enabled:
            triggers = ", ".join(enabled)
            raise self._refused(
                f"triggers are enabled on the table and would run for every masked row: {triggers}",
                "disable them, or mask before they are created",
            )

    def _refuse_log(self) -> None:
        names = {"owner": self.table.owner, "name": self.table.name}
        for (log_table,) in rows(self.connection, statements.MATERIALIZED_VIEW_LOG, **names):
            raise self._refused(
                f"the materialized view log {log_table} is on the table and would keep what is masked",
                "drop the log (DROP MATERIALIZED VIEW LOG) and create it again after the refresh",
            )

    def _refused(self, why: str, remedy: str) -> MaskingError:
        return MaskingError(why, object_name=self.table.key, step=STEP, remedy=remedy)


def begun(ledger: Ledger, table: str) -> bool:
    """Whether the run may have masked rows of a table (OWNER.NAME): all of them or, by chunks, some."""
    return "done" in (ledger.state(step, table) for step in (STEP, PREPARED))


def _shown(value: Any) -> str:
    return (
        ", ".join(f"{name} {number}" for name, number in value.items()) if isinstance(value, dict) else value
    )


def distinct_shares(
    connection: oracledb.Connection, table: Table, rules: tuple[ColumnRule, ...]
) -> dict[str, float]:
    """The share of distinct values of the columns for which a map is a choice, estimated from the first rows.

    Values that come once and twice in a sample tell how many it has missed (Chao 1984).
    """
    shares = {}
    for column in dict.fromkeys(rule.column for rule in rules if may_repeat(rule)):
        query = statements.frequencies(table.sql, Identifier(column).sql, SAMPLE_ROWS)
        values, different, once, twice = map(int, row(connection, query) or (0, 0, 0, 0))
        if values:
            shares[column] = estimated_share(values, different, once, twice, table.rows or 0)
    return shares
