"""Ranges of parameters that people tune. Source: Database Reference 19c, the page of each, "Range of values".

There is no view of ranges; words are in V$PARAMETER_VALID_VALUES. A parameter that is not here is judged by
Oracle alone.
"""

from __future__ import annotations

_MB = 1 << 20
_MOST = (1 << 31) - 1

RANGES: dict[str, tuple[int, int]] = {
    "ddl_lock_timeout": (0, 1_000_000),
    "fast_start_mttr_target": (0, 3600),
    "job_queue_processes": (0, 4000),
    "log_archive_max_processes": (1, 30),
    "log_checkpoint_interval": (0, _MOST),
    "log_checkpoint_timeout": (0, _MOST),
    "optimizer_dynamic_sampling": (0, 11),
    "parallel_max_servers": (0, 32767),
    "parallel_min_servers": (0, 32767),
    "parallel_servers_target": (0, 32767),
    "pga_aggregate_target": (10 * _MB, 4096 * 1024 * _MB - 1),
    "resumable_timeout": (0, _MOST),
    "sga_target": (64 * _MB, 1 << 60),
    "undo_retention": (0, _MOST),
}

#: Words of parameters, besides those in V$PARAMETER_VALID_VALUES: the view leaves out words that are kept for
#: compatibility, such as FALSE for OFF.
WORDS: dict[str, tuple[str, ...]] = {
    "commit_logging": ("IMMEDIATE", "BATCH"),
    "commit_wait": ("NOWAIT", "WAIT", "FORCE_WAIT"),
    "db_block_checking": ("FALSE", "OFF", "LOW", "MEDIUM", "TRUE", "FULL"),
    "db_block_checksum": ("OFF", "FALSE", "TYPICAL", "TRUE", "FULL"),
    "fast_start_parallel_rollback": ("HIGH", "LOW", "FALSE"),
    "optimizer_mode": ("ALL_ROWS", "FIRST_ROWS", *(f"FIRST_ROWS_{rows}" for rows in (1, 10, 100, 1000))),
    "parallel_degree_policy": ("MANUAL", "LIMITED", "AUTO", "ADAPTIVE"),
    "recyclebin": ("ON", "OFF"),
    "workarea_size_policy": ("AUTO", "MANUAL"),
}
