"""Operators raise their own errors here: what Airflow makes of them is tested with retries."""

from __future__ import annotations

import pytest

from oracle_refresh.operators import base


@pytest.fixture(autouse=True)
def _no_fallback(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(base, "HAS_RETRY_POLICY", True)
