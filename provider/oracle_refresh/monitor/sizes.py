"""How many bytes each job, work unit and table of a run has: as planned, and as exported once it is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from oracle_refresh.monitor.records import Run, Try
from oracle_refresh.oracle.identifiers import TableName
from oracle_refresh.plan.model import unit_id
from oracle_refresh.plan.stages import EXPORT, LEGS


@dataclass(frozen=True)
class Sizes:
    """Bytes by item. `dumped` holds the jobs that are exported: what is staged and loaded is their files."""

    planned: Mapping[str, int] = field(default_factory=dict)
    dumped: Mapping[str, int] = field(default_factory=dict)
    tables_of: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """The tables that each job carries, and those of each work unit, by their ids."""

    def of(self, item: str | None, leg: str | None = None) -> int:
        """Bytes that a task works on: an export on what was planned, what follows it on the dump files."""
        if item is None:
            return 0
        item = unit_id(item)
        return self.dumped.get(item) or self.planned.get(item, 0) if leg else self.planned.get(item, 0)

    def tables(self, item: str | None) -> tuple[str, ...]:
        """Those that a job carries, or those of a work unit; none where it is neither, or not known."""
        return self.tables_of.get(unit_id(item or ""), ())

    def moved(self, attempt: Try, item: str | None) -> int:
        return self.of(item, LEGS.get(attempt.operator))


def sizes(run: Run, plan: Mapping[str, Any] | None) -> Sizes:
    """From the run's plan (`Plan.to_json`), where there is one, and what its exports have returned."""
    jobs, tables, units = ((plan or {}).get(part, ()) for part in ("jobs", "tables", "units"))
    planned = {
        TableName(each["owner"], each["name"]).key: each["bytes"] + each["lob_bytes"] for each in tables
    }
    carried = {each["id"]: tuple(TableName(*name).key for name in each["tables"]) for each in (*jobs, *units)}
    planned |= {unit["id"]: sum(planned.get(key, 0) for key in carried[unit["id"]]) for unit in units}
    planned |= {job["id"]: int(job["estimate_bytes"]) for job in jobs}
    dumped: dict[str, int] = {}
    for each in run.of(EXPORT):
        returned = run.results.get(each.key)
        if isinstance(returned, dict):
            dumped[run.items[each.key]] = sum(file["bytes"] for file in returned.get("files", ()))
    return Sizes(planned, dumped, carried)
