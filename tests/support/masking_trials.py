"""Measurements of a masking benchmark that nobody has measured."""

from __future__ import annotations

from typing import Any

from oracle_refresh.labs.harness.trial import Trial
from oracle_refresh.labs.masking.model import BASELINE, Benchmark, Measurement, Setting, Workload

WORK = Workload("MASKING_BENCHMARK", 5, 2, 1000, 100)


def measurement(number: int, setting: str, seconds: float, **facts: Any) -> Measurement:
    return Measurement(
        **{
            "trial": Trial(number, 1, setting),
            "seconds": seconds,
            "rows": 10_000,
            "bytes": 1_000_000,
            "transactions": 100,
            "log_mode": "ARCHIVELOG",
            "job_seconds": (seconds,) * 5,
        }
        | facts
    )


def measurements(*found: tuple[str, float]) -> list[Measurement]:
    """In the order of the trials: setting and seconds."""
    return [measurement(number, setting, seconds) for number, (setting, seconds) in enumerate(found, 1)]


def benchmark(found: list[Measurement], **facts: Any) -> Benchmark:
    names = dict.fromkeys([BASELINE, *(one.trial.setting for one in found)])
    return Benchmark(
        **{
            "run_id": "manual__1",
            "conn_id": "oracle_target",
            "database": "TARGET 19.0",
            "workload": WORK,
            "settings": tuple(Setting(name, f"{name} <title>", {}) for name in names),
            "trials": tuple(one.trial for one in found),
            "log_mode": "NOARCHIVELOG",
        }
        | facts
    )
