"""Names derived from refresh, run and job only: a repeated task finds what its former try left."""

from __future__ import annotations

import hashlib

#: 30 bytes fit every release; the last one is left to who needs a second name for the same job.
MAX_JOB_NAME = 29


def job_name(refresh: str, run_id: str, job_id: str) -> str:
    """The Data Pump job name of one job of one run: `RF_<12 hexadecimal digits>_<job id>`."""
    digest = hashlib.sha256(f"{refresh}\0{run_id}".encode()).hexdigest()[:12].upper()
    name = f"RF_{digest}_{job_id}"
    if len(name) > MAX_JOB_NAME:
        raise ValueError(f"job id {job_id!r} is too long")
    return name


def dump_file(name: str, parallel: int, release: tuple[int, ...] = (12, 2)) -> str:
    """The dump file of a job, with a wildcard for several workers: `%L`, before 12.2 `%U` up to 99."""
    if parallel == 1:
        return f"{name}.dmp"
    return f"{name}_{'%L' if release >= (12, 2) else '%U'}.dmp"
