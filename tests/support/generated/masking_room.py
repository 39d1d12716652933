"""What masks a table, and what proves that its rows are whole and masked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

from oracle_refresh.catalog import Catalogue, Table
from oracle_refresh.masking import ColumnRule, MasterKey, control, history
from oracle_refresh.masking import statements as masking
from oracle_refresh.masking.compiler import compile_table, may_repeat
from oracle_refresh.masking.plan import MaskPlan
from oracle_refresh.masking.preview import preview_table
from oracle_refresh.masking.rewrite import Copy
from oracle_refresh.masking.rules import Ruleset
from oracle_refresh.oracle.errors import MaskingError
from oracle_refresh.oracle.identifiers import Identifier, TableName
from oracle_refresh.validation import statements as validation
from oracle_refresh.validation.model import MaskedCheck, TableCheck
from oracle_refresh.validation.pairing import Pairing
from oracle_refresh.validation.suite_queries import with_rowids
from oracle_refresh.validation.suites import suite_of
from support.generated.recording import Recording
from support.generated.sent import Sent
from support.samples import SECRET

KEY = MasterKey(SECRET)


def masked(
    table: Table, rules: tuple[ColumnRule, ...], shares: Mapping[str, float], rows: int
) -> Iterator[Sent]:
    """Every statement of a masking.

    :param shares: of distinct values, by column: they decide what has a map.
    :param rows: how many the table had when its suite was made.
    """
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
        for degree in (1, 4):
            yield _statement(table_map.fill(degree), table_map.query.binds, made)
        yield _statement(table_map.check, {}, made)
        yield _statement(table_map.patterns, {}, made)
    for conformity in plan.conformity:
        yield _statement(conformity.statement.sql, conformity.statement.binds, made)
    yield _statement(plan.lock, {}, made)
    yield _statement(plan.apply.sql, plan.apply.binds, made)
    for proof in plan.proofs:
        yield _statement(proof.statement, {}, made)
    if not table.iot:  # which is masked in one statement (`facts.INDEX_ORGANIZED`)
        yield from _by_chunks(table, plan, made)
        yield from _into_copy(table, plan)
    yield from _around(table, plan, rules, made)
    yield from _paired(table, rules, made)
    yield from _expected(table, rules, rows)
    for drop in plan.drops:
        yield _statement(drop, {}, made)


def _by_chunks(table: Table, plan: MaskPlan, made: Mapping[str, str]) -> Iterator[Sent]:
    """The other two ways to write the masked rows: by a list of rows, and into a copy of the table."""
    rows = plan.rows_table
    listed = {**made, rows: masking.create_rows(rows)}
    yield _statement(listed[rows], {}, made)
    yield _statement(masking.fill_rows(rows, plan.table), {"chunks": 1}, listed)
    yield _statement(masking.index_rows(rows), {}, listed)
    yield _statement(masking.listed_chunks(rows), {}, listed)
    yield _statement(plan.chunk_update, {**plan.apply.binds, "chunk": 1, "low": 1, "high": 1}, listed)
    columns = [column for column in table.columns if not column.virtual]
    if not any(column.data_type.startswith("LONG") or column.identity for column in columns):
        copied = plan.insert_chunk(column.name for column in columns)
        copied = copied.replace(plan.copy.sql, plan.table)  # which has its columns
        yield _statement(copied, {**plan.apply.binds, "low": 1, "high": 1}, made)


def _into_copy(table: Table, plan: MaskPlan) -> Iterator[Sent]:
    """What makes the copy of a table that is rewritten, and what it takes over: comments, grants, name."""
    ids = {table.name: 1, plan.copy.name: 2}
    instance: Any = Recording(
        Catalogue((table.owner,), (table,)),
        answers={
            masking.OBJECT_IDS: list(ids.items()),
            masking.COMMENTS: [(None, "it's"), (table.columns[0].name, ":b1 -- x")],
            masking.GRANTS: [
                ("SELECT", "READER", "YES", None),
                ("UPDATE", "PUBLIC", "NO", table.columns[0].name),
            ],
            masking.count(table.sql): [(0,)],
        },
        ddl=lambda *_: f"CREATE TABLE {table.sql} (ID NUMBER) ;",
    )
    copy = Copy(instance, table, plan)
    instance.answers[masking.count(copy.sql)] = [(0,)]
    copy.create()
    with suppress(MaskingError):  # the names that it answers with do not change
        copy.take_name({"table": 1, "copy": 2}, 0, ())
    control.drop_tables(instance, (TableName(table.owner, copy.former).sql,))
    yield from (Sent("masking", "target", *each) for each in instance.sent)
    for bigfile in (True, False):
        yield _statement(masking.ranges(plan.table, bigfile), {"chunks": 1}, {})
    yield _statement(masking.address(plan.table), {"low": 1, "high": 2}, {})


def _around(
    table: Table, plan: MaskPlan, rules: Sequence[ColumnRule], made: Mapping[str, str]
) -> Iterator[Sent]:
    """What is asked before, what closes the table's history afterwards, and what a preview shows."""
    for rule in filter(may_repeat, rules):
        yield _statement(masking.frequencies(table.sql, Identifier(rule.column).sql, 1000), {}, {})
    for key in table.constraints:
        if key.type in ("P", "U"):
            yield _statement(masking.repeated(table.sql, key.columns), {}, {})
            yield _statement(plan.repeated_after(key.columns), plan.apply.binds, made)
    parts = [("SUBPARTITION" if each.composite else "PARTITION", each.name) for each in table.partitions]
    instance: Any = Recording(Catalogue((table.owner,), (table,)))
    history.parts_of(instance, table)
    history.readable(instance, table.sql, 4711)
    preview_table(
        instance,
        table,
        Ruleset("generated", {TableName(table.owner, table.name): tuple(rules)}, "1"),
        KEY,
        "run-1",
    )
    yield from (Sent("masking", "target", *each) for each in instance.sent)
    for text in (*history.statements(table), *history.moves(table, parts)):
        yield _statement(text, {}, {})


