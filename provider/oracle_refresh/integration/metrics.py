"""Figures of refreshes in Airflow's own metrics (StatsD or OpenTelemetry, by `[metrics]`).

Names are below `oracle_refresh.`; each has the tag `refresh`, the name of the definition:
`shard.export`, `shard.stage`, `shard.load` with `.duration`, `.rows`, `.bytes`; `table.mask` with
`.duration`, `.rows`; `published`, `failed` (counters), `run.duration`, `run.rows`.
"""

from __future__ import annotations

from datetime import timedelta

from oracle_refresh.integration.compat import Stats

PREFIX = "oracle_refresh"


def step_done(
    step: str, refresh: str, seconds: float, *, rows: int | None = None, size: int | None = None
) -> None:
    """Count what one task of a step has done.

    :param size: bytes.
    """
    tags = {"refresh": refresh}
    Stats.timing(f"{PREFIX}.{step}.duration", timedelta(seconds=seconds), tags=tags)
    for unit, count in (("rows", rows), ("bytes", size)):
        if count is not None:
            Stats.incr(f"{PREFIX}.{step}.{unit}", count, tags=tags)


def run_done(refresh: str, status: str, seconds: float, rows: int) -> None:
    """Count a run that was published or has failed."""
    Stats.incr(f"{PREFIX}.{status}", tags={"refresh": refresh})
    step_done("run", refresh, seconds, rows=rows)
