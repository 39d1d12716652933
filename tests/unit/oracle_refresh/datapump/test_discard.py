"""What becomes of a job that nothing can be attached to."""

from __future__ import annotations

from typing import Any

import oracledb
import pytest

from oracle_refresh.datapump import statements
from oracle_refresh.datapump.beginning import start_anew
from oracle_refresh.datapump.job import discard
from oracle_refresh.oracle.errors import DataPumpError
from support.fake_connection import FakeConnection


class Database(FakeConnection):
    """Connection and cursor at once: ATTACH fails with a code, and USER_DATAPUMP_JOBS has one job."""

    def __init__(self, state: str | None, code: str = "ORA-39999") -> None:
        self.state, self.code = state, code
        self.sent: list[str] = []
        self.rowcount = self.call_timeout = 0

    def is_healthy(self) -> bool:
        return True

    def callfunc(self, *_: object) -> int:
        raise oracledb.DatabaseError(f"{self.code}: no")

    def execute(self, text: str, *_: object, **__: object) -> None:
        self.sent.append(text)

    def fetchone(self) -> tuple[Any, ...] | None:
        if self.sent[-1] == statements.JOB_STATE:
            return None if self.state is None else ("EXPORT", self.state, 1, 0)
        return (1,) if self.sent[-1] == statements.MASTER_TABLE else None


@pytest.mark.parametrize(
    ("state", "code"), [("NOT RUNNING", "ORA-39999"), (None, "ORA-39999"), ("EXECUTING", "ORA-31626")]
)
def test_of_a_job_that_nobody_works_on_the_table_goes_whatever_attach_says(
    state: str | None, code: str
) -> None:
    database: Any = Database(state, code)
    discard(database, "RF_X")
    assert database.sent[-1] == 'DROP TABLE "RF_X" PURGE'


def test_a_job_at_work_that_cannot_be_attached_to_is_an_error() -> None:
    database: Any = Database("EXECUTING")
    with pytest.raises(DataPumpError) as refused:
        discard(database, "RF_X")
    assert refused.value.codes == ("ORA-39999",)


@pytest.mark.parametrize("left", [False, True])
def test_a_start_asks_for_no_job_that_is_known_not_to_be_there(left: bool) -> None:
    database: Any = Database("NOT RUNNING")
    spec: Any = type("Spec", (), {"job_name": "RF_X"})()
    started: list[object] = []
    start_anew(database, spec, lambda *given, confirm: started.append(given), left=left)
    assert len(started) == 1
    assert bool(database.sent) is left


class Idling(Database):
    """ATTACH succeeds, STOP_JOB fails."""

    def callfunc(self, *_: object) -> int:
        return 7

    def callproc(self, *_: object) -> None:
        raise oracledb.DatabaseError(f"{self.code}: no")


def test_a_job_that_was_attached_to_and_does_not_stop_keeps_its_table() -> None:
    """Its master process is there: Utilities 19c, "The Data Pump API", Idling."""
    database: Any = Idling("IDLING")
    with pytest.raises(DataPumpError) as refused:
        discard(database, "RF_X")
    assert refused.value.codes == ("ORA-39999",)
    assert not any(text.startswith("DROP") for text in database.sent)


def test_a_lost_session_is_told_as_what_attach_has_said() -> None:
    class Lost(Database):
        def execute(self, text: str, *_: object, **__: object) -> None:
            raise oracledb.DatabaseError("DPY-1001: not connected to database")

    database: Any = Lost("EXECUTING", "ORA-03113")
    with pytest.raises(DataPumpError) as refused:
        discard(database, "RF_X")
    assert refused.value.codes == ("ORA-03113",)
