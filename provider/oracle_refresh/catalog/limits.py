"""What the instances can take. Sources: Database Reference 19c, V$OSSTAT, V$PARAMETER, V$OPTION;
MAX_DATAPUMP_JOBS_PER_PDB and MAX_DATAPUMP_PARALLEL_PER_JOB (12.2 and later), STREAMS_POOL_SIZE."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from oracle_refresh.catalog import statements
from oracle_refresh.catalog.rates import Rates
from oracle_refresh.catalog.undo import Undo, read_undo
from oracle_refresh.jsonable import Jsonable
from oracle_refresh.oracle.session import rows, scalar

if TYPE_CHECKING:
    import oracledb

#: What each Data Pump job takes of the streams pool for its queues, as measured with 32 jobs in 128 MB.
STREAMS_POOL_PER_JOB = 4 * 1024 * 1024
MAX_JOBS = 100
MAX_PARALLEL = 50


@dataclass(frozen=True)
class Limits(Jsonable):
    """Bounds of a plan, and what is known of the speed."""

    cpus: int
    max_jobs: int = MAX_JOBS
    max_parallel_per_job: int = MAX_PARALLEL
    parallel_jobs: bool = True
    """False in editions where PARALLEL > 1 is refused (ORA-39094)."""
    rates: Rates | None = None
    """What one worker carried in former runs; None while nothing was measured."""
    calibrated_degree: int | None = None
    """What a calibration recommends for this pair of databases."""
    calibrated_workers: int | None = None
    """The most workers of one job that it found worth it."""
    calibrated_why: str = ""
    """How it came to the degree."""
    calibrated_by: str | None = None
    """The run of that calibration."""
    streams_pool_bytes: int | None = None
    """Of a pool that cannot grow; None where the instance sizes it itself."""
    cluster: bool = False
    """Whether the database runs on several instances (RAC)."""
    undo: Undo | None = None
    """Of the source; None where it was not read."""

    @property
    def wished_degree(self) -> int:
        """Workers at the same time, where nobody says otherwise: as calibrated, or four for each CPU.

        Export and load wait for LOB reads and writes more than they compute.
        """
        return self.calibrated_degree or min(max(4, 4 * self.cpus), 64)

    @property
    def bytes_per_second(self) -> float | None:
        """What one worker exports; None while nothing was measured."""
        return self.rates.export_bytes_per_second if self.rates else None

    @property
    def jobs_at_once(self) -> int:
        """Data Pump jobs that may run at the same time; 0 where the instance permits none."""
        if self.streams_pool_bytes is None:
            return self.max_jobs
        return min(self.max_jobs, max(1, self.streams_pool_bytes // STREAMS_POOL_PER_JOB))

    @property
    def workers_per_job(self) -> int:
        """The most workers of one job; always 1 in Standard Edition."""
        if not self.parallel_jobs:
            return 1
        return max(1, min(self.max_parallel_per_job, self.calibrated_workers or self.max_parallel_per_job))

    def combined(self, other: Limits) -> Limits:
        """The bounds that hold for both ends of a refresh; undo is that of this one, the source."""
        pools = [pool for pool in (self.streams_pool_bytes, other.streams_pool_bytes) if pool is not None]
        return replace(
            self,
            cpus=min(self.cpus, other.cpus),
            max_jobs=min(self.max_jobs, other.max_jobs),
            max_parallel_per_job=min(self.max_parallel_per_job, other.max_parallel_per_job),
            parallel_jobs=self.parallel_jobs and other.parallel_jobs,
            streams_pool_bytes=min(pools, default=None),
            cluster=self.cluster or other.cluster,
        )


def read_limits(connection: oracledb.Connection) -> Limits:
    """Read the bounds of one instance. Needs SELECT on V$OSSTAT, V$PARAMETER, V$OPTION and V$UNDOSTAT."""
    parameters = dict(rows(connection, statements.PARAMETERS))
    return Limits(
        cpus=_cpus(connection, parameters),
        max_jobs=_max_jobs(parameters),
        max_parallel_per_job=_number(parameters, "max_datapump_parallel_per_job") or MAX_PARALLEL,
        parallel_jobs=has_parallel_execution(connection),
        streams_pool_bytes=_streams_pool(parameters),
        cluster=parameters.get("cluster_database") == "TRUE",
        undo=read_undo(connection, _number(parameters, "undo_retention") or 0),
    )


def read_cpus(connection: oracledb.Connection) -> int:
    """What an instance may use. Needs SELECT on V$PARAMETER and V$OSSTAT."""
    return _cpus(connection, dict(rows(connection, statements.PARAMETERS)))


def _cpus(connection: oracledb.Connection, parameters: Mapping[str, str | None]) -> int:
    return _number(parameters, "cpu_count") or int(scalar(connection, statements.CPUS) or 1)


def has_parallel_execution(connection: oracledb.Connection) -> bool:
    """Not in Standard Edition."""
    return scalar(connection, statements.PARALLEL_OPTION) in (None, "TRUE")


def _max_jobs(parameters: Mapping[str, str | None]) -> int:
    """MAX_DATAPUMP_JOBS_PER_PDB; AUTO means half of SESSIONS, 0 means none, before 12.2 there is no limit."""
    if parameters.get("max_datapump_jobs_per_pdb") == "AUTO":
        return max(1, (_number(parameters, "sessions") or 2 * MAX_JOBS) // 2)
    given = _number(parameters, "max_datapump_jobs_per_pdb")
    return MAX_JOBS if given is None else given


def _streams_pool(parameters: Mapping[str, str | None]) -> int | None:
    """The size of a pool that was set by hand; under automatic memory management it is a minimum only."""
    automatic = _number(parameters, "sga_target") or _number(parameters, "memory_target")
    return None if automatic else _number(parameters, "streams_pool_size") or None


def _number(parameters: Mapping[str, str | None], name: str) -> int | None:
    """A parameter as a number; None where it is unset or AUTO."""
    value = parameters.get(name)
    return int(value) if value is not None and value.isdigit() else None
