"""A try that stands still while its successor works, and then goes on, moves nothing and undoes nothing.

It is stopped where it has just looked at its job: in the middle of it the successor runs, whole.
"""

from __future__ import annotations

import oracledb
import pytest

from oracle_refresh.datapump.status import status
from oracle_refresh.operators import transfer
from oracle_refresh.oracle.errors import TakenOverError
from support.between import meanwhile
from support.demo import DemoDatabase
from support.frozen import TAKEN_OVER
from support.frozen_tries import EMPLOYEES, loads, name_of, staged
from support.small_run import SmallRun
from support.transfer import count

__all__ = ["staged"]


def test_nothing_is_imported_after_the_successor_has_loaded(
    staged: SmallRun,
    source: oracledb.Connection,
    demo_target: DemoDatabase,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It stands still while the target hashes the files: minutes in which it has no job yet."""
    meanwhile(monkeypatch, transfer, "verify_staged", lambda: loads(staged, 2))
    with pytest.raises(TakenOverError, match=TAKEN_OVER):
        loads(staged, 1)
    with demo_target.connect() as connection:
        assert count(connection, EMPLOYEES) == count(source, EMPLOYEES), "doubled"
        assert status(connection, name_of(staged)) is None
    assert loads(staged, 3)["rows"] > 0, "a cleared task finds its work done"
