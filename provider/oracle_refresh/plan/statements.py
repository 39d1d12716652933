"""Every statement of the plan room."""

from __future__ import annotations

CPUS = "SELECT MAX(VALUE) FROM V$OSSTAT WHERE STAT_NAME = 'NUM_CPUS'"

PARAMETERS = """\
SELECT NAME, VALUE FROM V$PARAMETER
WHERE NAME IN ('cpu_count', 'max_datapump_jobs_per_pdb', 'max_datapump_parallel_per_job')"""

PARALLEL_OPTION = "SELECT VALUE FROM V$OPTION WHERE PARAMETER = 'Parallel execution'"
