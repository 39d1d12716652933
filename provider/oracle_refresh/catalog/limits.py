"""What the instances can take. Sources: Database Reference 19c, V$OSSTAT, V$PARAMETER, V$OPTION;
MAX_DATAPUMP_JOBS_PER_PDB and MAX_DATAPUMP_PARALLEL_PER_JOB (12.2 and later)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from oracle_refresh.catalog import statements
from oracle_refresh.jsonable import Jsonable

if TYPE_CHECKING:
    import oracledb


@dataclass(frozen=True)
class Limits(Jsonable):
    """Bounds of a plan.

    `bytes_per_second` is what one worker carried in former runs; None while nothing was measured.
    """

    cpus: int
    max_jobs: int = 100
    max_parallel_per_job: int = 50
    parallel_jobs: bool = True
    """False in editions where PARALLEL > 1 is refused (ORA-39094)."""
    bytes_per_second: float | None = None

    @property
    def default_degree(self) -> int:
        """Workers at the same time: export and load wait for LOB reads and writes more than they compute."""
        return min(max(4, 4 * self.cpus), self.max_jobs, 64)

    def combined(self, other: Limits) -> Limits:
        """The bounds that hold for both ends of a refresh."""
        return replace(
            self,
            cpus=min(self.cpus, other.cpus),
            max_jobs=min(self.max_jobs, other.max_jobs),
            max_parallel_per_job=min(self.max_parallel_per_job, other.max_parallel_per_job),
            parallel_jobs=self.parallel_jobs and other.parallel_jobs,
        )


def read_limits(connection: oracledb.Connection) -> Limits:
    """Read the bounds of one instance. Needs SELECT on V$OSSTAT, V$PARAMETER and V$OPTION."""
    with connection.cursor() as cursor:
        cursor.execute(statements.CPUS)
        row = cursor.fetchone()
        cpus = int(row[0]) if row and row[0] is not None else 1
        cursor.execute(statements.PARAMETERS)
        parameters = dict(cursor)
        cursor.execute(statements.PARALLEL_OPTION)
        option = cursor.fetchone()
    return Limits(
        cpus=_number(parameters.get("cpu_count")) or cpus,
        max_jobs=_number(parameters.get("max_datapump_jobs_per_pdb")) or 100,
        max_parallel_per_job=_number(parameters.get("max_datapump_parallel_per_job")) or 50,
        parallel_jobs=option is None or option[0] == "TRUE",
    )


def _number(value: str | None) -> int | None:
    """A parameter as a number; None where it is unset or AUTO."""
    return int(value) if value is not None and value.isdigit() else None
