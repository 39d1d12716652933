"""What staging takes of a calibration: what its definition leaves open. Pure."""

from __future__ import annotations

from oracle_refresh.dbfs.calibration.model import MOUNTED, STREAM, WayAdvice
from oracle_refresh.spec.definition import Staging, StagingTransport


def way_of(staging: Staging) -> str:
    """The way into the store that a staging takes where dump files pass through the worker."""
    return MOUNTED if staging.transport is StagingTransport.MOUNTED else STREAM


def settled(staging: Staging, advice: WayAdvice | None) -> Staging:
    """The staging with files at a time and bytes of a piece as calibrated; what it says itself stays."""
    if advice is None:
        return staging
    found = {"files_at_a_time": advice.files_at_a_time, "piece_bytes": advice.piece_bytes}
    open_fields = {name: value for name, value in found.items() if getattr(staging, name) is None}
    return staging.model_copy(update=open_fields)
