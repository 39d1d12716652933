"""What each room of the provider would send for a catalogue: the statements as its builders write them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from hypothesis import strategies as st

from oracle_refresh.catalog import Catalogue, Table
from oracle_refresh.catalog.exotics import exotics
from oracle_refresh.catalog.limits import Limits
from oracle_refresh.catalog.lob_profile import lob_profile
from oracle_refresh.catalog.survey import lob_sample
from oracle_refresh.datapump import job
from oracle_refresh.datapump.dumpset import DumpFile, DumpSet, StagedSet
from oracle_refresh.datapump.export import export_spec
from oracle_refresh.datapump.jobspec import JobSpec
from oracle_refresh.datapump.load import load_spec
from oracle_refresh.masking import ColumnRule
from oracle_refresh.masking.fit import all_references
from oracle_refresh.masking.rules import Ruleset
from oracle_refresh.oracle.identifiers import Identifier
from oracle_refresh.plan import build_plan
from oracle_refresh.preflight.rules import check_partitions
from oracle_refresh.profiler.sampling import worth_reading
from oracle_refresh.profiler.statements import sample
from oracle_refresh.validation import statements as validation
from oracle_refresh.validation.pieces import Piece
from oracle_refresh.validation.references import pairs
from support.generated.filled import filled
from support.generated.masking_room import masked
from support.generated.object_rooms import objects
from support.generated.own_rooms import own
from support.generated.recording import Recording
from support.generated.sent import End, Sent
from support.planner_tables import FROZEN, definition


def sent(
    catalogue: Catalogue, rules: Mapping[str, tuple[ColumnRule, ...]], draw: st.DrawFn
) -> Iterator[Sent]:
    """Every statement for a catalogue, but for the tables that the preflight refuses.

    :param rules: those of its tables, by `Table.key`.
    """
    if draw(st.integers(0, 3)) == 0:  # that has nothing to do with the catalogue
        yield from own(draw)
        yield from filled(catalogue, draw)
    catalogue = accepted(catalogue)
    if not catalogue.tables:
        return
    yield from _planned(catalogue, draw)
    yield from objects(catalogue, draw)
    yield from _referring(catalogue, rules)
    for table in catalogue.tables:
        yield from _profiled(table)
        yield from _compared(table, draw)
        if own_rules := rules.get(table.key):
            shares = {rule.column: draw(st.sampled_from([0.1, 0.9])) for rule in own_rules}
            yield from masked(table, own_rules, shares, draw(st.integers(1, 1000)))


def accepted(catalogue: Catalogue) -> Catalogue:
    """Without the tables that no refresh begins with."""
    refused = {name for each in exotics(catalogue) if each.treatment == "refused" for name in each.names}
    refused |= {table.key for table in catalogue.tables if check_partitions(Catalogue((), (table,)))}
    tables = tuple(table for table in catalogue.tables if table.key not in refused)
    triggers = tuple(trigger for table in tables for trigger in table.triggers)
    return replace(catalogue, tables=tables, triggers=triggers)


def _planned(catalogue: Catalogue, draw: st.DrawFn) -> Iterator[Sent]:
    """The jobs, and the conditions of shards as Data Pump adds them to its SELECT and as they are counted."""
    written = [Identifier(schema).written for schema in catalogue.schemas]
    wish = definition(schemas=written, degree=draw(st.integers(1, 8)), lob_shard_min_bytes=1)
    if all(table.temporary for table in catalogue.tables):
        return  # no rows are copied
    plan = build_plan(catalogue, wish, Limits(cpus=8), FROZEN, "run-1")
    linked = definition(
        schemas=written, datapump={"database_link": "SOURCE_LINK", "transport": "network_link"}
    )
    for planned_job in plan.jobs:
        spec = export_spec(planned_job, FROZEN, wish)
        yield from _started("source", spec)
        dumps = (DumpFile("a.dmp", 1, "0"),)
        dump_set = DumpSet(planned_job.id, planned_job.job_name, FROZEN.scn, "D", "a.log", dumps, (), 1.0)
        staged = StagedSet(dump_set, "T", dumps, 1.0)
        yield from _started("target", load_spec(planned_job, staged, wish))
        if draw(st.booleans()):
            yield from _started("target", load_spec(planned_job, staged, linked))
        for table, text in spec.subqueries:
            counted = f"SELECT COUNT(*) FROM {table.sql} {text}"
            yield Sent("plan", "source", counted, frozenset())
    for planned in plan.tables:
        table = next(each for each in catalogue.tables if each.key == planned.key)
        for carrying in map(plan.job, planned.jobs):
            for condition, partition in Piece(carrying.predicate, carrying.partitions).reads():
                summed = validation.summary(table, at_scn=True, condition=condition, partition=partition)
                yield Sent("validation", "source", summed, frozenset({"scn"}))
        if len(planned.jobs) > 1:
            yield Sent("validation", "source", validation.count(table), frozenset({"scn"}))


def _started(end: End, spec: JobSpec) -> Iterator[Sent]:
    """The calls that define and start a job."""
    instance: Any = Recording(Catalogue((), ()))
    job.start(instance, spec, "secret" if spec.encryption else None)
    yield from (Sent("datapump", end, *each) for each in instance.sent)


def _referring(catalogue: Catalogue, rules: Mapping[str, tuple[ColumnRule, ...]]) -> Iterator[Sent]:
    """Whether children still have their parents, through masked columns or not."""
    named = {(table.owner, table.name): rules.get(table.key, ()) for table in catalogue.tables}
    for reference in all_references(Ruleset("generated", named, "1"), catalogue):
        child, parent = catalogue.table(*reference.child), catalogue.table(*reference.parent)
        if child and parent:
            hidden = [
                frozenset(rule.column for rule in named[end.owner, end.name]) for end in (child, parent)
            ]
            for at_scn in (True, False):
                text = pairs(reference, child, parent, *hidden, at_scn=at_scn)
                binds = frozenset({"scn"} if at_scn else ())
                yield Sent("validation", "source" if at_scn else "target", text, binds)


def _profiled(table: Table) -> Iterator[Sent]:
    columns = [column for column in table.columns if worth_reading(column)]
    for percent in (100.0, 0.5) if columns else ():
        yield Sent("profiler", "source", sample(table, columns, percent), frozenset({"wanted"}))
    if table.lobs and not table.iot:
        yield Sent("catalog", "source", lob_sample(table, 0.5), frozenset())
        for lob in table.lobs:
            yield Sent("catalog", "source", lob_profile(table, lob, 0.5), frozenset())


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
