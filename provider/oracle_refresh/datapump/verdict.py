"""Judges a Data Pump job from two witnesses: its log file, and what was expected of it. Pure.

COMPLETED alone proves nothing ("completed with 4 error(s)" is COMPLETED too), percent_done is an estimate,
and a job that is gone from DBA_DATAPUMP_JOBS may have ended either way; so the log decides. It has to show
every error that its last line counts: one that is counted and not shown may be a lost table.
Where the log is silent the verdict is `unknown` and the caller looks at the data itself.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Literal

from oracle_refresh.datapump.logfile import DataPumpLog
from oracle_refresh.oracle.error_codes import plain
from oracle_refresh.oracle.identifiers import TableName

Outcome = Literal["succeeded", "failed", "unknown"]

# First codes of messages of a job that lost no row: object exists, rows were appended, dependent metadata was
# skipped, "succeeded, more information", "encrypted column stored unencrypted", created with compilation
# warnings, a wait for space that has passed, a password that expires soon. 39151 (table skipped because it
# exists) is not among them.
HARMLESS = frozenset(
    f"ORA-{number}" for number in (31684, 39152, 39111, 31627, 39173, 39082, 39171, 28002, 28011)
)
# Processes died. Where the last line knows no error all the same, the job went on from its master table.
HEALED_BY_RESTART = frozenset({"ORA-39014", "ORA-39029", "ORA-39065"})
# Rows were moved, but not as they were: hidden by a security policy, or bent by character set conversion.
ALTERING = frozenset({"ORA-39181", "ORA-39346"})
LIVE_STATES = frozenset({"DEFINING", "EXECUTING", "COMPLETING", "STOP PENDING", "STOPPING", "UNDEFINED"})


@dataclass(frozen=True)
class JobVerdict:
    """What became of a job: `rows` and `bytes` per table that it moved, `missing` the tables it did not.

    `lost` are the objects that errors name, as `OWNER.TABLE` or `OWNER.TABLE:PARTITION`. `completed`: it came
    to its end, with or without errors.
    """

    outcome: Outcome
    rows: Mapping[TableName, int]
    bytes: Mapping[TableName, int]
    missing: tuple[TableName, ...] = ()
    codes: tuple[str, ...] = ()
    messages: tuple[str, ...] = ()
    seconds: int | None = None
    lost: tuple[str, ...] = ()
    completed: bool = False


def verdict_of(log: DataPumpLog | None, expected: Collection[TableName]) -> JobVerdict:
    """The verdict on one job.

    :param log: its parsed log file; None when there is no such file, which means the job never started.
    :param expected: every (owner, table) that the job had to move.
    """
    if log is None:
        return JobVerdict("unknown", {}, {}, missing=tuple(sorted(expected)))
    rows, sizes = log.table_rows(), log.table_bytes()
    missing = tuple(sorted(set(expected) - set(rows)))
    pardoned = HARMLESS | HEALED_BY_RESTART if log.ending == "completed" else HARMLESS
    serious = [error for error in log.errors if plain(error.code) not in pardoned]
    complaints = [*(error.cause for error in serious), *_left_out(log), *_unseen(log)]
    outcome: Outcome
    if log.ending is None:
        outcome = "unknown"
    elif log.ending == "stopped" or missing or complaints:
        outcome = "failed"
    else:
        outcome = "succeeded"
    return JobVerdict(
        outcome,
        rows,
        sizes,
        missing,
        tuple(dict.fromkeys(code for error in serious for code in error.all_codes)),
        tuple(complaints),
        log.elapsed_seconds,
        tuple(dict.fromkeys(error.object for error in serious if error.object)),
        log.ending == "completed",
    )


def _left_out(log: DataPumpLog) -> list[str]:
    """Tables of which the log says that only some rows were moved."""
    return [
        f"{line.rows} of {line.total} rows of {line.table.key} were moved"
        for line in log.rows
        if line.total is not None and line.rows < line.total
    ]


def _unseen(log: DataPumpLog) -> list[str]:
    """Errors that are counted, but not shown."""
    hidden = log.unseen_errors
    return [f"the job counts {hidden} more error(s) than its log shows"] if hidden else []


Presence = Literal["absent", "present", "unclear"]
MAX_SUMS = 100_000  # more combinations than this tell nothing apart


def presence(count: int, settled: int, mine: int, unsettled: Collection[int]) -> Presence:
    """Whether this shard's rows are in the table, told from row counts alone.

    Every shard is loaded wholly or not at all, so the rows beyond the settled ones are the sum of some of the
    unsettled shards (this one among them). When all subsets that give the count agree on this shard, that is
    the answer; `unclear` otherwise, also when no subset fits.

    :param count: rows of the table now.
    :param settled: rows of the shards known to be loaded.
    :param mine: rows of this shard; 0 is always `absent`, there is nothing to load twice.
    :param unsettled: rows of the other shards that may or may not be loaded.
    """
    if mine == 0:
        return "absent"
    extra = count - settled
    reachable = {0}
    for rows in unsettled:
        reachable |= {total + rows for total in reachable if total + rows <= extra}
        if len(reachable) > MAX_SUMS:
            return "unclear"
    without, with_mine = extra in reachable, extra - mine in reachable
    if with_mine and not without:
        return "present"
    if without and not with_mine:
        return "absent"
    return "unclear"
