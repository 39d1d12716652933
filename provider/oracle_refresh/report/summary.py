"""A run in a few numbers, for lists and comparisons."""

from __future__ import annotations

from typing import Any

from oracle_refresh.report.model import Report


def summary(report: Report) -> dict[str, Any]:
    """`bytes` are those of all dump files, `rows` those in the target, `seconds` and `worked_seconds` as in
    the report."""
    return {
        "refresh": report.refresh,
        "status": report.status,
        "scn": report.scn,
        "seconds": report.seconds,
        "worked_seconds": report.worked_seconds,
        "jobs": len(report.shards),
        "bytes": sum(shard.bytes for shard in report.shards),
        "tables": len(report.tables),
        "rows": sum(table.rows_target for table in report.tables),
        "lobs": sum(lob.count for table in report.tables for lob in table.lobs),
        "masked_columns": sum(len(mask.columns) for mask in report.masking),
        "masked_rows": sum(mask.rows for mask in report.masking),
        "expectations": report.expectations.evaluated,
        "expectations_met": report.expectations.successful,
    }