def _expected(table: Table, rules: Sequence[ColumnRule], rows: int) -> Iterator[Sent]:
    """The queries of the suite for a masked table, as they are sent by Great Expectations and by us."""
    checks = []
    for name in dict.fromkeys(rule.column for rule in rules):
        column = validation.column_of(table, name)
        years = (1950, 2030) if column.data_type.startswith(("DATE", "TIMESTAMP")) else None
        distinct = 1 if validation.canonical(column) else None  # LOBs and objects are not counted
        checks.append(MaskedCheck(name, rows, rows, 0, distinct=distinct, valid=rows, years=years))
    check = TableCheck(
        table.owner, table.name, rows, rows, "0", "0", (), tuple(checks), (), (), "masked", 1.0
    )
    suite = suite_of(table, rules, check)
    assert suite is not None
    for sql, binds, _ in suite.facts.queries():
        yield Sent("validation", "target", sql, frozenset(binds))
    for one in suite.expectations:
        if "unexpected_rows_query" in one:
            for query in (one["unexpected_rows_query"], with_rowids(one["unexpected_rows_query"])):
                sql = query.format(batch=table.sql).replace("\\:", ":")
                yield Sent("validation", "target", sql, frozenset())
                yield Sent("validation", "target", f"SELECT COUNT(*) FROM ({sql}) T", frozenset())


def _paired(table: Table, rules: Sequence[ColumnRule], made: Mapping[str, str]) -> Iterator[Sent]:
    """What proves that rows are whole and masked."""
    for recompute in (False, True):
        pairing = Pairing.of(table, rules, recompute=recompute)
        own = {**made, pairing.control.name: pairing.control.create, **pairing.lists}
        both = frozenset({"salt", "scn", *pairing.binds})
        for create in (pairing.control.create, *pairing.lists.values()):
            yield Sent("validation", "target", create, frozenset())
        yield Sent("validation", "source", pairing.source(), both, own)
        if pairing.recordable:
            yield Sent("validation", "source", pairing.copied.copied(at_scn=True), both, own)
            yield Sent("validation", "target", pairing.record(), both | {"piece"}, own)
            yield Sent("validation", "target", pairing.recorded(), frozenset(), own)
            if pairing.copied.lobs:
                yield Sent("validation", "target", pairing.copied.loaded(), both, own)
        yield Sent("validation", "target", pairing.control.insert, None, own)
        for query in (
            pairing.copied.copied(),
            *([pairing.copied.kept()] if pairing.copied.kept_lobs else []),
        ):
            yield Sent("validation", "target", query, both, own)
        yield Sent("validation", "target", pairing.control.pieces, frozenset(), own)
        yield Sent("validation", "target", pairing.control.forget, frozenset({"piece"}), own)
        yield Sent("validation", "target", pairing.sums(), both, own)
        yield Sent("validation", "target", pairing.compare(degree=3), both, own)
        # What cuts the table into pieces is held as part of `copied`.
        yield Sent("validation", "target", pairing.compare("1 = 1", whole=False), both, own)
        for query in (*pairing.together().values(), *pairing.distinct(3).values()):
            yield Sent("validation", "target", query, both, own)


def _statement(sql: str, binds: Mapping[str, object], made: Mapping[str, str]) -> Sent:
    return Sent("masking", "target", sql, frozenset(binds), made)
