"""The plan of one refresh: which Data Pump jobs carry which rows. Frozen, small, without secrets."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from oracle_refresh.catalog.rates import Rates
from oracle_refresh.jsonable import Jsonable
from oracle_refresh.oracle.findings import Finding
from oracle_refresh.oracle.identifiers import TableName
from oracle_refresh.plan.stages import MASKING, REFRESH, Flow
from oracle_refresh.run.kind import Kind

Scheme = Literal["partition", "rowid_range", "rowid_block_modulo", "ora_hash", "ntile", "whole_table", "bulk"]
Treatment = Literal["shards", "whole", "bulk", "structure", "in_place"]
_LABEL = re.compile(r"(U\d{3,})(?::|$)")


class _WithTables:
    tables: tuple[TableName, ...]

    @property
    def table_keys(self) -> tuple[str, ...]:
        return tuple(table.key for table in self.tables)

    @property
    def about(self) -> str:
        """For people: `APP.ORDERS`, or `9 tables`."""
        return self.table_keys[0] if len(self.tables) == 1 else f"{len(self.tables)} tables"


@dataclass(frozen=True)
class ExportJob(_WithTables, Jsonable):
    """One Data Pump job: one shard of one table, one table as a whole, or the bulk job of many tables.

    `kind` tells how a load is counted: the tables of a `bulk` job are loaded by this job alone.
    """

    id: str
    """`S001`, `S002`, ... for shards, `W001` for a table of its own, `B001` for the bulk job."""
    job_name: str
    """At most 29 characters; derived from refresh, run and id only."""
    kind: Literal["shard", "bulk"]
    tables: tuple[TableName, ...]
    scheme: Scheme
    modulus: int | None
    remainder: int | None
    predicate: str | None
    """The condition of a shard, without the word WHERE; None where it takes whole partitions or tables."""
    parallel: int
    dump_file: str
    """Name inside the DIRECTORY; holds `%L` where the job writes more than one file."""
    estimate_bytes: int
    priority: int
    """Longest first: the higher number starts earlier."""
    partitions: tuple[str, ...] = ()
    """The partitions that a shard is confined to; all of them where empty."""
    expected_seconds: float | None = None
    """Of its slowest worker, by the rates of former runs; None where there are none."""


JOB: Kind[ExportJob] = Kind("job", ExportJob)


@dataclass(frozen=True)
class TablePlan(Jsonable):
    """How one table travels: in shards, in a job of its own (`whole`), or with others (`bulk`).

    `structure`: it is built, but holds no rows to copy (temporary tables); `in_place`: it stays where it is.
    """

    owner: str
    name: str
    treatment: Treatment
    jobs: tuple[str, ...]
    """Ids of the jobs that carry its rows; the table is complete when all of them are loaded."""
    rows: int | None
    bytes: int
    lob_bytes: int
    reason: str

    @property
    def table(self) -> TableName:
        return TableName(self.owner, self.name)

    @property
    def key(self) -> str:
        return self.table.key

    @property
    def total_bytes(self) -> int:
        return self.bytes + self.lob_bytes


TABLE_PLAN: Kind[TablePlan] = Kind("table plan", TablePlan)


#: What Airflow keeps of the name of a mapped task instance.
LONGEST_LABEL = 250


@dataclass(frozen=True)
class WorkUnit(_WithTables, Jsonable):
    """Tables that the same tasks compare, mask and index once they are loaded, one after the other."""

    id: str
    """`U001`, `U002`, ...: the more work, the lower the number."""
    tables: tuple[TableName, ...]
    """The one with the most work first."""
    work: int
    """Expected, in bytes at the average rate; each table adds a fixed part."""

    @property
    def label(self) -> str:
        """For people, and for tasks that are mapped over it: `U003: APP.ORDERS`, `U004: 9 tables`."""
        return f"{self.id}: {self.about}"[:LONGEST_LABEL]


UNIT: Kind[WorkUnit] = Kind("unit", WorkUnit)


def unit_id(label: str) -> str:
    """The id in the label of a unit; anything else is returned as it is."""
    match = _LABEL.match(label)
    return match[1] if match else label


@dataclass(frozen=True)
class Plan(Jsonable):
    """Jobs longest first, tables by owner and name, and what the planner expects.

    `makespan_bytes` is what the busiest worker is expected to carry, `bound_bytes` what it would carry
    at best: the larger of total / degree and the largest piece that cannot be divided. Once rates were
    measured, both count bytes at the average rate, so that slow bytes count for more (see `pace`).
    """

    refresh: str
    run_id: str
    scn: int | None
    """None of a clone, whose SCN is taken when it is locked and nothing is in the way of the masking."""
    degree: int
    jobs: tuple[ExportJob, ...]
    tables: tuple[TablePlan, ...]
    total_bytes: int
    makespan_bytes: int
    bound_bytes: int
    expected_seconds: float | None
    """Of all exports, from the measured rates of former runs; None where there are none."""
    rates: Rates | None = None
    """What one worker is expected to carry, and which runs say so."""
    degree_reason: str = ""
    """Why it is this degree."""
    critical_path: tuple[str, ...] = ()
    """Ids of the jobs of the worker that is expected to be done last, in their order."""
    findings: tuple[Finding, ...] = ()
    """What may go wrong with this plan, each with its remedy."""
    task_slots: int | None = None
    """Tasks that Airflow runs at the same time; None where nobody has said so."""
    units: tuple[WorkUnit, ...] = ()
    """What is done with tables once they are loaded is mapped over these; most work first."""

    def job(self, job_id: str) -> ExportJob:
        """:raises KeyError: if the plan has no such job."""
        return {job.id: job for job in self.jobs}[job_id]

    def table(self, key: str) -> TablePlan:
        """:raises KeyError: if the plan has no such table."""
        return {table.key: table for table in self.tables}[key]

    @property
    def flow(self) -> Flow:
        """The stages that it goes through."""
        return MASKING if self.in_place else REFRESH

    @property
    def in_place(self) -> bool:
        """Whether a clone is masked where it is: nothing is moved."""
        return self.scn is None

    @property
    def expected_load_seconds(self) -> float | None:
        """Of all loads, if as many run at the same time as exports."""
        rate = self.rates.load_bytes_per_second if self.rates else None
        return self.total_bytes / self.degree / rate if rate else None

    @property
    def expected_held_seconds(self) -> float | None:
        """From the SCN to the last look at the source as of it: exports, and the proof of the copy after."""
        rate = self.rates.held_bytes_per_second if self.rates else None
        if self.expected_seconds is None or rate is None:
            return self.expected_seconds
        return max(self.expected_seconds, self.total_bytes / rate)

    @property
    def shards(self) -> tuple[ExportJob, ...]:
        return tuple(job for job in self.jobs if job.kind == "shard")


#: Without its jobs, tables and units, which are facts of their own: see `storage`.
PLAN: Kind[Plan] = Kind("plan", Plan)
