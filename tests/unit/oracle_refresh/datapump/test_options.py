"""What the definition says of Data Pump reaches the jobs of a refresh."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from oracle_refresh.catalog.limits import Limits
from oracle_refresh.datapump.by_hand import parameter_files
from oracle_refresh.datapump.calls import calls, opening
from oracle_refresh.datapump.dumpset import DumpFile, DumpSet, StagedSet, TableRows
from oracle_refresh.datapump.export import export_spec
from oracle_refresh.datapump.load import load_spec
from oracle_refresh.datapump.options import dump_pattern
from oracle_refresh.definition import DataPump
from oracle_refresh.plan import ExportJob, build_plan
from support.planner_tables import FROZEN, MB, catalogue, definition, table

OPTIONS = {
    "compression": "all",
    "compression_algorithm": "high",
    "encryption_conn_id": "dumps",
    "file_size": "4G",
    "logtime": "logfile",
    "metrics": False,
}
LINK = {"transport": "network_link", "database_link": "prod.world", "logtime": "all"}


def planned() -> ExportJob:
    tables = catalogue(table("T", 10 * MB, 900 * MB))
    plan = build_plan(tables, definition(degree=4), Limits(2), FROZEN, "run")
    return next(job for job in plan.jobs if job.predicate)


def staged(job: ExportJob, *files: str) -> StagedSet:
    rows = tuple(TableRows(owner, name, 5, 100) for owner, name in job.tables)
    found = tuple(DumpFile(name, 10) for name in files)
    return StagedSet(DumpSet(job.id, job.job_name, 4711, "D", "x.log", found, rows, 1.0), "T", found, 1.0)


def arguments(spec: Any) -> set[tuple[Any, ...]]:
    return {call.arguments for call in calls(spec)}


@pytest.mark.parametrize(
    ("method", "shard", "bulk"),
    [(None, "EXTERNAL_TABLE", None), ("direct_path", "DIRECT_PATH", "DIRECT_PATH")],
)
def test_shards_of_a_table_are_loaded_by_external_tables_unless_told_otherwise(
    method: str | None, shard: str, bulk: str | None
) -> None:
    """Direct path would load one after the other: it holds the table's lock exclusively."""
    wish = definition(datapump={"access_method": method} if method else {})
    one, many = planned(), replace(planned(), kind="bulk", predicate=None)
    for job, wanted in ((one, shard), (many, bulk)):
        spec = load_spec(job, staged(job, "x.dmp"), wish)
        assert spec.access_method == wanted
        assert ("DATA_OPTIONS", 8) in arguments(spec)
        assert (("DATA_ACCESS_METHOD", wanted) in arguments(spec)) == (wanted is not None)
    written = dict(parameter_files(one, FROZEN, wish))[f"{one.job_name.lower()}_import.par"]
    assert f"\naccess_method={shard}\n" in written
    over_link = definition(datapump=LINK)
    assert load_spec(one, replace(staged(one), files=()), over_link).access_method is None
    with pytest.raises(ValueError, match="access_method is for dump files"):
        DataPump.model_validate(LINK | {"access_method": "external_table"})


def test_options_of_an_export_and_its_load() -> None:
    job, wish = planned(), definition(datapump=OPTIONS)
    export = export_spec(job, FROZEN, wish)
    assert export.dump_files == (f"{job.dump_file[:-4]}_%L.dmp",)
    made = arguments(export)
    for pair in (
        ("COMPRESSION", "ALL"),
        ("COMPRESSION_ALGORITHM", "HIGH"),
        ("ENCRYPTION", "ALL"),
        ("ENCRYPTION_ALGORITHM", "AES256"),
        ("LOGTIME", "LOGFILE"),
        ("METRICS", 0),
    ):
        assert pair in made
    load = load_spec(job, staged(job, "a_01.dmp", "a_02.dmp"), wish)
    assert load.encryption == "ALL"
    assert load.dump_files == ("a_01.dmp", "a_02.dmp")
    assert ("LOGTIME", "LOGFILE") in arguments(load)
    texts = dict(parameter_files(job, FROZEN, wish))
    assert all("encryption_pwd_prompt=YES\n" in text for text in texts.values())
    assert "filesize=4GB\n" in next(iter(texts.values()))


def test_a_load_over_a_link_takes_the_shard_at_the_scn() -> None:
    job, wish = planned(), definition(datapump=LINK)
    spec = load_spec(job, replace(staged(job), files=()), wish)
    assert opening(spec) == ("IMPORT", "TABLE", "PROD.WORLD", job.job_name)
    made = arguments(spec)
    assert ("FLASHBACK_SCN", 4711) in made
    assert ("SUBQUERY", f"WHERE {job.predicate}", "T", "APP") in made
    assert ("TABLE_EXISTS_ACTION", "APPEND") in made
    ((name, text),) = parameter_files(job, FROZEN, wish)
    assert name.endswith("_import.par")
    assert "network_link=PROD.WORLD\n" in text
    partly = replace(job, predicate=None, partitions=("P1",))
    assert ("PARTITION_LIST", "'P1'", "T", "APP") in arguments(load_spec(partly, staged(job), wish))


@pytest.mark.parametrize(
    ("name", "size", "release", "pattern"),
    [
        ("s.dmp", None, (19, 0), "s.dmp"),
        ("s.dmp", "4G", (19, 0), "s_%L.dmp"),
        ("s.dmp", "4G", (12, 1), "s_%U.dmp"),
        ("s_%U.dmp", "4G", (19, 0), "s_%U.dmp"),
        ("s", "4G", (19, 0), "s_%L"),
    ],
)
def test_files_of_limited_size_are_counted(
    name: str, size: str | None, release: tuple[int, ...], pattern: str
) -> None:
    assert dump_pattern(name, DataPump(file_size=size), release) == pattern


def test_an_older_source_counts_as_it_can() -> None:
    old = replace(FROZEN, source=replace(FROZEN.source, version="12.1.0.2.0"))
    assert "%U" in export_spec(planned(), old, definition(datapump=OPTIONS)).dump_files[0]
