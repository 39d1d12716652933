"""Planned shards as calls and as the clients' parameter files, whatever tells their rows apart."""

from __future__ import annotations

from dataclasses import replace

import pytest

from oracle_refresh.catalog import Partition
from oracle_refresh.catalog.limits import Limits
from oracle_refresh.datapump.by_hand import parameter_files
from oracle_refresh.datapump.calls import calls
from oracle_refresh.datapump.export import export_spec, log_stem
from oracle_refresh.oracle.identifiers import InvalidIdentifier
from oracle_refresh.plan import ExportJob, build_plan, explain
from support.planner_tables import FROZEN, MB, catalogue, definition, table

PARTS = (
    Partition("P1", 1, bytes=800 * MB),
    Partition("P'2", 2, bytes=90 * MB),
    Partition("P3", 3, bytes=10 * MB),
)
WISH = definition(degree=4)
PLAN = build_plan(
    catalogue(table("T", 100 * MB, 800 * MB, partitions=PARTS), table("U", MB)),
    WISH,
    Limits(2),
    FROZEN,
    "run",
)


def shard(*partitions: str) -> ExportJob:
    return next(job for job in PLAN.shards if job.partitions == partitions)


def test_partitions_are_a_list_filter_beside_the_query() -> None:
    whole, part = shard("P'2", "P3"), shard("P1")
    assert part.predicate
    made = {call.arguments for call in calls(export_spec(whole, FROZEN, WISH))}
    assert ("PARTITION_LIST", "'P''2','P3'", "T", "APP") in made
    assert not [arguments for arguments in made if arguments[0] == "SUBQUERY"]
    made = {call.arguments for call in calls(export_spec(part, FROZEN, WISH))}
    assert ("PARTITION_LIST", "'P1'", "T", "APP") in made
    assert ("SUBQUERY", f"WHERE {part.predicate}", "T", "APP") in made


def test_the_logs_of_other_partitions_are_other_logs() -> None:
    one = shard("P1")
    assert log_stem(one, FROZEN) != log_stem(replace(one, partitions=("P3",)), FROZEN)


def test_a_name_that_is_none_is_refused() -> None:
    with pytest.raises(InvalidIdentifier):
        calls(export_spec(replace(shard("P1"), partitions=('P"',)), FROZEN, WISH))


def test_the_parameter_files_say_the_same() -> None:
    (export_name, export_text), (import_name, import_text) = parameter_files(shard("P'2", "P3"), FROZEN, WISH)
    assert export_name.endswith("_export.par")
    assert import_name.endswith("_import.par")
    assert 'tables="APP"."T":"P\'2"\n' in export_text
    assert 'tables="APP"."T":"P3"\n' in export_text
    assert "flashback_scn=4711" in export_text
    assert "query=" not in export_text
    assert 'tables="APP"."T"\n' in import_text
    assert "table_exists_action=APPEND" in import_text
    assert "directory=T\n" in import_text
    text = explain(PLAN, lambda job: parameter_files(job, FROZEN, WISH))
    for job in PLAN.jobs:
        assert f"job_name={job.job_name}" in text
        assert not job.predicate or f"where {job.predicate}" in text
