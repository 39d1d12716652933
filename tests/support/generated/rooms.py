"""What each room of the provider would send for a catalogue: the statements as its builders write them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from hypothesis import strategies as st

from oracle_refresh.catalog import Catalogue, Table
from oracle_refresh.catalog.limits import Limits
from oracle_refresh.datapump.calls import calls
from oracle_refresh.datapump.export import export_spec
from oracle_refresh.identifiers import Identifier, qualified
from oracle_refresh.masking import ColumnRule, MasterKey
from oracle_refresh.masking import statements as masking
from oracle_refresh.masking.compiler import compile_table
from oracle_refresh.masking.plan import MaskPlan
from oracle_refresh.objects.constraints import enable_constraints
from oracle_refresh.objects.grants import PRIVILEGES, grant
from oracle_refresh.objects.violations import count_statement
from oracle_refresh.plan import build_plan
from oracle_refresh.profiler.sampling import worth_reading
from oracle_refresh.profiler.statements import sample
from oracle_refresh.quarantine import statements as quarantine
from oracle_refresh.validation import statements as validation
from oracle_refresh.validation.pairing import Pairing
from support.generated.recording import Recording
from support.planner_tables import FROZEN, definition
from support.samples import SECRET

End = Literal["source", "target"]
KEY = MasterKey(SECRET)


@dataclass(frozen=True)
class Sent:
    """A statement of a room for one end; `binds` are the names it is sent with, None where nobody says."""

    room: str
    end: End
    sql: str
    binds: frozenset[str] | None = None
    made: Mapping[str, str] = field(default_factory=dict)
    """CREATE TABLE of the control tables that it may name."""


def sent(
    catalogue: Catalogue, rules: Mapping[str, tuple[ColumnRule, ...]], draw: st.DrawFn
) -> Iterator[Sent]:
    """Every statement for a catalogue; `rules` are those of its tables, by `Table.key`."""
    yield from _planned(catalogue, draw)
    yield from _enabled(catalogue)
    for table in catalogue.tables:
        yield from _profiled(table)
        yield from _compared(table, draw)
        yield from _constrained(table, draw)
        if rules.get(table.key):
            yield from _masked(table, rules[table.key], draw)


def _planned(catalogue: Catalogue, draw: st.DrawFn) -> Iterator[Sent]:
    """The conditions of shards as Data Pump adds them to its SELECT, and as they are counted."""
    written = [Identifier(schema).written for schema in catalogue.schemas]
    wish = definition(schemas=written, degree=draw(st.integers(1, 8)), lob_shard_min_bytes=1)
    plan = build_plan(catalogue, wish, Limits(cpus=8), FROZEN, "run-1")
    for job in plan.jobs:
        spec = export_spec(job, FROZEN, wish)
        assert calls(spec)
        for (owner, name), text in spec.subqueries:
            yield Sent("plan", "source", f"SELECT COUNT(*) FROM {qualified(owner, name)} {text}", frozenset())
    for planned in plan.tables:
        table = next(each for each in catalogue.tables if each.key == planned.key)
        predicates = [plan.job(job).predicate for job in planned.jobs]
        partitions = {part for job in planned.jobs for part in plan.job(job).partitions}
        for partition in (None, *partitions) if predicates else ():
            counted = validation.shard_counts(table, predicates, partition)
            yield Sent("plan", "source", counted, frozenset({"scn"}))


def _profiled(table: Table) -> Iterator[Sent]:
    columns = [column for column in table.columns if worth_reading(column)]
    for percent in (100.0, 0.5) if columns else ():
        yield Sent("profiler", "source", sample(table, columns, percent), frozenset({"wanted"}))


def _compared(table: Table, draw: st.DrawFn) -> Iterator[Sent]:
    scn = frozenset({"scn"})
    yield Sent("validation", "source", validation.summary(table, at_scn=True), scn)
    yield Sent("validation", "target", validation.summary(table, at_scn=False), frozenset())
    dates = [each.name for each in table.columns if each.data_type.startswith(("DATE", "TIMESTAMP"))]
    if dates:
        moved = validation.years(table, dict.fromkeys(dates, (-30, 400)))
        yield Sent("validation", "source", moved, scn)
    numbers = [each.name for each in table.columns if each.data_type == "NUMBER"]
    if numbers:
        group = draw(st.sampled_from([None, *(each.name for each in validation.comparable(table)[0])]))
        found = validation.totals(table, numbers[0], group, frozenset(), at_scn=True)
        yield Sent("validation", "source", found, scn)


def _constrained(table: Table, draw: st.DrawFn) -> Iterator[Sent]:
    for constraint in table.constraints:
        yield Sent("objects", "target", count_statement(table, constraint)[0], frozenset())
    chosen = draw(st.lists(st.sampled_from(sorted(PRIVILEGES)), min_size=1, max_size=3, unique=True))
    some = [name for name in chosen if name in ("SELECT", "INSERT", "UPDATE", "DELETE", "REFERENCES")]
    listed = [(name, None) for name in some] + [
        (name, table.columns[0].name) for name in ("INSERT", "UPDATE") if name not in some
    ]
    text = grant(table.owner, table.name, "PUBLIC", listed, draw(st.booleans()))
    yield Sent("objects", "target", text, frozenset())
    yield Sent("quarantine", "target", quarantine.lock(table.owner), frozenset())
    yield Sent("quarantine", "target", quarantine.unlock(table.owner), frozenset())


def _enabled(catalogue: Catalogue) -> Iterator[Sent]:
    """All constraints, added to tables that have none and validated."""
    target: Any = Recording(catalogue)
    enable_constraints(target, catalogue)
    for sql, binds in target.sent:
        yield Sent("objects", "target", sql, binds)


def _masked(table: Table, rules: tuple[ColumnRule, ...], draw: st.DrawFn) -> Iterator[Sent]:
    shares = {rule.column: draw(st.sampled_from([0.1, 0.9])) for rule in rules}
    plan = compile_table(table, rules, "run-1", shares)
    made = {each.name: each.create for each in (*plan.shared, *plan.control_tables)}
    for each in (*plan.shared, *plan.control_tables):
        yield Sent("masking", "target", each.create, frozenset())
    for lookup in plan.lookups:
        yield Sent("masking", "target", lookup.insert, None, made)
    for shared in plan.shared:
        yield _statement(shared.lock, {}, made)
        yield _statement(shared.extend.sql, shared.extend.binds, made)
    for table_map in plan.maps:
        yield _statement(table_map.fill.sql, table_map.fill.binds, made)
        yield _statement(table_map.check, {}, made)
        yield _statement(table_map.patterns, {}, made)
    for conformity in plan.conformity:
        yield _statement(conformity.statement.sql, conformity.statement.binds, made)
    yield _statement(plan.lock, {}, made)
    yield _statement(plan.apply.sql, plan.apply.binds, made)
    for proof in plan.proofs:
        yield _statement(proof.statement, {}, made)
    yield from _by_chunks(table, plan, made)
    yield from _paired(table, rules, made)
    for drop in plan.drops:
        yield _statement(drop, {}, made)


def _by_chunks(table: Table, plan: MaskPlan, made: Mapping[str, str]) -> Iterator[Sent]:
    """The other two ways to write the masked rows: by a list of rows, and into a copy of the table."""
    names = [name for name, _ in plan.values]
    rows = f"REFRESH$R_{plan.stem}"
    listed = {**made, rows: masking.create_rows(rows)}
    yield _statement(listed[rows], {}, made)
    yield _statement(masking.fill_rows(rows, plan.table), {"chunks": 1}, listed)
    chunk = masking.chunk_update(plan.table, plan.values, plan.joins, names, rows)
    yield _statement(chunk, {**plan.apply.binds, "chunk": 1}, listed)
    columns = [column for column in table.columns if not column.virtual]
    if (
        not any(column.data_type.startswith("LONG") or column.identity for column in columns)
        and not table.iot
    ):
        copied = masking.insert_chunk(
            plan.table,
            plan.table,
            plan.copied_values,
            plan.joins,
            [Identifier(column.name).sql for column in columns],
        )
        yield _statement(copied, {**plan.apply.binds, "low": 1, "high": 1}, made)


def _paired(table: Table, rules: Sequence[ColumnRule], made: Mapping[str, str]) -> Iterator[Sent]:
    """What proves that rows are whole and masked."""
    for recompute in (False, True):
        pairing = Pairing.of(table, rules, recompute=recompute)
        own = {**made, **pairing.creates}
        lobs = validation.lob_columns(table, pairing.masked)
        both = frozenset({"salt", "scn", *pairing.binds})
        for create in pairing.creates.values():
            yield Sent("validation", "target", create, frozenset())
        yield Sent("validation", "source", pairing.source(), both, own)
        yield Sent("validation", "target", pairing.insert, None, own)
        yield Sent("validation", "target", pairing.sums(), both, own)
        yield Sent("validation", "target", pairing.compare(lobs), both, own)
        for query in pairing.together().values():
            yield Sent("validation", "target", query, both, own)


def _statement(sql: str, binds: Mapping[str, object], made: Mapping[str, str]) -> Sent:
    return Sent("masking", "target", sql, frozenset(binds), made)
