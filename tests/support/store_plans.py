"""Plans of a calibration of the store, for tests that measure nothing."""

from __future__ import annotations

from typing import Any

from oracle_refresh.labs.store.model import Calibration


def calibration(**fields: Any) -> Calibration:
    """One that measures blocks of no size; `fields` say what a test is about."""
    usual: dict[str, Any] = {
        "run_id": "run",
        "conn_id": "oracle_target",
        "database": "TARGET 19",
        "store": "FS_REFRESH",
        "mount": "/REFRESH",
        "directory": "REFRESH_STAGE",
        "mounted_path": "/mnt",
        "parts": ("blocks",),
        "cells": (),
        "users": (1,),
        "seconds": 1.0,
        "file_bytes": 1,
        "small_files": 1,
        "small_file_bytes": 1,
        "flat_bytes": 1,
        "flat_files": 1,
    }
    return Calibration(**usual | fields)
