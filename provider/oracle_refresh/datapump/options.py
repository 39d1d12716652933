"""How the definition's `datapump:` section shapes the jobs of a refresh. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from oracle_refresh.datapump.jobspec import JobSpec
from oracle_refresh.definition import DataPump
from oracle_refresh.oracle.identifiers import TableName
from oracle_refresh.plan.model import ExportJob


def with_options(spec: JobSpec, options: DataPump, side_by_side: bool = False) -> JobSpec:
    """The job as the definition wants it run.

    :param side_by_side: whether other imports load the same table at the same time. Direct path, which Data
        Pump prefers, would hold the table's TM lock exclusively, one after the other: Utilities 19c, "Using
        Direct Path to Move Data".
    """
    changes: dict[str, Any] = {
        "metrics": options.metrics,
        "keep_master": options.keep_master,
        "trace": options.trace,
    }
    if options.logtime != "none":
        changes["logtime"] = options.logtime.upper()
    spec = encrypted(spec, options)
    if spec.operation == "IMPORT" and not spec.remote_link:
        wanted = options.access_method or ("external_table" if side_by_side else None)
        changes["access_method"] = wanted and wanted.upper()
    if spec.operation == "EXPORT":
        changes["compression"] = options.compression.upper()
        if options.compression_algorithm:
            changes["compression_algorithm"] = options.compression_algorithm.upper()
        changes["file_size"] = options.file_size
    return replace(spec, **changes)


def encrypted(spec: JobSpec, options: DataPump) -> JobSpec:
    """The job, with a password for its dump files where the definition wants one."""
    if not options.encryption_conn_id:
        return spec
    algorithm = options.encryption_algorithm or "AES256" if spec.operation == "EXPORT" else None
    return replace(spec, encryption="ALL", encryption_algorithm=algorithm)


def chosen_rows(planned: ExportJob, tables: Iterable[TableName]) -> dict[str, Any]:
    """The rows of its tables that a shard carries, as fields of the job that reads them at the source."""
    return {
        "subqueries": tuple((table, f"WHERE {planned.predicate}") for table in tables if planned.predicate),
        "partitions": tuple((table, planned.partitions) for table in tables if planned.partitions),
    }


def dump_pattern(name: str, options: DataPump, release: tuple[int, ...] = (12, 2)) -> str:
    """The dump file's name of a planned job, with a counter where its size is limited.

    :param release: as for `counted`.
    """
    return name if options.file_size is None else counted(name, release)


def counted(name: str, release: tuple[int, ...] = (12, 2)) -> str:
    """The name with a counter, unless it has one.

    `%L` and, before 12.2, `%U` expand to the same names: who only looks for files need not know the release.
    """
    if "%" in name:
        return name
    stem, dot, extension = name.rpartition(".")
    counter = "%L" if release >= (12, 2) else "%U"
    return f"{stem}_{counter}{dot}{extension}" if dot else f"{name}_{counter}"
