"""How many bytes each job and each table of a run has: as planned, and as exported once it is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from oracle_refresh.watching.records import LEGS, Run, Try


@dataclass(frozen=True)
class Sizes:
    """Bytes by item. `dumped` holds the jobs that are exported: what is staged and loaded is their files."""

    planned: Mapping[str, int] = field(default_factory=dict)
    dumped: Mapping[str, int] = field(default_factory=dict)
    tables_of: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """The tables that each job carries."""

    def of(self, item: str | None, leg: str | None = None) -> int:
        """Bytes that a task works on: an export on what was planned, what follows it on the dump files."""
        if item is None:
            return 0
        return self.dumped.get(item) or self.planned.get(item, 0) if leg else self.planned.get(item, 0)

    def moved(self, one: Try, item: str | None) -> int:
        return self.of(item, LEGS.get(one.operator))


def sizes(run: Run, plan: Mapping[str, Any] | None) -> Sizes:
    """From the run's plan (`Plan.to_json`), where there is one, and what its exports have returned."""
    jobs, tables = (plan or {}).get("jobs", ()), (plan or {}).get("tables", ())
    planned = {job["id"]: int(job["estimate_bytes"]) for job in jobs}
    planned |= {f"{table['owner']}.{table['name']}": table["bytes"] + table["lob_bytes"] for table in tables}
    dumped: dict[str, int] = {}
    for one in run.of_operator("ExportShard"):
        returned = run.results.get(one.key)
        if isinstance(returned, dict):
            dumped[run.items[one.key]] = sum(file["bytes"] for file in returned.get("files", ()))
    carried = {job["id"]: tuple(f"{owner}.{name}" for owner, name in job["tables"]) for job in jobs}
    return Sizes(planned, dumped, carried)
