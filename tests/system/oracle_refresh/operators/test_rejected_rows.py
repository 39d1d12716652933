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


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ("MODIFY (LAST_NAME VARCHAR2(5))", "ORA-02372"),
        ("ADD CONSTRAINT SHORT_CK CHECK (LENGTH(LAST_NAME) < 3)", "ORA-02290"),
        ("ADD CONSTRAINT SAME_UK UNIQUE (MANAGER_ID)", "ORA-00001"),
    ],
)
def test_no_value_of_a_rejected_row_is_told(
    change: str,
    code: str,
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
    with demo_target.system() as connection, connection.cursor() as cursor:
        cursor.execute(f"ALTER TABLE APP.EMPLOYEES {change}")
    (job,) = run.jobs
    for operator in (ExportShard, StageDump):
        run.execute(operator, job=job)
    with pytest.raises(DataPumpError) as caught:
        run.execute(LoadShard, job=job)
    assert code in caught.value.codes or code in str(caught.value)
    printed = "".join(traceback.format_exception(caught.value)) + caplog.text
    (said := tmp_path / "said.txt").write_text(printed)
    assert in_folders(values, [said, tmp_path / "reports"]) == []
    with demo_target.connect() as connection:
        assert in_target(values, connection) == []
