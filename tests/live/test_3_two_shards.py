"""The fourth step of the ladder: twenty rows travel by every transport, and nothing of them is left."""

from __future__ import annotations

import os

import oracledb
import pytest

from oracle_refresh.first_contact.model import Outcome
from oracle_refresh.first_contact.moving import move_ten_rows

from .conftest import PREFIX, Pair


@pytest.mark.skipif(not os.environ.get(f"{PREFIX}LIVE_WRITE"), reason=f"{PREFIX}LIVE_WRITE is not set")
def test_two_shards_are_exported_staged_and_loaded(
    pair: Pair, source: oracledb.Connection, target: oracledb.Connection
) -> None:
    checks, facts = move_ten_rows(source, target, pair.definition, pair.target.connect)
    assert [check for check in checks if check.outcome is Outcome.FAILED] == []
    assert facts["export"]
