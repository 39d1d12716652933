"""What may go wrong with a plan, reported before anything runs.

Sources: Administrator's Guide 19c, "Managing Undo"; Database Reference 19c, UNDO_RETENTION, V$UNDOSTAT,
DBA_LOBS, MAX_DATAPUMP_JOBS_PER_PDB, STREAMS_POOL_SIZE; Utilities 19c, "Oracle RAC Considerations".
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from oracle_refresh.catalog.limits import STREAMS_POOL_PER_JOB, Limits
from oracle_refresh.catalog.model import Table
from oracle_refresh.catalog.undo import Undo
from oracle_refresh.oracle.findings import Finding, warning
from oracle_refresh.oracle.identifiers import Identifier
from oracle_refresh.plan.balance import TOLERANCE
from oracle_refresh.plan.model import ExportJob, Plan

MEGABYTE = 1024 * 1024
#: For how long a database keeps undo when nobody has said anything (the default of UNDO_RETENTION).
USUAL_RETENTION = 900


def limit_findings(limits: Limits, wished: int, degree: int) -> Iterator[Finding]:
    """What the instances do not permit of the wished degree."""
    if degree < wished and limits.jobs_at_once == limits.max_jobs:
        yield warning(
            "DATAPUMP_JOBS",
            f"{wished} jobs at the same time are wished, max_datapump_jobs_per_pdb permits {limits.max_jobs}",
            "raise max_datapump_jobs_per_pdb on both databases, or lower the degree",
            f"ALTER SYSTEM SET MAX_DATAPUMP_JOBS_PER_PDB = {wished}",
        )
    elif degree < wished and limits.streams_pool_bytes is not None:
        needed = -(-wished * STREAMS_POOL_PER_JOB // MEGABYTE)
        yield warning(
            "STREAMS_POOL",
            f"a fixed streams pool of {limits.streams_pool_bytes / MEGABYTE:,.0f} MB holds the queues of"
            f" {degree} jobs, {wished} are wished",
            "enlarge the streams pool, or let the instance size it (SGA_TARGET)",
            f"ALTER SYSTEM SET STREAMS_POOL_SIZE = {needed}M",
        )
    if not limits.parallel_jobs:
        yield warning(
            "STANDARD_EDITION",
            "this edition permits one worker per job: what one job would do in parallel is spread over jobs",
            "none is needed; more jobs mean more log and dump files",
        )
    elif degree > limits.max_parallel_per_job:
        yield warning(
            "PARALLEL_PER_JOB",
            f"max_datapump_parallel_per_job permits {limits.max_parallel_per_job} workers of one job, the"
            f" degree is {degree}: what does not fit into one bulk job is spread over several",
            "none is needed; raise max_datapump_parallel_per_job to have one job",
            f"ALTER SYSTEM SET MAX_DATAPUMP_PARALLEL_PER_JOB = {degree}",
        )
    if limits.cluster:
        yield warning(
            "CLUSTER",
            "the database runs on several instances; all workers of a job stay on the one it is started on"
            " (cluster_ok = 0), because the DIRECTORY need not be shared",
            "lead the connection to an instance that can see the directory",
        )


def map_finding(cut_back: bool, jobs: int, max_map_length: int) -> Iterator[Finding]:
    """What Airflow's bound on mapped tasks does to the plan."""
    if cut_back:
        yield warning(
            "MAX_MAP_LENGTH",
            f"Airflow maps over at most {max_map_length:,} items: the {jobs:,} jobs of this plan are fewer"
            " than would be best",
            "raise [core] max_map_length (AIRFLOW__CORE__MAX_MAP_LENGTH), or refresh fewer schemas at a time",
        )


def table_findings(tables: Iterable[Table]) -> Iterator[Finding]:
    """Tables whose rows may be hidden from the export."""
    for table in tables:
        if table.policies:
            yield warning(
                "ROW_LEVEL_SECURITY",
                f"{table.key} has row-level security ({', '.join(table.policies)}): the export sees only the"
                " rows that its user may see (ORA-39181), and the checks see no more",
                "exempt the exporting user from access policies",
                "GRANT EXEMPT ACCESS POLICY TO <user of the source connection>",
            )


