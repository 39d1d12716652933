"""The third step of the ladder: it makes a schema of its own in the target and drops it."""

from __future__ import annotations

import os

import oracledb
import pytest

from oracle_refresh.first_contact.model import Outcome
from oracle_refresh.first_contact.writing import try_in_throwaway_schema

from .conftest import PREFIX, Pair


@pytest.mark.skipif(not os.environ.get(f"{PREFIX}LIVE_WRITE"), reason=f"{PREFIX}LIVE_WRITE is not set")
def test_everything_passes_in_a_schema_of_its_own(
    pair: Pair, source: oracledb.Connection, target: oracledb.Connection
) -> None:
    checks = try_in_throwaway_schema(source, target, pair.definition)
    assert [check for check in checks if check.outcome is Outcome.FAILED] == []
