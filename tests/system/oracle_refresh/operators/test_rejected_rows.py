"""A load that rejects rows: neither its error, with all that it was raised from, nor what it logs and leaves
has their values, though Data Pump's log on the database's host has them.
"""

from __future__ import annotations

import logging
import traceback
from collections.abc import Callable
from pathlib import Path

import pytest

from oracle_refresh.operators.transfer import ExportShard, LoadShard, StageDump
from oracle_refresh.oracle.errors import DataPumpError
from support.demo import DemoDatabase
from support.planted import in_folders, in_target
from support.small_run import SmallRun

COLUMN = "SELECT LAST_NAME FROM APP.EMPLOYEES WHERE LENGTH(LAST_NAME) > 7"


#: What rejects rows, the error, and what takes it back.
REJECTING = (
    ("ADD CONSTRAINT SHORT_CK CHECK (LENGTH(LAST_NAME) < 3)", "ORA-02290", "DROP CONSTRAINT SHORT_CK"),
    ("ADD CONSTRAINT SAME_UK UNIQUE (MANAGER_ID)", "ORA-00001", "DROP CONSTRAINT SAME_UK"),
    ("MODIFY (LAST_NAME VARCHAR2(5))", "ORA-02372", "MODIFY (LAST_NAME VARCHAR2(40))"),
)


def test_no_value_of_a_rejected_row_is_told(
    new_run: Callable[..., SmallRun],
    demo_source: DemoDatabase,
    demo_target: DemoDatabase,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.DEBUG)
    with demo_source.connect() as connection, connection.cursor() as cursor:
        values = [name for (name,) in cursor.execute(COLUMN)]
    assert values
    run = new_run().until_built()
    (job,) = run.jobs
    for operator in (ExportShard, StageDump):
        run.execute(operator, job=job)
    printed = ""
    with demo_target.system() as connection, connection.cursor() as cursor:
        for change, code, back in REJECTING:
            cursor.execute(f"ALTER TABLE APP.EMPLOYEES {change}")
            with pytest.raises(DataPumpError) as caught:
                run.execute(LoadShard, job=job)
            assert code in caught.value.codes or code in str(caught.value)
            printed += "".join(traceback.format_exception(caught.value))
            cursor.execute(f"ALTER TABLE APP.EMPLOYEES {back}")
    printed += caplog.text
    (said := tmp_path / "said.txt").write_text(printed)
    assert in_folders(values, [said, tmp_path / "reports"]) == []
    with demo_target.connect() as connection:
        assert in_target(values, connection) == []
