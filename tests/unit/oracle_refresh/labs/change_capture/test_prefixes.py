"""Prefixes of the objects that trials make."""

from __future__ import annotations

import pytest

from oracle_refresh.labs.change_capture.objects import TrialObjects
from oracle_refresh.oracle.errors import TuningError


@pytest.mark.parametrize("prefix", ["lower", "WITH BLANK", "A" * 21, "", '"', "1ST"])
def test_prefixes_that_make_no_names(prefix: str) -> None:
    with pytest.raises((TuningError, ValueError)):
        TrialObjects("REFRESH_TARGET", prefix)
