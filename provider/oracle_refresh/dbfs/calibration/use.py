"""What staging takes of a calibration: what its definition leaves open. Pure."""

from __future__ import annotations

from oracle_refresh.dbfs.calibration.model import StoreAdvice
from oracle_refresh.spec.definition import Staging


def settled(staging: Staging, advice: StoreAdvice | None) -> Staging:
    """The staging with files at a time and bytes of a piece as calibrated; what it says itself stays."""
    if advice is None or not advice.trusted:
        return staging
    found = {"files_at_a_time": advice.files_at_a_time, "piece_bytes": advice.piece_bytes}
    open_fields = {name: value for name, value in found.items() if getattr(staging, name) is None}
    return staging.model_copy(update=open_fields)