def pole_finding(plan: Plan, ideal: int, least: int) -> Iterator[Finding]:
    """One job that all others wait for, because it cannot be cut; `ideal` is the share of one worker.

    :param least: bytes below which a table is not worth a shard of its own: nobody waits long for so few.
    """
    longest = max(plan.jobs, key=_length)
    if longest.estimate_bytes < least:
        return
    if longest.kind == "bulk" and plan.makespan_bytes > ideal * (1 + TOLERANCE):
        if longest.id not in plan.critical_path:
            return
        share = plan.makespan_bytes / ideal
        yield warning(
            "LONGEST_POLE",
            f"{longest.id} of {longest.about} takes {share:.1f} times the share of one worker, and"
            " nothing shortens it",
            "convert BasicFile LOBs to SecureFiles, partition the table, or exclude it",
        )


def undo_findings(plan: Plan, undo: Undo | None, tables: Iterable[Table]) -> Iterator[Finding]:
    """Whether the source can still be read as of the plan's SCN when the last shard ends (ORA-01555)."""
    if undo is None:
        return
    longest = max(plan.jobs, key=_length)
    needed, kept_seconds = plan.expected_held_seconds, undo.kept_seconds
    facts = f"undo is kept for {kept_seconds:,} s (UNDO_RETENTION {undo.retention_seconds:,} s"
    if undo.too_old:
        facts += f"; {undo.too_old} queries failed with ORA-01555 of late"
    if undo.no_space:
        facts += f"; undo space ran out {undo.no_space} times"
    facts += ")"
    if needed is None:
        slowest = plan.makespan_bytes / max(1, kept_seconds) / MEGABYTE
        if undo.too_old or undo.no_space:
            yield warning(
                "UNDO_RETENTION",
                f"{facts}; no former run has told a rate: below {slowest:,.1f} MB/s per worker ORA-01555 is"
                " to be expected",
                "enlarge the undo tablespace and raise UNDO_RETENTION before the run",
            )
    elif needed > kept_seconds:
        yield warning(
            "UNDO_RETENTION",
            f"ORA-01555 is to be expected: the source is read as of the SCN for {needed:,.0f} s; the last"
            f" shard ends after {plan.expected_seconds or needed:,.0f} s, the longest"
            f" ({longest.id} of {longest.about}) takes {longest.expected_seconds or needed:,.0f} s;"
            f" but {facts}",
            "raise UNDO_RETENTION and enlarge the undo tablespace, or raise the degree",
            f"ALTER SYSTEM SET UNDO_RETENTION = {round(needed * 1.5)}",
        )
    if needed is not None:
        yield from _lob_findings(needed, tables)


def _lob_findings(needed: float, tables: Iterable[Table]) -> Iterator[Finding]:
    """Old versions of BasicFile LOBs are not in undo but beside the LOBs (ORA-22924)."""
    for table in tables:
        for lob in table.lobs:
            if lob.securefile:
                continue
            name = Identifier(lob.column).sql
            if lob.retention_seconds is not None and lob.retention_seconds < needed:
                how_long = f"for {lob.retention_seconds:,} s"
            elif lob.retention_seconds is None and lob.pctversion is not None and needed > USUAL_RETENTION:
                how_long = f"in {lob.pctversion} % of its space, for no set time"
            else:
                continue
            yield warning(
                "LOB_RETENTION",
                f"{table.key} keeps old versions of {name} {how_long}; the run takes {needed:,.0f} s, and"
                " what is changed meanwhile may be gone (ORA-22924)",
                "raise UNDO_RETENTION first, then let the LOB follow it",
                f"ALTER TABLE {table.sql} MODIFY LOB ({name}) (RETENTION)",
            )


def _length(job: ExportJob) -> float:
    """What tells which job takes longest: seconds where all have them, else bytes of one worker."""
    return job.expected_seconds or job.estimate_bytes / job.parallel
