"""Whose a stopped job is tells the log that it writes; a shortage tells nothing of it."""

from __future__ import annotations

from typing import Any

import oracledb
import pytest

from oracle_refresh.datapump import job, statements
from oracle_refresh.oracle.errors import DataPumpError
from support.fake_connection import FakeConnection


class Database(FakeConnection):
    """Connection and cursor at once, with one stopped job."""

    def __init__(self, attach: str = "", look: str = "", log: str | None = "/dumps/rf_x_1.log") -> None:
        self.attach, self.look, self.log = attach, look, log
        self.handles: list[int] = []

    def var(self, *_: object) -> Any:
        log = self.log

        class Variable:
            def setvalue(self, *_: object) -> None:
                pass

            def getvalue(self) -> str | None:
                return log

        return Variable()

    def callfunc(self, *_: object) -> int:
        if self.attach:
            raise oracledb.DatabaseError(self.attach)
        self.handles.append(7)
        return 7

    def callproc(self, name: str, arguments: list[int]) -> None:
        assert name == statements.DETACH
        self.handles.remove(*arguments)

    def execute(self, text: str, **_: object) -> None:
        if text == statements.GET_ERRORS:
            raise oracledb.DatabaseError("ORA-31623: no handle")
        if self.look:
            raise oracledb.DatabaseError(self.look)


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("/dumps/rf_x_1.log", "rf_x_1.log"),
        (r"D:\dumps\rf_x_1.log", "rf_x_1.log"),
        ("+DATA/dumps/rf_x_1.log", "rf_x_1.log"),
        (None, ""),
    ],
)
def test_the_name_of_a_log(path: str | None, name: str) -> None:
    database: Any = Database(log=path)
    assert job.log_file(database, "RF_X") == name
    assert not database.handles


@pytest.mark.parametrize(
    "said",
    [
        "ORA-00020: maximum number of processes (300) exceeded",
        "ORA-31626: job does not exist\nORA-31638: cannot attach\nORA-00018: maximum number of sessions",
        "ORA-31626: job does not exist\nORA-31637: cannot create job\nORA-39391: maximum number of jobs",
        "ORA-31626: job does not exist\nORA-04031: unable to allocate 56 bytes of shared memory",
        "ORA-31626: job does not exist\nORA-00832: no streams pool created",
        "ORA-31626: job does not exist\nORA-01652: unable to extend temp segment",
        "DPY-4011: the database or network closed the connection",
        "no code of Oracle",
    ],
)
def test_a_shortage_does_not_tell_whose_the_job_is(said: str) -> None:
    database: Any = Database(attach=said)
    with pytest.raises(DataPumpError):
        job.log_file(database, "RF_X")


@pytest.mark.parametrize(
    "said",
    [
        "ORA-31626: job does not exist",
        "ORA-31626: job does not exist\nORA-31638: cannot attach to job\nORA-06512: at line 79",
        "ORA-39002: invalid operation\nORA-31640: unable to open dump file\nORA-27037: no file status",
    ],
)
def test_a_job_that_is_gone_or_past_help_is_no_one_s(said: str) -> None:
    database: Any = Database(attach=said)
    assert job.log_file(database, "RF_X") is None


def test_a_look_that_fails_keeps_no_handle() -> None:
    database: Any = Database(look="ORA-31627: API call succeeded but more information is available")
    with pytest.raises(DataPumpError, match="ORA-31627"):
        job.log_file(database, "RF_X")
    assert not database.handles
